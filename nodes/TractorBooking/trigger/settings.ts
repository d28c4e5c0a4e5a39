import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { parseIds } from '../parse/ids';
import { parseBaseUrl } from '../api/baseUrl';
import { CREDENTIAL_TYPES } from '../api/client';
import { toKey } from '../api/identifiers';
import { PAGE_SIZE } from '../api/pages/list';
import type { Watch } from './changes';
import type { BookingKey, Status } from './bookings';
import { toStatus } from './bookings';
import { fingerprint } from './state';

/** Value of the option "None (First Seen)" of From Statuses. */
export const FIRST_SEEN = 'firstSeen';

/** The settings of the trigger node. */
export interface Settings {
	watch: Watch;
	/** The specific bookings to watch; undefined for all. */
	chosen?: readonly BookingKey[];
	/** Whether specific bookings are not read again once they are completed or declined. */
	skipFinished: boolean;
	/** Whether a baseline emits the bookings that already match. */
	emitExisting: boolean;
	/** Number of bookings to request per page. */
	pageSize: number;
	/** Fingerprint of base URL and credential. */
	account: string;
	/** Fingerprint of what is watched. A change of `account` or `watched` starts a new baseline. */
	watched: string;
}

/** The values of a multi-select field; an expression may return one value, or comma-separated text. */
function listOf(value: unknown): unknown[] {
	if (Array.isArray(value)) return value;
	if (typeof value === 'string') return value.split(',').filter((part) => part.trim() !== '');
	return value === undefined || value === null ? [] : [value];
}

function getWatch(context: IPollFunctions, options: IDataObject): Watch {
	const event = context.getNodeParameter('event');
	switch (event) {
		case 'newBooking':
			return { event };
		case 'bookingCompleted':
			return { event, treatToCompletedAsCompleted: options.treatToCompletedAsCompleted === true };
		case 'bookingStatusChanged': {
			const statuses = (name: string) => listOf(context.getNodeParameter(name, []));
			const from = statuses('from').map((value) =>
				value === FIRST_SEEN ? undefined : toStatus(value),
			);
			return {
				event,
				from: new Set<Status | undefined>(from),
				to: new Set(statuses('to').map(toStatus)),
			};
		}
		default:
			throw new NodeOperationError(context.getNode(), `Unknown event ${JSON.stringify(event)}`);
	}
}

function parseBookingIds(context: IPollFunctions): BookingKey[] | undefined {
	if (context.getNodeParameter('bookings', 'all') !== 'chosen') return undefined;
	const ids = parseIds(context.getNodeParameter('bookingIds', ''), 'Booking IDs');
	return ids.map(toKey).filter((key) => key !== undefined);
}

/** A key that is equal for equal configurations, whatever the order of their values. */
function configKey(watch: Watch, chosen: readonly BookingKey[] | undefined): string {
	const sorted = (values: Iterable<unknown>) =>
		[...values].map((value) => JSON.stringify(value) ?? '').sort();
	const filters =
		watch.event === 'bookingStatusChanged'
			? [sorted(watch.from), sorted(watch.to)]
			: Object.values(watch);
	return JSON.stringify([watch.event, filters, chosen && sorted(chosen)]);
}

/**
 * Gets the settings from the fields of the node.
 *
 * @throws NodeOperationError, InvalidInputError for booking ids, ServiceError (`address`)
 */
export async function getTriggerSettings(context: IPollFunctions): Promise<Settings> {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const watch = getWatch(context, options);
	const chosen = watch.event === 'newBooking' ? undefined : parseBookingIds(context);
	const credentials = await context.getCredentials(CREDENTIAL_TYPES.apiKey);
	const credentialId = context.getNode().credentials?.[CREDENTIAL_TYPES.apiKey]?.id ?? '';
	const pageSize = Number(options.pageSize ?? PAGE_SIZE);
	return {
		watch,
		chosen,
		skipFinished: options.skipFinished === true,
		emitExisting: options.emitExisting === true,
		pageSize: Number.isInteger(pageSize) && pageSize > 0 ? pageSize : PAGE_SIZE,
		account: fingerprint(`${credentialId}\n${parseBaseUrl(credentials.baseUrl)}`, 16),
		watched: fingerprint(configKey(watch, chosen), 16),
	};
}
