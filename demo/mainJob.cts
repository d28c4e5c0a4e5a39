import { setTimeout as wait } from 'node:timers/promises';
import { COMPLETED, statusLabel } from '../nodes/TractorBooking/api/status';
import { asText } from '../nodes/TractorBooking/utils/text';
import type { Sandbox } from '../sandbox/index.cts';
import { formPath, rowsShown } from '../tools/examples.cts';
import { firstRow, type FarmerRequest } from '../sandbox/sheet/farmerRequests.cts';
import { makeSpreadsheet } from '../sandbox/sheet/makeSpreadsheet.cts';
import type { N8nClient } from '../tools/n8nClient.cts';
import { step } from '../tools/progress.cts';
import { tally } from '../tools/tally.cts';
import { until } from '../tools/until.cts';

/** What became of one row of the spreadsheet, as the workflow reports it. */
export interface RowResult {
	row: number;
	farmer: string;
	/** As in the field `result` of the node's output. */
	result: string;
	/** Why, and what to do about it. */
	reason: string;
	/** The booking's id; absent where the row is not booked. */
	booking?: number;
}

/** How far the demo moves the bookings of some rows: a path of status codes. All others stay new. */
const moves: Record<number, number[]> = {
	2: [1, 2, 6, 3],
	3: [1],
	5: [1, 2, 6, 3],
	6: [1, 2],
	8: [1, 2, 6, 3],
	10: [1, 2, 6, 20],
	11: [1, 2, 6, 3],
	12: [4],
	16: [1, 2, 6, 3],
	18: [1, 2, 6, 7],
};

/** What is chosen on the pages. What could be read in two ways is left to be corrected. */
export const ANSWERS = /^(?:Status|Approved|Nigeria|None of these|Leave|Book \d+|Stop here|Finish)/;

/** The SMS may take several polls. */
const patience = { limitMs: 150_000 };

/**
 * Uploads a spreadsheet of the requests to the workflow's form and reads the workflow's own report of each row.
 * @param now the day from which the dates in the sheet are counted
 */
export async function bookSpreadsheet(
	client: N8nClient,
	workflowId: string,
	requests: readonly FarmerRequest[],
	now: Date,
	title: string,
): Promise<RowResult[]> {
	return await step(title, async (note) => {
		const content = await makeSpreadsheet(now, requests);
		const spreadsheet = { name: 'farmer-requests.xlsx', content };
		const earlier = await client.executions(workflowId);
		await client.submitForm(formPath, [spreadsheet], ANSWERS);
		const execution = await client.nextExecution(workflowId, earlier);
		if (execution.status !== 'success') {
			const reason = execution.data?.resultData.error?.message ?? 'no reason given';
			throw new Error(`The spreadsheet workflow ended with ${execution.status}: ${reason}`);
		}
		const reported = new Map(rowsShown(execution).map((item) => [Number(item.row_number), item]));
		const results = requests.map(({ farmer }, index): RowResult => {
			const row = index + firstRow;
			const { result, reason, toDo, bookingID } = reported.get(row) ?? {};
			return {
				row,
				farmer,
				result: asText(result) || 'not in the report',
				reason: [reason, toDo].filter(Boolean).map(asText).join('. '),
				...(typeof bookingID === 'number' && { booking: bookingID }),
			};
		});
		note(tally(results, ({ result }) => result));
		return results;
	});
}

/** Moves some of the bookings along, as tractor owners do over days. Returns the ids of the completed ones. */
export async function moveBookings(sandbox: Sandbox, rows: RowResult[]): Promise<number[]> {
	return await step('Moving bookings along in the sandbox', async (note) => {
		const ids: number[] = [];
		for (const { row, booking } of rows) {
			const path = moves[row];
			if (!path || booking === undefined) continue;
			for (const status of path) sandbox.store.bookings.advance(booking, status);
			if (path.at(-1) === COMPLETED) ids.push(booking);
		}
		note(`${ids.length} completed`);
		return ids;
	});
}

/** Waits until each completed booking has its SMS, and then for one more poll, which must not send any again. */
export async function waitForSms(sandbox: Sandbox, ids: number[]): Promise<void> {
	await step('Waiting for the SMS of the completed bookings', async (note) => {
		await until(
			'Each SMS',
			() => {
				const sent = ids.filter((id) => smsOf(sandbox, id).length > 0).length;
				note(`${sent} of ${ids.length}`);
				return sent === ids.length;
			},
			patience,
		);
	});
	await step('Waiting for one more poll, which must send nothing again', async () => {
		// Only the trigger reads the list while the demo waits.
		const before = sandbox.requests.count('bookings');
		await until('A poll', () => sandbox.requests.count('bookings') !== before, patience);
		// The poll has begun; its pages, the execution that it must not start, and an SMS would follow at once.
		await wait(5_000);
	});
}

/** The messages in the gateway's outbox that are about a booking. */
export function smsOf(sandbox: Sandbox, booking: number) {
	return sandbox.store.outbox.filter(({ body }) => new RegExp(`\\b${booking}\\b`).test(body));
}

/** The lines of a table, whose columns are as wide as their longest cell. */
function aligned(table: unknown[][]): string[] {
	const widthOf = (column: number) => Math.max(...table.map((row) => String(row[column]).length));
	return table.map((row) => row.map((cell, at) => String(cell).padEnd(widthOf(at))).join('  '));
}

/** The table of the end, from the row to the results of the later runs, and below it the reasons of the first. */
export function report(
	sandbox: Sandbox,
	rows: RowResult[],
	again: RowResult[],
	corrected: RowResult[],
): string {
	const table: unknown[][] = [
		['Row', 'Farmer', 'Result', 'Booking', 'Status', 'SMS to', 'Run again', 'Corrected'],
	];
	for (const [index, { row, farmer, result, booking }] of rows.entries()) {
		const status =
			booking === undefined ? '' : statusLabel(sandbox.store.bookings.get(booking)?.bookingStatus);
		const messages = booking === undefined || result !== 'created' ? [] : smsOf(sandbox, booking);
		const phones = messages.map(({ to }) => to).join(', ');
		const later = [again, corrected].map((run) => run[index]?.result ?? '');
		table.push([row, farmer, result, booking ?? '–', status, phones, ...later]);
	}
	const reasons = rows
		.filter(({ reason }) => reason)
		.map(({ row, reason }) => `Row ${row}: ${reason}`);
	return [...aligned(table), ...reasons].join('\n');
}
