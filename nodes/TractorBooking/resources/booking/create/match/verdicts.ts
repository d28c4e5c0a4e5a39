import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../../api/errors';
import { toKey } from '../../../../api/records';
import { isFinal, statusLabel } from '../../../../api/status';
import { listedValue, listOf } from '../../../../parse/issue';
import { asText, isEmpty } from '../../../../utils/text';
import { denialOf } from '../bookingAnswer';
import { labelOf, labelsOf } from '../fields';
import type {
	Caveat,
	FinishedRow,
	ParsedRow,
	RequestedRow,
	Row,
	RowQuestion,
	SheetRow,
} from '../row';
import { finished, rejectedFor, rowsIn } from '../row';
import { type Candidate } from './candidates';
import { differencesOf } from './repeats';
import type { LikelyRequest } from './sentLately';

/** What to write so that a row is booked beside its booking. */
const HOW_TO_BOOK_AGAIN = 'write not before its Booking ID, such as not 5001';

const OTHER_JOB = `If the booking has to change, ask the operator of the service. If the row is another job, ${HOW_TO_BOOK_AGAIN}`;

/** Why a person should look at a row that is booked already. */
export const CAVEATS = {
	gone: {
		problem: 'the booking is not listed yet, or no longer listed',
		fix: 'If it is still not listed in an hour, and has to be booked again, write in Plot which field it is, and give the row a new Row ID (if any)',
	},
	found: {
		problem: 'its response was lost, and the booking shows only the same farmer and day',
		fix: `If that booking is another job, ${HOW_TO_BOOK_AGAIN}`,
	},
	typed: {
		problem: 'some of its cells had other values then, and the booking was not changed',
		fix: 'If the row is that booking, write its ID in the Booking ID; if it is another field, write not before the ID',
	},
	named: {
		problem: 'n8n booked it for a row with other cells, and the booking was not changed',
		fix: OTHER_JOB,
	},
} satisfies Record<string, Caveat>;

/** The caveat of a booking that was given up. */
export const givenUp = ({ bookingStatus }: IDataObject): Caveat => ({
	problem: `the booking is ${statusLabel(bookingStatus)}`,
	fix: `To book the row again, ${HOW_TO_BOOK_AGAIN}`,
	givenUp: statusLabel(bookingStatus),
});

/** The caveat of a booking that shows other cells than the row. */
export const differsIn = (fields: readonly string[]): Caveat => ({
	problem: `the booking has another ${labelsOf(fields)}, which this row does not change`,
	fix: OTHER_JOB,
});

/** Where the ID of its booking is written. */
function placeOfId({ columns }: SheetRow): string {
	return columns
		? `the column "${columns.get('bookingID') ?? 'bookingID'}"`
		: 'the field Booking ID';
}

/** How messages name a booking: `booking 5001 (new)`, without its status if this run has not read that. */
export function bookingName({ bookingID, bookingStatus }: IDataObject): string {
	const name = `booking ${asText(bookingID)}`;
	return isEmpty(bookingStatus) ? name : `${name} (${statusLabel(bookingStatus)})`;
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
		({ field, own, theirs }) =>
			`${labelOf(field)} (${listedValue(theirs || 'empty')}, ${listedValue(own || 'empty')})`,
	);
	return listOf(differences);
}

export const withNote = <R extends SheetRow>(row: R, note: string): R => ({
	...row,
	notes: [...(row.notes ?? []), note],
});

const WORDS = { farmerName: 'name', farmerPhone: 'phone', serviceDate: 'day' } as const;

/** What a booking shows in place of what the row has; of a farmer only what tells numbers apart. */
function otherOf(field: Candidate['different'][number], { booking, job }: Candidate): string {
	if (field === 'farmerName') return 'another name';
	if (field === 'farmerPhone')
		return `another phone, ending in ${asText(booking.farmerPhone).slice(-3)}`;
	return `another day, ${listOf(job.serviceDate ?? [], 'or')}`;
}

/** What n8n knows of a booking that it made. */
const MADE_FOR = {
	same: 'was made for the same service, area and plot',
	other: 'was made for another service, area or plot',
} as const;

/** `booking 5001 (new) has the same name and phone, but another day, 2026-12-31`. */
function textOf(candidate: Candidate): string {
	const { booking, same, different, bookedFor } = candidate;
	const other = listOf(different.map((field) => otherOf(field, candidate)));
	const compared = [
		same.length > 0 ? `has the same ${listOf(same.map((field) => WORDS[field]))}` : '',
		other && `has ${other}`,
	];
	const said = compared.filter(Boolean).join(', but ').replace('but has', 'but');
	const parts = [said, bookedFor && MADE_FOR[bookedFor]].filter(Boolean);
	return `${bookingName(booking)} ${parts.join(', and ')}`.trim();
}

/** What to do once a person has decided; a single request is sent again by whatever sends it. */
const andAgain = ({ columns }: SheetRow) =>
	columns ? '; then upload the whole sheet again' : ' and run it again';

/** What tells two fields of one farmer apart. */
const BY_PLOT = 'write in Plot of each which field it is';

/** What a row may be: bookings, and a row of the sheet. */
function questionAbout(
	candidates: readonly Candidate[],
	row?: RequestedRow,
	earlier?: RequestedRow,
): RowQuestion {
	const bookings = candidates.map((one) => ({
		...{ bookingID: one.key, text: textOf(one) },
		isSame: one.isSame && one.bookedFor !== 'other',
		tractorId: toKey(one.booking.tractorPairedTo),
	}));
	if (!row || !earlier) return { bookings, needsPlot: false };
	const text = `${rowsIn([earlier])} is the same but for ${differencesFrom(row, earlier)}`;
	return { bookings, earlier: { row: earlier.sheetRow, text }, needsPlot: true };
}

/** A row that is booked by its job, but with other cells: its booking is only possible. */
export function withPossible(row: FinishedRow, own: Candidate): FinishedRow {
	const id = asText(own.key);
	const caveatFix = `If the row is booking ${id}, write ${id} in ${placeOfId(row)}; if it is another field, write ${denialOf([...(row.denied ?? []), own.key])}`;
	return { ...row, caveatFix, question: questionAbout([own]) };
}

/**
 * Asks about a row that may be booked already: one question names all that it may be.
 *
 * @param candidates the bookings that may be its own
 * @param earlier a row of the sheet that it may be
 */
export function askAbout(
	row: ParsedRow,
	candidates: readonly Candidate[],
	earlier: RequestedRow | undefined,
): FinishedRow {
	const question = questionAbout(candidates, row, earlier);
	const keys = candidates.map(({ key }) => key);
	const ids = listOf(keys.map(asText), 'or');
	const texts = [...question.bookings.slice(0, 5), ...[question.earlier ?? []].flat()];
	const ifBooking = ids && `write ${ids} in ${placeOfId(row)}`;
	const ifRow = earlier && 'delete this row';
	const no = [keys.length > 0 && `write ${denialOf([...row.denied, ...keys])}`, earlier && BY_PLOT];
	const yes = [ifBooking, ifRow].filter(Boolean).join(', or ');
	const problem = `may be booked already: ${texts.map(({ text }) => text).join('; ')}`;
	const fix = `if it is the same job, ${yes}; if it is another job, ${no.filter(Boolean).join(', and ')}${andAgain(row)}`;
	const asked = rejectedFor(row, 'row', undefined, problem, fix, 'possible duplicate');
	return { ...asked, question };
}

/** What to do if rows may be booked. @param until when their claims end, in milliseconds since 1970 */
export function waitUntil({ settings, columns }: SheetRow, until: number): string {
	const again = columns ? 'upload the whole sheet again' : 'run it again';
	return `Wait until ${timeOf(settings, until)}, then ${again}`;
}

/** The same for a row that may be booked itself. */
export const waitUnchanged = (row: SheetRow, until: number): string =>
	`${waitUntil(row, until)}, ${row.columns ? 'with this row ' : ''}unchanged.`;

const timeOf = ({ rules: { timezone: timeZone } }: SheetRow['settings'], ms: number) =>
	new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone }).format(ms);

/** A row that may be one which was sent without an answer, before it was edited. */
export function waitForAnswer(row: ParsedRow, { sentAt, until, same }: LikelyRequest): FinishedRow {
	const alike = listOf(same.map((field) => WORDS[field]));
	const message = `A row with the same ${alike} was sent at ${timeOf(row.settings, sentAt)} without an answer, and may be this one`;
	const description = waitUnchanged(row, until);
	const failure = new ServiceError('interrupted', message, { description });
	return finished(row, { result: 'unknown', failure });
}

/** What n8n alone knows of a row, which names no booking. */
const MEMORIES = {
	booked: 'the same farmer, day, service and area were booked under another Row ID, or without one',
	sent: 'it was sent before, and no answer came',
} as const;

/** Asks about a row that may be a booking which cannot be named. */
export function doubtOfMemory(row: ParsedRow, why: keyof typeof MEMORIES): FinishedRow {
	const problem = `may be booked already: ${MEMORIES[why]}`;
	const fix = `if it is the same job, write its Booking ID in ${placeOfId(row)}, or remove the row; if it is another job, write in Plot which field it is${andAgain(row)}`;
	const asked = rejectedFor(row, 'row', undefined, problem, fix, 'possible duplicate');
	return { ...asked, question: { bookings: [], needsPlot: true } };
}

/** Asks about a row that is said not to be its own booking. */
export function askForPlot(row: ParsedRow, booking: IDataObject): FinishedRow {
	const id = asText(booking.bookingID);
	const problem = `is said not to be ${bookingName(booking)}, but its cells are those of that booking`;
	const fix = `if it is another job, write in Plot which field it is; if not, write ${id} in ${placeOfId(row)}${andAgain(row)}`;
	const asked = rejectedFor(row, 'row', undefined, problem, fix, 'possible duplicate');
	const text = `${bookingName(booking)} has the same cells`;
	const bookings = [{ bookingID: toKey(id) ?? id, text, isSame: true }];
	return { ...asked, question: { bookings, needsPlot: true } };
}

/** A row with the key of an earlier one: typed twice, or an error, since nothing would tell the two apart in the next run. */
export function bySameKey(row: ParsedRow, earlier: RequestedRow): FinishedRow {
	const { rowId } = row;
	const differences = differencesFrom(row, earlier);
	if (!differences) {
		const reason = `typed twice: the same as ${rowsIn([earlier])}`;
		// It is remembered by the row that it repeats.
		return finished({ ...row, key: undefined }, { result: 'already booked', reason, earlier });
	}
	if (rowId !== undefined) {
		const problem = `is also the Row ID of ${rowsIn([earlier])}`;
		const fix = 'if it is the same job, delete this row; if not, give each job a Row ID of its own';
		return rejectedFor(row, 'Row ID', rowId, problem, fix);
	}
	const problem = `is the same job as ${rowsIn([earlier])}, but for ${differences}`;
	const fix = `if it is the same job, delete this row; if not, ${BY_PLOT}`;
	const question = questionAbout([], row, earlier);
	return { ...rejectedFor(row, 'row', undefined, problem, fix), question };
}

/** A Row ID that was booked for another farmer or another day. @param own the booking of the Row ID, if it is listed */
export function rejectRowId(row: ParsedRow, own?: IDataObject): FinishedRow {
	const { rowId } = row;
	if (own && !isFinal(own.bookingStatus)) {
		const problem = `was booked for ${asText(own.serviceDate)}, as ${bookingName(own)}`;
		const no = denialOf([...row.denied, toKey(own.bookingID) ?? '']);
		const fix = `if its Row ID was changed, change it back; if it is the same job, write that day into the row; if it is another job, write ${no} in ${placeOfId(row)}`;
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
