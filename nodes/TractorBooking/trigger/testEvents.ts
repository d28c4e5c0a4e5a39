import { randomBytes } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { BOOKING_STATUS_LABELS } from '../api/status';
import { exactKeyOf, localDay, toStatus } from './bookings';
import { wouldMatch } from './events';
import { scanById } from './scan/byId';
import { scanList } from './scan/list';
import { newProgress } from './scan/progress';
import type { Budget, Source } from './scan/reader';
import { Reader } from './scan/reader';
import type { Settings } from './settings';
import { toEvent } from './toEvent';

/** Pages, or specific bookings, that are read at most for a test event. */
const MAX_REQUESTS = 20;

const NOTICE =
	"This is a real booking with the farmer's real phone number, shown as an event to test the workflow. What the workflow sends now, it really sends.";

/** Nothing is known of the records that are read for a test, and nothing is asked of them. */
const VIEW = { isNews: () => false, isOpen: () => false };

/**
 * A booking as an event; undefined if it does not match. It appears as if it was seen for the first time or, if From
 * Statuses is set, as if it came from one of those statuses.
 */
function testEventOf(
	booking: IDataObject,
	{ watches, timezone }: Settings,
	nowMs: number,
): IDataObject | undefined {
	const key = exactKeyOf(booking);
	const status = toStatus(booking.bookingStatus);
	if (key === undefined || status === undefined) return undefined;
	const shown = { booking, status, today: localDay(nowMs, timezone) };
	const statuses = [undefined, ...BOOKING_STATUS_LABELS.keys()].filter((from) => from !== status);
	for (const watch of watches) {
		for (const previous of statuses) {
			if (!wouldMatch(watch, { ...shown, previous })) continue;
			// Each test has an ID of its own: Remove Duplicates would drop the second one.
			const scope = `test:${randomBytes(4).toString('hex')}`;
			const id = watch.id(status, 1);
			const change = { key, booking, watch, id, previous, isRepeat: false };
			const event = toEvent(scope, change, new Date(nowMs).toISOString());
			return { ...event, isTest: true, testNotice: NOTICE };
		}
	}
	return undefined;
}

/**
 * For n8n's "Fetch test event": an existing booking that matches what is watched, as an event.
 *
 * @returns the event, if there is one, and the number of bookings that were read
 * @throws ServiceError if no booking can be read
 */
export async function fetchTestEvent(
	source: Source,
	settings: Settings,
	budget: Budget,
): Promise<{ event?: IDataObject; read: number }> {
	const reader = new Reader(source, { ...budget, requests: MAX_REQUESTS });
	const { chosen, pageSize, watches } = settings;
	const pages = chosen
		? scanById(reader, newProgress(), chosen)
		: scanList(reader, newProgress(), pageSize, VIEW);
	for await (const bookings of pages) {
		for (const watch of watches) watch.learn?.(bookings);
		for (const booking of bookings) {
			const event = testEventOf(booking, settings, reader.now);
			if (event) return { event, read: reader.records };
		}
	}
	const { failure = reader.records === 0 ? reader.unknown[0]?.error : undefined } = reader;
	if (failure) throw failure;
	return { read: reader.records };
}
