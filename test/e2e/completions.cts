import { setTimeout as wait } from 'node:timers/promises';

import { everySeconds, nodeNamed, smsWorkflow } from '../../tools/examples.cts';
import type { N8n } from '../../tools/n8nHost/n8n.cts';
import { outputOf, type Execution, type WorkflowFile } from '../../tools/n8nClient.cts';
import { until } from '../../tools/until.cts';
import { startSandbox, type Sandbox } from '../../sandbox/index.cts';
import { COMPLETED } from '../../nodes/TractorBooking/api/status';
import { asText } from '../../nodes/TractorBooking/utils/text';
import { countBy, tally } from '../../tools/tally.cts';
import { listed } from './report.cts';
import type { Theatre } from '../../tools/theatre.cts';

/** Bookings in the list: more than ten pages, so that the trigger reads a part of it at each poll. */
const BOOKINGS = 1_200;

/** Milliseconds that the service and the SMS gateway take for a request. */
const LATENCY_MS = 40;

const STEP_MS = 300;

/** Seconds between two polls, and two looks, which come later: n8n 2.40 ends the expressions of both with the first. */
const POLL_SECONDS = 6;
const LOOK_AGAIN_SECONDS = 12;
const LOOK_AGAIN_AFTER_SECONDS = 3;

/** Longer than a message takes, and long enough for n8n to keep the execution in its database. Looks wait twice as long. */
const LET_ARRIVE_SECONDS = 66;

/** How long after the last change everything may take until it is settled: after three minutes, events come again. */
const CALM_MS = 900_000;

/** Names of the triggers in the example: the one that starts all, and the one that looks again. */
export const TRIGGER = 'When a booking is completed';
const LOOK_AGAIN = 'Look again';

/** The settings with which n8n commits a poll's memory together with its execution. */
export const DURABLE_CURSORS = {
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	// A job that was under way when n8n died is taken up again after so many seconds instead of a minute.
	N8N_SCHEDULER_LEASE_DURATION: '15',
	N8N_SCHEDULER_REAPER_INTERVAL: '2',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '2',
};

/** The example with the sandbox as its gateway, with short times. @param lookAgain as it asks for in queue mode */
async function neverNone(sandbox: Sandbox, lookAgain = false): Promise<WorkflowFile> {
	const workflow = await smsWorkflow(`${sandbox.url}/sms/messages`);
	const parametersOf = (name: string) => nodeNamed(workflow, name).parameters;
	parametersOf(TRIGGER).pollTimes = everySeconds(POLL_SECONDS);
	parametersOf('Send the SMS').options = { timeout: 5_000 };
	parametersOf(LOOK_AGAIN).pollTimes = everySeconds(LOOK_AGAIN_SECONDS, LOOK_AGAIN_AFTER_SECONDS);
	nodeNamed(workflow, LOOK_AGAIN).disabled = !lookAgain;
	const waiting = parametersOf('Let it arrive');
	const lookAgainSeconds = 2 * LET_ARRIVE_SECONDS;
	waiting.amount = asText(waiting.amount).replace(
		'10 : 3',
		`${lookAgainSeconds} : ${LET_ARRIVE_SECONDS}`,
	);
	waiting.unit = 'seconds';
	return workflow;
}

/** The items with which a trigger started an execution; it has them also if it died at once. */
export function eventsOf({ data }: Execution, trigger = TRIGGER) {
	const started = (data?.executionData?.nodeExecutionStack ?? []).filter(
		({ node }) => node.name === trigger,
	);
	const items = [
		...(data?.resultData.runData[trigger] ?? []).flatMap((run) => run.data?.main?.[0] ?? []),
		...started.flatMap((entry) => entry.data.main?.[0] ?? []),
	];
	return items.map(({ json }) => json).filter(({ eventId }) => typeof eventId === 'string');
}

/** Moves bookings of organisation A along all the time, and notes which ones became completed. */
function move({ store: { bookings } }: Sandbox) {
	const completed = new Set<number>();
	const step = () => {
		const moving = bookings.moving();
		const id = moving[Math.floor(Math.random() * moving.length)];
		if (id === undefined) throw new Error('No booking moves any more.');
		if (bookings.advance(id).bookingStatus !== COMPLETED) return;
		completed.add(id);
		// So that, however long it takes, some are left. Made now: of more than a hundred whose age is unknown, however long
		// n8n took to start again, the trigger tells none.
		bookings.update(bookings.addMany(1, { status: 0 }), { createdAt: new Date().toISOString() });
	};
	const timer = setInterval(step, STEP_MS);
	return { completed, stop: () => clearInterval(timer) };
}

async function untilMore(count: () => number, mostMs: number): Promise<void> {
	const before = count();
	await until('A request', () => count() !== before, { limitMs: CALM_MS, everyMs: 2 });
	await wait(Math.random() * mostMs);
}

/** When n8n is killed, in turn: for each moment what is waited for. */
const MOMENTS: Record<string, (sandbox: Sandbox) => Promise<void>> = {
	'at any time': async () => await wait(Math.random() * POLL_SECONDS * 1_000),
	'in the middle of a poll': async ({ requests }) =>
		await untilMore(() => requests.count('bookings'), 400),
	'soon after a poll': async ({ requests }) => {
		await untilMore(() => requests.count('bookings'), 0);
		for (let last = -1; last !== requests.count('bookings'); await wait(2 * LATENCY_MS))
			last = requests.count('bookings');
		await wait(Math.random() * 400);
	},
	'while messages are sent': async ({ requests }) =>
		await untilMore(() => requests.count('sms'), 100),
};

/** What the kills strike: n8n, or one process of it. */
export interface Stricken {
	/** The process with the editor and the triggers. */
	main: N8n;
	/** Waits for the moment of a kill, counted from 1, and says what it strikes; by default the main process, at any time. */
	strike?: (kill: number) => Promise<{ victim: N8n; moment: string } | undefined>;
	/** Whether the example's second trigger is switched on. */
	lookAgain?: boolean;
}

/** Kills n8n again and again while messages are sent: each completion has exactly one, to the right phone. */
export async function killWhileSending(
	theatre: Theatre,
	kills: number,
	start: (sandbox: Sandbox) => Promise<Stricken>,
): Promise<string[]> {
	const options = { bookings: BOOKINGS, latencyMs: LATENCY_MS };
	const sandbox = theatre.closeAtEnd(await startSandbox(options));
	const { outbox, bookings } = sandbox.store;
	const { main, strike, lookAgain = false } = await start(sandbox);
	const { client } = main;
	const workflowId = await client.publishNew(await neverNone(sandbox, lookAgain));
	const allExecutions = async () => {
		const all: Execution[] = [];
		for (const { id } of await client.executions(workflowId)) all.push(await client.execution(id));
		return all;
	};

	const { completed, stop } = move(sandbox);
	const undecided = new Set<number>();
	try {
		const triggers = lookAgain ? [TRIGGER, LOOK_AGAIN] : [TRIGGER];
		const haveTold = async () => {
			const all = await allExecutions();
			return triggers.every((name) => all.some((one) => eventsOf(one, name).length > 0));
		};
		const patience = { limitMs: CALM_MS, everyMs: POLL_SECONDS * 1_000 };
		await until('The first event of each trigger', haveTold, patience);
		// A first scan may have been under way when they became completed: they may be told or not.
		for (const id of completed) undecided.add(id);
		completed.clear();
		for (let kill = 1; kill <= kills; kill++) {
			const moments = Object.entries(MOMENTS);
			const [moment = '', come] = moments[kill % moments.length] ?? [];
			let struck = await strike?.(kill);
			if (!struck) {
				await come?.(sandbox);
				struck = { victim: main, moment };
			}
			await struck.victim.kill();
			const seen = `${completed.size} completed, ${outbox.length} messages`;
			console.log(`  kill ${kill} of ${kills} ${struck.moment}: ${seen}`);
			await theatre.startAgain(struck.victim);
		}
		await wait(2 * POLL_SECONDS * 1_000);
	} finally {
		stop();
	}

	const end = Date.now() + CALM_MS;
	const settled = async (isDone: () => boolean | Promise<boolean>) => {
		while (!(await isDone()) && Date.now() < end) await wait(1_000);
	};
	await settled(() => {
		const told = new Set(outbox.map(({ reference }) => bookingOf(reference)));
		return [...completed].every((id) => told.has(id));
	});
	// All triggers poll once more, and no execution waits any more: this must send nothing again.
	await wait(2 * LOOK_AGAIN_SECONDS * 1_000);
	await settled(async () => {
		const executions = await client.executions(workflowId);
		return executions.every(({ status }) => status !== 'waiting');
	});
	await wait(2 * POLL_SECONDS * 1_000);

	const executions = await allExecutions();
	for (const { id, data: { resultData } = {} } of executions)
		if (resultData?.error) console.log(`  execution ${id} ended with: ${resultData.error.message}`);
	const told = executions.flatMap((one) => eventsOf(one));
	const events = countBy(told, ({ eventId }) => eventId);
	const repeats = [...events.values()].filter((count) => count > 1).length;
	const late = executions.flatMap((one) => outputOf(one, 'The booking again')).length;
	console.log(`  executions: ${tally(executions, ({ status }) => status)}`);
	console.log(
		`  ${completed.size} bookings were completed (and ${undecided.size} before); events: ${events.size}, ${repeats} started more than one execution; messages: ${outbox.length}, ${late} after the gateway had said that it did not have them`,
	);
	const sent = countBy(outbox, ({ reference }) => bookingOf(reference));
	const none = [...completed].filter((id) => !sent.has(id));
	const twice = [...sent].filter(([, count]) => count > 1).map(([id]) => id);
	const strange = [...sent.keys()].filter((id) => !completed.has(id) && !undecided.has(id));
	const astray = outbox
		.filter(({ to, reference }) => to !== bookings.get(bookingOf(reference))?.farmerPhone)
		.map(({ sid }) => sid);
	return [
		...listed(none, 'completed bookings have no message'),
		...listed(twice, 'completed bookings have more than one message'),
		...listed(strange, 'bookings have a message and did not become completed'),
		...listed(astray, 'messages went to another phone'),
	];
}

export function bookingOf(eventId = ''): number {
	return Number(eventId.split(':')[1]);
}

export async function completions(
	theatre: Theatre,
	kills = 20,
	name = 'completions',
	env?: Record<string, string>,
): Promise<string[]> {
	return await killWhileSending(theatre, kills, async (sandbox) => ({
		main: await theatre.startN8n(name, sandbox, { env }),
	}));
}
