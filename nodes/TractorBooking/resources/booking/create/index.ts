import type { IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../../api/client';
import { asText } from '../../../utils/text';
import { nextTurn } from '../../../utils/turns';
import { clientFor, type ItemResult, type Operation } from '../../operation';
import { chooseTractors, sampleOf, servicesNear } from './chooseTractors';
import { createFields, createFromSpreadsheetFields } from './row/description';
import { Bookings } from './match/bookings';
import { matchRows } from './match/match';
import { RowMemory } from './memory/memory';
import { helpersOf } from './memory/store';
import { likelySheet } from './preview/columnQuestions';
import { SOME_ROWS } from './preview/sheetQuestions';
import { rejection, sheetError, stopError } from './say/errors';
import { failureOf, NOTICES } from './say/failures';
import { reportPreparationFailure, reportRows } from './say/report';
import { isFailure, isOpen, type OpenRow, type Row } from './row/row';
import { parseRows, type OpenSheet, type ParsedSheet } from './sheet/rows';
import { RowSender } from './send/sendRows';

/** What would become of a row if it were sent now. A run of another process may have claimed it, too. */
function foreseen(row: OpenRow, memory: RowMemory): Row {
	return memory.claims.isClaimed(row)
		? { ...row, result: 'unknown', failure: failureOf.unknown(row) }
		: { ...row, result: 'would create' };
}

/** What a sheet leaves open, with what some of its tractors offer, and what becomes of its rows if the likeliest columns are read. */
async function withLikely(
	client: ServiceClient,
	sheet: OpenSheet,
	rows: readonly Row[],
): Promise<OpenSheet> {
	const isLacking = sheet.lacking.includes('serviceType');
	const some = { ...sheet, rows: sheet.rows.slice(0, SOME_ROWS) };
	const placed = isLacking ? ((await likelySheet(some))?.rows ?? rows) : [];
	const known = { ...sheet, services: await servicesNear(client, placed) };
	const likely = await likelySheet(known);
	if (!likely) return known;
	const looked = await chooseTractors(client, sampleOf(likely.rows));
	return { ...known, likely: { ...likely, rows: looked } };
}

/** All that is wrong with a sheet that cannot be booked as it is; not past days and far places: such a row may be booked already. */
async function refuse(
	context: IExecuteFunctions,
	client: ServiceClient,
	sheet: ParsedSheet,
): Promise<ItemResult[]> {
	const rows = await chooseTractors(client, sampleOf(sheet.rows));
	const open = sheet.open && (await withLikely(client, sheet.open, sheet.rows));
	return await reportPreparationFailure(context, sheetError(sheet, rows), { ...sheet, open }, rows);
}

/**
 * The stages after parsing. If the node does not continue on fail, it sends nothing if a row has an error, and stops at
 * the first that fails.
 */
async function bookRows(
	context: IExecuteFunctions,
	client: ServiceClient,
	sheet: ParsedSheet,
): Promise<ItemResult[]> {
	const continues = context.continueOnFail();
	const { settings } = sheet;
	const memory = new RowMemory(client, helpersOf(context));
	const bookings = new Bookings(client, context.getTimezone(), settings.compareWithBookings);
	let rows: Row[];
	try {
		rows = await chooseTractors(client, await matchRows(sheet.rows, bookings, memory));
	} catch (thrown) {
		return reportPreparationFailure(context, thrown, sheet);
	}
	const error = continues ? undefined : rejection(context, rows);
	if (error) throw error;
	await nextTurn();
	const warn = (text: string) => context.logger.warn(text);
	const results = settings.dryRun
		? rows.map((row) => (isOpen(row) ? foreseen(row, memory) : row))
		: await new RowSender(rows, { client, bookings, memory, continues, warn }).run();
	await nextTurn();
	const failure = continues ? undefined : results.find(isFailure);
	const made = results.filter(({ result }) => result === 'created');
	if ((failure ?? client.signal?.aborted) && made.length > 0) {
		const ids = made.map(({ booking }) => asText(booking?.bookingID)).join(', ');
		// n8n discards the output of a stopped execution, so log the bookings it made.
		context.logger.warn(NOTICES.stopped(made.length, ids));
	}
	if (failure) throw stopError(context, failure, results);
	return await reportRows(context, results, sheet, bookings.notices);
}

async function run(
	context: IExecuteFunctions,
	source: 'fields' | 'columns',
): Promise<ItemResult[]> {
	let client: ServiceClient;
	let sheet: ParsedSheet;
	try {
		client = await clientFor(context, 'apiKey');
		sheet = await parseRows(context, source, new Date());
	} catch (thrown) {
		return reportPreparationFailure(context, thrown);
	}
	const book = async () => await bookRows(context, client, sheet);
	if (sheet.issues.length > 0) return await refuse(context, client, sheet);
	// One execution at a time: each must find the bookings of those before it.
	return sheet.settings.dryRun ? await book() : await client.runExclusive(book);
}

/** Booking > Create (interface, "Create booking"): one booking for each item. All are checked before the first is sent. */
export const create: Operation = {
	name: 'Create',
	// All that an AI agent is told of a tool without a description of its own: n8n adds "in Tractor Booking".
	action: 'Create booking of a tractor for real',
	description: 'Book a tractor for a farmer, field by field',
	fields: createFields,
	run: async (context) => await run(context, 'fields'),
};

/** Booking > Create From Spreadsheet: the same for rows; their columns are matched to the fields by heading. */
export const createFromSpreadsheet: Operation = {
	name: 'Create From Spreadsheet',
	action: 'Create bookings from spreadsheet',
	description:
		'Book a tractor for each row of a spreadsheet; columns are recognised by their headings',
	// It books the items of the previous node, and a tool gets none.
	displayOptions: { hide: { '@tool': [true] } },
	fields: createFromSpreadsheetFields,
	run: async (context) => await run(context, 'columns'),
};
