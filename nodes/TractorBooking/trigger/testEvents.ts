import { randomBytes } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { readPages } from '../api/pages/pages';
import { BOOKING_STATUS_LABELS } from '../api/status';
import type { Status } from './bookings';
import { exactKeyOf, localDay, toStatus } from './bookings';
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
 * For n8n's "Fetch test event": an existing booking that matches what is watched, as an event. It appears as if it was
 * seen for the first time or, if From Statuses is set, as if it came from one of those statuses.
 *
 * @returns the event, if there is one, and the number of bookings that were read
 * @throws ServiceError if no booking can be read
 */
export async function fetchTestEvent(
	source: Source,
	settings: Settings,
	budget: Budget,
): Promise<{ event?: IDataObject; read: number }> {
	const { watch, timezone } = settings;
	const reader = new Reader(source, { ...budget, requests: MAX_REQUESTS });
	const today = localDay(budget.now(), timezone);
	for await (const bookings of withinBudget(bookingsToTest(reader, settings))) {
		watch.learn?.(bookings);
		for (const booking of bookings) {
			const key = exactKeyOf(booking);
			const status = toStatus(booking.bookingStatus);
			if (key === undefined || status === undefined) continue;
			const seen = { booking, status, today, sinceDay: 0, had: [], isChanged: true };
			const matches = (previous: Status | undefined) =>
				watch.match({ ...seen, previous, isNew: true, isOld: false }) === true;
			const statuses = [undefined, ...BOOKING_STATUS_LABELS.keys()];
			const previous = statuses.find((from) => from !== status && matches(from));
			if (!matches(previous)) continue;
			// Each test has an ID of its own: Remove Duplicates would drop the second one.
			const scope = `test:${randomBytes(4).toString('hex')}`;
			const change = { key, booking, status, previous, round: 1, isRepeat: false };
			const event = toEvent(scope, watch, change, new Date(budget.now()).toISOString());
			return { event: { ...event, isTest: true, testNotice: NOTICE }, read: reader.records };
		}
	}
	const { failure = reader.records === 0 ? reader.unknown[0]?.error : undefined } = reader;
	if (failure) throw failure;
	return { read: reader.records };
}
