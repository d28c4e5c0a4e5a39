import { setTimeout as wait } from 'node:timers/promises';
import { statusLabel } from '../nodes/TractorBooking/service/bookingStatus';
import type { Sandbox } from '../sandbox';
import { formPath } from './examples';
import { farmerRequests, faultyRows, firstRow, repeatedRows } from './farmerRequests';
import { makeSpreadsheet } from './makeSpreadsheet';
import { outputOf, type N8nClient } from './n8nClient';
import { step } from './progress';
import { table } from './table';

/** What became of one row of the spreadsheet. */
export interface RowResult {
	row: number;
	farmer: string;
	phone: string;
	/** The booking's id; absent where the row was not booked. */
	booking?: number;
	/** Why the row was not booked, as the workflow reports it. */
	problem?: string;
	/** The earlier row that says the same. */
	repeats?: number;
}

/** How far the demo moves the bookings of some rows: a path of status codes. All others stay new. */
const moves: Record<number, number[]> = {
	2: [1, 2, 6, 3],
	3: [1],
	5: [1, 2, 6, 3],
	6: [1, 2],
	8: [1, 2, 6, 3],
	10: [1, 2, 6, 20],
	12: [4],
	16: [1, 2, 6, 3],
	18: [1, 2, 6, 7],
	22: [1, 2, 6, 3],
};
const completed = 3;

/** How long the SMS may take, in milliseconds: several polls. */
const smsLimit = 150_000;

/** Uploads the spreadsheet to the workflow's form and reads the workflow's own report of each row. */
export async function bookSpreadsheet(client: N8nClient, workflowId: string): Promise<RowResult[]> {
	return await step('Booking the rows of the spreadsheet', async (note) => {
		const spreadsheet = { name: 'farmer-requests.xlsx', content: await makeSpreadsheet() };
		await client.submitForm(formPath, [spreadsheet]);
		const execution = await client.nextExecution(workflowId);
		if (execution.status !== 'success') {
			const reason = execution.data?.resultData.error?.message ?? 'no reason given';
			throw new Error(`The spreadsheet workflow ended with ${execution.status}: ${reason}`);
		}
		const reported = new Map(
			outputOf(execution, 'Result of each row').map((result) => [Number(result.Row), result]),
		);
		note(`${farmerRequests.length} rows`);
		return farmerRequests.map(({ farmer, phone }, index) => {
			const row = index + firstRow;
			const { Booking: booking, Problem: problem } = reported.get(row) ?? {};
			const repeats = repeatedRows[row];
			return {
				row,
				farmer,
				phone,
				...(booking !== undefined && { booking: Number(booking) }),
				...(typeof problem === 'string' && { problem }),
				...(repeats !== undefined && { repeats }),
			};
		});
	});
}

/** Moves some of the bookings along, as tractor owners do over days. Returns the ids of the completed ones. */
export async function moveBookings(sandbox: Sandbox, rows: RowResult[]): Promise<number[]> {
	return await step('Moving bookings along in the sandbox', async (note) => {
		const ids: number[] = [];
		for (const { row, booking } of rows) {
			const path = moves[row];
			if (!path || booking === undefined) continue;
			for (const status of path) sandbox.store.advance(booking, status);
			if (path.at(-1) === completed) ids.push(booking);
		}
		note(`${ids.length} completed`);
		return ids;
	});
}

/** Waits until each completed booking has its SMS, and then for one more poll, which must not send any again. */
export async function waitForSms(sandbox: Sandbox, ids: number[]): Promise<void> {
	await step('Waiting for the SMS of the completed bookings', async (note) => {
		const end = Date.now() + smsLimit;
		const missing = () => ids.filter((id) => smsOf(sandbox, id).length === 0);
		while (missing().length > 0) {
			note(`${ids.length - missing().length} of ${ids.length}`);
			if (Date.now() > end) return;
			await wait(250);
		}
		note(`${ids.length} of ${ids.length}`);
	});
	await step('Waiting for one more poll, which must send nothing again', async () => {
		const end = Date.now() + smsLimit;
		for (const before = reads(sandbox); reads(sandbox) === before && Date.now() < end; ) await wait(250);
		// The poll has begun; its pages, the execution that it must not start, and an SMS would follow at once.
		await wait(5_000);
	});
}

/** The messages in the gateway's outbox that are about a booking. */
export function smsOf(sandbox: Sandbox, booking: number) {
	return sandbox.store.outbox.filter(({ body }) => new RegExp(`\\b${booking}\\b`).test(body));
}

/** How often the list of bookings was read: only the trigger does that while the demo waits. */
const reads = (sandbox: Sandbox) => sandbox.requests.count('bookings');

/** The table of the end: row → booking → status → SMS, and below it why rows were not booked. */
export function report(sandbox: Sandbox, rows: RowResult[]): string {
	const lines = rows.map(({ row, farmer, booking, repeats }) => {
		const start = [String(row), farmer];
		if (booking === undefined) return [...start, '–', 'not booked', ''];
		if (repeats !== undefined) return [...start, String(booking), `same as row ${repeats}`, ''];
		const status = statusLabel(sandbox.store.bookings.get(booking)?.bookingStatus);
		const messages = smsOf(sandbox, booking).map(({ sid, to }) => `${sid} to ${to}`);
		return [...start, String(booking), status, messages.join(', ')];
	});
	const problems = rows.flatMap(({ problem }) => problem ?? []);
	return [table([['Row', 'Farmer', 'Booking', 'Status', 'SMS'], ...lines]), '', ...problems].join('\n');
}

/**
 * Compares what the sandbox holds with what the spreadsheet asked for.
 * @param before the ids that there were before the spreadsheet was booked
 * @returns what is wrong, in plain words; nothing if all is as it should be.
 */
export function findMistakes(
	sandbox: Sandbox,
	rows: RowResult[],
	completedIds: number[],
	before: ReadonlySet<number>,
): string[] {
	const mistakes: string[] = [];
	const expect = (fact: boolean, mistake: string) => void (fact || mistakes.push(mistake));
	const made = sandbox.store.bookings.ids('A').filter((id) => !before.has(id));
	const claimed = new Set<number>();

	for (const { row, farmer, phone, booking, problem, repeats } of rows) {
		const here = `Row ${row} (${farmer})`;
		const faulty = faultyRows[row];
		if (faulty) {
			expect(booking === undefined, `${here} has ${faulty.fault} and is booked all the same.`);
			expect(problem?.includes(faulty.column) === true, `${here} has ${faulty.fault}, which is not reported.`);
			continue;
		}
		const record = booking === undefined ? undefined : sandbox.store.bookings.get(booking);
		expect(record !== undefined, `${here} is not booked: ${problem ?? 'it is not in the report'}.`);
		expect(!record || record.farmerPhone === phone, `${here} has somebody else's booking, ${booking}.`);
		if (booking === undefined) continue;
		expect(repeats !== undefined || !claimed.has(booking), `${here} shares booking ${booking}.`);
		claimed.add(booking);
	}
	for (const id of made) expect(claimed.has(id), `Booking ${id} was made, but belongs to no row.`);

	for (const id of completedIds) {
		const messages = smsOf(sandbox, id);
		expect(messages.length === 1, `Booking ${id} is completed and has ${messages.length} SMS.`);
		const phone = sandbox.store.bookings.get(id)?.farmerPhone;
		expect(messages.every(({ to }) => to === phone), `An SMS about booking ${id} went to another phone.`);
	}
	const sent = sandbox.store.outbox.length;
	expect(sent === completedIds.length, `${completedIds.length} bookings are completed, but ${sent} SMS were sent.`);
	expect(completedIds.length > 0, 'No booking was completed.');
	return mistakes;
}
