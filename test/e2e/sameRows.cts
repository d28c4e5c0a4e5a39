import type { IDataObject } from 'n8n-workflow';
import { setTimeout as wait } from 'node:timers/promises';

import { asText } from '../../nodes/TractorBooking/utils/text';
import { hash, Random } from '../../sandbox/random.cts';
import { nodeNamed, spreadsheetWorkflow } from '../../tools/examples.cts';
import { outputOf, type N8nClient } from '../../tools/n8nClient.cts';
import { tally } from '../../tools/tally.cts';
import { LateService } from '../support/lateService.cts';
import { startCluster } from './queue.cts';
import { runSql } from './servers.cts';
import { rowsOfSheet } from './sheet.cts';
import type { Theatre } from '../../tools/theatre.cts';
import { nodeOf, to } from '../../tools/workflow.cts';

const BOOKING_NODE = 'Check, then book';

/** Of the webhook that starts the workflow: no form is between the start and the node. */
const PATH = 'rows';

/** Publishes a workflow that books the rows that are posted to it. @returns its ID */
async function publish(client: N8nClient): Promise<string> {
	const example = await spreadsheetWorkflow();
	const booking = nodeNamed(example, BOOKING_NODE);
	// Here no page answers.
	const settings = { dryRun: false, dateOrder: 'refuse', options: { otherColumns: 'ignore' } };
	Object.assign(booking.parameters, settings);
	return await client.publishNew({
		...example,
		nodes: [
			nodeOf('Start', 'webhook', 2, { path: PATH, httpMethod: 'POST', options: {} }),
			nodeOf('Rows', 'splitOut', 1, { fieldToSplitOut: 'body.rows', options: {} }),
			booking,
		],
		connections: { Start: to('Rows'), Rows: to(BOOKING_NODE) },
	});
}

const ROWS = 24;

/** The rows of 16 farmers. Half of them have two fields on one day, told apart by their plot or by their area. */
const rowsOf = (first: number) =>
	rowsOfSheet(ROWS, first).map((row, at, rows) => {
		const farmer = at < ROWS / 3 ? row : (rows[at - (at % 2)] ?? row);
		const field = at % 4 < 2 ? { Plot: `Field ${at}` } : { 'Land area': at };
		return { ...farmer, ...field, 'Farm note': `${first + at}` };
	});

const resultsOf = (said: IDataObject[]) => tally(said, ({ result }) => asText(result));

/** What is wrong with a row: each run leaves it to a person, or says that it is booked, and names no other booking. @param note its farm note */
function wrongWith(note: string, { bookings }: LateService, runs: IDataObject[][]): string[] {
	const ids = bookings
		.filter(({ farmNote }) => farmNote === note)
		.map(({ bookingID }) => bookingID);
	const isTrue = ({ result, bookingID, possibleBookingIDs }: IDataObject) => {
		const named = bookingID ?? possibleBookingIDs;
		// Of a booking that the list did not have yet, n8n keeps no ID.
		const isBooked = ids.length === 1 && (named === null || ids.includes(Number(named)));
		return /^(?:unknown|not sent|possible duplicate)$/.test(asText(result)) || isBooked;
	};
	const rows = runs.map((said) => said.find((row) => row['Farm note'] === note) ?? {});
	if (ids.length > 1) return [`row ${note} is booked twice`];
	return rows.every(isTrue) ? [] : [`row ${note} has not the result that is said`];
}

/** Draws which rows and writes are slow: the same ones at each start. */
const SEED = Number(process.env.FC_SEED ?? 1);

const LATENCY_MS = 300;

/** How many responses of 100 take long, and how long at least and at most. */
const SLOW_RESPONSES = 10;
const SLOW_RESPONSE_MS = [40_000, 58_000] as const;

/** How long a row's request waits until it is booked, and then for its response. */
function latency(note: unknown): [number, number] {
	const random = new Random(hash(Number(note), SEED));
	const [least, most] = SLOW_RESPONSE_MS;
	const isSlow = random.next() * 100 < SLOW_RESPONSES;
	const ms = isSlow ? least + random.next() * (most - least) : LATENCY_MS;
	return random.next() < 0.5 ? [0, ms] : [ms, 0];
}

/** One execution may meet several of these, one after the other, and wait for what the other one has claimed. */
const PATIENCE = { limitMs: 600_000 };

/** How many writes of 100 take long: 1 to 3.75 seconds. */
const SLOW_WRITES = 12;

/** When the second worker begins after the first one, and how late the list is. */
const APART_MS = [0, 200, 1_000, 5_000];
const LATE_MS = [0, 2_000, 10_000];

/** Two workers get the same rows, and n8n's database is slow to write what nodes remember. `ROUNDS` says how often. */
export async function queueSlowStore(theatre: Theatre): Promise<string[]> {
	const service = theatre.closeAtEnd(await LateService.start());
	// The list of a service that was never used is read twice.
	service.add({ farmerName: 'First', farmerPhone: '+2348000000001', serviceDate: '2026-01-02' });
	service.fate = async ({ farmNote }) => await wait(latency(farmNote)[0]).then(() => 'booked');
	service.beforeResponse = async ({ farmNote }) => await wait(latency(farmNote)[1]);
	const { main, postgres } = await startCluster(theatre, 'queueSlowStore', service, '1');
	const { client } = main;
	const workflowId = await publish(client);
	// Once for a statement: the row is not locked before, as it is not while a slow network has the statement.
	await runSql(
		postgres,
		`CREATE SEQUENCE writes;
		CREATE FUNCTION take_long() RETURNS trigger LANGUAGE plpgsql AS $$
		DECLARE
			drawn bigint := abs(hashint8extended(nextval('writes'), ${SEED}) % 100);
		BEGIN
			IF drawn < ${SLOW_WRITES} THEN PERFORM pg_sleep(1 + drawn / 4.0); END IF;
			RETURN NULL;
		END $$;
		CREATE TRIGGER take_long BEFORE INSERT OR UPDATE ON processed_data
			FOR EACH STATEMENT EXECUTE FUNCTION take_long();`,
	);
	const rounds = Number(process.env.ROUNDS ?? APART_MS.length * LATE_MS.length);
	const violations: string[] = [];
	const said: IDataObject[] = [];
	for (let round = 0; round < rounds; round++) {
		const apartMs = APART_MS[round % APART_MS.length] ?? 0;
		service.listedAfterMs = LATE_MS[Math.floor(round / APART_MS.length) % LATE_MS.length] ?? 0;
		const rows = rowsOf(ROWS * round);
		const known = await client.executions(workflowId);
		await client.callWebhook(PATH, { rows });
		await wait(apartMs);
		await client.callWebhook(PATH, { rows });
		const ended = await client.nextExecutions(workflowId, known, 2, PATIENCE);
		const outputs = ended.map(async ({ id }) => outputOf(await client.execution(id), BOOKING_NODE));
		const runs = await Promise.all(outputs);

		const wrong = rows.flatMap((row) => wrongWith(row['Farm note'], service, runs));
		const how = `${round + 1}: ${apartMs / 1_000} s apart, list ${service.listedAfterMs / 1_000} s late`;
		console.log(
			`  ${how}: ${wrong.length} of ${ROWS} rows wrong; ${runs.map(resultsOf).join(' / ')}`,
		);
		violations.push(...wrong.map((what) => `${how}: ${what}`));
		said.push(...runs.flat());
	}
	const made = service.bookings.length - 1;
	console.log(`  ${made} bookings for ${rounds * ROWS} rows; results: ${resultsOf(said)}`);
	return violations;
}
