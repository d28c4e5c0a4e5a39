import type { IDataObject } from 'n8n-workflow';

import { ServiceError, TRY_LATER } from './errors';
import { errorMessageFrom } from './errorText';
import { isRecord } from '../utils/record';

/**
 * The error for a response that is not what was asked for, with what the service says in its place.
 *
 * @param what what was asked for, e.g. `bookings` for a list of them, or `booking`
 * @param body undefined if there is nothing in place of a list
 */
export function unexpectedResponse(what: string, body?: unknown): ServiceError {
	// In the place of an empty list, a service may send null, or an empty list of an unknown name.
	const none = body === undefined ? `There may be no ${what} yet. ` : '';
	const hasReason = isRecord(body) && (body.error ?? body.errors ?? body.detail ?? body.message);
	const wanted = what.endsWith('s') ? `list of ${what}` : what;
	return new ServiceError(
		'unreadable',
		`The service answered with something that is not a ${wanted}`,
		{
			description: hasReason
				? `The service says: ${errorMessageFrom(body)}. ${TRY_LATER}`
				: `${none}Check that the base URL in the credential is the one of the service.`,
		},
	);
}

/** Names under which one record is usually wrapped. */
const RECORD_NAMES = ['data', 'results', 'result', 'booking', 'tractor'];

/** The record in a body: the body itself, what is under a usual name, or the only one of a list; undefined if there is none. */
export function findRecord(
	body: unknown,
	isIt: (record: IDataObject) => boolean,
): IDataObject | undefined {
	if (Array.isArray(body)) return body.length === 1 ? findRecord(body[0], isIt) : undefined;
	if (!isRecord(body)) return undefined;
	if (isIt(body)) return body;
	const records = RECORD_NAMES.map((name) => findRecord(body[name], isIt));
	return records.find((record) => record !== undefined);
}

/**
 * Reads one record that may be wrapped in an envelope, or in a list of one.
 *
 * @param isIt whether an object is the record, by a field that every such record has
 * @throws ServiceError (`unreadable`) if there is no such record in the body
 */
export function parseRecord(
	body: unknown,
	what: string,
	isIt: (record: IDataObject) => boolean,
): IDataObject {
	const record = findRecord(body, isIt);
	if (!record) throw unexpectedResponse(what, body);
	return record;
}
