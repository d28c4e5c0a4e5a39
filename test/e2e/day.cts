import { setTimeout as wait } from 'node:timers/promises';

import { COMPLETED } from '../../nodes/TractorBooking/api/status';
import { startSandbox } from '../../sandbox/index.cts';
import { readExample, runOften } from '../../tools/examples.cts';
import { countBy, tally } from '../../tools/tally.cts';
import type { Theatre } from '../../tools/theatre.cts';
import { until } from '../../tools/until.cts';
import { createSmsCredentials, hostsOf, simpleSmsExamples } from './gateways.cts';
import { startInternet } from './internet.cts';
import { listed } from './report.cts';

const BOOKINGS = 300;

/** Milliseconds that the service and the SMS gateways take for a request. */
const LATENCY_MS = 40;
const GATEWAY_MS = 150;

const STEP_MS = 100;

/** So that one poll finds a hundred completions and more, as it does where many are entered together. */
const POLL_SECONDS = 15;

/** How long nothing may happen until the day is over: polls, and messages that wait for an answer of their gateway. */
const CALM_MS = 600_000;

/** All simple SMS examples: each kill costs one farmer the message at most, whom an error names, and no one gets two. */
export async function day(theatre: Theatre, kills = 3): Promise<string[]> {
	const sandbox = theatre.closeAtEnd(await startSandbox({ bookings: 0, latencyMs: LATENCY_MS }));
	const { bookings } = sandbox.store;
	bookings.addMany(BOOKINGS, { status: 6 });
	const ids = bookings.ids('A');
	ids.forEach((id, index) =>
		bookings.update(id, { farmerPhone: `+234709${7_000_001 + index}`, farmerName: `No ${index}` }),
	);
	const sms = simpleSmsExamples();
	const internet = theatre.closeAtEnd(await startInternet(hostsOf(sms), GATEWAY_MS));
	// After a restart, n8n publishes all workflows at once, and gives up a publication that takes longer.
	const env = { ...internet.env, N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '300' };
	const n8n = await theatre.startN8n('day', sandbox, { env });
	const { client } = n8n;
	await createSmsCredentials(client);
	const all: Array<{ name: string; workflowId: string; phones: () => string[] }> = [];
	for (const [name, { gateway, settings }] of Object.entries(sms)) {
		const workflow = runOften(await readExample(name, settings), POLL_SECONDS);
		const workflowId = await client.publishNew(workflow);
		all.push({ name, workflowId, phones: () => gateway.messages.map(({ to }) => to) });
	}

	const open = [...ids];
	const timer = setInterval(() => {
		const next = open.shift();
		if (next !== undefined) bookings.advance(next, COMPLETED);
	}, STEP_MS);
	const counts = () => all.map(({ phones }) => phones().length);
	try {
		for (let kill = 1; kill <= kills; kill++) {
			const target = Math.min(...counts()) + 5 + Math.random() * 50;
			const isDue = () => Math.min(...counts()) > target;
			await until('Messages', isDue, { limitMs: CALM_MS, everyMs: 3 });
			await wait(Math.random() * 2 * GATEWAY_MS);
			await n8n.kill();
			console.log(`  kill ${kill} of ${kills} while messages were sent: ${counts().join(', ')}`);
			await theatre.startAgain(n8n);
		}
		await until('All completions', () => open.length === 0);
	} finally {
		clearInterval(timer);
	}
	// Until nothing comes any more, longer than it takes an event to come again.
	let [last, since] = [counts().join(), Date.now()];
	for (const end = Date.now() + CALM_MS; Date.now() < end; await wait(1_000)) {
		if (counts().join() !== last) [last, since] = [counts().join(), Date.now()];
		if (Date.now() > since + 16_000 * POLL_SECONDS) break;
	}

	const violations: string[] = [];
	for (const { name, workflowId, phones } of all) {
		const times = countBy(phones(), (phone) => phone);
		const phoneOf = (id: number) => bookings.get(id)?.farmerPhone ?? '';
		const of = (id: number) => times.get(phoneOf(id)) ?? 0;
		const none = ids.filter((id) => of(id) === 0);
		const twice = ids.filter((id) => of(id) > 1);
		const texts = await client.errors(workflowId);
		const named = texts.flatMap((text) => [...text.matchAll(/\d+/g)].map(([id]) => Number(id)));
		const got = tally(ids, (id) => `got ${of(id)}`);
		console.log(`  ${name}: ${got}; named in errors: ${named.join(', ') || 'nobody'}`);
		if (none.length > kills) violations.push(...listed(none, `farmers have no message of ${name}`));
		const unnamed = none.filter((id) => !named.includes(id));
		const farmers = new Set(ids.map(phoneOf));
		const strange = [...times.keys()].filter((phone) => !farmers.has(phone));
		violations.push(
			...listed(unnamed, `farmers have no message of ${name}, and no error names them`),
			...listed(twice, `farmers have more than one message of ${name}`),
			...listed(strange, `messages of ${name} went to another phone`),
		);
	}
	return violations;
}
