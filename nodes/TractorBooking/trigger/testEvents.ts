import { randomBytes } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { readPages } from '../api/pages/pages';
import { BOOKING_STATUS_LABELS } from '../api/status';
import type { Status } from './bookings';
import { exactKeyOf, localDay, toStatus } from './bookings';
import { wouldMatch } from './events';
import { scanById } from './scan/byId';
import { newProgress } from './scan/progress';
import type { Budget, Pages, Source } from './scan/reader';
import { Reader, withinBudget } from './scan/reader';
import type { Settings } from './settings';
import { toEvent } from './toEvent';

/** Pages, or specific bookings, that are read at most for a test event. */
const MAX_REQUESTS = 20;

const NOTICE =
	'This is a real booking, shown as an event to test the workflow. What the workflow sends now, it really sends.';

async function* bookingsToTest(reader: Reader, { chosen, pageSize }: Settings): Pages {
	if (chosen) {
		yield* scanById(reader, newProgress(), chosen);
		return;
	}
	const pages = readPages(
		reader.list(() => pageSize),
		{ size: pageSize, skipFailed: true },
	);
	for await (const { items } of pages) yield items;
}

/**
 * A booking as an event; undefined if it does not match. It appears as if it was seen for the first time or, if From
 * Statuses is set, as if it came from one of those statuses.
 */
function testEventOf(
	booking: IDataObject,
	{ watch, timezone }: Settings,
	nowMs: number,
): IDataObject | undefined {
	const key = exactKeyOf(booking);
	const status = toStatus(booking.bookingStatus);
	if (key === undefined || status === undefined) return undefined;
	const shown = { booking, status, today: localDay(nowMs, timezone) };
	const matches = (previous: Status | undefined) => wouldMatch(watch, { ...shown, previous });
	const statuses = [undefined, ...BOOKING_STATUS_LABELS.keys()];
	const previous = statuses.find((from) => from !== status && matches(from));
	if (!matches(previous)) return undefined;
	// Each test has an ID of its own: Remove Duplicates would drop the second one.
	const scope = `test:${randomBytes(4).toString('hex')}`;
	const change = { key, booking, status, previous, round: 1, isRepeat: false };
	const event = toEvent(scope, watch, change, new Date(nowMs).toISOString());
	return { ...event, isTest: true, testNotice: NOTICE };
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
	for await (const bookings of withinBudget(bookingsToTest(reader, settings))) {
		settings.watch.learn?.(bookings);
		for (const booking of bookings) {
			const event = testEventOf(booking, settings, reader.now);
			if (event) return { event, read: reader.records };
		}
	}
	const { failure = reader.records === 0 ? reader.unknown[0]?.error : undefined } = reader;
	if (failure) throw failure;
	return { read: reader.records };
}
