import { setTimeout as wait } from 'node:timers/promises';

import { smsWorkflow } from '../../demo/examples';
import type { N8n } from '../../demo/n8n';
import type { Execution, WorkflowFile } from '../../demo/n8nClient';
import type { Sandbox } from '../../sandbox';
import { COMPLETED } from '../../nodes/TractorBooking/service/bookingStatus';
import type { Report } from './report';
import { countBy, some } from './report';
import type { Theatre } from './stage';

/** Bookings in the list: more than ten pages, so that the trigger reads the live region and slices. */
const BOOKINGS = 1_200;

/** Milliseconds that the service and the SMS gateway take for a request. */
const LATENCY_MS = 40;

/** Milliseconds between two steps of bookings. */
const STEP_MS = 150;

/** Seconds between two polls. */
const POLL_SECONDS = 5;

/** How long after the last change everything may take until it is settled. */
const CALM_MS = 120_000;

/** Name of the trigger in the example. */
export const TRIGGER = 'When a booking is completed';

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

/** n8n refuses an interval below a minute, but takes several schedules. */
export function everySeconds(seconds: number) {
	const item = Array.from({ length: 60 / seconds }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * seconds} * * * * *`,
	}));
	return { item };
}

/**
 * The example workflow, with the sandbox as its gateway. Polls come more often, and it waits for messages that
 * are under way for six seconds instead of 45, which is still longer than one may take.
 */
export async function exampleWorkflow(sandbox: Sandbox): Promise<WorkflowFile> {
	const workflow = await smsWorkflow(`${sandbox.url}/sms/messages`);
	const parametersOf = (name: string) => {
		const node = workflow.nodes.find((candidate) => candidate.name === name);
		if (!node) throw new Error(`The example has no node "${name}".`);
		return node.parameters;
	};
	parametersOf(TRIGGER).pollTimes = everySeconds(POLL_SECONDS);
	parametersOf('Send the SMS').options = { timeout: 5_000 };
	parametersOf('Let it arrive').amount = 6;
	return workflow;
}

/** The items with which an execution started; it has them also if it died at once. */
export function eventsOf({ data }: Execution) {
	const started = data?.executionData?.nodeExecutionStack ?? [];
	const items = [
		...(data?.resultData.runData[TRIGGER] ?? []).flatMap((run) => run.data?.main?.[0] ?? []),
		...started.flatMap((entry) => entry.data.main?.[0] ?? []),
	];
	return items.map(({ json }) => json).filter(({ eventId }) => typeof eventId === 'string');
}

/** Moves bookings of organisation A along all the time, and notes which ones became completed. */
class Movement {
	readonly completed = new Set<number>();
	private timer?: NodeJS.Timeout;

	constructor(private readonly sandbox: Sandbox) {}

	start(): void {
		this.timer = setInterval(() => this.step(), STEP_MS);
	}

	stop(): void {
		clearInterval(this.timer);
	}

	/** Completes a booking at once. */
	complete(): number {
		const id = this.anyMoving();
		this.sandbox.store.bookings.advance(id, COMPLETED);
		this.completed.add(id);
		return id;
	}

	private step(): void {
		const { bookings } = this.sandbox.store;
		const id = this.anyMoving();
		if (bookings.advance(id).bookingStatus === COMPLETED) this.completed.add(id);
		if (Math.random() < 0.1) bookings.addMany(1, { status: 0 });
	}

	private anyMoving(): number {
		const { bookings } = this.sandbox.store;
		const moving = [...bookings.moving()].filter((id) => bookings.organisationOf(id) === 'A');
		const id = moving[Math.floor(Math.random() * moving.length)];
		if (id === undefined) throw new Error('No booking moves any more.');
		return id;
	}
}

export interface TriggerScenario {
	/** Folder of n8n. */
	name: string;
	title: string;
	kills: number;
	env?: Record<string, string>;
}

/** Kills n8n again and again while the trigger polls and messages are sent. */
export class TriggerKills {
	private readonly movement: Movement;

	private constructor(
		private readonly theatre: Theatre,
		private readonly scenario: TriggerScenario,
		private readonly n8n: N8n,
		private readonly sandbox: Sandbox,
		private readonly workflowId: string,
	) {
		this.movement = new Movement(sandbox);
	}

	static async run(theatre: Theatre, scenario: TriggerScenario): Promise<Report> {
		const sandbox = await theatre.startSandbox({ bookings: BOOKINGS, latencyMs: LATENCY_MS });
		const n8n = await theatre.startN8n(scenario.name, sandbox, scenario.env);
		const workflowId = await n8n.client.importWorkflow(await exampleWorkflow(sandbox));
		await n8n.client.publishWorkflow(workflowId);
		return await new TriggerKills(theatre, scenario, n8n, sandbox, workflowId).run();
	}

	private async run(): Promise<Report> {
		const { kills, title } = this.scenario;
		await this.warmUp();
		this.movement.start();
		try {
			for (let kill = 1; kill <= kills; kill++) {
				await this.killOnce(kill);
				await this.theatre.startAgain(this.n8n);
			}
			await wait(2 * POLL_SECONDS * 1_000);
		} finally {
			this.movement.stop();
		}
		await this.untilCalm();
		const executions = await this.executions();
		return { title, facts: this.facts(executions), violations: this.violations(executions) };
	}

	/**
	 * Until the first scan is over: it may be taken once more by the first scheduled poll, and knows nothing of
	 * what became completed before it. The bookings that no message tells of are left out.
	 */
	private async warmUp(): Promise<void> {
		const { store } = this.sandbox;
		const end = Date.now() + CALM_MS;
		const tried: number[] = [];
		while (store.outbox.length === 0) {
			if (Date.now() > end) throw new Error(`No message was sent.\n${await this.n8n.logEnd()}`);
			tried.push(this.movement.complete());
			await wait(POLL_SECONDS * 1_000);
		}
		const told = new Set(store.outbox.map(({ reference }) => bookingOf(reference)));
		for (const id of tried) if (!told.has(id)) this.movement.completed.delete(id);
	}

	/** Kills in turn: in the middle of a poll, soon after its last page, while a message is sent, at any time. */
	private async killOnce(kill: number): Promise<void> {
		const { requests, store } = this.sandbox;
		const counts = () => requests.count('bookings');
		const moments = [
			['in the middle of a poll', async () => await this.until(counts, 400)],
			['soon after a poll', async () => await this.untilQuiet(400)],
			['while messages are sent', async () => await this.until(() => requests.count('sms'), 100)],
			['at any time', async () => await wait(Math.random() * POLL_SECONDS * 1_000)],
		] as const;
		const [name, moment] = moments[kill % moments.length] ?? moments[0];
		await moment();
		await this.n8n.kill();
		const { completed } = this.movement;
		console.log(
			`  kill ${kill} of ${this.scenario.kills} ${name}: ${completed.size} completed, ${store.outbox.length} messages`,
		);
	}

	/** Until something is counted that was not there, and a random time longer. */
	private async until(count: () => number, mostMs: number): Promise<void> {
		const before = count();
		const end = Date.now() + CALM_MS;
		while (count() === before) {
			if (Date.now() > end) throw new Error(`Nothing happened.\n${await this.n8n.logEnd()}`);
			await wait(2);
		}
		await wait(Math.random() * mostMs);
	}

	/** Until a poll has read its last page, and a random time longer. */
	private async untilQuiet(mostMs: number): Promise<void> {
		const { requests } = this.sandbox;
		await this.until(() => requests.count('bookings'), 0);
		for (let last = -1; last !== requests.count('bookings');) {
			last = requests.count('bookings');
			await wait(2 * LATENCY_MS);
		}
		await wait(Math.random() * mostMs);
	}

	/** Until each completed booking has a message, or for long enough, and then for two more polls. */
	private async untilCalm(): Promise<void> {
		const isDone = () => {
			const told = new Set(this.sandbox.store.outbox.map(({ reference }) => bookingOf(reference)));
			return [...this.movement.completed].every((id) => told.has(id));
		};
		const end = Date.now() + CALM_MS;
		while (!isDone() && Date.now() < end) await wait(500);
		await wait(2 * POLL_SECONDS * 1_000);
	}

	/** All executions with their data. */
	private async executions(): Promise<Execution[]> {
		const { client } = this.n8n;
		const all: Execution[] = [];
		for (const { id } of await client.executions(this.workflowId))
			all.push(await client.execution(id));
		return all;
	}

	private facts(executions: Execution[]): string[] {
		const { completed } = this.movement;
		const statuses = countBy(executions, ({ status }) => status);
		const events = countBy(executions.flatMap(eventsOf), ({ eventId }) => eventId);
		const repeats = [...events.values()].filter((count) => count > 1).length;
		return [
			`${this.scenario.kills} kills while ${completed.size} bookings were completed, a poll every ${POLL_SECONDS} s`,
			`executions: ${[...statuses].map(([status, count]) => `${count} ${status}`).join(', ')}`,
			`events: ${events.size}, of which ${repeats} started more than one execution`,
			`messages: ${this.sandbox.store.outbox.length}`,
		];
	}

	private violations(executions: Execution[]): string[] {
		const { completed } = this.movement;
		const { outbox, bookings } = this.sandbox.store;
		const started = new Set(executions.flatMap(eventsOf).map(({ bookingID }) => bookingID));
		const sent = countBy(outbox, ({ reference }) => bookingOf(reference));
		const untold = [...completed].filter((id) => !started.has(id));
		const none = [...completed].filter((id) => !sent.has(id));
		const twice = [...sent].filter(([, count]) => count > 1).map(([id]) => id);
		const strange = [...sent.keys()].filter((id) => !completed.has(id));
		const astray = outbox.filter(
			({ to, reference }) => to !== bookings.get(bookingOf(reference))?.farmerPhone,
		);
		const told = (count: number, text: string, ids: readonly unknown[]) =>
			count > 0 ? [`${count} ${text}: ${some(ids)}`] : [];
		return [
			...told(untold.length, 'completed bookings have no execution', untold),
			...told(none.length, 'completed bookings have no message', none),
			...told(twice.length, 'completed bookings have more than one message', twice),
			...told(
				strange.length,
				'messages are about a booking that did not become completed',
				strange,
			),
			...told(
				astray.length,
				'messages went to another phone',
				astray.map(({ sid }) => sid),
			),
		];
	}
}

/** The booking of an event's id. */
function bookingOf(eventId = ''): number {
	return Number(eventId.split(':')[1]);
}
