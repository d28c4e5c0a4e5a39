import type { IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../../api/client';
import { toNodeError } from '../../../api/errors';
import { InvalidInputError } from '../../../parse/issue';
import { asText } from '../../../utils/text';
import type { ItemResult, Operation } from '../../operation';
import { addHint, clientFor, warningsTo } from '../../operation';
import { chooseTractors } from './choose/chooseTractors';
import { createFields, createFromSpreadsheetFields } from './description';
import { findExisting } from './match/findExisting';
import { findIdentified } from './match/findIdentified';
import { knownBookingsOf } from './match/knownBookings';
import { rejectSentBefore } from './match/lostRows';
import { checkMatchFields, matchRows } from './match/match';
import { noticesOf } from './notices';
import { countResults, failed, reportRow, resolveRepeats } from './report';
import type { CheckedRow, SheetRow } from './row';
import { isCompared, isFailure, rejected, sheetRowOf } from './row';
import type { FieldSource, ParsedSheet, RowToMatch } from './rows';
import { parseRows } from './rows';
import { sendRows } from './send/sendRows';
import { rejectAll, stopError } from './stop';

/** All that is known of the rows before any is sent. */
interface Checked {
	rows: CheckedRow[];
	/** See `SendOptions`. */
	comparedTo: number;
}

/** The stages between parsing and sending: matches the rows and chooses the tractors; sends no booking. */
async function checkRows(
	context: IExecuteFunctions,
	client: ServiceClient,
	parsed: readonly RowToMatch[],
): Promise<Checked> {
	const timezone = context.getTimezone();
	const known = knownBookingsOf(client);
	const checked = parsed.map((row) => (row.kind === 'parsed' ? checkMatchFields(row) : row));
	const found = await findIdentified(client, checked, timezone);
	const compared = found.filter((row) => row.kind === 'parsed').filter(isCompared);
	const existing =
		compared.length > 0
			? await findExisting(client, compared, timezone, warningsTo(context))
			: undefined;
	// An execution that only checks may read what appears from now on.
	const comparedTo = known.listed;
	const sendable = matchRows(found, existing).map((row) =>
		row.kind !== 'finished' && row.unlessBooked?.length ? rejected(row, row.unlessBooked) : row,
	);
	const chosen = await chooseTractors(client, sendable);
	return { rows: rejectSentBefore(chosen, known, timezone), comparedTo };
}

/** The results of all rows if preparing them failed, so that none was sent. What is wrong with the sheet is said once. */
function noneSent(context: IExecuteFunctions, thrown: unknown): ItemResult[] {
	if (!context.continueOnFail()) throw toNodeError(context.getNode(), thrown);
	const failure = thrown instanceof Error ? thrown : new Error(String(thrown));
	const isOfSheet = failure instanceof InvalidInputError;
	const result = isOfSheet ? 'to fix' : 'not sent';
	const items = context.getInputData().map(({ json }) => json);
	const reason = `the same as row ${sheetRowOf({ json: items[0] ?? {}, itemIndex: 0 })}: it says what to do`;
	return items.map((json, itemIndex) =>
		isOfSheet && itemIndex > 0
			? { ...failed(json, { result, reason }), failure }
			: failed(json, { result, failure }),
	);
}

/** Sends the rows, and reports all of them; if the node does not continue on fail, it stops at the first failure. */
async function sendAndReport(
	context: IExecuteFunctions,
	client: ServiceClient,
	{ rows, comparedTo }: Checked,
	notices: readonly string[],
): Promise<ItemResult[]> {
	const outcomes = await sendRows(rows, {
		client,
		timezone: context.getTimezone(),
		comparedTo,
		continues: context.continueOnFail(),
		warn: (text) => context.logger.warn(text),
	});
	const known = outcomes.filter((row) => row !== undefined);
	const finished = resolveRepeats(known);
	// Not a row that repeats one which was not sent any more.
	const failure = context.continueOnFail() ? undefined : known.find(isFailure);
	if (failure ?? client.signal?.aborted) {
		const made = finished
			.filter(({ result }) => result === 'created')
			.map(({ booking }) => asText(booking?.bookingID));
		const ids = made.length > 0 ? ` (bookings ${made.join(', ')})` : '';
		// n8n discards the output of a stopped execution, so log the bookings it made.
		context.logger.warn(`The execution was stopped. Bookings it made: ${made.length}${ids}`);
	}
	if (failure) throw stopError(context, failure, finished, rows);
	const counts = countResults(finished);
	const summary = [`${counts}.`, ...notices].join(' ');
	if (counts) addHint(context, summary, notices.length > 0 ? 'warning' : 'info');
	const items = context.getInputData().map(({ json }) => json);
	// A form can show it before the rows are booked.
	const added = isOnlyChecked(rows) ? { summary } : {};
	return finished.map((row) => reportRow(row, items[row.itemIndex] ?? {}, added));
}

async function bookAll(
	context: IExecuteFunctions,
	client: ServiceClient,
	sheet: ParsedSheet,
): Promise<ItemResult[]> {
	let checked: Checked;
	let notices: string[];
	try {
		checked = await checkRows(context, client, sheet.rows);
		const { rows } = checked;
		notices = noticesOf(rows, sheet.unusedColumns);
		const faulty = rows.filter((row) => row.kind === 'finished').filter(isFailure);
		if (faulty.length > 0 && !context.continueOnFail()) throw rejectAll(context, rows, faulty);
	} catch (thrown) {
		return noneSent(context, thrown);
	}
	return await sendAndReport(context, client, checked, notices);
}

const isOnlyChecked = (rows: readonly SheetRow[]) => rows.every(({ settings }) => settings.dryRun);

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
	// One execution at a time: each must find the bookings of those before it.
	return isOnlyChecked(sheet.rows) ? await work() : await client.runExclusive(work);
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
