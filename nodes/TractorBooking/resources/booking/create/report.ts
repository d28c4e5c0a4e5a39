import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ServiceError, toNodeError, unlessBooked } from '../../../api/errors';
import { toKey } from '../../../api/identifiers';
import { withStatusLabel } from '../../../api/status';
import { formatValue, listOf } from '../../../parse/issue';
import { groupBy } from '../../../utils/groupBy';
import { inTurns } from '../../../utils/turns';
import type { ItemResult } from '../../operation';
import { addHint, getParameter } from '../../operation';
import { BOOKING_FIELDS, labelOf } from './fields';
import { columnsOf, type SheetSummary } from './notices';
import { isOfService, problemsOf, textOf } from './problems';
import type { ResultColumn } from './resultColumns';
import type { FinishedRow } from './row';
import { finished, isFailure, placeOf, rowsIn } from './row';
import type { ParsedSheet } from './rows';

/** Who does the work: of a row that is booked already, whom its booking names. */
function tractorOf({
	result,
	request,
	booking = {},
}: Partial<FinishedRow>): number | string | null {
	const isOwn = result === 'created' || result === 'would create';
	return toKey(isOwn ? request?.tractorId : booking.tractorPairedTo) ?? null;
}

/**
 * The columns of the node, and after them all of the row's own.
 *
 * @param added what the row itself does not know: a reason instead of its own, the summary in the first item
 */
function outputOf(
	own: IDataObject,
	row: Partial<FinishedRow>,
	added: { reason?: string; summary?: SheetSummary } = {},
): IDataObject {
	const { result, failure, request, tractor, notes = [], booking = {}, settings } = row;
	const record = booking.bookingStatus === undefined ? booking : withStatusLabel(booking);
	const {
		bookingID = own.bookingID ?? null,
		clusterID = null,
		bookingStatus = null,
		bookingStatusLabel = null,
	} = record;
	const why = added.reason ?? (failure ? textOf(failure) : row.reason);
	const written: Partial<Record<ResultColumn, IDataObject[string]>> = {
		result,
		reason: [why, ...notes, tractor?.reason].filter(Boolean).join('; ').replaceAll('.; ', '; '),
		bookingID,
		clusterID,
		bookingStatus,
		bookingStatusLabel,
		bookedTractorId: tractorOf(row),
		bookedTractorDistance: tractor?.distance ?? null,
		...(settings?.dryRun ? { request: request ? { ...request } : null } : {}),
		...(added.summary ? { summary: { ...added.summary } } : {}),
	};
	return { ...written, ...own, ...written };
}

/** Whether a text names a field: `serviceDate`, `service_date` or `service date`. */
function isNamedIn(text: string, field: string): boolean {
	const words = field.replace(/(?<=[a-z])_?(?=[A-Z])|_/g, '[ _-]?');
	return new RegExp(`\\b${words}\\b`, 'i').test(text);
}

/**
 * The row, a 400 of the service told in the sheet's words (interface, "Errors": `error` carries a text): the columns of
 * the fields that it names, and what the row has in them.
 */
export function inSheetWords(row: FinishedRow, own: IDataObject): FinishedRow {
	const { failure, columns } = row;
	if (!(failure instanceof ServiceError) || failure.kind !== 'validation') return row;
	const fields = BOOKING_FIELDS.filter((field) => isNamedIn(failure.message, field));
	if (fields.length === 0) return row;
	const advice = fields.map((field) => {
		const [label, column] = [labelOf(field), columns?.get(field)];
		if (columns && column === undefined)
			return `add a column for ${label}, or map the one that holds it`;
		// A field in two columns has no cell of its own.
		const cell =
			column !== undefined && Object.hasOwn(own, column) ? `: ${formatValue(own[column])}` : '';
		return `correct ${label}${column === undefined ? '' : ` (column "${column}"${cell})`}`;
	});
	return { ...row, failure: failure.withDescription(unlessBooked(listOf(advice))) };
}

/** The rows, with those that repeat an earlier row having what became of that. @param rows in the order of the input */
export function resolveRepeats(rows: readonly FinishedRow[]): FinishedRow[] {
	const byItem = new Map<number, FinishedRow>();
	for (const row of rows) {
		const earlier = row.earlier && byItem.get(row.earlier.itemIndex);
		const isOpen = row.earlier && !row.booking;
		byItem.set(row.itemIndex, isOpen ? withResultOf(row, earlier) : row);
	}
	return [...byItem.values()];
}

function withResultOf(row: FinishedRow, earlier: Partial<FinishedRow> = {}): FinishedRow {
	const { booking, result } = earlier;
	if (booking) return { ...row, booking: { tractorPairedTo: tractorOf(earlier), ...booking } };
	if (result === 'already booked') return { ...row, reason: `${row.reason}: ${earlier.reason}` };
	if (result === 'would create') return { ...row, reason: `${row.reason}: one booking for both` };
	const isUnknown = result === 'unknown' || result === 'possible duplicate';
	const end = isUnknown
		? 'and it is unknown whether that was booked'
		: 'which was not booked; run both again once that row is fixed';
	return finished(row, { result: 'not sent', failure: new Error(`${row.reason}, ${end}`) });
}

/** How many rows have which result: `12 created, 5 already booked, 3 to fix`. */
function countResults(rows: readonly FinishedRow[]): string {
	return [...groupBy(rows, ({ result }) => result)]
		.map(([result, some]) => `${some.length} ${result}`)
		.join(', ');
}

/**
 * The items of the rows, each with its columns and those of the node. What is wrong with the key or the service is said
 * above the output, and of the first row that failed for it.
 */
export async function reportRows(
	context: IExecuteFunctions,
	rows: readonly FinishedRow[],
	said: SheetSummary,
): Promise<ItemResult[]> {
	const items = context.getInputData().map(({ json }) => json);
	const first = new Map(
		problemsOf(rows.filter(isOfService), rows.length).flatMap(({ rows: [row] }) =>
			row?.failure ? [[textOf(row.failure), row] as const] : [],
		),
	);
	const counts = countResults(rows);
	const problem = [...first.keys()].join(' ');
	const text = [problem, counts && `${counts}.`, said.text].filter(Boolean).join(' ');
	const isFine = rows.every(({ failure }) => !failure) && !said.text;
	if (text) addHint(context, text, isFine ? 'info' : 'warning');
	const summary = rows.every(({ settings }) => settings.dryRun)
		? { ...said, text, problem }
		: undefined;
	return await inTurns(rows, (row, index): ItemResult => {
		const other = isOfService(row) && row.failure ? first.get(textOf(row.failure)) : undefined;
		const report = outputOf(items[row.itemIndex] ?? {}, row, {
			reason: other && other !== row ? `See ${rowsIn([other])}.` : undefined,
			summary: index === 0 ? summary : undefined,
		});
		return isFailure(row) ? { records: [], failure: row.failure, report } : { records: [report] };
	});
}

/** Whether nothing is to be booked; the parameters may be what failed. */
function isDryRun(context: IExecuteFunctions): boolean {
	try {
		return getParameter(context, 'dryRun', 0) === true;
	} catch {
		return false;
	}
}

/**
 * The results of all rows if preparing them failed, so that none was sent. What is wrong with the sheet, the key or the
 * service is said once.
 *
 * @param sheet what is known of it
 * @throws NodeApiError or NodeOperationError if the node does not continue on fail
 */
export function reportNone(
	context: IExecuteFunctions,
	thrown: unknown,
	sheet?: ParsedSheet,
): ItemResult[] {
	if (!context.continueOnFail()) throw toNodeError(context.getNode(), thrown);
	const failure = thrown instanceof Error ? thrown : new Error(String(thrown));
	const items = context.getInputData().map(({ json }) => json);
	const text = textOf(failure);
	addHint(context, text, 'warning');
	const [json = {}] = items;
	const see = `See ${rowsIn([placeOf({ json, itemIndex: 0 })])}.`;
	const summary = isDryRun(context)
		? { text, problem: text, notices: [], ...columnsOf(sheet) }
		: undefined;
	return items.map((own, itemIndex): ItemResult => {
		const added = itemIndex === 0 ? { summary } : { reason: see };
		const report = outputOf(own, { result: 'not sent', failure }, added);
		return { records: [], failure, report };
	});
}
