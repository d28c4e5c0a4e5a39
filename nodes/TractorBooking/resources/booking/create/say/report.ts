import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ServiceError, toNodeError, toPlainError } from '../../../../api/errors';
import { keyOfBooking, toKey } from '../../../../api/records';
import { withStatusLabel } from '../../../../api/status';
import { InvalidInputError, type Invalid, type Issue } from '../../../../parse/issue';
import { groupBy } from '../../../../utils/groupBy';
import { asText } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import { addHint, type ItemResult } from '../../../operation';
import { farmerKeysOf, farmerOf } from '../job';
import { bookingName } from '../match/verdicts';
import type { CheckedRow, FinishedRow, Result, RowQuestion } from '../row';
import { finished, isFailure, placeOf, rejected, rowName, rowsIn, sentenceOf } from '../row';
import type { ParsedSheet } from '../rows';
import { serviceQuestions } from '../preview/questions';
import { columnText } from '../sheet/problems';
import type { ResultColumn } from '../sheet/resultColumns';
import { failureTexts, isOfService, sentence, textOf } from './errors';

/** What is wrong with a row, or to be looked at: by its code, as data, and in words. */
interface RowIssue extends Pick<Issue, 'code' | 'problem' | 'fix' | 'setting'> {
	row: number;
	/** The label of the field; none if it is about the row as a whole, or about its request. */
	field?: string;
	column?: string;
	/** The cell. */
	value?: string;
}

/** What is said of a run as a whole; with Dry Run, it is in the first item, for a form to show. */
interface SheetSummary extends Pick<ParsedSheet, 'columns' | 'otherColumns' | 'questions'> {
	/** All of it in one text. */
	text: string;
	/** What is wrong with the sheet as a whole, the key or the service; empty if nothing is. */
	problem: string;
	/** What is noted of the list of bookings, and of rows that are or will be sent, or are no requests: each once, with its rows. */
	notices: string[];
	/** What is wrong with rows, and what has to be looked at in those that are booked already. */
	issues: RowIssue[];
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
	return { bookings: [{ bookingID, text, isSame: true }], needsPlot: false };
}

/** What is wrong with a row, as data. */
function issuesOfRow({ sheetRow: row, failure, caveat }: FinishedRow): RowIssue[] {
	const of = ({ code, problem, fix, setting }: Omit<Invalid, 'ok'>) => ({
		...{ row, code, problem, fix, setting },
	});
	if (failure instanceof InvalidInputError)
		return failure.issues.map((issue) => {
			const { field, column, value } = issue;
			return { ...of(issue), field, column, value: value === undefined ? value : asText(value) };
		});
	if (failure instanceof ServiceError)
		return [{ row, code: failure.kind, problem: failure.message, fix: failure.description ?? '' }];
	return caveat ? [of(caveat)] : [];
}

/** The questions about rows, for a page that asks them. */
const rowQuestionsOf = (rows: readonly FinishedRow[]): SheetSummary['rowQuestions'] =>
	rows.flatMap((one) => {
		const { sheetRow: row, farmer = '', question = askAgain(one), caveat } = one;
		const isGivenUp = caveat?.givenUp !== undefined;
		return question ? [{ row, farmer, ...question, isGivenUp }] : [];
	});

/** Whether nothing is left to decide about a row. */
const isDecided = (row: Partial<FinishedRow>): boolean =>
	isNew(row) || row.result === 'already booked';

/** Why a row has its result, and what to do about it; nothing if there is nothing to do. */
function sayingsOf(row: Partial<FinishedRow>) {
	const { failure, reason, caveat, caveatFix } = row;
	if (failure) return failureTexts(failure);
	if (!caveat) return { reason, toDo: undefined };
	return { reason: `${reason}, but ${caveat.problem}`, toDo: sentence(caveatFix ?? caveat.fix) };
}

/** The columns of the node, and after them the row's own. @param toDo instead of what its failure says, and the summary */
function outputOf(
	own: IDataObject,
	row: Partial<FinishedRow>,
	added: { toDo?: string; summary?: SheetSummary } = {},
): IDataObject {
	const { result, request, tractor, notes = [], booking = {}, settings } = row;
	const record = booking.bookingStatus === undefined ? booking : withStatusLabel(booking);
	const { reason, toDo } = sayingsOf(row);
	const written: Partial<Record<ResultColumn, IDataObject[string]>> = {
		result,
		reason: [reason, ...notes, tractor?.reason].filter(Boolean).join('; '),
		toDo: added.toDo ?? toDo ?? null,
		bookingID: record.bookingID ?? own.bookingID ?? null,
		possibleBookingIDs:
			possibleText(row) ?? (isDecided(row) ? null : own.possibleBookingIDs) ?? null,
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
		...(row.caveat ? [`already booked, but ${row.caveat.problem}; ${row.caveat.fix}`] : []),
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
	{ settings, emptyLines, columns, otherColumns, questions }: ParsedSheet,
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
	const ofRows = { issues: rows.flatMap(issuesOfRow), rowQuestions: rowQuestionsOf(rows) };
	const summary = { text, problem, notices, columns, otherColumns, questions: all, ...ofRows };
	const results = await inTurns(rows, (row, index) => {
		const [first] = (isOfService(row) && ofService.get(textOf(row.failure))) || [row];
		const report = outputOf(items[row.itemIndex]?.json ?? {}, row, {
			toDo: first && first !== row ? `See ${rowName(first)}.` : undefined,
			summary: settings?.dryRun && index === 0 ? summary : undefined,
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
	{ settings, rows, columns, otherColumns, questions }: ParsedSheet,
	checked: readonly CheckedRow[] = [],
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
	const said = { text, problem: text, notices: [], issues: [], rowQuestions: [] };
	const all = [...questions, ...serviceQuestions(checked)];
	const summary = { ...said, columns, otherColumns, questions: all };
	return items.map(({ json }, itemIndex): ItemResult => {
		if (known.size > 0 && !known.has(itemIndex)) return { records: [] };
		const added =
			itemIndex !== first ? { toDo: see } : { summary: settings?.dryRun ? summary : undefined };
		const report = outputOf(json, { result: 'not sent', failure }, added);
		return { records: [], failure, report };
	});
}
