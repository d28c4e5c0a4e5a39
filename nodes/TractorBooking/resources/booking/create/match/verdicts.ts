import type { IDataObject } from 'n8n-workflow';

import { isFinal, statusLabel } from '../../../../api/status';
import { formatValue, listedValue, listOf } from '../../../../parse/issue';
import { asText } from '../../../../utils/text';
import { labelOf, labelsOf } from '../fields';
import type { Caveat, FinishedRow, ParsedRow, RequestedRow, Row, SheetRow } from '../row';
import { finished, rejectedFor, rowsIn } from '../row';
import type { Candidate } from './bookingIndex';
import { differencesOf } from './repeats';

const HOW_TO_BOOK_AGAIN =
	'empty its Booking ID, change its Row ID (if any), and run it once, alone, with If Already Booked set to Create Anyway';
const OTHER_JOB =
	'If the booking has to change, ask the operator of the service. For another job, empty its Booking ID, and give each job its own Row ID';

/** Why a person should look at a row that is booked already. */
export const CAVEATS = {
	gone: {
		problem: 'the booking is not listed yet, or no longer listed',
		fix: `If it is still not listed in an hour, and has to be booked again, ${HOW_TO_BOOK_AGAIN}`,
	},
	found: {
		problem: 'its response was lost, and the booking shows only the same farmer and day',
		fix: `If that booking is another job, ${HOW_TO_BOOK_AGAIN}`,
	},
	typed: {
		problem: 'some of its cells had other values then, and the booking was not changed',
		fix: OTHER_JOB,
	},
	sameJob: {
		problem: 'only because If Possible Duplicate says Same Job',
		fix: 'Set it back to Ask after this run',
	},
} satisfies Record<string, Caveat>;

/** The caveat of a booking that was given up. */
export const givenUp = ({ bookingStatus }: IDataObject): Caveat => ({
	problem: `the booking is ${statusLabel(bookingStatus)}`,
	fix: `To book the row again, ${HOW_TO_BOOK_AGAIN}`,
});

/** The caveat of a booking that shows other cells than the row. */
export const differsIn = (fields: readonly string[]): Caveat => ({
	problem: `the booking has another ${labelsOf(fields)}, which this row does not change`,
	fix: OTHER_JOB,
});

/** How to decide by an option: for a sheet, a person says of which rows. */
function fixByOption({ columns }: SheetRow, option: string, value: string): string {
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
export function bookingName({ bookingID, bookingStatus }: IDataObject): string {
	return `booking ${asText(bookingID)} (${statusLabel(bookingStatus)})`;
}

/**
 * The row as one that is booked.
 *
 * @param how it was found
 * @param booking its own, if the list has it
 * @param caveat why a person should look at it
 */
export function alreadyBooked(
	row: RequestedRow,
	how: string,
	booking?: IDataObject,
	caveat?: Caveat,
): FinishedRow {
	const as = booking ? `, as ${bookingName(booking)}` : '';
	return finished(row, { result: 'already booked', reason: how + as, booking, caveat });
}

/** How a row differs from an earlier one: `No (13, 96)`; empty if it does not. */
function differencesFrom(row: RequestedRow, earlier: RequestedRow): string {
	const differences = differencesOf(row, earlier).map(
		({ field, own, theirs }) => `${labelOf(field)} (${listedValue(theirs)}, ${listedValue(own)})`,
	);
	return listOf(differences);
}

export const withNote = <R extends SheetRow>(row: R, note: string): R => ({
	...row,
	notes: [...(row.notes ?? []), note],
});

/** Something that a row may be: a booking, an earlier row, or what n8n alone remembers. */
type Possible = Pick<FinishedRow, 'booking' | 'earlier'> & { text: string };

/** What a booking has of the row, if it differs from it in one field: service and area it does not show. */
const SAME = {
	farmerName: 'phone and day',
	farmerPhone: 'name and day',
	serviceDate: 'farmer',
} satisfies Record<NonNullable<Candidate['change']>, string>;

const ofBooking = ({ booking, change, isSame }: Candidate): Possible => {
	const same = change
		? `has the same ${SAME[change]}, but its ${labelOf(change)} is ${formatValue(booking[change])}`
		: `${isSame ? 'has the same' : 'shows no other'} farmer and day`;
	return { booking, text: `${bookingName(booking)} ${same}` };
};

const ofRow = (row: ParsedRow, earlier: RequestedRow): Possible => ({
	earlier,
	text: `${rowsIn([earlier])} is the same but for ${differencesFrom(row, earlier)}`,
});

/** What a row may be. */
interface Doubt {
	/** The bookings that may be its own. */
	candidates: readonly Candidate[];
	/** Whether there is exactly one, and it may be that of no other row. */
	isSure: boolean;
	/** An earlier row that it may be. */
	earlier?: RequestedRow;
	/** Whether its job was booked under another key. */
	isBookedBefore: boolean;
}

/**
 * Judges a row that may be booked already: one question names all that it may be. If a person has said that it is another
 * job, it stays open, with a note.
 *
 * @returns undefined if it may be nothing that is known
 */
export function askAbout(
	row: ParsedRow,
	{ candidates, isSure, earlier, isBookedBefore }: Doubt,
): Row | undefined {
	const { ifPossibleDuplicate } = row.settings;
	const possible = [...candidates.map(ofBooking), ...(earlier ? [ofRow(row, earlier)] : [])];
	const ids = listOf(
		candidates.map(({ booking }) => asText(booking.bookingID)),
		'or',
	);
	const fixes = [ids && `write ${ids} into ${placeOfId(row)}`, earlier && 'delete this row'];
	if (possible.length === 0 && isBookedBefore) {
		const text =
			'the same farmer, day, service and area were booked under another Row ID, or without one';
		possible.push({ text });
		fixes.push(fixByOption(row, 'If Possible Duplicate', 'Same Job'));
	}
	const [first, ...others] = possible;
	if (!first) return undefined;
	if (ifPossibleDuplicate === 'anotherJob') {
		const note =
			'it may be a duplicate, but If Possible Duplicate says Another Job: set it back to Ask after this run';
		const isOneMore = candidates.some(({ isSame }) => isSame);
		return { ...withNote(row, note), isOneMore };
	}
	// Of several, only a person can say which is meant.
	const isClear = others.length === 0 && (isSure || !first.booking);
	if (ifPossibleDuplicate === 'sameJob' && isClear) {
		const { text, ...found } = first;
		const reason = `the same job: ${text}`;
		const outcome = { result: 'already booked', reason, caveat: CAVEATS.sameJob } as const;
		return finished(row, { ...outcome, ...found, isNews: true });
	}
	const texts = possible.slice(0, 5).map(({ text }) => text);
	const problem = `may be a duplicate: ${texts.join('; ')}`;
	const ifSame = fixes.filter(Boolean).join(', or ');
	const ifNot = fixByOption(row, 'If Possible Duplicate', 'Another Job');
	const fix = `if it is the same job, ${ifSame}; if not, ${ifNot}`;
	return rejectedFor(row, 'row', undefined, problem, fix, 'possible duplicate');
}

/** The row with a note that it is booked without a look at the bookings. */
export const notCompared = (row: ParsedRow): ParsedRow =>
	withNote(
		row,
		'not compared with the bookings, as If Already Booked says Create Anyway: set it back to Skip after this run',
	);

/** A row with the key of an earlier one: typed twice, or an error, since nothing would tell the two apart in the next run. */
export function bySameKey(row: ParsedRow, earlier: RequestedRow): FinishedRow {
	const { columns, rowId } = row;
	const differences = differencesFrom(row, earlier);
	if (!differences) {
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
	const problem = `is the same job as ${rowsIn([earlier])}, but for ${differences}`;
	const fix = `if it is the same job, delete this row; if not, ${ifNot}`;
	return rejectedFor(row, 'row', undefined, problem, fix);
}

/** A Row ID that was booked for another farmer or another day. @param own the booking of the Row ID, if it is listed */
export function rejectRowId(row: ParsedRow, own?: IDataObject): FinishedRow {
	const { rowId } = row;
	if (own && !isFinal(own.bookingStatus)) {
		const problem = `was booked for ${asText(own.serviceDate)}, as ${bookingName(own)}`;
		const fix =
			'if its Row ID was changed, change it back; if it is the same job, write that day into the row; if not, give the row a new Row ID once that booking is done';
		return rejectedFor(row, 'Row ID', rowId, problem, fix);
	}
	const problem = 'was booked before, for another farmer or another day';
	const fix =
		'if its Row ID was changed, change it back; if it is a new job, give it a Row ID that was never used; if not, change the farmer and the day back';
	return rejectedFor(row, 'Row ID', rowId, problem, fix);
}

/** Nothing tells a row with neither name nor phone from that of another farmer. */
export function requireFarmer(row: ParsedRow): Row {
	const { farmerName, farmerPhone } = row.request;
	if ((farmerName ?? farmerPhone ?? row.rowId) !== undefined) return row;
	const problem = 'has neither the name nor the phone of the farmer';
	return rejectedFor(row, 'row', undefined, problem, 'fill in one of the two');
}

/** The row as one that cannot have the booking that it names. @param more what else may have to be done */
export function wrongBookingId(
	row: SheetRow,
	bookingID: string,
	problem: string,
	more = '',
): FinishedRow {
	const fix = `correct it, or empty the cell if the row is not booked yet; ${more}if the column holds numbers of your own, rename it`;
	return rejectedFor(row, 'bookingID', bookingID, problem, fix);
}
