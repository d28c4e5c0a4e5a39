import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { ServiceClient } from '../../../api/client';
import { settle, ServiceError, toNodeError } from '../../../api/errors';
import { asText } from '../../../utils/text';
import type { ItemResult, Operation } from '../../operation';
import { clientFor, warningsTo } from '../../operation';
import { ExistingBookings } from './existingBookings';
import { createFields } from './description';
import { markDuplicates } from './markDuplicates';
import { issuesText, failed, sentResult, rowName, succeeded } from './results';
import type { BookingRow } from './rows';
import { isFaulty, isGood, parseRows, sheetRowOf } from './rows';
import { sendBooking } from './sendBooking';
import { chooseTractors } from './chooseTractors';

/** The error of a row that cannot be booked. */
function rowError(row: BookingRow): Error {
	const { issues, failure } = row;
	if (issues.length > 0 || !failure) return new Error(issuesText(row));
	return new ServiceError(failure.kind, `${rowName(row)}: ${failure.message}`, failure);
}

/** Escapes text for HTML. */
function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** One error with the issues of all rows, for a node that does not continue on fail. */
function rejectAll(
	context: IExecuteFunctions,
	rows: readonly BookingRow[],
	faulty: readonly BookingRow[],
): Error {
	const count = `${faulty.length} of ${rows.length} rows cannot be booked; nothing was sent`;
	return new NodeOperationError(context.getNode(), count, {
		itemIndex: faulty[0]?.itemIndex,
		description: [
			...faulty.map((row) => escapeHtml(rowError(row).message)),
			'Correct them and run again, or set On Error to Continue (using error output) to book the other rows.',
			// n8n shows a description as HTML, which needs <br> for a line break.
		].join('<br>\n'),
	});
}

/** Fetches the existing bookings; if they cannot be read, the error says how to book without them. */
async function fetchExistingBookings(
	context: IExecuteFunctions,
	client: ServiceClient,
): Promise<ExistingBookings> {
	const bookings = ExistingBookings.fetch(client, context.getTimezone(), warningsTo(context));
	const booked = await settle(bookings);
	if (!(booked instanceof ServiceError)) return booked;
	const { kind, message, status, description } = booked;
	if (kind !== 'notAllowed' && kind !== 'unreadable') throw booked;
	throw new ServiceError(kind, message, {
		status,
		description: [
			kind === 'notAllowed' ? description : '',
			'Without the list of bookings, rows that are booked already cannot be recognised; nothing was sent. To book without that check, set If Already Booked to Create Anyway.',
		]
			.filter(Boolean)
			.join(' '),
	});
}

/** Sends the rows one by one; if the node does not continue on fail, it stops at the first failure. */
async function sendAll(
	context: IExecuteFunctions,
	client: ServiceClient,
	rows: readonly BookingRow[],
	knownIds: Set<string> | undefined,
): Promise<ItemResult[]> {
	const itemResults: ItemResult[] = [];
	for (const row of rows) {
		const itemResult = await bookRow(row);
		itemResults.push(itemResult);
		if (itemResult.failure === undefined || context.continueOnFail()) continue;
		itemResult.failure = stopped(itemResult);
		break;
	}
	// n8n discards the output of a stopped execution, so log the bookings it made.
	if (client.signal?.aborted)
		context.logger.warn(`The execution was stopped. Bookings it made: ${made()}`);
	return itemResults;

	async function bookRow(row: BookingRow): Promise<ItemResult> {
		if (row.isBlank) return succeeded(row, 'not sent', 'the row is empty');
		if (isFaulty(row)) return failed(row, 'not sent', rowError(row));
		if (row.existing) {
			const reason = `same ${row.settings.matchFields.join(' and ')} as booking ${asText(row.existing.bookingID)}`;
			return succeeded(row, 'already booked', reason, row.existing);
		}
		if (row.duplicateOf) return repeated(row, row.duplicateOf);
		if (row.settings.validateOnly)
			return succeeded(row, 'not sent', 'Validate Only is on; the row is valid');
		const { matchFields } = row.settings;
		const timezone = context.getTimezone();
		const sent = await sendBooking(client, row.request, { matchFields, timezone, knownIds });
		if (sent.result === 'created') knownIds?.add(asText(sent.booking.bookingID));
		return sentResult(row, sent);
	}

	function repeated(row: BookingRow, earlier: BookingRow): ItemResult {
		const reason = `same ${row.settings.matchFields.join(' and ')} as row ${earlier.sheetRow}`;
		const { records: [record] = [], report } = itemResults[earlier.itemIndex] ?? {};
		if (!record) {
			const fate =
				report?.result === 'unknown'
					? 'of which it is unknown whether it was booked'
					: 'which was not booked';
			return failed(row, 'not sent', new Error(`${rowName(row)} has the ${reason}, ${fate}`));
		}
		const { bookingID, clusterID } = record;
		return bookingID === undefined
			? succeeded(row, 'not sent', `${reason}; Validate Only is on`)
			: succeeded(row, 'already booked', reason, {
					bookingID,
					...(clusterID === undefined ? {} : { clusterID }),
				});
	}

	/** Number and IDs of the bookings made so far. */
	function made(): string {
		const ids = itemResults
			.flatMap(({ records }) => records)
			.filter(({ result }) => result === 'created')
			.map(({ bookingID }) => asText(bookingID));
		return ids.length === 0 ? '0' : `${ids.length} (bookings ${ids.join(', ')})`;
	}

	/** Adds the bookings made so far to the error that stops the node. */
	function stopped(itemResult: ItemResult): Error {
		const itemIndex = itemResults.length - 1;
		const error = toNodeError(context.getNode(), itemResult.failure, itemIndex);
		const left = rows.length - itemResults.length;
		const areRecognised = rows.every(({ settings }) => settings.ifAlreadyBooked !== 'create');
		error.description = [
			error.description,
			`Rows booked before this one: ${made()}. Rows after it, which were not sent: ${left}.`,
			areRecognised
				? 'Run the rows again once this is fixed: rows that are booked already will be recognised.'
				: 'Remove the rows that are booked already before you run the others again.',
		]
			.filter(Boolean)
			.join(' ');
		return error;
	}
}

/** Whether the row needs the number of its service before it can be compared with others. */
function isComparedByServiceName({ serviceName, settings }: BookingRow): boolean {
	return serviceName !== undefined && settings.matchFields.includes('serviceType');
}

/** Finds duplicates and existing bookings, and chooses the tractors; sends no booking. */
async function prepare(
	context: IExecuteFunctions,
	client: ServiceClient,
	rows: readonly BookingRow[],
): Promise<ExistingBookings | undefined> {
	const mayRepeat = rows.filter((row) => isGood(row) && row.settings.ifAlreadyBooked !== 'create');
	const booked = mayRepeat.length > 0 ? await fetchExistingBookings(context, client) : undefined;
	const numberedFirst = mayRepeat.filter(isComparedByServiceName);
	await chooseTractors(client, numberedFirst);
	if (booked) markDuplicates(mayRepeat.filter(isGood), booked);
	await chooseTractors(
		client,
		rows.filter(
			(row) => isGood(row) && !row.existing && !row.duplicateOf && !numberedFirst.includes(row),
		),
	);

	const faulty = rows.filter(isFaulty);
	if (faulty.length > 0 && !context.continueOnFail()) throw rejectAll(context, rows, faulty);
	return booked;
}

/** The results of all rows if preparing them failed, so that none was sent. */
function noneSent(context: IExecuteFunctions, thrown: unknown): ItemResult[] {
	if (!context.continueOnFail()) throw toNodeError(context.getNode(), thrown);
	const failure = thrown instanceof Error ? thrown : new Error(String(thrown));
	return context
		.getInputData()
		.map(({ json }, itemIndex) =>
			failed({ sheetRow: sheetRowOf(json, itemIndex) }, 'not sent', failure),
		);
}

async function bookAll(
	context: IExecuteFunctions,
	client: ServiceClient,
	rows: readonly BookingRow[],
): Promise<ItemResult[]> {
	let booked: ExistingBookings | undefined;
	try {
		booked = await prepare(context, client, rows);
	} catch (thrown) {
		return noneSent(context, thrown);
	}
	return await sendAll(context, client, rows, booked && new Set(booked.ids));
}

async function run(context: IExecuteFunctions): Promise<ItemResult[]> {
	let client: ServiceClient;
	let rows: BookingRow[];
	try {
		client = await clientFor(context, 'apiKey');
		rows = parseRows(context, new Date());
	} catch (thrown) {
		return noneSent(context, thrown);
	}
	const work = async () => await bookAll(context, client, rows);
	const onlyChecks = rows.every(({ settings }) => settings.validateOnly);
	// One execution at a time: each must find the bookings of those before it.
	return onlyChecks ? await work() : await client.runExclusive(work);
}

/**
 * Booking > Create (interface, "Create booking"). Every row is parsed, compared with the other rows and the existing
 * bookings, and given its tractor, before the first one is sent.
 */
export const create: Operation = { run, fields: createFields };
