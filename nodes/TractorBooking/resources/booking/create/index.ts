import type { IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../../api/client';
import { asText } from '../../../utils/text';
import { inTurns, nextTurn } from '../../../utils/turns';
import type { ItemResult, Operation } from '../../operation';
import { clientFor, warningsTo } from '../../operation';
import { checkServices, chooseTractors } from './choose/chooseTractors';
import { createFields, createFromSpreadsheetFields } from './description';
import { Claims } from './claims/claims';
import { claimStoreFor } from './claims/claimStore';
import { BookedRows } from './claims/bookedRows';
import { bookingIndexOf } from './match/bookingIndex';
import { fetchSimilar, findExisting, type ExistingBookings } from './match/existingBookings';
import { findIdentified } from './match/findIdentified';
import { typedJobOf } from './match/likeness';
import { checkMatchFields, matchRows, unlisted, withServiceNumbers } from './match/match';
import { ignoredBookingsOf } from './match/pairs';
import { summaryOf, type SheetSummary } from './notices';
import { rejection, sheetError, stopError } from './problems';
import { inSheetWords, reportNone, reportRows, resolveRepeats } from './report';
import type { CheckedRow, SheetRow } from './row';
import { isCompared, isFailure } from './row';
import type { FieldSource, ParsedSheet, RowToMatch } from './rows';
import { parseRows } from './rows';
import { sendRows } from './send/sendRows';

/** All that is known of the rows before any is sent. */
interface Checked {
	rows: CheckedRow[];
	/** See `SendOptions`. */
	comparedTo: number;
	claims: Claims;
	bookedRows: BookedRows;
}

/** Rejects the rows that n8n remembers as booked, and whose bookings the list does not show. */
async function rejectUnlisted(
	rows: readonly CheckedRow[],
	bookedRows: BookedRows,
	claims: Claims,
	existing: ExistingBookings | undefined,
): Promise<CheckedRow[]> {
	const remembered = rows
		.filter((row) => row.kind === 'ready')
		.filter((row) => isCompared(row) && bookedRows.isKnown(row))
		.filter((row) => !ignoredBookingsOf(row, existing, bookedRows.beforehandOf(row)));
	// What was sent lately is searched for instead: the list may be late.
	const claimed = await claims.claimed(remembered);
	const missing = new Set<CheckedRow>(remembered.filter((row) => !claimed.has(row)));
	return rows.map((row) =>
		row.kind === 'ready' && missing.has(row) ? (unlisted(row) ?? row) : row,
	);
}

/** The stages between parsing and sending: matches the rows and chooses the tractors; sends no booking. */
async function checkRows(
	context: IExecuteFunctions,
	client: ServiceClient,
	parsed: readonly RowToMatch[],
): Promise<Checked> {
	const timezone = context.getTimezone();
	const warn = warningsTo(context);
	const checked = await inTurns(parsed, (row) =>
		row.kind === 'parsed' ? checkMatchFields(row) : row,
	);
	const found = await findIdentified(client, checked, timezone, warn);
	const open = found.filter((row) => row.kind === 'parsed');
	const compared = open.filter(isCompared);
	const similar = compared.length > 0 ? await fetchSimilar(client, compared, warn) : undefined;
	const store = claimStoreFor(context, client);
	const bookedRows = await BookedRows.read(store, client, open);
	const existing =
		similar && (await findExisting(client, compared, similar, bookedRows.ownKeys, timezone));
	// An execution that only checks may read what appears from now on.
	const comparedTo = bookingIndexOf(client).listed;
	const toMatch = await withServiceNumbers(found, existing);
	const chosen = await chooseTractors(client, await matchRows(toMatch, existing, bookedRows, warn));

	const ofRows = new Map(
		chosen.flatMap((row) =>
			row.kind === 'finished' && row.booking && row.request
				? [[asText(row.booking.bookingID), typedJobOf({ ...row, request: row.request })] as const]
				: [],
		),
	);
	const known = [...(existing?.jobsWith(ofRows) ?? []), ...ofRows.values()];
	const claims = new Claims(store, client, timezone, known, (row) =>
		ignoredBookingsOf(row, existing),
	);
	const listed = await rejectUnlisted(chosen, bookedRows, claims, existing);
	const rows = isOnlyChecked(listed) ? listed : await claims.rejectLost(listed);
	return { rows, comparedTo, claims, bookedRows };
}

/** Sends the rows, and reports all of them; if the node does not continue on fail, it stops at the first failure. */
async function sendAndReport(
	context: IExecuteFunctions,
	client: ServiceClient,
	{ rows, comparedTo, claims, bookedRows }: Checked,
	summary: SheetSummary,
): Promise<ItemResult[]> {
	const outcomes = await sendRows(rows, {
		client,
		claims,
		bookedRows,
		timezone: context.getTimezone(),
		comparedTo,
		continues: context.continueOnFail(),
		warn: (text) => context.logger.warn(text),
	});
	const known = outcomes.filter((row) => row !== undefined);
	const items = context.getInputData();
	const finished = await inTurns(resolveRepeats(known), (row) =>
		inSheetWords(row, items[row.itemIndex]?.json ?? {}),
	);
	// Not a row that repeats one which was not sent any more.
	const failure = context.continueOnFail()
		? undefined
		: finished.filter((row) => !row.earlier).find(isFailure);
	if (failure ?? client.signal?.aborted) {
		const made = finished
			.filter(({ result }) => result === 'created')
			.map(({ booking }) => asText(booking?.bookingID));
		const ids = made.length > 0 ? ` (bookings ${made.join(', ')})` : '';
		// n8n discards the output of a stopped execution, so log the bookings it made.
		context.logger.warn(`The execution was stopped. Bookings it made: ${made.length}${ids}`);
	}
	if (failure) throw stopError(context, failure, finished, rows);
	return await reportRows(context, finished, summary);
}

const isOnlyChecked = (rows: readonly SheetRow[]) => rows.every(({ settings }) => settings.dryRun);

async function run(context: IExecuteFunctions, fieldSource: FieldSource): Promise<ItemResult[]> {
	let client: ServiceClient;
	let sheet: ParsedSheet | undefined;
	try {
		client = await clientFor(context, 'apiKey');
		sheet = await parseRows(context, fieldSource, new Date());
		const { rows, problems, last } = sheet;
		if (problems.length > 0)
			throw sheetError(problems, await checkServices(client, rows), rows.length, last);
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
		return await sendAndReport(context, client, checked, summaryOf(checked.rows, parsed));
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
