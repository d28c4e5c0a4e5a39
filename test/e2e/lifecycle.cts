import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { setTimeout as wait } from 'node:timers/promises';

import { credentialName, everySeconds } from '../../tools/examples.cts';
import type { N8n } from '../../tools/n8nHost/n8n.cts';
import type { WorkflowFile } from '../../tools/n8nClient.cts';
import { until } from '../../tools/until.cts';
import { startSandbox, type Sandbox } from '../../sandbox/index.cts';
import { COMPLETED, DECLINED } from '../../nodes/TractorBooking/api/status';
import { eventsOf, TRIGGER } from './completions.cts';
import type { Theatre } from '../../tools/theatre.cts';
import { nodeOf, TRIGGER_NODE } from '../../tools/workflow.cts';

const POLL_SECONDS = 2;

/** Every poll reads the first page of the list once. */
const FIRST_PAGE = '/booking-services/partner/booking/1/';

const LIMIT_MS = 60_000;

/** The same for an event that comes again after a restart, which takes three minutes. */
const REPEAT_LIMIT_MS = 180_000 + LIMIT_MS;

/** Waits until one has surely begun and ended, and one more: with durable cursors, the first one scans anew. */
export async function afterSomePolls({ requests }: Sandbox): Promise<void> {
	const polls = () => requests.find({ endpoint: 'bookings', path: FIRST_PAGE }).length;
	const before = polls();
	await until('Three polls', () => polls() >= before + 3);
}

export function watching(given: INodeParameters): WorkflowFile {
	const parameters = { ...given, pollTimes: everySeconds(POLL_SECONDS) };
	const credentials = { tractorBookingApi: { id: null, name: credentialName } };
	const nodes = [nodeOf(TRIGGER, TRIGGER_NODE, 1, parameters, { credentials })];
	return { name: 'Watch', nodes, connections: {}, settings: { executionOrder: 'v1' } };
}

const completions = watching({ events: ['bookingCompleted'] });
const repeating = watching({
	events: ['bookingCompleted'],
	options: { repeatAfterRestart: true },
});
const declines = watching({ events: ['bookingStatusChanged'], to: [DECLINED] });

export class Watched {
	private readonly known = new Set<string>();

	private constructor(
		private readonly n8n: N8n,
		private readonly sandbox: Sandbox,
		readonly id: string,
	) {}

	static async publish(n8n: N8n, sandbox: Sandbox, workflow: WorkflowFile): Promise<Watched> {
		return new Watched(n8n, sandbox, await n8n.client.publishNew(workflow));
	}

	/** What is told from now on: until so many bookings are told of, or for long enough, and then a while. */
	async tells(count: number, limitMs = LIMIT_MS): Promise<IDataObject[]> {
		const told: IDataObject[] = [];
		for (const end = Date.now() + limitMs; told.length < count && Date.now() < end;) {
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

/** What becomes of the trigger's memory: an update, a restart, unpublishing, a changed filter. @param name n8n's folder */
export async function lifecycle(
	theatre: Theatre,
	name: string,
	env?: Record<string, string>,
): Promise<string[]> {
	const sandbox = theatre.closeAtEnd(await startSandbox({ bookings: 150 }));
	const free = sandbox.store.bookings.moving();
	const move = (status = COMPLETED) => {
		const id = free.pop();
		if (id === undefined) throw new Error('No booking is left.');
		sandbox.store.bookings.advance(id, status);
		return id;
	};
	const violations: string[] = [];
	const expectTold = async (what: string, by: Watched, ...wanted: number[]) => {
		const told = await by.tells(wanted.length);
		const text = (ids: number[]) => ids.toSorted((a, b) => a - b).join(', ') || 'nothing';
		const seen = text(told.map(({ bookingID }) => Number(bookingID)));
		console.log(`  ${what}: ${seen}`);
		if (seen !== text(wanted))
			violations.push(`${what}: emitted ${seen} instead of ${text(wanted)}`);
		return told;
	};

	const released = await theatre.downloadReleased();
	const n8n = await theatre.startN8n(name, sandbox, { env, tarball: released });
	const { client } = n8n;
	const watched = await Watched.publish(n8n, sandbox, completions);
	await afterSomePolls(sandbox);
	await expectTold('published: only later changes', watched, move());

	await n8n.stop();
	const before = move();
	await theatre.install(name);
	await n8n.start();
	const from = released ? 'from the last release' : 'in place, from the same version';
	await expectTold(`updated ${from}: what changed meanwhile`, watched, before);

	await n8n.stop();
	const down = move();
	await n8n.start();
	await expectTold('restarted: what changed meanwhile, and nothing twice', watched, down);

	await client.updateWorkflow(watched.id, repeating);
	await client.publishWorkflow(watched.id);
	const [last] = await expectTold('another option: what changed', watched, move());
	await n8n.stop();
	await n8n.start();
	const repeats = (await watched.tells(1, REPEAT_LIMIT_MS)).filter(
		({ isRepeat }) => isRepeat === true,
	);
	if (!repeats.some(({ eventId }) => eventId === last?.eventId))
		violations.push('With repeats after a restart, the last event is not emitted again.');

	await client.unpublishWorkflow(watched.id);
	const unpublished = move();
	await client.publishWorkflow(watched.id);
	await expectTold('unpublished and published: what changed meanwhile', watched, unpublished);

	await client.updateWorkflow(watched.id, declines);
	const early = move(DECLINED);
	await client.publishWorkflow(watched.id);
	await afterSomePolls(sandbox);
	await expectTold('event changed: no change is lost', watched, early, move(DECLINED));
	return violations;
}
