import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	ServiceError,
	toNodeError,
	toPlainError,
	type ServiceErrorKind,
} from '../../../api/errors';
import { keyOfBooking, toKey } from '../../../api/records';
import { withStatusLabel } from '../../../api/status';
import { formatValue, InvalidInputError, issueText, listOf } from '../../../parse/issue';
import type { Issue } from '../../../parse/issue';
import { groupBy } from '../../../utils/groupBy';
import { asText } from '../../../utils/text';
import { inTurns } from '../../../utils/turns';
import { addHint, type ItemResult } from '../../operation';
import { serviceQuestions } from './sheet/openQuestions';
import { farmerKeysOf, farmerOf } from './job';
import { bookingName } from './match/verdicts';
import type { ResultColumn } from './sheet/resultColumns';
import type { CheckedRow, FinishedRow, Result, RowQuestion, SheetRow } from './row';
import { finished, isFailure, placeOf, rejected, rowName, rowsIn, sentenceOf } from './row';
import type { ParsedSheet } from './rows';
import { columnText, type Problem } from './sheet/problems';

/** Problems of rows that one message lists, and the rows and values that each names: less than a screen. */
const [MAX_PROBLEMS, MAX_NAMED, MAX_VALUES] = [8, 12, 3];

function textOf(failure: unknown): string {
	const { message, description } = toPlainError(failure);
	return description ? message.replace(/\.?$/, `. ${description}`) : message;
}

/** Kinds of failures that may be due to what a row holds. */
const OF_ROW: ReadonlySet<ServiceErrorKind> = new Set(['validation', 'notFound']);

/** Whether a row failed for the key, the service or the way to it: then it needs no correction. */
const isOfService = ({ failure, result }: Partial<FinishedRow>): boolean =>
	failure instanceof ServiceError && !OF_ROW.has(failure.kind) && result !== 'unknown';

type Fault = { row: FinishedRow; issue?: Issue; text: string };

function faultsOf(row: FinishedRow): Fault[] {
	const { failure } = row;
	if (failure instanceof InvalidInputError)
		return failure.issues.map((issue) => ({ row, issue, text: issueText(issue) }));
	return failure ? [{ row, text: textOf(failure) }] : [];
}

/** Faults with the same key are one problem, perhaps with different values. */
function keyOf({ issue, text }: Fault): string {
	if (!issue) return text;
	const { field, column, value, problem, fix } = issue;
	// What is wrong with a row as a whole names other rows and bookings, which differ.
	return JSON.stringify([field, column, fix, value === undefined && problem]);
}

/** One problem of several rows. A text that differs with the value is that of the first one. */
function textOfAll(some: readonly Fault[]): string {
	const [{ issue, text } = { text: '' }] = some;
	const same = some.filter((other) => other.issue?.problem === issue?.problem);
	const values = [...new Set(same.map((other) => formatValue(other.issue?.value)))];
	return issue && values.length > 1
		? issueText(issue, `e.g. ${values.slice(0, MAX_VALUES).join(' or ')}`)
		: text;
}

/** What is wrong with rows, each thing once: first what most of them have. Questions come last, and each is of one row. */
function linesOf(faulty: readonly FinishedRow[], count: number): string[] {
	const isAsked = ({ row }: Fault) => row.result === 'possible duplicate';
	const groups = [...groupBy(faulty.flatMap(faultsOf), keyOf).values()]
		.sort((one, other) => other.length - one.length)
		.map((some) => {
			const rows = rowsIn(some.map(({ row }) => row));
			const who = some.length > MAX_NAMED ? `${some.length} of ${count} rows` : sentenceOf(rows);
			return { line: `${who}: ${textOfAll(some)}`, isAsked: some.every(isAsked) };
		});
	const problems = groups.filter((one) => !one.isAsked).slice(0, MAX_PROBLEMS);
	const questions = groups.filter((one) => one.isAsked).slice(0, MAX_NAMED);
	const shown = [...problems, ...questions].map(({ line }) => line);
	const more = groups.length - shown.length;
	return more > 0 ? [...shown, `More problems: ${more}. Turn on Dry Run to see each row.`] : shown;
}

/** The error of a sheet that is not booked as it is, with all that is known to be wrong with its rows. */
export function sheetError(
	problems: readonly Problem[],
	rows: readonly FinishedRow[],
	count: number,
	last: readonly string[],
): InvalidInputError {
	const lines = problems.flatMap(([headline, ...parts]) => [headline, parts.join(' ')]);
	// The first line becomes the title of n8n's error, and the other lines what is below it.
	return new InvalidInputError([], joined([...lines, ...linesOf(rows, count), ...last]), lines[0]);
}

/** The error of a row. n8n logs the message, so the row has its number there, and the farmer is in the description. */
function errorOf(context: IExecuteFunctions, row: FinishedRow) {
	const error = toNodeError(context.getNode(), row.failure, row.itemIndex);
	if (row.columns && !isOfService(row)) error.message = `Row ${row.sheetRow}: ${error.message}`;
	return error;
}

const joined = (lines: ReadonlyArray<string | null | undefined>): string =>
	lines.filter(Boolean).join('\n');

/** The error of rows that are wrong. What is wrong with the key or the service is said alone: no row can be corrected. */
export function rejection(
	context: IExecuteFunctions,
	rows: readonly CheckedRow[],
): Error | undefined {
	const faulty = rows.filter((row) => row.kind === 'finished').filter(isFailure);
	if (faulty.length === 0) return undefined;
	const single = faulty.find(isOfService) ?? (rows.length === 1 ? faulty[0] : undefined);
	if (single) {
		const error = errorOf(context, single);
		error.description = [error.description, 'This run booked nothing.'].filter(Boolean).join(' ');
		return error;
	}
	const errors = faulty.length === 1 ? 'has errors' : 'have errors';
	const headline = `${faulty.length} of ${rows.length} rows ${errors}. This run booked nothing.`;
	const error = sheetError([[headline]], faulty, rows.length, [
		'Run the rows again once the errors are fixed, or set On Error to Continue (using error output) to book the other rows.',
	]);
	return toNodeError(context.getNode(), error, faulty[0]?.itemIndex);
}

/** The error of the row at which the node stops while it sends, with what became of all rows. */
export function stopError(
	context: IExecuteFunctions,
	row: FinishedRow,
	finished: readonly FinishedRow[],
	rows: readonly SheetRow[],
): Error {
	const error = errorOf(context, row);
	if (rows.length === 1) return error;
	const known = new Set(finished.map(({ itemIndex }) => itemIndex));
	const left = rows.filter(({ itemIndex }) => !known.has(itemIndex));
	const nameOf = ({ booking, ...one }: FinishedRow) =>
		rowName(one) + (booking ? ` with booking ${asText(booking.bookingID)}` : '');
	error.description = joined([
		error.description,
		...[...groupBy(finished, ({ result }) => result)].map(
			([result, some]) => `${result}: ${listOf(some.map(nameOf))}.`,
		),
		left.length > 0 ? `not sent: ${rowsIn(left)}.` : '',
		'When you run the rows again, those already booked are skipped.',
	]);
	return error;
}

/** What is said of a run as a whole; with Dry Run, it is in the first item, for a form to show. */
interface SheetSummary extends Pick<ParsedSheet, 'columns' | 'otherColumns' | 'questions'> {
	/** All of it in one text. */
	text: string;
	/** What is wrong with the sheet as a whole, the key or the service; empty if nothing is. */
	problem: string;
	/** What is noted of the list of bookings, and of rows that are or will be sent, or are no requests: each once, with its rows. */
	notices: string[];
	/** What is asked about rows, for a page: its answers go into their Booking ID and Plot. */
	rowQuestions: Array<{ row: number; farmer: string } & RowQuestion>;
}

const isNew = ({ result }: Partial<FinishedRow>): boolean =>
	result === 'created' || result === 'would create';

/** The tractor of a row: that of its request if it is new, else the one that its booking names. */
const tractorOf = (row: Partial<FinishedRow>) =>
	toKey(isNew(row) ? row.request?.tractorId : row.booking?.tractorPairedTo) ?? null;

function possibleText({ question }: Partial<FinishedRow>): string | undefined {
	const ids = question?.bookings.map(({ bookingID }) => asText(bookingID)) ?? [];
	return ids.length > 0 ? ids.join(', ') : undefined;
}

/** Asks whether a row is to be booked again, if its booking was given up. */
function askAgain({ caveat, booking }: FinishedRow): RowQuestion | undefined {
	const bookingID = caveat?.givenUp && booking && keyOfBooking(booking);
	if (!bookingID) return undefined;
	const text = `the row is ${bookingName(booking)}`;
	return { bookings: [{ bookingID, text, isSame: true }], needsPlot: false, isGivenUp: true };
}

/** The questions about rows, for a page that asks them. */
const rowQuestionsOf = (rows: readonly FinishedRow[]): SheetSummary['rowQuestions'] =>
	rows.flatMap((one) => {
		const { sheetRow: row, farmer = '', question = askAgain(one) } = one;
		return question ? [{ row, farmer, ...question }] : [];
	});

/** Whether nothing is left to decide about a row. */
const isSettled = (row: Partial<FinishedRow>): boolean =>
	isNew(row) || row.result === 'already booked';

/** The columns of the node, and after them the row's own. @param added a reason instead of its own, and the summary */
function outputOf(
	own: IDataObject,
	row: Partial<FinishedRow>,
	added: { reason?: string; summary?: SheetSummary } = {},
): IDataObject {
	const { result, failure, request, tractor, caveat, notes = [], booking = {}, settings } = row;
	const record = booking.bookingStatus === undefined ? booking : withStatusLabel(booking);
	const caveatFix = row.caveatFix ?? caveat?.fix;
	const said = caveat ? `${row.reason}, but ${caveat.problem}. ${caveatFix}` : row.reason;
	const why = added.reason ?? (failure ? textOf(failure) : said);
	const written: Partial<Record<ResultColumn, IDataObject[string]>> = {
		result,
		reason: [why, ...notes, tractor?.reason].filter(Boolean).join('; ').replaceAll('.; ', '; '),
		bookingID: record.bookingID ?? own.bookingID ?? null,
		possibleBookingIDs:
			possibleText(row) ?? (isSettled(row) ? null : own.possibleBookingIDs) ?? null,
		clusterID: record.clusterID ?? null,
		bookingStatus: record.bookingStatus ?? null,
		bookingStatusLabel: record.bookingStatusLabel ?? null,
		bookedTractorId: tractorOf(row),
		bookedTractorDistance: tractor?.distance ?? null,
		...(settings?.dryRun ? { request: request ? { ...request } : null } : {}),
		...(added.summary ? { summary: { ...added.summary } } : {}),
	};
	return { ...written, ...own, ...written };
}

/** Gives each row that repeats another one what became of that, and leaves it out if that is not there. */
export function resolveRepeats<R extends CheckedRow>(rows: readonly R[]): Array<R | FinishedRow> {
	const byItem = new Map(rows.map((row) => [row.itemIndex, row] as const));
	const resolve = (row: R): R | FinishedRow | undefined => {
		if (row.kind !== 'finished' || !row.earlier || row.booking) return row;
		const earlier = byItem.get(row.earlier.itemIndex);
		const known = earlier && resolve(earlier);
		if (known?.kind !== 'finished') return known && row;
		const { booking, failure, result } = known;
		if (failure) return { ...rejected(row, failure, result), question: known.question };
		if (!booking) return row;
		return finished(row, { ...row, booking: { tractorPairedTo: tractorOf(known), ...booking } });
	};
	return rows.flatMap((row) => resolve(row) ?? []);
}

/** Rows with a booking from before, or with another one that may be theirs. */
const OLD_RESULTS: ReadonlySet<Result> = new Set(['already booked', 'possible duplicate']);

const SHARED =
	'same name or phone, and same day, as another row; each is booked as its own job: delete one if it was typed twice';

/** Equal for rows with the name or the phone of one farmer, and one day. */
function farmerDaysOf({ request }: FinishedRow): string[] {
	const keys = request ? farmerKeysOf(farmerOf(request)) : [];
	return keys.map((key) => `${key} on ${request?.serviceDate}`);
}

async function noticesOf(rows: readonly FinishedRow[]): Promise<string[]> {
	// Two jobs, or one that is typed twice with a slip.
	const booked = rows.filter(
		(row) => isNew(row) || (row.result === 'already booked' && !row.earlier),
	);
	const keyed = await inTurns(booked, (row) => farmerDaysOf(row).map((key) => ({ row, key })));
	const groups = [...groupBy(keyed.flat(), ({ key }) => key).values()];
	const sharing = groups.filter(({ length }) => length > 1).flat();
	const shared = new Set(sharing.map(({ row }) => row).filter(isNew));
	const notesOf = (row: FinishedRow) => [
		...(OLD_RESULTS.has(row.result) ? [] : (row.notes ?? [])),
		...(shared.has(row) ? [SHARED] : []),
		...(row.caveat ? [`already booked, but ${row.caveat.problem}. ${row.caveat.fix}`] : []),
	];
	const ordered = [
		...rows.filter(({ caveat }) => caveat?.givenUp),
		...rows.filter(({ caveat }) => !caveat?.givenUp),
	];
	const noted = ordered.flatMap((row) => notesOf(row).map((note) => ({ row, note })));
	return [...groupBy(noted, ({ note }) => note)].map(
		([note, some]) => `${sentenceOf(rowsIn(some.map(({ row }) => row)))}: ${note}.`,
	);
}

/**
 * The items of the rows. What is wrong with the key or the service is said above the output, and of the first row that
 * failed for it.
 *
 * @param ofList what has to be said of the list of bookings
 */
export async function reportRows(
	context: IExecuteFunctions,
	rows: readonly FinishedRow[],
	{ dryRun, emptyLines, columns, otherColumns, questions }: ParsedSheet,
	ofList: readonly string[],
): Promise<ItemResult[]> {
	const items = context.getInputData();
	const ofService = groupBy(rows.filter(isOfService), ({ failure }) => textOf(failure));
	const problem = [...ofService.keys()].join(' ');
	const countedAs = ({ result, caveat }: FinishedRow) =>
		caveat?.givenUp ? `${result} but ${caveat.givenUp}` : result;
	const counts = [...groupBy(rows, countedAs)].map(([what, some]) => `${some.length} ${what}`);
	if (emptyLines > 0)
		counts.push(`${emptyLines} empty ${emptyLines === 1 ? 'line' : 'lines'} left out`);
	const notices = [...(await noticesOf(rows)), ...ofList];
	const unread = `Not read: ${otherColumns.map(columnText).join(', ')}. To use one, map it under Options > Column Mapping.`;
	const said = otherColumns.length > 0 ? [unread, ...notices] : notices;
	const count = counts.length > 0 ? `${counts.join(', ')}.` : '';
	const text = [problem, count, ...said].filter(Boolean).join(' ');
	const isFine = rows.every(({ failure }) => !failure) && said.length === 0;
	if (text) addHint(context, text, isFine ? 'info' : 'warning');
	const all = [...questions, ...serviceQuestions(rows)];
	const rowQuestions = rowQuestionsOf(rows);
	const summary = { text, problem, notices, columns, otherColumns, questions: all, rowQuestions };
	const results = await inTurns(rows, (row, index) => {
		const [first] = (isOfService(row) && ofService.get(textOf(row.failure))) || [row];
		const report = outputOf(items[row.itemIndex]?.json ?? {}, row, {
			reason: first && first !== row ? `See ${rowName(first)}.` : undefined,
			summary: dryRun && index === 0 ? summary : undefined,
		});
		const failed = { records: [], failure: row.failure, report };
		return [row.itemIndex, isFailure(row) ? failed : { records: [report] }] as const;
	});
	const byItem = new Map<number, ItemResult>(results);
	return items.map((_item, itemIndex) => byItem.get(itemIndex) ?? { records: [] });
}

/**
 * The results of all rows if preparing them failed, so that none was sent: why is said once.
 *
 * @throws NodeApiError or NodeOperationError if the node does not continue on fail
 */
export function reportPreparationFailure(
	context: IExecuteFunctions,
	thrown: unknown,
	{ dryRun, rows, columns, otherColumns, questions }: ParsedSheet,
): ItemResult[] {
	if (!context.continueOnFail()) throw toNodeError(context.getNode(), thrown);
	const { error: failure } = toPlainError(thrown);
	const text = textOf(failure);
	addHint(context, text, 'warning');
	const items = context.getInputData();
	// A sheet that could not be read has no rows yet.
	const known = new Set(rows.map(({ itemIndex }) => itemIndex));
	const [first = 0] = known;
	const see = `See ${rowName(placeOf(items[first]?.json ?? {}, first))}.`;
	const said = { text, problem: text, notices: [], rowQuestions: [] };
	const summary = { ...said, columns, otherColumns, questions };
	return items.map(({ json }, itemIndex): ItemResult => {
		if (known.size > 0 && !known.has(itemIndex)) return { records: [] };
		const added = itemIndex !== first ? { reason: see } : { summary: dryRun ? summary : undefined };
		const report = outputOf(json, { result: 'not sent', failure }, added);
		return { records: [], failure, report };
	});
}
