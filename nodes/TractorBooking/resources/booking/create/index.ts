import type { IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../../api/client';
import { nextTurn } from '../../../utils/turns';
import type { ItemResult, Operation } from '../../operation';
import { clientFor, warningsTo } from '../../operation';
import { checkServices, chooseTractors } from './choose/chooseTractors';
import { createFields, createFromSpreadsheetFields } from './description';
import { BookedBut } from './match/bookedBut';
import { bookingIndexOf } from './match/bookingIndex';
import { findIdentified } from './match/identified';
import { matchRows } from './match/match';
import { readBookings } from './match/readBookings';
import { Memory } from './memory/memory';
import { helpersOf, Store } from './memory/store';
import { summaryOf } from './notices';
import { serviceQuestions } from './questions';
import { rejection, sheetError, stopError } from './problems';
import { reportNone, reportRows, resolveRepeats } from './report';
import type { SheetRow } from './row';
import { isCompared, isFailure } from './row';
import type { FieldSource, ParsedSheet, RowToMatch } from './rows';
import { parseRows } from './rows';
import { sendRows } from './send/sendRows';

/** All that is known of the rows before any is sent. */
type Checked = Awaited<ReturnType<typeof checkRows>>;

/** The stages between parsing and sending: matches the rows and chooses the tractors; sends no booking. */
async function checkRows(
	context: IExecuteFunctions,
	client: ServiceClient,
	parsed: readonly RowToMatch[],
) {
	const timezone = context.getTimezone();
	const warn = warningsTo(context);
	const memory = new Memory(new Store(client.account, helpersOf(context)), client.baseUrl);
	const bookedBut = new BookedBut();
	const isListRead = parsed.some((row) => row.kind === 'parsed' && isCompared(row));
	if (isListRead) await readBookings(client, timezone, warn);
	const found = await findIdentified(client, parsed, timezone, isListRead, bookedBut);
	const listedBefore = isListRead ? bookingIndexOf(client).listed : undefined;
	const options = { client, memory, timezone, isListRead, bookedBut };
	const rows = await chooseTractors(client, await matchRows(found, options));
	for (const text of bookedBut.texts) warn(text);
	return { rows, listedBefore, memory };
}

/** Sends the rows, and reports all of them; if the node does not continue on fail, it stops at the first failure. */
async function sendAndReport(
	context: IExecuteFunctions,
	client: ServiceClient,
	{ rows, listedBefore, memory }: Checked,
	sheet: ParsedSheet,
): Promise<ItemResult[]> {
	const outcomes = await sendRows(rows, {
		client,
		memory,
		timezone: context.getTimezone(),
		listedBefore,
		continues: context.continueOnFail(),
		warn: (text) => context.logger.warn(text),
	});
	await nextTurn();
	const known = outcomes.filter((row) => row !== undefined);
	const finished = resolveRepeats(known);
	// Not a row that repeats one which was not sent any more.
	const failure = context.continueOnFail()
		? undefined
		: finished.filter((row) => !row.earlier).find(isFailure);
	if (failure) throw stopError(context, failure, finished, rows);
	return await reportRows(context, finished, summaryOf(rows, sheet));
}

const isOnlyChecked = (rows: readonly SheetRow[]) => rows.every(({ settings }) => settings.dryRun);

async function run(context: IExecuteFunctions, fieldSource: FieldSource): Promise<ItemResult[]> {
	let client: ServiceClient;
	let sheet: ParsedSheet | undefined;
	try {
		client = await clientFor(context, 'apiKey');
		sheet = await parseRows(context, fieldSource, new Date());
		const { rows, problems, last } = sheet;
		if (problems.length > 0) {
			const checked = await checkServices(client, rows);
			sheet.questions.push(...serviceQuestions(checked));
			const faulty = checked
				.filter((row) => row.kind === 'finished')
				.filter(({ failure }) => failure);
			throw sheetError(problems, faulty, rows.length, last);
		}
	} catch (thrown) {
		return reportNone(context, thrown, sheet);
	}
	const parsed = sheet;
	const work = async () => {
		let checked: Checked;
		try {
			checked = await checkRows(context, client, parsed.rows);
			const error = context.continueOnFail() ? undefined : rejection(context, checked.rows);
			if (error) throw error;
		} catch (thrown) {
			return reportNone(context, thrown, parsed);
		}
		await nextTurn();
		return await sendAndReport(context, client, checked, parsed);
	};
	// One execution at a time: each must find the bookings of those before it.
	return isOnlyChecked(parsed.rows) ? await work() : await client.runExclusive(work);
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

/** Booking > Create From Spreadsheet: the same for rows; their columns are matched to the fields by heading. */
export const createFromSpreadsheet: Operation = {
	run: async (context) => await run(context, 'columns'),
	fields: createFromSpreadsheetFields,
};
