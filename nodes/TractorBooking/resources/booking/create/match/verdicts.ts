import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../../api/errors';
import { keyOfBooking, toKey } from '../../../../api/records';
import { DECLINED, isFinal, isGivenUp, statusCode, statusLabel } from '../../../../api/status';
import { listedValue, listOf } from '../../../../parse/issue';
import { asText, isEmpty } from '../../../../utils/text';
import { denialOf } from '../bookingAnswer';
import { labelOf } from '../fields';
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
import { BY_PLOT, HOW_TO_BOOK_AGAIN, issueOf } from '../say/sentences';
import { type Candidate } from './candidates';
import { differencesOf } from './repeats';
import type { LikelyRequest } from './sentLately';

/** The caveat of a booking that was given up. */
export function givenUp({ bookingStatus }: IDataObject): Caveat {
	const status = statusLabel(bookingStatus);
	// An unpaired booking may get another tractor.
	const code = statusCode(bookingStatus) === DECLINED ? 'declined' : 'unpaired';
	return { ...issueOf(code), givenUp: status };
}

const isOfSheet = ({ columns }: SheetRow): boolean => columns !== undefined;

/** Where the ID of its booking is written. */
function placeOfId({ columns }: SheetRow): string {
	return columns
		? `the column "${columns.get('bookingID') ?? 'bookingID'}"`
		: 'the field Booking ID';
}

/** A row that is booked, but …: to do about it is in its own words, with the whole cell that says no to its booking. */
export function withCaveat(row: FinishedRow, caveat: Caveat | undefined): FinishedRow {
	const key = row.booking && keyOfBooking(row.booking);
	if (!caveat || key === undefined) return { ...row, caveat };
	const no = `write ${denialOf([...(row.denied ?? []), key])} in ${placeOfId(row)}`;
	return { ...row, caveat, caveatFix: caveat.fix.replace(HOW_TO_BOOK_AGAIN, no) };
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
	const reason = how + as;
	return withCaveat(finished(row, { result: 'already booked', reason, booking }), caveat);
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

/** What a row may be: bookings, and a row of the sheet. */
function questionAbout(
	candidates: readonly Candidate[],
	row?: RequestedRow,
	earlier?: RequestedRow,
): RowQuestion {
	const bookings = candidates.map((one) => ({
		...{ bookingID: one.key, text: textOf(one) },
		isSame: one.isSame && one.bookedFor !== 'other' && !isGivenUp(one.status),
		tractorId: toKey(one.booking.tractorPairedTo),
	}));
	if (!row || !earlier) return { bookings, needsPlot: false };
	const text = `${rowsIn([earlier])} is the same but for ${differencesFrom(row, earlier)}`;
	return { bookings, earlier: { row: earlier.sheetRow, text }, needsPlot: true };
}

/** A row that is booked by its job, but with other cells: its booking is only possible. */
export function withPossible(row: FinishedRow, own: Candidate): FinishedRow {
	const id = asText(own.key);
	const caveatFix = `if the row is booking ${id}, write ${id} in ${placeOfId(row)}; if it is another field, write ${denialOf([...(row.denied ?? []), own.key])}`;
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
	const what = texts.map(({ text }) => text).join('; ');
	const areGivenUp = keys.length > 0 && candidates.every(({ status }) => isGivenUp(status));
	const code = areGivenUp && !earlier ? 'mayBeGivenUp' : 'mayBeBooked';
	const asked = issueOf(code, what, yes, no.filter(Boolean).join(', and '), isOfSheet(row));
	return { ...rejectedFor(row, 'row', undefined, asked, 'possible duplicate'), question };
}

/** What to do if rows may be booked. @param until when their claims end, in milliseconds since 1970 */
export function waitUntil({ settings, columns }: SheetRow, until: number): string {
	const again = columns ? 'run the whole sheet again' : 'run it again';
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
	const asked = issueOf('mayBeRemembered', MEMORIES[why], placeOfId(row), isOfSheet(row));
	const question = { bookings: [], needsPlot: true };
	return { ...rejectedFor(row, 'row', undefined, asked, 'possible duplicate'), question };
}

/** Asks about a row that is said not to be its own booking. */
export function askForPlot(row: ParsedRow, booking: IDataObject): FinishedRow {
	const id = asText(booking.bookingID);
	const why = issueOf('deniesItself', bookingName(booking), id, placeOfId(row), isOfSheet(row));
	const asked = rejectedFor(row, 'row', undefined, why, 'possible duplicate');
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
		return finished(row, { result: 'already booked', reason, earlier });
	}
	if (rowId !== undefined)
		return rejectedFor(row, 'Row ID', rowId, issueOf('rowIdOfRows', rowsIn([earlier])));
	const question = questionAbout([], row, earlier);
	const same = issueOf('sameJob', rowsIn([earlier]), differences);
	return { ...rejectedFor(row, 'row', undefined, same), question };
}

/** A Row ID that was booked for another farmer or another day. @param own the booking of the Row ID, if it is listed */
export function rejectRowId(row: ParsedRow, own?: IDataObject): FinishedRow {
	const { rowId } = row;
	if (!own || isFinal(own.bookingStatus))
		return rejectedFor(row, 'Row ID', rowId, issueOf('rowIdOfOtherJob'));
	const no = denialOf([...row.denied, toKey(own.bookingID) ?? '']);
	const day = asText(own.serviceDate);
	const why = issueOf('rowIdOfOtherDay', day, bookingName(own), no, placeOfId(row));
	return rejectedFor(row, 'Row ID', rowId, why);
}

/** Nothing tells a row with neither name nor phone from that of another farmer. */
export function requireFarmer(row: ParsedRow): Row {
	const { farmerName, farmerPhone } = row.request;
	if ((farmerName ?? farmerPhone ?? row.rowId) !== undefined) return row;
	return rejectedFor(row, 'row', undefined, issueOf('noFarmer'));
}
