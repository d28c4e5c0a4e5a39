import { randomBytes } from 'node:crypto';
import { NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';

import type { PagedList } from '../api/pages/fetch';
import { iterate } from '../api/pages/iterate';
import { pickFields, BOOKING_STATUS_LABELS, statusLabel, withStatusLabel } from '../api/status';
import { identified, localDay, type Identified } from './bookings';
import type { Settings } from './settings';
import type { NewEvent } from './state';

/**
 * The output item of an event. Its ID, e.g. `5d41402a:1042:completed`, names scope, booking, and what happened. It
 * depends on events only, because n8n does not save the state of polls without events: a change found again after a
 * crash gets the same ID, and a booking that enters a status again gets another one.
 *
 * @param scope distinguishes equal booking IDs of different services
 */
export function toEvent(
	scope: string,
	{ key, booking, event: name, id, previous, isRepeat }: NewEvent,
	nowMs: number,
	isSimplified: boolean,
): IDataObject {
	const event: IDataObject = {
		...(isSimplified ? pickFields(booking) : withStatusLabel(booking)),
		bookingID: booking.bookingID ?? key,
		previousStatus: previous ?? null,
		previousStatusLabel: previous === undefined ? null : statusLabel(previous),
		event: name,
		eventId: [scope, encodeURIComponent(key), id].join(':'),
		detectedAt: new Date(nowMs).toISOString(),
	};
	return isRepeat ? { ...event, isRepeat } : event;
}

/** A test event is looked for in so many pages: to read them takes seconds. */
const MAX_TEST_PAGES = 15;

/** A booking as a test event: as if it was seen for the first time or, if From Statuses is set, came from one of those. */
function testEventOf(
	{ bookingId, booking, status }: Identified,
	{ watches, timezone, isSimplified }: Settings,
	nowMs: number,
): IDataObject | undefined {
	const today = localDay(nowMs, timezone);
	for (const watch of watches) {
		for (const previous of [undefined, ...BOOKING_STATUS_LABELS.keys()]) {
			const shown = { booking, status, previous, today, sinceDay: 0 };
			if (previous === status || watch.match(shown) !== true) continue;
			// Each test has an ID of its own: Remove Duplicates would drop the second one.
			const scope = `test:${randomBytes(4).toString('hex')}`;
			const id = watch.id(status, '1');
			const change = { key: bookingId, booking, event: watch.event, id, previous };
			const event = toEvent(scope, change, nowMs, isSimplified);
			const testNotice =
				"This is a real booking with the farmer's real phone number, shown as a test event. A message sent to that number reaches the farmer.";
			return { ...event, isTest: true, testNotice };
		}
	}
	return undefined;
}

/** For n8n's "Fetch test event": an existing booking that matches what is watched, as an event. @throws ServiceError, or NodeOperationError if none does */
export async function fetchTestEvent(
	node: INode,
	list: PagedList,
	settings: Settings,
): Promise<IDataObject> {
	let pages = 0;
	let records = 0;
	for await (const page of iterate(list)) {
		for (const booking of page.records) {
			records += 1;
			const one = identified(booking);
			const event = one && testEventOf(one, settings, Date.now());
			if (event) return event;
		}
		pages += 1;
		if (pages === MAX_TEST_PAGES) break;
	}
	throw new NodeOperationError(node, 'No booking matches this trigger', {
		description:
			records === 0
				? 'The service returned no booking. Create one with the Tractor Booking node, then fetch again.'
				: `None of the ${records} bookings read matches. Widen this node's filters, or bring a booking into a watched status, then fetch again. Published workflows are unaffected.`,
	});
}
