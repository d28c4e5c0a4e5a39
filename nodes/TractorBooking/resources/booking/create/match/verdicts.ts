import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../../api/errors';
import { toId, type BookingId } from '../../../../api/records';
import { DECLINED, isFinal, isGivenUp, statusCode, statusLabel } from '../../../../api/status';
import { listedValue, listOf, type Invalid } from '../../../../parse/issue';
import { asText, isEmpty } from '../../../../utils/text';
import { denialOf } from '../bookingAnswer';
import { labelOf } from '../fields';
import type { FinishedRow, ParsedRow, RequestedRow, Row, RowQuestion, SheetRow } from '../row';
import { finished, rejectedFor, rowsIn } from '../row';
import { BY_PLOT, IN_ANY_ROW, issueOf, type Answers } from '../say/sentences';
import { dayOf, type Candidate } from './candidates';
import { differencesOf } from './repeats';
import type { LikelyRequest } from './sentLately';

/** Why a person has to look at a row that is booked already. */
export type Caveat = (answers: Answers) => Invalid;

/** The caveat of a booking that was given up. An unpaired one may get another tractor. */
export const givenUp =
	({ bookingStatus }: IDataObject): Caveat =>
	(answers) =>
		issueOf(statusCode(bookingStatus) === DECLINED ? 'declined' : 'unpaired', answers);

const isOfSheet = ({ columns }: SheetRow): boolean => columns !== undefined;

/** Where the ID of its booking is written. */
function placeOfId({ columns }: SheetRow): string {
	return columns
		? `the column "${columns.get('bookingID') ?? 'bookingID'}"`
		: 'the field Booking ID';
}

/** What says yes and no in a row to bookings. */
function answersTo(row: RequestedRow, ids: readonly BookingId[]): Answers {
	const place = placeOfId(row);
	const yes = `write ${listOf(ids.map(asText), 'or')} in ${place}`;
	return { yes, no: `write ${denialOf([...row.denied, ...ids])} in ${place}` };
}

/** How messages name a booking: `booking 5001 (new)`, without its status if this run has not read that. */
export function bookingName({ bookingID, bookingStatus }: IDataObject): string {
	const name = `booking ${asText(bookingID)}`;
	return isEmpty(bookingStatus) ? name : `${name} (${statusLabel(bookingStatus)})`;
}

/** Whether bookings, as this run has read them, are all given up. */
export const areGivenUp = (some: readonly Candidate[]): boolean =>
	some.length > 0 && some.every(({ booking }) => isGivenUp(booking.bookingStatus));

interface Booked {
	/** Its booking, if that is known and the list has it. */
	own?: Candidate;
	/** Else those of its key, if its cells do not tell which is its own. */
	possible?: readonly Candidate[];
	caveat?: Caveat;
}

/** The row as one that is booked. @param how it was found */
export function alreadyBooked(
	row: RequestedRow,
	how: string,
	{ own, possible = [], caveat }: Booked,
): FinishedRow {
	const { booking } = own ?? {};
	const reason = booking ? `${how}, as ${bookingName(booking)}` : how;
	const some = own ? [own] : possible;
	const question = { ...questionAbout(some), isGivenUp: areGivenUp(some) };
	const isAsked = question.isGivenUp || possible.length > 0;
	const outcome = { reason, booking, question: isAsked ? question : undefined };
	const booked = finished(row, { result: 'already booked', ...outcome });
	if (!caveat) return booked;
	const ids = some.map(({ id }) => id);
	const { problem, fix } = caveat(IN_ANY_ROW);
	return { ...booked, caveat: caveat(answersTo(row, ids)), notice: `${problem}; ${fix}` };
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
function otherOf(field: Candidate['different'][number], candidate: Candidate): string {
	if (field === 'farmerName') return 'another name';
	if (field === 'farmerPhone')
		return `another phone, ending in ${asText(candidate.booking.farmerPhone).slice(-3)}`;
	return `another day, ${dayOf(candidate)}`;
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
		...{ bookingID: one.id, text: textOf(one) },
		isSame: one.isSame && one.bookedFor !== 'other' && !isGivenUp(one.status),
		tractorId: toId(one.booking.tractorPairedTo),
	}));
	if (!row || !earlier) return { bookings, needsPlot: false };
	const text = `${rowsIn([earlier])} is the same but for ${differencesFrom(row, earlier)}`;
	return { bookings, earlier: { row: earlier.sheetRow, text }, needsPlot: true };
}

/** Leaves a row to a person: a model has neither field to answer in. */
function ask(row: ParsedRow, why: Invalid, question: RowQuestion): FinishedRow {
	const fix = row.settings.isTool ? `ask a person, who alone can decide: ${why.fix}` : why.fix;
	const asked = { ...why, fix };
	return { ...rejectedFor(row, 'row', undefined, asked, 'possible duplicate'), question };
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
	const ids = candidates.map(({ id }) => id);
	const texts = [...question.bookings.slice(0, 5), ...[question.earlier ?? []].flat()];
	const ifBooking = ids.length > 0 && answersTo(row, ids).yes;
	const ifRow = earlier && 'delete this row';
	const no = [ids.length > 0 && `write ${denialOf([...row.denied, ...ids])}`, earlier && BY_PLOT];
	const yes = [ifBooking, ifRow].filter(Boolean).join(', or ');
	const what = texts.map(({ text }) => text).join('; ');
	// As far as is known: this run may not have read them.
	const areOver = ids.length > 0 && candidates.every(({ status }) => isGivenUp(status));
	const code = areOver && !earlier ? 'mayBeGivenUp' : 'mayBeBooked';
	const asked = issueOf(code, what, yes, no.filter(Boolean).join(', and '), isOfSheet(row));
	return ask(row, asked, question);
}

/** What to do if rows may be booked. @param until when their claims end, in milliseconds since 1970 */
export function waitUntil({ settings, columns }: SheetRow, until: number): string {
	const again = columns ? 'try the whole sheet again' : 'run it again';
	return `Wait until ${timeOf(settings, until)}, then ${again}`;
}

/** The same for a row that may be booked itself. */
export const waitUnchanged = (row: SheetRow, until: number): string =>
	`${waitUntil(row, until)}, ${row.columns ? 'with this row ' : ''}unchanged.`;

const timeOf = ({ rules: { timezone: timeZone } }: SheetRow['settings'], ms: number) =>
	new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone }).format(ms);

/** A row that may be one which was sent without an answer, before it was edited. */
export function waitForAnswer(
	row: ParsedRow,
	{ sentAt, claimEnd, same }: LikelyRequest,
): FinishedRow {
	const alike = listOf(same.map((field) => WORDS[field]));
	const message = `A row with the same ${alike} was sent at ${timeOf(row.settings, sentAt)} without an answer, and may be this one`;
	const description = waitUnchanged(row, claimEnd);
	const failure = new ServiceError('interrupted', message, { description });
	return finished(row, { result: 'unknown', failure });
}

/** What n8n alone knows of a row, which names no booking. */
const MEMORIES = {
	booked: 'the same farmer, day, service and area were booked under another Row ID, or without one',
	sent: 'it was sent before, and no answer came',
} as const;

/** How to tell a row from one whose booking cannot be named. A row that was only sent is known by its Row ID, whatever its plot. */
const asOtherJob = ({ rowId }: ParsedRow, isBooked: boolean): string =>
	isBooked || rowId === undefined
		? 'write in Plot which field it is'
		: 'give it a Row ID that was never used';

/** Asks about a row that may be a booking which cannot be named. */
export function doubtOfMemory(row: ParsedRow, why: keyof typeof MEMORIES): FinishedRow {
	const no = asOtherJob(row, why === 'booked');
	const asked = issueOf('mayBeRemembered', MEMORIES[why], placeOfId(row), no, isOfSheet(row));
	return ask(row, asked, { bookings: [], needsPlot: true });
}

/** Asks about a row that is said not to be its own booking. @param isBooked whether n8n knows it as booked, not just as sent */
export function askForPlot(row: ParsedRow, own: Candidate, isBooked: boolean): FinishedRow {
	const { yes } = answersTo(row, [own.id]);
	const no = asOtherJob(row, isBooked);
	const why = issueOf('deniesItself', bookingName(own.booking), yes, no, isOfSheet(row));
	return ask(row, why, { ...questionAbout([own]), needsPlot: true });
}

/** A row with the key of an earlier one: typed twice, or an error, since nothing would tell the two apart in the next run. */
export function bySameKey(row: ParsedRow, earlier: RequestedRow): FinishedRow {
	const { rowId } = row;
	const differences = differencesFrom(row, earlier);
	if (!differences) {
		const reason = `typed twice: the same as ${rowsIn([earlier])}`;
		return finished(row, { result: 'already booked', reason, repeatOf: earlier });
	}
	if (rowId !== undefined)
		return rejectedFor(row, 'Row ID', rowId, issueOf('rowIdOfRows', rowsIn([earlier])));
	const question = questionAbout([], row, earlier);
	const same = issueOf('sameJob', rowsIn([earlier]), differences);
	return { ...rejectedFor(row, 'row', undefined, same), question };
}

/** A Row ID that was booked for another farmer or another day. @param own the booking of the Row ID, if it is listed */
export function rejectRowId(row: ParsedRow, own?: Candidate): FinishedRow {
	const { rowId } = row;
	if (!own || isFinal(own.booking.bookingStatus))
		return rejectedFor(row, 'Row ID', rowId, issueOf('rowIdOfOtherJob'));
	const { no } = answersTo(row, [own.id]);
	const why = issueOf('rowIdOfOtherDay', dayOf(own), bookingName(own.booking), no);
	return rejectedFor(row, 'Row ID', rowId, why);
}

/** Nothing tells a row with neither name nor phone from that of another farmer. */
export function requireFarmer(row: ParsedRow): Row {
	const { farmerName, farmerPhone } = row.request;
	if ((farmerName ?? farmerPhone ?? row.rowId) !== undefined) return row;
	return rejectedFor(row, 'row', undefined, issueOf('noFarmer'));
}
