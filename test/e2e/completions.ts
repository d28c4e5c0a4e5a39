import { setTimeout as wait } from 'node:timers/promises';

import { everySeconds, nodeNamed, smsWorkflow } from '../../tools/examples';
import type { N8n } from '../../tools/n8nHost/n8n';
import { outputOf, type Execution, type WorkflowFile } from '../../tools/n8nClient';
import { until } from '../../tools/until';
import { startSandbox, type Sandbox } from '../../sandbox';
import { COMPLETED } from '../../nodes/TractorBooking/api/status';
import { countBy, listed, tally } from './report';
import type { Theatre } from './stage';

/** Bookings in the list: more than ten pages, so that the trigger reads a part of it at each poll. */
const BOOKINGS = 1_200;

/** Milliseconds that the service and the SMS gateway take for a request. */
const LATENCY_MS = 40;

/** Milliseconds between two steps of bookings. */
const STEP_MS = 150;

/**
 * Seconds between two polls, and between two looks of the example's second trigger, which come a few seconds
 * after a poll: n8n 2.40 ends the expressions of a workflow with the first of two polls at once, so that the
 * other one fails.
 */
const POLL_SECONDS = 6;
const LOOK_AGAIN_SECONDS = 12;
const LOOK_AGAIN_AFTER_SECONDS = 3;

/**
 * For how long the example waits for messages that are under way: longer than one may take, and long enough
 * for n8n to keep the waiting execution in its database, as it does with the three minutes of the example.
 */
const LET_ARRIVE_SECONDS = 66;

/** How long after the last change everything may take until it is settled. */
const CALM_MS = 300_000;

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

/**
 * The example workflow, with the sandbox as its gateway. Polls come more often, and it waits shorter.
 *
 * @param lookAgain whether the second trigger is switched on, as the example asks for in queue mode
 */
async function exampleWorkflow(sandbox: Sandbox, lookAgain: boolean): Promise<WorkflowFile> {
	const workflow = await smsWorkflow(`${sandbox.url}/sms/messages`);
	const parametersOf = (name: string) => nodeNamed(workflow, name).parameters;
	parametersOf(TRIGGER).pollTimes = everySeconds(POLL_SECONDS);
	parametersOf('Send the SMS').options = { timeout: 5_000 };
	parametersOf(LOOK_AGAIN).pollTimes = everySeconds(LOOK_AGAIN_SECONDS, LOOK_AGAIN_AFTER_SECONDS);
	nodeNamed(workflow, LOOK_AGAIN).disabled = !lookAgain;
	Object.assign(parametersOf('Let it arrive'), { amount: LET_ARRIVE_SECONDS, unit: 'seconds' });
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
class Movement {
	readonly completed = new Set<number>();

	/** Bookings that were completed before the first scan was surely over: they may be told or not. */
	readonly undecided = new Set<number>();

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
		const moving = bookings.moving();
		const id = moving[Math.floor(Math.random() * moving.length)];
		if (id === undefined) throw new Error('No booking moves any more.');
		return id;
	}
}

/** What the kills strike: n8n, or one process of it. */
export interface Stricken {
	/** The process with the editor and the triggers. */
	main: N8n;
	/**
	 * Waits for the moment of a kill, counted from 1, and says which process it strikes. The main one is struck at
	 * one moment or another where this gives nothing.
	 */
	strike?: (kill: number) => Promise<{ victim: N8n; moment: string } | undefined>;
}

export interface TriggerScenario {
	kills: number;
	/** Whether the example's second trigger is switched on. */
	lookAgain?: boolean;
}

/** Kills n8n again and again while the trigger polls and messages are sent. */
export class TriggerKills {
	private readonly movement: Movement;

	private constructor(
		private readonly theatre: Theatre,
		private readonly scenario: TriggerScenario,
		private readonly stricken: Stricken,
		private readonly sandbox: Sandbox,
		private readonly workflowId: string,
	) {
		this.movement = new Movement(sandbox);
	}

	/** @param start starts n8n for a sandbox */
	static async run(
		theatre: Theatre,
		scenario: TriggerScenario,
		start: (sandbox: Sandbox) => Promise<Stricken>,
	): Promise<string[]> {
		const options = { bookings: BOOKINGS, latencyMs: LATENCY_MS };
		const sandbox = theatre.closeAtEnd(await startSandbox(options));
		const stricken = await start(sandbox);
		const { client } = stricken.main;
		const workflow = await exampleWorkflow(sandbox, scenario.lookAgain === true);
		const workflowId = await client.publishNew(workflow);
		return await new TriggerKills(theatre, scenario, stricken, sandbox, workflowId).run();
	}

	private async run(): Promise<string[]> {
		const { kills } = this.scenario;
		await this.warmUp();
		this.movement.start();
		try {
			for (let kill = 1; kill <= kills; kill++) {
				await this.theatre.startAgain(await this.killOnce(kill));
			}
			await wait(2 * POLL_SECONDS * 1_000);
		} finally {
			this.movement.stop();
		}
		await this.untilCalm();
		const executions = await this.executions();
		for (const { id, data } of executions) {
			const error = data?.resultData.error;
			if (error) console.log(`  execution ${id} ended with: ${error.message}`);
		}
		for (const fact of this.facts(executions)) console.log(`  ${fact}`);
		return this.violations(executions);
	}

	/**
	 * Until the first scans of the triggers are over: each may be taken once more by the first scheduled poll,
	 * and knows nothing of what became completed before it.
	 */
	private async warmUp(): Promise<void> {
		const { undecided } = this.movement;
		const hasTold = async (trigger: string) =>
			(await this.executions()).some((execution) => eventsOf(execution, trigger).length > 0);
		const { lookAgain } = this.scenario;
		const isOver = async () =>
			(await hasTold(TRIGGER)) && (!lookAgain || (await hasTold(LOOK_AGAIN)));
		const completeOne = async () => {
			if (await isOver()) return true;
			undecided.add(this.movement.complete());
			return false;
		};
		await until('The first event', completeOne, {
			limitMs: CALM_MS,
			everyMs: POLL_SECONDS * 1_000,
		});
	}

	private async killOnce(kill: number): Promise<N8n> {
		const struck = (await this.stricken.strike?.(kill)) ?? (await this.strikeMain(kill));
		const { victim, moment } = struck;
		await victim.kill();
		const { completed } = this.movement;
		const { outbox } = this.sandbox.store;
		console.log(
			`  kill ${kill} of ${this.scenario.kills} ${moment}: ${completed.size} completed, ${outbox.length} messages`,
		);
		return victim;
	}

	/** In turn: in the middle of a poll, soon after its last page, while a message is sent, at any time. */
	private async strikeMain(kill: number): Promise<{ victim: N8n; moment: string }> {
		const { requests } = this.sandbox;
		const counts = () => requests.count('bookings');
		const moments = [
			['in the middle of a poll', async () => await this.untilMore(counts, 400)],
			['soon after a poll', async () => await this.untilQuiet(400)],
			[
				'while messages are sent',
				async () => await this.untilMore(() => requests.count('sms'), 100),
			],
			['at any time', async () => await wait(Math.random() * POLL_SECONDS * 1_000)],
		] as const;
		const [moment, come] = moments[kill % moments.length] ?? moments[0];
		await come();
		return { victim: this.stricken.main, moment };
	}

	/** Until something is counted that was not there, and a random time longer. */
	private async untilMore(count: () => number, mostMs: number): Promise<void> {
		const before = count();
		await until('A request', () => count() !== before, { limitMs: CALM_MS, everyMs: 2 });
		await wait(Math.random() * mostMs);
	}

	/** Until a poll has read its last page, and a random time longer. */
	private async untilQuiet(mostMs: number): Promise<void> {
		const { requests } = this.sandbox;
		await this.untilMore(() => requests.count('bookings'), 0);
		for (let last = -1; last !== requests.count('bookings');) {
			last = requests.count('bookings');
			await wait(2 * LATENCY_MS);
		}
		await wait(Math.random() * mostMs);
	}

	/**
	 * Until each completed booking has a message, or for long enough, and then until all triggers have polled and
	 * no execution waits any more, which must send nothing again.
	 */
	private async untilCalm(): Promise<void> {
		const end = Date.now() + CALM_MS;
		const settled = async (isDone: () => boolean | Promise<boolean>) => {
			while (!(await isDone()) && Date.now() < end) await wait(1_000);
		};
		await settled(() => {
			const told = new Set(this.sandbox.store.outbox.map(({ reference }) => bookingOf(reference)));
			return [...this.movement.completed].every((id) => told.has(id));
		});
		await wait(2 * LOOK_AGAIN_SECONDS * 1_000);
		const { client } = this.stricken.main;
		await settled(async () => {
			const executions = await client.executions(this.workflowId);
			return executions.every(({ status }) => status !== 'waiting');
		});
		await wait(2 * POLL_SECONDS * 1_000);
	}

	/** All executions with their data. */
	private async executions(): Promise<Execution[]> {
		const { client } = this.stricken.main;
		const all: Execution[] = [];
		for (const { id } of await client.executions(this.workflowId))
			all.push(await client.execution(id));
		return all;
	}

	private facts(executions: Execution[]): string[] {
		const { completed, undecided } = this.movement;
		const { outbox } = this.sandbox.store;
		const events = countBy(
			executions.flatMap((one) => eventsOf(one)),
			({ eventId }) => eventId,
		);
		const repeats = [...events.values()].filter((count) => count > 1).length;
		const late = executions.flatMap((one) => outputOf(one, 'The booking again')).length;
		return [
			`${this.scenario.kills} kills while ${completed.size} bookings were completed (and ${undecided.size} before, to see that the first scan was over); a poll every ${POLL_SECONDS} s`,
			`executions: ${tally(executions, ({ status }) => status)}`,
			`events: ${events.size}; ${repeats} started more than one execution`,
			`messages: ${outbox.length}; ${late} were sent after the gateway had said that it did not have them`,
		];
	}

	private violations(executions: Execution[]): string[] {
		const { completed, undecided } = this.movement;
		const { outbox, bookings } = this.sandbox.store;
		const events = [TRIGGER, LOOK_AGAIN].flatMap((trigger) =>
			executions.flatMap((execution) => eventsOf(execution, trigger)),
		);
		const started = new Set(events.map(({ bookingID }) => bookingID));
		const sent = countBy(outbox, ({ reference }) => bookingOf(reference));
		const untold = [...completed].filter((id) => !started.has(id));
		const none = [...completed].filter((id) => !sent.has(id));
		const twice = [...sent].filter(([, count]) => count > 1).map(([id]) => id);
		const strange = [...sent.keys()].filter((id) => !completed.has(id) && !undecided.has(id));
		const astray = outbox
			.filter(({ to, reference }) => to !== bookings.get(bookingOf(reference))?.farmerPhone)
			.map(({ sid }) => sid);
		return [
			...listed(untold, 'completed bookings have no execution'),
			...listed(none, 'completed bookings have no message'),
			...listed(twice, 'completed bookings have more than one message'),
			...listed(strange, 'bookings have a message and did not become completed'),
			...listed(astray, 'messages went to another phone'),
		];
	}
}

/** The booking of an event's id. */
function bookingOf(eventId = ''): number {
	return Number(eventId.split(':')[1]);
}

/**
 * Kills n8n while messages are sent. Each completion has at least one execution, and exactly one SMS to the right phone.
 *
 * @param env more of n8n's environment variables
 */
export async function completions(
	theatre: Theatre,
	name: string,
	kills = 20,
	env?: Record<string, string>,
): Promise<string[]> {
	return await TriggerKills.run(theatre, { kills }, async (sandbox) => ({
		main: await theatre.startN8n(name, sandbox, env),
	}));
}
