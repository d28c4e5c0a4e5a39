import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../../api/client';
import type { ServiceError } from '../../../../api/errors';
import { keyOfBooking } from '../../../../api/identifiers';
import { asText } from '../../../../utils/text';
import type { ClaimedRow } from '../claims/claims';
import { bookingIndexOf } from '../match/bookingIndex';
import { existingBookings } from '../match/existingBookings';
import { doubtOf } from '../match/match';
import { candidatesFor, pairRows } from '../match/pairs';
import { readList } from '../match/readBookings';
import type { ReadyRow } from '../row';

/** A row whose booking is searched for. */
export interface Missing {
	/** How many bookings were listed before it was sent. */
	listedBefore: number;
	/** What came in place of a response; undefined if another run has claimed the row. */
	failure?: ServiceError;
	/** The claim of another run. */
	claim?: ClaimedRow;
	/** Why its booking is not found yet. */
	why: string;
}

/**
 * Looks for the bookings of rows among those that have appeared in the list (interface, "List bookings").
 *
 * @param missing the rows; gets why the booking of one is not certain
 * @param when the workflow's timezone, and how many bookings were listed when the rows were compared with them
 * @returns the bookings that are certain, by row
 * @throws ServiceError
 */
export async function findAppeared(
	client: ServiceClient,
	missing: ReadonlyMap<ReadyRow, Missing>,
	{ timezone, since }: { timezone: string; since: number },
): Promise<Map<ReadyRow, IDataObject>> {
	const index = bookingIndexOf(client);
	await readList(client);
	const existing = existingBookings(client, index.arrivedSince(since), timezone);
	const candidates = [...missing].flatMap(([row, { listedBefore }]) =>
		candidatesFor(row, existing, { isNew: true }).filter(
			({ booking }) => !index.isKnown(keyOfBooking(booking), listedBefore),
		),
	);
	const pairs = await pairRows(candidates, false);
	const found = new Map<ReadyRow, IDataObject>();
	for (const [row, lost] of missing) {
		const pair = pairs.get(row);
		// Meanwhile another row may have turned out to have it.
		if (!pair || index.isKnown(keyOfBooking(pair.booking), lost.listedBefore)) continue;
		const doubt = doubtOf(pair);
		if (doubt) lost.why = `booking ${asText(pair.booking.bookingID)} may be the one, but ${doubt}`;
		else found.set(row, pair.booking);
	}
	return found;
}
