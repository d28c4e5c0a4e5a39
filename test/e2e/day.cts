import { setTimeout as wait } from 'node:timers/promises';

import { COMPLETED } from '../../nodes/TractorBooking/api/status';
import { startSandbox } from '../../sandbox/index.cts';
import { readExample, runOften, spreadsheetWorkflow } from '../../tools/examples.cts';
import type { WorkflowFile } from '../../tools/n8nClient.cts';
import { countBy, tally } from '../../tools/tally.cts';
import type { Theatre } from '../../tools/theatre.cts';
import { until } from '../../tools/until.cts';
import { neverNone } from './completions.cts';
import { createSmsCredentials, hostsOf, simpleSmsExamples } from './gateways.cts';
import { startInternet } from './internet.cts';
import { listed } from './report.cts';
import { BURST, mismatches, newBookings, rowsOfSheet, uploadSheet } from './sheet.cts';

const ROWS = 300;

/** Milliseconds that the service and the SMS gateways take for a request. */
const LATENCY_MS = 40;
const GATEWAY_MS = 150;

/** Milliseconds between two completions. */
const STEP_MS = 100;

/** So that one poll finds a hundred completions and more, as it does where many are entered together. */
const POLL_SECONDS = 15;

/** How long nothing may happen until the day is over: polls, and messages that wait for an answer of their gateway. */
const CALM_MS = 600_000;

const NEVER_NONE = 'completion-to-sms';

/**
 * A day with every SMS example at once: a sheet is uploaded, and its bookings are completed.
 * n8n is killed once while rows are booked, and then while messages are sent. Of the simple examples, each such kill
 * costs one farmer the message at most, whom an error names, and no one gets two; of *never none*, everyone gets one.
 */
export async function day(theatre: Theatre, kills = 3): Promise<string[]> {
	const options = { bookings: 0, latencyMs: LATENCY_MS, rateLimits: { create: null } };
	const sandbox = theatre.closeAtEnd(await startSandbox(options));
	const { bookings, outbox } = sandbox.store;
	const sms = simpleSmsExamples();
	const internet = theatre.closeAtEnd(await startInternet(hostsOf(sms), GATEWAY_MS));
	// After a restart, n8n publishes five workflows at once, and gives up a publication that takes longer.
	const env = { ...internet.env, N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '300' };
	const n8n = await theatre.startN8n('day', sandbox, { env });
	const { client } = n8n;
	await createSmsCredentials(client);

	const publish = async (workflow: WorkflowFile) =>
		await client.publishNew(runOften(workflow, POLL_SECONDS));
	const ids = new Map([[NEVER_NONE, await publish(await neverNone(sandbox))]]);
	for (const [name, { settings }] of Object.entries(sms))
		ids.set(name, await publish(await readExample(name, settings)));
	/** The bookings that the errors of a workflow name. */
	const named = async (workflowId = '') => {
		const texts = await client.errors(workflowId);
		return texts.flatMap((text) => [...text.matchAll(/\d+/g)].map(([id]) => Number(id)));
	};
	/** Who got messages, by the name of the example; the phone is another one in each booking. */
	const phones = (): Record<string, string[]> => ({
		[NEVER_NONE]: outbox.map(({ to }) => to),
		...Object.fromEntries(
			Object.entries(sms).map(([name, { gateway }]) => [
				name,
				gateway.messages.map(({ to }) => to),
			]),
		),
	});
	const kill = async (number: number, moment: string) => {
		await n8n.kill();
		const sent = Object.values(phones()).map(({ length }) => length);
		console.log(
			`  kill ${number} of ${kills} ${moment}: ${made().length} bookings, messages: ${sent.join(', ')}`,
		);
		await theatre.startAgain(n8n);
	};

	// In the morning the sheet is booked.
	const sheet = await client.publishNew(await spreadsheetWorkflow());
	const rows = rowsOfSheet(ROWS).map((row, index) => ({
		...row,
		Phone: `+234709${7_000_001 + index}`,
	}));
	const made = newBookings(sandbox);
	if (kills > 0) {
		const uploaded = uploadSheet(client, rows).catch((error: unknown) => error);
		await until('A third of the bookings', () => made().length > ROWS / 3, { everyMs: 3 });
		await kill(1, 'while rows were booked');
		await uploaded;
	}
	await uploadSheet(client, rows);
	await client.unpublishWorkflow(sheet);
	const waiting = kills > 0 ? BURST : 0;
	const violations = mismatches(rows, made(), waiting);
	console.log(`  ${made().length} of ${ROWS} rows are booked`);

	// In the course of the day they are completed.
	const done = made();
	const open = [...done];
	const timer = setInterval(() => {
		const next = open.shift();
		if (next) bookings.advance(next.bookingID, COMPLETED);
	}, STEP_MS);
	try {
		for (let number = 2; number <= kills; number++) {
			// *Never none* sends all at once, the others one after the other: in turn, some have sent a part.
			const isStruck = ([name]: [string, string[]]) => (name === NEVER_NONE) === (number % 2 === 0);
			const countSent = () =>
				Math.min(
					...Object.entries(phones())
						.filter(isStruck)
						.map(([, { length }]) => length),
				);
			const target = countSent() + 5 + Math.random() * 50;
			await until('Messages', () => countSent() > target, { limitMs: CALM_MS, everyMs: 3 });
			await wait(Math.random() * 2 * GATEWAY_MS);
			await kill(number, 'while messages were sent');
		}
		await until('All completions', () => open.length === 0);
	} finally {
		clearInterval(timer);
	}
	// Until nothing comes any more: some polls long, and until what waited for an answer of its gateway is sent.
	const sent = () => JSON.stringify(Object.values(phones()).map(({ length }) => length));
	const isComplete = () => new Set(phones()[NEVER_NONE]).size >= done.length;
	let [last, since] = [sent(), Date.now()];
	for (const end = Date.now() + CALM_MS; Date.now() < end; await wait(1_000)) {
		if (sent() !== last) [last, since] = [sent(), Date.now()];
		if (isComplete() && Date.now() > since + 4_000 * POLL_SECONDS) break;
	}

	for (const [name, to] of Object.entries(phones())) {
		const times = countBy(to, (phone) => phone);
		const of = ({ farmerPhone = '' }) => times.get(farmerPhone) ?? 0;
		const who = (is: (count: number) => boolean) =>
			done.filter((booking) => is(of(booking))).map(({ bookingID }) => bookingID);
		const [none, twice] = [who((count) => count === 0), who((count) => count > 1)];
		const errors = new Set(await named(ids.get(name)));
		const counts = tally(done, (booking) => `got ${of(booking)}`);
		console.log(`  ${name}: ${counts}; named in errors: ${[...errors].join(', ') || 'nobody'}`);
		const most = name === NEVER_NONE ? 0 : Math.max(0, kills - 1);
		if (none.length > most) violations.push(...listed(none, `farmers have no message of ${name}`));
		const unnamed = none.filter((id) => !errors.has(id));
		violations.push(
			...listed(unnamed, `farmers have no message of ${name}, and no error names them`),
			...listed(twice, `farmers have more than one message of ${name}`),
		);
		const farmers = new Set(done.map(({ farmerPhone }) => farmerPhone));
		const strange = [...times.keys()].filter((phone) => !farmers.has(phone));
		violations.push(...listed(strange, `messages of ${name} went to another phone`));
	}
	return violations;
}
