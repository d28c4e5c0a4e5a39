import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { toPlainError } from '../../../../api/errors';
import { toId } from '../../../../api/records';
import { withStatusLabel } from '../../../../api/status';
import type { Said } from '../../../../parse/issue';
import { groupBy } from '../../../../utils/groupBy';
import { asText, capitalized } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import { addHint, type ItemResult } from '../../../operation';
import { labelOf } from '../row/fields';
import { inputRowOf, rowName, rowsIn, type InputRow } from '../row/inputRow';
import { isFailure, type Row, type RowQuestion } from '../row/row';
import type { ParsedSheet } from '../sheet/rows';
import { serviceQuestions, type Question } from '../preview/questions';
import { questionsOf, unsendableColumns } from '../preview/sheetQuestions';
import { columnText } from '../sheet/problems';
import { REQUEST_FIELDS } from '../row/requestFields';
import type { ResultColumn } from '../row/results';
import { isOfService, saidOf, textOf, textsOf } from './errors';

/** What is said of a run as a whole; with Dry Run, it is in the first item, for a form to show. */
export interface SheetSummary extends Pick<ParsedSheet, 'otherColumns'> {
	/** What each column is read as, and whether a row that has it is a request. */
	columns: Array<{ column: string; field: string; isOfRequest: boolean }>;
	questions: Question[];
	/** Columns of optional fields of which no cell can be sent: ignored, they stop no row. */
	unsendable: string[];
	/** What is wrong with the sheet as a whole, the API key or the service; empty if nothing is. */
	problem: string;
	/** What is said of the list of bookings, and of rows with which nothing is wrong: each once, with its rows. */
	notices: Array<{ rows: number[]; text: string }>;
	/** What is wrong with rows, and what has to be looked at in those that are booked already: by its code, as data, and in words. */
	issues: Array<Said & { row: number; value?: string }>;
	/** What is asked about rows, for a page: its answers go into their Booking ID and Plot. */
	rowQuestions: Array<{ row: number; farmer: string } & RowQuestion>;
}

const isBookedNow = ({ result }: Partial<Row>): boolean =>
	result === 'created' || result === 'would create';

/** The bookings that a row may be. @param earlier the row of the sheet that it may be */
function possibleText({ question, booking }: Partial<Row>, earlier?: Row): string | undefined {
	if (!question || booking) return undefined;
	const some: IDataObject[] = [question.bookings, earlier?.booking ?? []].flat();
	return some.map(({ bookingID }) => asText(bookingID)).join(', ') || undefined;
}

/** What a Dry Run says as data; undefined without it. */
async function summaryOf(
	{ otherColumns, open, settings }: ParsedSheet,
	rows: readonly Row[],
	said: Pick<SheetSummary, 'problem' | 'notices'>,
): Promise<SheetSummary | undefined> {
	if (!settings.dryRun) return undefined;
	const issues = rows.flatMap((one): SheetSummary['issues'] =>
		saidOf(one).map(({ code, problem, fix, setting, field, column, value }) => ({
			...{ row: one.sheetRow, code, problem, fix, setting, field, column },
			value: value === undefined ? undefined : asText(value),
		})),
	);
	const rowQuestions = rows.flatMap(({ sheetRow: row, farmer = '', question }) =>
		question ? [{ row, farmer, ...question }] : [],
	);
	const columns = [...(open?.columns.columns ?? [])].flatMap(([name, all]) => {
		const [field, isOfRequest] = [labelOf(name), REQUEST_FIELDS.includes(name)];
		return all.map((column) => ({ column, field, isOfRequest }));
	});
	const questions = [
		...(open ? await questionsOf(open) : []),
		...serviceQuestions(open?.likely?.rows ?? rows),
	];
	const unsendable = open ? unsendableColumns(open) : [];
	return { columns, otherColumns, questions, unsendable, issues, rowQuestions, ...said };
}

/** The columns of the node, and after them the row's own. @param added what to do instead of what its failure says, the summary, and the row of the sheet that it may be */
function outputOf(
	own: IDataObject,
	row: Partial<Row>,
	added: { toDo?: string; summary?: SheetSummary; earlier?: Row } = {},
): IDataObject {
	const { result, request, distance, remarks = [], booking = {}, settings, failure } = row;
	const record = booking.bookingStatus === undefined ? booking : withStatusLabel(booking);
	const isDecided = isBookedNow(row) || result === 'already booked';
	const { reason, toDo } = textsOf(saidOf(row));
	const why = failure
		? [reason]
		: [[row.reason, reason].filter(Boolean).join(', but '), ...remarks];
	const written: Partial<Record<ResultColumn, IDataObject[string]>> = {
		result,
		reason: why.filter(Boolean).join('; '),
		toDo: (added.toDo ?? toDo) || null,
		bookingID: record.bookingID ?? own.bookingID ?? null,
		possibleBookingIDs:
			possibleText(row, added.earlier) ?? (isDecided ? null : own.possibleBookingIDs) ?? null,
		clusterID: record.clusterID ?? null,
		bookingStatus: record.bookingStatus ?? null,
		bookingStatusLabel: record.bookingStatusLabel ?? null,
		bookedService: (isBookedNow(row) && row.offered) || null,
		bookedTractorId: toId(isBookedNow(row) ? request?.tractorId : booking.tractorPairedTo) ?? null,
		bookedTractorDistance: distance ?? null,
		...(settings?.dryRun ? { request: request && isDecided ? { ...request } : null } : {}),
		...(added.summary ? { summary: { ...added.summary } } : {}),
	};
	return { ...written, ...own, ...written };
}

/** What is said of rows, each thing once. */
function saidOnce(rows: readonly Row[], textsFor: (row: Row) => readonly string[]) {
	const said = rows.flatMap((row) => textsFor(row).map((text) => ({ row, text })));
	return [...groupBy(said, ({ text }) => text)].map(([text, group]) => {
		const some = group.map(({ row }) => row);
		const numbers = some.map(({ sheetRow }) => sheetRow);
		return { rows: numbers, text: `${capitalized(rowsIn(some))}: ${text}.` };
	});
}

/**
 * The items of the rows. What is wrong with the API key or the service is said above the output, and of the first row that
 * failed for it.
 *
 * @param ofList what has to be said of the list of bookings
 */
export async function reportRows(
	context: IExecuteFunctions,
	rows: readonly Row[],
	sheet: ParsedSheet,
	ofList: readonly string[],
): Promise<ItemResult[]> {
	const { otherColumns } = sheet;
	const ofService = groupBy(rows.filter(isOfService), ({ failure }) => textOf(failure));
	const problem = [...ofService.keys()].join(' ');
	// Whoever takes such a row for booked waits in vain.
	const countedAs = ({ result, question, caveat }: Row) =>
		caveat && question?.isGivenUp ? `${result} but ${caveat.code}` : result;
	const counts = [...groupBy(rows, countedAs)].map(([what, some]) => `${some.length} ${what}`);
	const ofAll = ofList.map((text) => ({ rows: [], text }));
	const remarks = saidOnce(rows, (row) =>
		row.failure || row.result === 'already booked' ? [] : (row.remarks ?? []),
	);
	const notices = [...remarks, ...ofAll];
	const unread = `Not read: ${otherColumns.map(columnText).join(', ')}. To use one, map it under Options > Column Mapping.`;
	const caveats = saidOnce(rows, ({ caveat }) =>
		caveat ? [`already booked, but ${caveat.problem} (see toDo)`] : [],
	);
	const said = [...caveats, ...notices].map(({ text }) => text);
	if (otherColumns.length > 0) said.unshift(unread);
	const text = [problem, `${counts.join(', ')}.`, ...said].filter(Boolean).join(' ');
	const isFine = rows.every(({ failure }) => !failure) && said.length === 0;
	addHint(context, text, isFine ? 'info' : 'warning');
	const summary = await summaryOf(sheet, rows, { problem, notices });
	const byItem = new Map(rows.map((row) => [row.itemIndex, row]));
	return await resultsFor(context, rows, (row, own, isFirst) => {
		const [first] = (isOfService(row) && ofService.get(textOf(row.failure))) || [row];
		const report = outputOf(own, row, {
			toDo: first && first !== row ? `See ${rowName(first)}.` : undefined,
			summary: isFirst ? summary : undefined,
			earlier: row.question?.earlier && byItem.get(row.question.earlier.itemIndex),
		});
		return isFailure(row) ? { records: [], failure: row.failure, report } : { records: [report] };
	});
}

/**
 * The results of all rows if preparing them failed, so that none was sent: why is said once.
 *
 * @throws what was thrown, if the node does not continue on fail
 */
export async function reportPreparationFailure(
	context: IExecuteFunctions,
	thrown: unknown,
	sheet?: ParsedSheet,
	checked: readonly Row[] = [],
): Promise<ItemResult[]> {
	if (!context.continueOnFail()) throw thrown;
	const { error: failure } = toPlainError(thrown);
	const text = textOf(failure);
	addHint(context, text, 'warning');
	// A sheet that could not be read has no rows yet.
	const input = context.getInputData().map(({ json }, itemIndex) => inputRowOf(json, itemIndex));
	const rows: readonly InputRow[] = sheet?.rows.length ? sheet.rows : input;
	const [first] = rows;
	const toDo = first && `See ${rowName(first)}.`;
	const summary = sheet && (await summaryOf(sheet, checked, { problem: text, notices: [] }));
	return await resultsFor(context, rows, (_row, own, isFirst) => {
		const added = isFirst ? { summary } : { toDo };
		return { records: [], failure, report: outputOf(own, { result: 'not sent', failure }, added) };
	});
}

/** The result of each input item; of one that is no row, nothing. */
async function resultsFor<R extends { itemIndex: number }>(
	context: IExecuteFunctions,
	rows: readonly R[],
	resultOf: (row: R, own: IDataObject, isFirst: boolean) => ItemResult,
): Promise<ItemResult[]> {
	const items = context.getInputData();
	const results = await inTurns(rows, (row, index) => {
		const own = items[row.itemIndex]?.json ?? {};
		return [row.itemIndex, resultOf(row, own, index === 0)] as const;
	});
	const byItem = new Map(results);
	return items.map((_item, itemIndex) => byItem.get(itemIndex) ?? { records: [] });
}
