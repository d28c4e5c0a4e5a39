import { setTimeout as wait } from 'node:timers/promises';

import { asText } from '../../nodes/TractorBooking/utils/text';
import { nodeNamed, spreadsheetWorkflow } from '../../tools/examples.cts';
import { outputOf, type Execution, type N8nClient } from '../../tools/n8nClient.cts';
import { tally } from '../../tools/tally.cts';
import { LateService, type Fate } from '../support/lateService.cts';
import { startCluster } from './queue.cts';
import { runSql } from './servers.cts';
import { rowsOfSheet, type SheetRow } from './sheet.cts';
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

/** What an execution says of its rows: how many have which result; its status if it says nothing. */
const resultsOf = (execution: Execution) =>
	tally(outputOf(execution, BOOKING_NODE), ({ result }) => asText(result)) || execution.status;

/** How many rows an execution leaves open. */
const leftBy = (execution: Execution) =>
	outputOf(execution, BOOKING_NODE).filter(({ result }) =>
		/^(?:unknown|not sent|possible duplicate)$/.test(asText(result)),
	).length;

const ROWS = 24;

/** Of the second half of the rows, each farmer has two fields on one day. */
const rowsOf = (first: number) =>
	rowsOfSheet(ROWS, first).map((row, at, rows) =>
		at < ROWS / 2 ? row : { ...(rows[at - (at % 2)] ?? row), 'Land area': at },
	);

/** How often a row was booked. */
const timesBooked = ({ bookings }: LateService, row: SheetRow) =>
	bookings.filter(
		({ farmerName, serviceDate, landArea }) =>
			farmerName === row['Farmer name'] &&
			serviceDate === row['Service date'] &&
			landArea === row['Land area'],
	).length;

const LATENCY_MS = 300;

/** How many responses of 100 take long, and how long at least and at most. */
const SLOW_RESPONSES = 10;
const SLOW_RESPONSE_MS = [40_000, 58_000] as const;

/** One execution may meet several of these, one after the other, and wait for what the other one has claimed. */
const PATIENCE = { limitMs: 600_000 };

function latency(): number {
	if (Math.random() * 100 >= SLOW_RESPONSES) return LATENCY_MS;
	const [least, most] = SLOW_RESPONSE_MS;
	return least + Math.random() * (most - least);
}

/** How many writes of 100 take long, and how long. */
const SLOW_WRITES = 12;
const SLOW_SECONDS = [1.5, 3];

/** When the second worker begins after the first one, and how late the list is. */
const APART_MS = [0, 200, 1_000, 5_000];
const LATE_MS = [0, 2_000, 10_000];

/** Two workers get the same rows, and n8n's database is slow to write what nodes remember. `ROUNDS` says how often. */
export async function queueSlowStore(theatre: Theatre): Promise<string[]> {
	const service = theatre.closeAtEnd(await LateService.start());
	// The list of a service that was never used is read twice.
	service.add({ farmerName: 'First', farmerPhone: '+2348000000001', serviceDate: '2026-01-02' });
	service.fate = async (): Promise<Fate> => await wait(latency()).then(() => 'booked');
	const { main, postgres } = await startCluster(theatre, 'queueSlowStore', service, '1');
	const { client } = main;
	const workflowId = await publish(client);
	// Once for a statement: the row is not locked before, as it is not while a slow network has the statement.
	await runSql(
		postgres,
		`CREATE FUNCTION take_long() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF random() * 100 < ${SLOW_WRITES} THEN
				PERFORM pg_sleep((ARRAY[${SLOW_SECONDS.join()}])[1 + floor(random() * ${SLOW_SECONDS.length})::int]);
			END IF;
			RETURN NULL;
		END $$;
		CREATE TRIGGER take_long BEFORE INSERT OR UPDATE ON processed_data
			FOR EACH STATEMENT EXECUTE FUNCTION take_long();`,
	);
	const violations: string[] = [];
	const rounds = Number(process.env.ROUNDS ?? APART_MS.length * LATE_MS.length);
	const sum = { doubled: 0, left: 0 };
	for (let round = 0; round < rounds; round++) {
		const apartMs = APART_MS[round % APART_MS.length] ?? 0;
		service.listedAfterMs = LATE_MS[Math.floor(round / APART_MS.length) % LATE_MS.length] ?? 0;
		const rows = rowsOf(ROWS * round);
		const known = await client.executions(workflowId);
		await client.callWebhook(PATH, { rows });
		await wait(apartMs);
		await client.callWebhook(PATH, { rows });
		const ended = await client.nextExecutions(workflowId, known, 2, PATIENCE);
		const both = await Promise.all(ended.map(async ({ id }) => await client.execution(id)));

		const times = rows.map((row) => timesBooked(service, row));
		const doubled = times.filter((count) => count > 1).length;
		const left = times.filter((count) => count === 0).length;
		const how = `${round + 1}: ${apartMs / 1_000} s apart, list ${service.listedAfterMs / 1_000} s late`;
		const results = both.map(resultsOf).join(' / ');
		console.log(`  ${how}: ${doubled} of ${ROWS} rows twice, ${left} by neither; ${results}`);
		// On a machine that is slow, each worker may leave rows to the other one: then both say so.
		if (left > Math.min(...both.map(leftBy)))
			violations.push(`${left} rows are not booked: ${how}.`);
		if (doubled > 0) violations.push(`${doubled} rows are booked twice: ${how}.`);
		sum.doubled += doubled;
		sum.left += left;
	}
	const rows = `${rounds * ROWS} rows in ${rounds} rounds`;
	console.log(`  of ${rows}: ${sum.doubled} booked twice, ${sum.left} by neither`);
	return violations;
}
