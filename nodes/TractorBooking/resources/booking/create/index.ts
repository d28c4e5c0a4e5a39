import type { IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../../api/client';
import { toNodeError } from '../../../api/errors';
import { asText } from '../../../utils/text';
import type { ItemResult, Operation } from '../../operation';
import { clientFor, tell, warningsTo } from '../../operation';
import type { ReadyRow } from './chooseTractors';
import { chooseTractors, Workload } from './chooseTractors';
import { createFields, createFromSpreadsheetFields } from './description';
import type { ExistingBookings } from './existingBookings';
import { findExisting } from './findExisting';
import { findIdentified } from './findIdentified';
import { knownBookingsOf } from './knownBookings';
import { rejectInDoubt } from './lostRows';
import { checkKey, matchRows } from './match';
import { noticesOf } from './notices';
import { isCompared } from './pairs';
import type { FinishedRow } from './report';
import { bookingOf, countResults, failed, reportRows } from './report';
import { matchKey } from './rowKey';
import type {
	FieldSource,
	IdentifiedRow,
	ParsedRow,
	ParsedSheet,
	RowToMatch,
	SheetRow,
} from './rows';
import { parseRows } from './rows';
import type { CheckedRow } from './sendRows';
import { sendRows } from './sendRows';
import { isStop, rejectAll, stopError } from './stop';

/** Number and IDs of the bookings that were made. */
function made(rows: readonly FinishedRow[]): string {
	const ids = rows
		.filter((row) => row.kind === 'sent')
		.map(bookingOf)
		.filter((booking) => booking !== undefined)
		.map(({ bookingID }) => asText(bookingID));
	return ids.length === 0 ? '0' : `${ids.length} (bookings ${ids.join(', ')})`;
}

/**
 * The rows that name a service of which the number is needed before they are matched: it is a match field, or tells the
 * row from others that are equal in these.
 */
function withServiceToNumber(rows: readonly ParsedRow[]): Set<ParsedRow> {
	const compared = rows.filter(isCompared);
	const counts = new Map<string, number>();
	for (const key of compared.map(matchKey)) counts.set(key, (counts.get(key) ?? 0) + 1);
	const isNeeded = (row: ParsedRow) =>
		row.settings.matchFields.includes('serviceType') || counts.get(matchKey(row)) !== 1;
	return new Set(compared.filter((row) => row.serviceName !== undefined && isNeeded(row)));
}

function isIdentified(row: RowToMatch): row is IdentifiedRow {
	return row.kind === 'identified';
}

function isParsed(row: CheckedRow | ParsedRow): row is ParsedRow {
	return row.kind === 'parsed';
}

function isReady(row: CheckedRow): row is ReadyRow {
	return row.kind === 'ready';
}

function isOpen(row: CheckedRow | ParsedRow): row is ParsedRow | ReadyRow {
	return row.kind === 'parsed' || row.kind === 'ready';
}

/** Applies a stage to the rows that it is for; all rows keep their order. */
async function through<Row extends SheetRow, In extends Row, Out extends SheetRow>(
	rows: readonly Row[],
	isFor: (row: Row) => row is In,
	stage: (rows: In[]) => Out[] | Promise<Out[]>,
): Promise<Array<Exclude<Row, In> | Out>> {
	const others = rows.filter((row): row is Exclude<Row, In> => !isFor(row));
	const done = await stage(rows.filter(isFor));
	return [...others, ...done].sort((a, b) => a.itemIndex - b.itemIndex);
}

/** Matches the rows and chooses the tractors; sends no booking. */
async function checkRows(
	client: ServiceClient,
	parsed: ReadonlyArray<CheckedRow | ParsedRow>,
	existing: ExistingBookings | undefined,
	timezone: string,
): Promise<CheckedRow[]> {
	const workload = new Workload();
	const choose = async (rows: ParsedRow[]) => await chooseTractors(client, rows, workload);
	const identified = parsed.filter((row) => row.kind === 'alreadyBooked');
	const unnumbered: ReadonlySet<SheetRow> = withServiceToNumber(parsed.filter(isParsed));
	const isUnnumbered = (row: CheckedRow | ParsedRow): row is ParsedRow => unnumbered.has(row);
	const numbered = await through(parsed, isUnnumbered, choose);
	const matched = await through(numbered, isOpen, (rows) => matchRows(rows, existing, identified));
	const chosen = await through(matched, isParsed, choose);
	return await through(chosen, isReady, (rows) =>
		rejectInDoubt(rows, knownBookingsOf(client), timezone),
	);
}

/** The results of all rows if preparing them failed, so that none was sent. */
function noneSent(context: IExecuteFunctions, thrown: unknown): ItemResult[] {
	if (!context.continueOnFail()) throw toNodeError(context.getNode(), thrown);
	const failure = thrown instanceof Error ? thrown : new Error(String(thrown));
	return context.getInputData().map(({ json }) => failed(json, {}, 'not sent', failure));
}

/** Sends the rows, and reports all of them; if the node does not continue on fail, it stops at the first failure. */
async function sendAndReport(
	context: IExecuteFunctions,
	client: ServiceClient,
	rows: readonly CheckedRow[],
	notices: readonly string[],
	comparedTo: number,
): Promise<ItemResult[]> {
	const outcomes = await sendRows(rows, {
		client,
		timezone: context.getTimezone(),
		comparedTo,
		continues: context.continueOnFail(),
		warn: (text) => context.logger.warn(text),
	});
	const finished = outcomes.filter((row) => row !== undefined);
	const failure = context.continueOnFail() ? undefined : finished.find(isStop);
	// n8n discards the output of a stopped execution, so log the bookings it made.
	if (failure ?? client.signal?.aborted)
		context.logger.warn(`The execution was stopped. Bookings it made: ${made(finished)}`);
	if (failure) {
		const end = outcomes.findLastIndex((row) => row === failure || row?.kind === 'sent') + 1;
		const before = outcomes.slice(0, end).filter((row) => row !== undefined);
		throw stopError(context, failure, before, rows);
	}
	const items = context.getInputData().map(({ json }) => json);
	const results = reportRows(finished, items);
	const counts = countResults(results);
	const summary = [`${counts}.`, ...notices].join(' ');
	if (counts) tell(context, summary, notices.length > 0 ? 'warning' : 'info');
	if (rows.some(({ settings }) => !settings.validateOnly)) return results;
	// A form can show it before the rows are booked.
	return results.map(({ records, ...result }) => ({
		...result,
		records: records.map((record) => ({ ...record, summary })),
	}));
}

async function bookAll(
	context: IExecuteFunctions,
	client: ServiceClient,
	sheet: ParsedSheet,
): Promise<ItemResult[]> {
	const withKeys = sheet.rows.map((row) => (row.kind === 'parsed' ? checkKey(row) : row));
	const compared = withKeys.filter((row) => row.kind === 'parsed').filter(isCompared);
	const [timezone, warn] = [context.getTimezone(), warningsTo(context)];
	let comparedTo: number;
	let rows: CheckedRow[];
	let notices: string[];
	try {
		const find = async (rows: IdentifiedRow[]) => await findIdentified(client, rows);
		const parsed = await through(withKeys, isIdentified, find);
		const existing =
			compared.length > 0 ? await findExisting(client, compared, timezone, warn) : undefined;
		// An execution that only checks may read what appears from now on.
		comparedTo = knownBookingsOf(client).listed;
		rows = await checkRows(client, parsed, existing, timezone);
		notices = noticesOf(rows, sheet.unusedColumns);
		notices.forEach((notice) => context.logger.warn(notice));
		const faulty = rows
			.filter((row) => row.kind === 'rejected')
			.filter(({ settings }) => !settings.validateOnly);
		if (faulty.length > 0 && !context.continueOnFail()) throw rejectAll(context, rows, faulty);
	} catch (thrown) {
		return noneSent(context, thrown);
	}
	return await sendAndReport(context, client, rows, notices, comparedTo);
}

async function run(context: IExecuteFunctions, fieldSource: FieldSource): Promise<ItemResult[]> {
	let client: ServiceClient;
	let sheet: ParsedSheet;
	try {
		client = await clientFor(context, 'apiKey');
		sheet = parseRows(context, fieldSource, new Date());
	} catch (thrown) {
		return noneSent(context, thrown);
	}
	const work = async () => await bookAll(context, client, sheet);
	const onlyChecks = sheet.rows.every(({ settings }) => settings.validateOnly);
	// One execution at a time: each must find the bookings of those before it.
	return onlyChecks ? await work() : await client.runExclusive(work);
}

/**
 * Booking > Create (interface, "Create booking"): one booking for each input item, from the fields of the node. Every
 * row is parsed, compared with the other rows and the existing bookings, and given its tractor, before the first one is
 * sent.
 */
export const create: Operation = {
	run: async (context) => await run(context, 'fields'),
	fields: createFields,
};

/** Booking > Create From Spreadsheet: the same for rows of which the columns are matched to the fields by name. */
export const createFromSpreadsheet: Operation = {
	run: async (context) => await run(context, 'columns'),
	fields: createFromSpreadsheetFields,
};
