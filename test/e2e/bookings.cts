import { setTimeout as wait } from 'node:timers/promises';

import { rowsShown, spreadsheetWorkflow } from '../../tools/examples.cts';
import { until } from '../../tools/until.cts';
import { asText } from '../../nodes/TractorBooking/utils/text';
import { startSandbox, type FaultRule } from '../../sandbox/index.cts';
import { tally } from '../../tools/tally.cts';
import {
	BURST,
	keyOfBooking,
	keyOfRow,
	mismatches,
	newBookings,
	rowsOfSheet,
	uploadSheet,
} from './sheet.cts';
import type { Theatre } from '../../tools/theatre.cts';

const ROWS = 300;

const BEFORE = 500;

/** Milliseconds that the service takes for a request: the rows take some ten seconds. */
const LATENCY_MS = 40;

/** One response in ten is lost after the row was booked. */
const FAULTS: FaultRule[] = [
	{ match: { endpoint: 'create' }, probability: 0.05, fault: { kind: 'lostAnswer' } },
	{ match: { endpoint: 'create' }, probability: 0.05, fault: { kind: 'lostAnswer', status: 504 } },
];

/** Books a sheet while n8n is killed and responses are lost, then once more, undisturbed. */
export async function bookings(theatre: Theatre, kills = 10): Promise<string[]> {
	const options = { bookings: BEFORE, latencyMs: LATENCY_MS, rateLimits: { create: null } };
	const sandbox = theatre.closeAtEnd(await startSandbox(options));
	const { requests } = sandbox;
	for (const fault of FAULTS) sandbox.faults.add(fault);
	const n8n = await theatre.startN8n('bookings', sandbox);
	const { client } = n8n;
	const workflowId = await client.publishNew(await spreadsheetWorkflow());
	const rows = rowsOfSheet(ROWS);
	const made = newBookings(sandbox);
	const upload = async () => await uploadSheet(client, rows).catch((error: unknown) => error);

	for (let kill = 1; kill <= kills; kill++) {
		// The first kill strikes while the list is read, the others when so many bookings are there: they are spread over
		// the rows, but for those that killed runs have claimed, which are not sent before the last run is over.
		const isFirst = kill === 1;
		const share = (ROWS - kills * BURST) / Math.max(1, kills - 1);
		const target = isFirst ? 0 : Math.floor((kill - 2 + Math.random()) * share);
		const scanned = requests.count('bookings') + Math.ceil(Math.random() * (BEFORE / 100));
		const posted = requests.count('create');
		const isDue = () =>
			isFirst
				? requests.count('bookings') >= scanned
				: requests.count('create') > posted && made().length >= target;
		const uploaded = upload();
		await until(`Booking ${target}`, isDue, { everyMs: 3 });
		await wait(Math.random() * 2 * LATENCY_MS);
		await n8n.kill();
		await uploaded;
		// What was under way when n8n died still arrives.
		await wait(4 * LATENCY_MS);
		const moment = isFirst ? 'while the list was read' : 'while rows were sent';
		console.log(`  kill ${kill} of ${kills} ${moment}: ${made().length} bookings there`);
		await theatre.startAgain(n8n);
	}

	const countStruck = () => sandbox.faults.list().reduce((sum, { hits }) => sum + hits, 0);
	const struckBefore = countStruck();
	const known = await client.executions(workflowId);
	await upload();
	const execution = await client.nextExecution(workflowId, known);
	// The page before has each row as it will be booked.
	const results = rowsShown(execution).slice(-ROWS);
	console.log(`  undisturbed run: ${tally(results, ({ result }) => asText(result))}`);
	const struck = countStruck();
	console.log(`  ${made().length} bookings; ${struck} responses of the service were lost`);

	const violations = mismatches(rows, made(), kills * BURST);
	if (execution.status !== 'success')
		violations.push(`The last run ended with ${execution.status}.`);
	const bookingOf = new Map(made().map((booking) => [keyOfBooking(booking), booking.bookingID]));
	let lost = 0;
	rows.forEach((row, index) => {
		const shown = results.find(({ row_number: number }) => number === index + 2);
		const { result, bookingID, possibleBookingIDs, reason } = shown ?? {};
		const booked = bookingOf.get(keyOfRow(row));
		if (result === 'unknown') {
			// If no booking is there, a run that was killed has claimed the row; else its response was lost in this run.
			if (booked !== undefined) lost += 1;
			return;
		}
		// What a killed run had not recorded yet is asked about.
		const isAsked = result === 'possible duplicate';
		const isGood = isAsked || result === 'created' || result === 'already booked';
		const id = isAsked ? possibleBookingIDs : bookingID;
		if (!isGood || asText(id) !== asText(booked)) {
			const report = [result, reason, id].map(asText).join(', ');
			violations.push(`Row ${index + 2} is reported as ${report}.`);
		}
	});
	if (lost !== struck - struckBefore)
		violations.push(
			`${lost} booked rows are unknown; ${struck - struckBefore} responses were lost.`,
		);
	return violations;
}
