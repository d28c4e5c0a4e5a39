import { ServiceError } from '../../../../api/errors';
import { toKey, type BookingKey } from '../../../../api/records';
import { isFinal, isGivenUp, statusLabel } from '../../../../api/status';
import { groupBy } from '../../../../utils/groupBy';
import { asText } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import type { Caveat, FinishedRow, IdentifiedRow, Row } from '../row';
import { finished, rejected, rejectedFor, rowsIn } from '../row';
import { bookingName, differsIn, givenUp, wrongBookingId } from './verdicts';
import { differencesIn, jobOfRow, compareJobs } from '../job';
import { type Listed } from './candidates';
import type { Bookings } from './bookings';
import { differencesOf } from './repeats';

/**
 * What becomes of a row and the booking that it names.
 *
 * @param others other rows that name the same booking, if not all of these have the same cells
 */
function withBooking(
	row: IdentifiedRow,
	{ booking, job }: Listed,
	others: readonly IdentifiedRow[],
): FinishedRow {
	const { bookingID, parsed, readable, settings } = row;
	const { bookingStatus, serviceDate } = booking;
	const alike = readable ? compareJobs(jobOfRow(readable), job) : {};
	const farmer = [alike.farmerName, alike.farmerPhone];
	// A farmer of whom one of the two is the same may have the other one corrected.
	if (farmer.includes(false) && !farmer.includes(true)) {
		const ifBoth = 'if its name and its phone were corrected, change one of them back; ';
		return wrongBookingId(row, bookingID, 'is the booking of another farmer', ifBoth);
	}
	if (others.length > 0) {
		const problem = `is also the Booking ID of ${rowsIn(others)}`;
		return wrongBookingId(row, bookingID, problem, 'delete the row if it is the same job; ');
	}
	const isMoved = alike.serviceDate === false && !readable?.pastDate;
	if (isMoved && (isFinal(bookingStatus) || asText(serviceDate) < settings.rules.today)) {
		const problem = `is a booking of ${asText(serviceDate)}, which is ${statusLabel(bookingStatus)}`;
		const fix =
			'if the row is a new job, empty this cell to book it; if not, write that day into the row';
		return rejectedFor(row, 'bookingID', bookingID, problem, fix);
	}
	const different = differencesIn(alike);
	let caveat: Caveat | undefined;
	if (isGivenUp(bookingStatus)) caveat = givenUp(booking);
	else if (different.length > 0) caveat = differsIn(different);
	const reason = `the row names ${bookingName(booking)}`;
	return finished({ ...row, ...parsed }, { result: 'already booked', booking, reason, caveat });
}

/** Whether rows are one that is typed several times. */
const areSame = ([first, ...others]: readonly IdentifiedRow[]): boolean =>
	others.every(
		({ parsed }) => first?.parsed && parsed && differencesOf(first.parsed, parsed).length === 0,
	);

/**
 * Finds the bookings of the rows that name one. Such a row is never sent, whatever the settings.
 *
 * @returns one row for each row, in the same order; rejected if it cannot have the booking that it names, or if that
 * could not be read. Rows that name none are as they were
 * @throws ServiceError if the list cannot be read
 */
export async function findIdentified(
	rows: ReadonlyArray<Row | IdentifiedRow>,
	bookings: Bookings,
): Promise<Row[]> {
	const keyOf = ({ bookingID }: IdentifiedRow): BookingKey => toKey(bookingID) ?? bookingID;
	const rowsOf = groupBy(
		rows.filter((row) => row.kind === 'identified'),
		keyOf,
	);
	const named = bookings.areCompared
		? await bookings.named(new Set(rowsOf.keys()))
		: new Map<BookingKey, Listed | ServiceError>();
	const unequal = new Map([...rowsOf].filter(([, some]) => !areSame(some)));
	return await inTurns(rows, (row) => {
		if (row.kind !== 'identified') return row;
		const { bookingID } = row;
		if (!bookings.areCompared) {
			const reason = `the row names booking ${bookingID}, which was not looked up`;
			return finished(row, { result: 'already booked', booking: { bookingID }, reason });
		}
		const found = named.get(keyOf(row));
		if (!found) {
			const problem = 'is unknown, or belongs to another organisation';
			// A service may remove what is over.
			const ifDone = 'if its work is done, remove the row; ';
			return wrongBookingId(row, bookingID, problem, ifDone);
		}
		if (found instanceof ServiceError) return rejected(row, found);
		const others = (unequal.get(keyOf(row)) ?? []).filter((other) => other !== row);
		return withBooking(row, found, others);
	});
}
