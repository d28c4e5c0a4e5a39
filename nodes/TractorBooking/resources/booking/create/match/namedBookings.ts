import { ServiceError } from '../../../../api/errors';
import { toKey, type BookingKey } from '../../../../api/records';
import { isFinal, isGivenUp, statusLabel } from '../../../../api/status';
import type { Invalid } from '../../../../parse/issue';
import { groupBy } from '../../../../utils/groupBy';
import { asText } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import type { Caveat, FinishedRow, RowWithBooking, Row } from '../row';
import { finished, rejected, rejectedFor, rowsIn } from '../row';
import { labelsOf } from '../fields';
import { issueOf } from '../say/sentences';
import { denialOf } from '../bookingAnswer';
import { bookingName, givenUp, withCaveat } from './verdicts';
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
	row: RowWithBooking,
	{ booking, job }: Listed,
	others: readonly RowWithBooking[],
): FinishedRow {
	const { bookingID, parsed, readable, settings } = row;
	const { bookingStatus, serviceDate } = booking;
	const alike = readable ? compareJobs(jobOfRow(readable), job) : {};
	const farmer = [alike.farmerName, alike.farmerPhone];
	const reject = (why: Invalid) => rejectedFor(row, 'bookingID', bookingID, why);
	// A farmer of whom one of the two is the same may have the other one corrected.
	if (farmer.includes(false) && !farmer.includes(true))
		return reject(issueOf('bookingOfOtherFarmer'));
	if (others.length > 0) return reject(issueOf('bookingOfRows', rowsIn(others)));
	const isMoved = alike.serviceDate === false && !readable?.pastDate;
	const day = asText(serviceDate);
	if (isMoved && (isFinal(bookingStatus) || day < settings.rules.today)) {
		const no = denialOf([toKey(bookingID) ?? bookingID]);
		return reject(issueOf('bookingOfOtherDay', day, statusLabel(bookingStatus), no));
	}
	const different = differencesIn(alike);
	let caveat: Caveat | undefined;
	if (isGivenUp(bookingStatus)) caveat = givenUp(booking);
	else if (different.length > 0) caveat = issueOf('bookingDiffers', labelsOf(different));
	const reason = `the row names ${bookingName(booking)}`;
	const found = finished({ ...row, ...parsed }, { result: 'already booked', booking, reason });
	return withCaveat(found, caveat);
}

/** Whether rows are one that is typed several times. */
const areSame = ([first, ...others]: readonly RowWithBooking[]): boolean =>
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
export async function findNamedBookings(
	rows: ReadonlyArray<Row | RowWithBooking>,
	bookings: Bookings,
): Promise<Row[]> {
	const keyOf = ({ bookingID }: RowWithBooking): BookingKey => toKey(bookingID) ?? bookingID;
	const rowsOf = groupBy(
		rows.filter((row) => row.kind === 'withBooking'),
		keyOf,
	);
	const named = bookings.areCompared
		? await bookings.named(new Set(rowsOf.keys()))
		: new Map<BookingKey, Listed | ServiceError>();
	const unequal = new Map([...rowsOf].filter(([, some]) => !areSame(some)));
	return await inTurns(rows, (row) => {
		if (row.kind !== 'withBooking') return row;
		const { bookingID } = row;
		if (!bookings.areCompared) {
			const reason = `the row names booking ${bookingID}, which was not looked up`;
			return finished(row, { result: 'already booked', booking: { bookingID }, reason });
		}
		const found = named.get(keyOf(row));
		if (!found) return rejectedFor(row, 'bookingID', bookingID, issueOf('unknownBooking'));
		if (found instanceof ServiceError) return rejected(row, found);
		const others = (unequal.get(keyOf(row)) ?? []).filter((other) => other !== row);
		return withBooking(row, found, others);
	});
}
