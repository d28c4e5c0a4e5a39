import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { setTimeout as wait } from 'node:timers/promises';

import { credentialName, everySeconds } from '../../tools/examples';
import type { N8n } from '../../tools/n8nHost/n8n';
import type { WorkflowFile } from '../../tools/n8nClient';
import { until } from '../../tools/until';
import { startSandbox, type Sandbox } from '../../sandbox';
import { COMPLETED, DECLINED } from '../../nodes/TractorBooking/api/status';
import { eventsOf, TRIGGER } from './completions';
import type { Theatre } from './stage';
import { nodeOf, TRIGGER_NODE } from './workflow';

const POLL_SECONDS = 2;

/** Every poll reads the first page of the list once. */
const FIRST_PAGE = '/booking-services/partner/booking/1/';

/** How long a change may take until it has started the workflow. */
const LIMIT_MS = 60_000;

/**
 * Waits for some polls: so many that one has surely ended that began after now, and one more, since with
 * durable cursors the first scheduled poll takes the first scan again.
 */
export async function afterSomePolls({ requests }: Sandbox): Promise<void> {
	const polls = () => requests.find({ endpoint: 'bookings', path: FIRST_PAGE }).length;
	const before = polls();
	await until('Three polls', () => polls() >= before + 3);
}

/** A workflow that holds the trigger alone. */
export function watching(parameters: INodeParameters): WorkflowFile {
	return {
		name: 'Watch',
		nodes: [
			nodeOf(
				TRIGGER,
				TRIGGER_NODE,
				1,
				{ ...parameters, pollTimes: everySeconds(POLL_SECONDS) },
				{ credentials: { tractorBookingApi: { id: null, name: credentialName } } },
			),
		],
		connections: {},
		settings: { executionOrder: 'v1' },
	};
}

const completions = watching({ events: ['bookingCompleted'] });
const repeating = watching({
	events: ['bookingCompleted'],
	options: { repeatAfterRestart: true },
});
const declines = watching({ events: ['bookingStatusChanged'], to: [DECLINED] });

/** A published workflow, and what it has told. */
export class Watched {
	private readonly known = new Set<string>();

	private constructor(
		private readonly n8n: N8n,
		private readonly sandbox: Sandbox,
		private readonly id: string,
	) {}

	static async publish(n8n: N8n, sandbox: Sandbox, workflow: WorkflowFile): Promise<Watched> {
		return new Watched(n8n, sandbox, await n8n.client.publishNew(workflow));
	}

	async publishAgain(): Promise<void> {
		await this.n8n.client.publishWorkflow(this.id);
	}

	async unpublish(): Promise<void> {
		await this.n8n.client.unpublishWorkflow(this.id);
	}

	async update(workflow: WorkflowFile): Promise<void> {
		await this.n8n.client.updateWorkflow(this.id, workflow);
	}

	/** What is told from now on: until so many bookings are told of, or for long enough, and then a while. */
	async tells(count: number): Promise<IDataObject[]> {
		const told: IDataObject[] = [];
		for (const end = Date.now() + LIMIT_MS; told.length < count && Date.now() < end;) {
			await wait(500);
			told.push(...(await this.news()));
		}
		await afterSomePolls(this.sandbox);
		return [...told, ...(await this.news())];
	}

	private async news(): Promise<IDataObject[]> {
		const { client } = this.n8n;
		const fresh = (await client.executions(this.id)).filter(({ id }) => !this.known.has(id));
		const events: IDataObject[] = [];
		for (const { id } of fresh) {
			this.known.add(id);
			events.push(...eventsOf(await client.execution(id)));
		}
		return events;
	}
}

/** What becomes of the trigger's memory over its life: a restart, unpublishing, a changed filter, another n8n. */
export class Lifecycle {
	private readonly violations: string[] = [];
	private readonly free: number[];

	private constructor(
		private readonly theatre: Theatre,
		private readonly sandbox: Sandbox,
		private readonly name: string,
		private readonly env?: Record<string, string>,
	) {
		this.free = sandbox.store.bookings.moving();
	}

	/**
	 * @param name of the folder of n8n
	 * @param env more of n8n's environment variables
	 */
	static async run(
		theatre: Theatre,
		name: string,
		env?: Record<string, string>,
	): Promise<string[]> {
		const sandbox = theatre.closeAtEnd(await startSandbox({ bookings: 150 }));
		const lifecycle = new Lifecycle(theatre, sandbox, name, env);
		await lifecycle.run();
		return lifecycle.violations;
	}

	private async run(): Promise<void> {
		const { theatre, sandbox } = this;
		const released = await theatre.downloadReleased();
		const n8n = await theatre.startN8n(this.name, sandbox, this.env, released);
		const watched = await Watched.publish(n8n, sandbox, completions);
		await afterSomePolls(sandbox);
		const one = this.move(COMPLETED);
		this.expect('published: only later changes', await watched.tells(1), [one]);

		await n8n.stop();
		const before = this.move(COMPLETED);
		await theatre.update(n8n);
		await n8n.start();
		const from = released ? 'from the last release' : 'in place, from the same version';
		this.expect(`updated ${from}: what changed meanwhile`, await watched.tells(1), [before]);

		await n8n.stop();
		const down = this.move(COMPLETED);
		await n8n.start();
		this.expect('restarted: what changed meanwhile, and nothing twice', await watched.tells(1), [
			down,
		]);

		await watched.update(repeating);
		await watched.publishAgain();
		const two = this.move(COMPLETED);
		const told = await watched.tells(1);
		this.expect('another option: what changed', told, [two]);
		await n8n.stop();
		await n8n.start();
		const repeats = (await watched.tells(1)).filter(({ isRepeat }) => isRepeat === true);
		if (!repeats.some(({ eventId }) => eventId === told[0]?.eventId))
			this.violations.push('With repeats after a restart, the last event is not emitted again.');

		await watched.unpublish();
		const unpublished = this.move(COMPLETED);
		await watched.publishAgain();
		const meanwhile = await watched.tells(1);
		this.expect('unpublished and published: what changed meanwhile', meanwhile, [unpublished]);

		await watched.update(declines);
		const early = this.move(DECLINED);
		await watched.publishAgain();
		await afterSomePolls(sandbox);
		const declined = this.move(DECLINED);
		this.expect('event changed: no change is lost', await watched.tells(2), [early, declined]);
		// The other n8n is to poll alone.
		await n8n.stop();

		const other = await theatre.startN8n(`${this.name}-imported`, sandbox, this.env);
		const imported = await Watched.publish(other, sandbox, completions);
		await afterSomePolls(sandbox);
		const later = this.move(COMPLETED);
		this.expect('imported elsewhere: only later changes', await imported.tells(1), [later]);
	}

	/** Moves a booking that was not moved before to a status. */
	private move(status: number): number {
		const id = this.free.pop();
		if (id === undefined) throw new Error('No booking is left.');
		this.sandbox.store.advance(id, status);
		return id;
	}

	private expect(what: string, told: IDataObject[], wanted: number[]): void {
		const ids = told.map(({ bookingID }) => Number(bookingID));
		const text = (some: number[]) => some.toSorted((a, b) => a - b).join(', ') || 'nothing';
		console.log(`  ${what}: ${text(ids)}`);
		if (text(ids) !== text(wanted))
			this.violations.push(`${what}: emitted ${text(ids)} instead of ${text(wanted)}`);
	}
}
