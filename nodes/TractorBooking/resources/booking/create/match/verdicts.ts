import type { IDataObject } from 'n8n-workflow';

import { isFinal, statusLabel } from '../../../../api/status';
import { formatValue, listedValue, listOf } from '../../../../parse/issue';
import { asText } from '../../../../utils/text';
import { labelOf } from '../fields';
import type { FinishedRow, OpenRow, SheetRow } from '../row';
import { finished, rejectedFor, rowsIn } from '../row';
import type { Candidate } from './bookingIndex';
import type { Repeat } from './repeats';

/** Why a person should look at a row that is booked already. A booking that was given up is named by its status. */
export const BUT = {
	gone: 'the list of bookings does not show the booking',
	moved: 'the booking is on another day',
	typed: 'some of its cells had other values then, and the booking was not changed',
} as const;

/** How to decide by an option: for a sheet, a person says of which rows. */
function decide({ columns }: SheetRow, option: string, value: string): string {
	return columns
		? `run this row alone with ${option} set to ${value}`
		: `set ${option} to ${value}`;
}

/** Where the ID of its booking is written. */
function placeOfId({ columns }: SheetRow): string {
	return columns
		? `the column "${columns.get('bookingID') ?? 'bookingID'}"`
		: 'the field Booking ID';
}

/** How messages name a booking: `booking 5001 (new)`. */
function bookingName({ bookingID, bookingStatus }: IDataObject): string {
	return `booking ${asText(bookingID)} (${statusLabel(bookingStatus)})`;
}

/**
 * What is asked of a row that may be booked already; undefined if a person has said that it is another job.
 *
 * @param found what it is if a person says that it is the same job; undefined if that does not tell
 */
function possibleDuplicate(
	row: OpenRow,
	reason: string,
	fix: string,
	found?: Pick<FinishedRow, 'booking' | 'earlier'>,
): FinishedRow | undefined {
	const { ifPossibleDuplicate } = row.settings;
	if (ifPossibleDuplicate === 'anotherJob') return undefined;
	if (ifPossibleDuplicate === 'sameJob' && found)
		return finished(row, { result: 'already booked', reason, ...found });
	return rejectedFor(row, 'row', undefined, reason, fix, 'possible duplicate');
}

const orAnotherJob = (row: SheetRow) =>
	`if not, ${decide(row, 'If Possible Duplicate', 'Another Job')}`;

/**
 * The row as one that is booked.
 *
 * @param how it was found
 * @param booking its own, if the list has it
 * @param but see {@link BUT}
 */
export function alreadyBooked(
	row: OpenRow,
	how: string,
	booking?: IDataObject,
	but?: string,
): FinishedRow {
	const reason = `${how}${booking ? `, as ${bookingName(booking)}` : ''}${but ? `, but ${but}` : ''}`;
	return finished(row, { result: 'already booked', reason, booking, but });
}

/** What is found of a row with a Row ID that is new, of a job that is not, and that the list does not show. */
export function askTypedBefore(row: OpenRow): FinishedRow | undefined {
	const reason =
		'may be booked already: the same farmer, day, service and area were booked under another Row ID, or without one';
	const fix = `if it is the same job, ${decide(row, 'If Possible Duplicate', 'Same Job')}; ${orAnotherJob(row)}`;
	return possibleDuplicate(row, reason, fix, {});
}

/** The row that a row repeats, and how it differs: `row 7, but for No (13, 96)`. */
function sameBut({ earlier, differences }: Repeat<SheetRow>): string {
	const texts = differences.map(
		({ field, own, theirs }) => `${labelOf(field)} (${listedValue(theirs)}, ${listedValue(own)})`,
	);
	return rowsIn([earlier]) + (texts.length > 0 ? `, but for ${listOf(texts)}` : '');
}

/** What is found of a row that may be another one of its sheet. */
export function askRepeat(row: OpenRow, repeat?: Repeat<SheetRow>): FinishedRow | undefined {
	if (!repeat) return undefined;
	const { earlier } = repeat;
	const fix = `if it is the same job, delete this row; ${orAnotherJob(row)}`;
	return possibleDuplicate(row, `is the same as ${sameBut(repeat)}`, fix, { earlier });
}

/** A row with the key of an earlier one: typed twice, or an error, since nothing would tell the two apart in the next run. */
export function bySameKey(row: OpenRow, repeat: Repeat<SheetRow>): FinishedRow {
	const { earlier, differences } = repeat;
	const { columns, rowId } = row;
	if (differences.length === 0) {
		const reason = `typed twice: the same as ${rowsIn([earlier])}`;
		// It is remembered by the row that it repeats.
		return finished({ ...row, key: undefined }, { result: 'already booked', reason, earlier });
	}
	if (rowId !== undefined) {
		const problem = `is also the Row ID of ${rowsIn([earlier])}`;
		return rejectedFor(row, 'Row ID', rowId, problem, 'give each job a Row ID of its own');
	}
	const ifNot = columns
		? 'give each of the two a number in a column that you choose in Options > Row ID'
		: 'run it alone with If Already Booked set to Create Anyway';
	const fix = `if it is the same job, delete this row; if not, ${ifNot}`;
	return rejectedFor(row, 'row', undefined, `is the same job as ${sameBut(repeat)}`, fix);
}

/** What is found of a row by bookings that may be its own. */
export function askBookings(
	row: OpenRow,
	candidates: readonly Candidate[],
): FinishedRow | undefined {
	const [first, ...others] = candidates;
	if (!first) return undefined;
	const texts = candidates
		.slice(0, 5)
		.map(({ booking, change }) =>
			change
				? `${bookingName(booking)} is the same but for ${labelOf(change)} (${formatValue(booking[change])})`
				: `${bookingName(booking)} has the same farmer and day`,
		);
	const ids = listOf(
		candidates.map(({ booking }) => asText(booking.bookingID)),
		'or',
	);
	const fix = `if it is the same job, write ${ids} into ${placeOfId(row)}; ${orAnotherJob(row)}`;
	// Of several, only their IDs tell which is meant.
	const found = others.length === 0 ? { booking: first.booking } : undefined;
	return possibleDuplicate(row, `may be booked already: ${listOf(texts)}`, fix, found);
}

/** Row ID that was booked for another farmer or another day. */
export function rejectRowId(row: OpenRow, rowId: string, own?: Candidate): FinishedRow {
	const { serviceDate } = own?.booking ?? {};
	if (own && !isFinal(own.booking.bookingStatus)) {
		const problem = `was booked for ${asText(serviceDate)}, as ${bookingName(own.booking)}`;
		const fix =
			'if it is the same job, write that day into the row; if not, give the row a new Row ID once that booking is done';
		return rejectedFor(row, 'Row ID', rowId, problem, fix);
	}
	const problem = 'was booked before, for another farmer or another day';
	const fix =
		'if it is a new job, give it a Row ID that was never used; if not, change the farmer and the day back';
	return rejectedFor(row, 'Row ID', rowId, problem, fix);
}

/** Nothing tells a row with neither name nor phone from that of another farmer. */
export function requireFarmer(row: OpenRow): OpenRow | FinishedRow {
	const { farmerName, farmerPhone } = row.request;
	if ((farmerName ?? farmerPhone ?? row.rowId) !== undefined) return row;
	const problem = 'has neither the name nor the phone of the farmer';
	return rejectedFor(row, 'row', undefined, problem, 'fill in one of the two');
}

/** The row as one that cannot have the booking that it names. @param more what else may have to be done */
export function notItsBooking(
	row: SheetRow,
	bookingID: string,
	problem: string,
	more = '',
): FinishedRow {
	const fix = `correct it, or empty the cell if the row is not booked yet; ${more}if the column holds numbers of your own, rename it`;
	return rejectedFor(row, 'bookingID', bookingID, problem, fix);
}
