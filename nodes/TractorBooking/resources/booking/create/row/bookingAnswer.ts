import { toId, type BookingId } from '../../../../api/records';
import { plainId } from '../../../../parse/ids';
import { ok, type ParseResult } from '../../../../parse/issue';
import { isBlank } from '../../../../parse/text';
import { cleanText } from '../../../../utils/text';
import { issueOf } from './sentences';

/** What a person has said of a row in its Booking ID. */
export interface BookingAnswer {
	/** The booking that the row is. */
	bookingID?: BookingId;
	/** The bookings that the row is not: it is a different job from these. Each once, in order. */
	denied: readonly BookingId[];
}

/** One with letters alone is a word, and `not5001` is none. */
const ID = /^(?!not)(?=\D*\d)[\w-]{1,99}$/i;

const DENIAL = /^not(?: |$)/i;

/** IDs with commas between; undefined if the text has anything else. */
function idsIn(text: string): BookingId[] | undefined {
	const ids = text.split(',').map((id) => plainId(id.trim()));
	return ids.every((id) => ID.test(id)) ? ids.flatMap((id) => toId(id) ?? []) : undefined;
}

const sorted = (ids: Iterable<BookingId>): BookingId[] =>
	[...new Set(ids)].sort((a, b) => Number(a) - Number(b) || (String(a) < String(b) ? -1 : 1));

/**
 * Parses the Booking ID of a row: `5001`, `not 5001` or `not 5001, 5002`.
 *
 * @param cells that of each Booking ID column: a booking in one of them beats denials of others in another
 */
export function parseBookingAnswer(cells: readonly unknown[]): ParseResult<BookingAnswer> {
	const named = new Set<BookingId>();
	const denied: BookingId[] = [];
	for (const cell of cells.filter((one) => !isBlank(one))) {
		// Messages quote what to write.
		const text = cleanText(cell).replace(/^["'“”‘’]|["'“”‘’]$/g, '');
		const isDenial = DENIAL.test(text);
		const ids = idsIn(text.replace(DENIAL, ''));
		if (!ids || (!isDenial && ids.length > 1)) return issueOf('notABooking');
		for (const id of ids)
			if (isDenial) denied.push(id);
			else named.add(id);
	}
	const [bookingID, ...more] = named;
	if (more.length > 0) return issueOf('twoBookings');
	if (bookingID === undefined) return ok({ denied: sorted(denied) });
	return denied.includes(bookingID) ? issueOf('yesAndNo') : ok({ bookingID, denied: [] });
}

/** The bookings that an earlier run named in `possibleBookingIDs`; none if the cell is not as the node wrote it. */
export const possibleIdsIn = (cell: unknown): BookingId[] =>
	isBlank(cell) ? [] : (idsIn(cleanText(cell)) ?? []);

/** The whole cell that says no to bookings, as messages print it: `not 5001, 5006`. */
export const denialOf = (ids: Iterable<BookingId>): string => `not ${sorted(ids).join(', ')}`;
