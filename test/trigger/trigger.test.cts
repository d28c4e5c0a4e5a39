import type { IDataObject, INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';

import { RECORD_FIELDS } from '../../nodes/TractorBooking/api/status';
import { credentialsOf, recordsOf } from '../support/action.cts';
import { eachWithSandbox } from '../support/bookings.cts';
import { failureOf } from '../support/editor.cts';
import { trigger, type PolledTrigger } from '../support/engine.cts';
import { brief as briefly, idsOf } from './polling.cts';

const sandbox = eachWithSandbox();

function watch(
	parameters: INodeParameters = {},
	more: Partial<Parameters<typeof trigger>[0]> = {},
): PolledTrigger {
	return trigger({
		parameters: { events: ['bookingCompleted'], ...parameters },
		credentials: credentialsOf({ baseUrl: sandbox.url }),
		...more,
	});
}

const anyChange = { events: ['bookingStatusChanged'] };

function brief(items: INodeExecutionData[] | null): string[] {
	return briefly(recordsOf(items ?? []));
}

function add(count: number, status: number): number {
	return sandbox.store.bookings.addMany(count, { status });
}

function setStatus(bookingID: number, bookingStatus: unknown): void {
	sandbox.store.bookings.update(bookingID, { bookingStatus });
}

it('what is emitted is each change once, after a first poll that only notes, with the documented fields or all', async () => {
	const id = add(250, 6);
	const node = watch(anyChange);
	const raw = watch({ simplify: false }, { workflowId: 'raw' });
	for (const each of [node, raw]) expect(await each.poll()).toBeNull();
	setStatus(id, 3);
	const items = recordsOf((await node.poll()) ?? []);
	expect(items).toHaveLength(1);
	const own = {
		previousStatus: 6,
		previousStatusLabel: 'in_progress',
		event: 'bookingStatusChanged',
		eventId: expect.stringMatching(/^[0-9a-f]{8}:\d+:status-3:2$/) as string,
		detectedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
	};
	const { farmerPhone, clusterID } = sandbox.store.bookings.get(id) ?? {};
	const booking = { bookingID: id, farmerPhone, bookingStatusLabel: 'completed' };
	expect(items[0]).toMatchObject({ ...booking, bookingStatus: 3, ...own });
	expect(Object.keys(items[0] ?? {})).toEqual([...RECORD_FIELDS, ...Object.keys(own)]);
	expect(await node.poll()).toBeNull();
	const [whole] = recordsOf((await raw.poll()) ?? []);
	expect(whole).toMatchObject({ clusterID, bookingStatusLabel: 'completed', previousStatus: 6 });
});

const toCompleted = { options: { treatToCompletedAsCompleted: true } };
const expressions = { from: '={{ [6, 7] }}', to: '={{ [3] }}' };

/** Of three bookings, the statuses in turn; a fourth one is made with the last status. */
// prettier-ignore
it.each<[string, INodeParameters, number[], string[]]>([
	['Booking Completed', {}, [20, 3, 7, 3], ['0: 20 > 3', '3: null > 3']],
	['an event that is chosen twice', { events: ['bookingCompleted', 'bookingCompleted'] }, [3], ['0: 6 > 3', '3: null > 3']],
	['Booking Completed, with the mark', toCompleted, [20, 3], ['0: 6 > 20', '3: null > 3']],
	['a change from one to another', { ...anyChange, from: [7], to: [3] }, [2, 7, 3], ['0: 7 > 3']],
	['lists from expressions', { ...anyChange, ...expressions }, [7, 3], ['0: 7 > 3']],
	['a code of an expression', { ...anyChange, from: '={{ 6 }}', to: '3' }, [3], ['0: 6 > 3']],
	['text with commas', { ...anyChange, to: '3, 4' }, [4, 6, 3], ['0: 6 > 4', '0: 6 > 3', '3: null > 3']],
])('what is emitted is %s', async (_name, parameters, statuses, expected) => {
	const id = add(3, 6);
	const node = watch(parameters);
	await node.poll();
	const events: string[] = [];
	for (const status of statuses) {
		setStatus(id, status);
		events.push(...brief(await node.poll()));
	}
	add(1, statuses.at(-1) ?? 0);
	events.push(...brief(await node.poll()));
	expect(events).toEqual(expected.map((event) => `${id + Number(event[0])}${event.slice(1)}`));
});

it.each([
	[503, { cause: 'temporarily-unavailable', retryAfterMs: 90_000 }],
	[429, { cause: 'rate-limited', retryAfterMs: 90_000 }],
	[401, { cause: 'credential-invalid' }],
])('a poll that meets status %i tells n8n whether to back off', async (status, failure) => {
	add(1, 6);
	const node = watch();
	await node.poll();
	const headers = { 'Retry-After': '90' };
	sandbox.faults.add({ fault: { kind: 'status', status, headers } });
	await expect(node.poll()).rejects.toMatchObject({ failure });
});

it.each<[string, (text: string) => unknown]>([
	['no form at all', () => ({ '1042': 3 })],
	['a text for the whole', () => 'gone'],
	['a later form', (text) => ({ text: text.replace('"form":1', '"form":99') })],
	['a text that was cut', (text) => ({ text: text.slice(0, -5) })],
])('a state with %s is replaced by a baseline', async (_name, damage) => {
	const id = add(150, 6);
	const node = watch();
	await node.poll();
	const { text } = node.memory().memory as { text: string };
	setStatus(id, 3);
	const damaged = watch({}, { memory: { memory: damage(text) as IDataObject } });
	expect(await damaged.poll()).toBeNull();
	setStatus(id + 1, 3);
	expect(brief(await damaged.poll())).toEqual([`${id + 1}: 6 > 3`]);
});

function inNewProcess(): INodeType {
	jest.resetModules();
	const { TractorBookingTrigger } = jest.requireActual<
		typeof import('../../nodes/TractorBooking/TractorBookingTrigger.node')
	>('../../nodes/TractorBooking/TractorBookingTrigger.node');
	return new TractorBookingTrigger();
}

it('a process is new until a poll has succeeded, and not when the workflow is published again', async () => {
	const id = add(3, 6);
	const start = (type: INodeType, memory?: IDataObject) =>
		watch({ options: { repeatAfterRestart: true } }, { type, memory });
	const eventIds = async (node: PolledTrigger) => idsOf(recordsOf((await node.poll()) ?? []));
	const process = inNewProcess();
	const first = start(process);
	await first.poll();
	setStatus(id, 3);
	const ids = await eventIds(first);
	expect(ids).toHaveLength(1);
	expect(await start(process, first.memory()).poll()).toBeNull();

	const second = start(inNewProcess(), first.memory());
	const later = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 180_000);
	const fault = sandbox.faults.add({ fault: { kind: 'status', status: 503 } });
	// n8n would not poll any more if the poll with which it starts failed.
	expect(await second.poll()).toBeNull();
	await expect(second.poll()).rejects.toThrow();
	await expect(start(inNewProcess()).poll()).rejects.toThrow();
	fault.remove();
	expect(await eventIds(second)).toEqual(ids);
	expect(await second.poll()).toBeNull();
	later.mockRestore();
});

it('gives up a request when the time of n8n is over, and emits what it has', async () => {
	const id = add(250, 6);
	// As little as a poll takes in any case: five seconds.
	const node = watch({}, { budgetMs: 5_200 });
	await node.poll();
	for (const key of [id, id + 249]) setStatus(key, 3);
	const match = { endpoint: 'bookings' } as const;
	sandbox.faults.add({ match, skip: 1, fault: { kind: 'hang' } });
	expect(await node.poll()).toHaveLength(1);
	sandbox.faults.clear();
	expect(await node.poll()).toHaveLength(1);
});

it.each<[INodeParameters, RegExp]>([
	[{ events: ['bookingOverdue'], overdueDays: -3 }, /Days After Service Date/],
	[{ ...anyChange, from: '={{ "gone" }}' }, /From Statuses: "gone" is not a status/],
	[{ ...anyChange, to: '={{ ["completed!"] }}' }, /To Statuses: "completed!" is not a status/],
	[{ events: [] }, /Trigger On/],
	[{ simplify: '={{ "false" }}' }, /Simplify/],
	[{ options: { treatToCompletedAsCompleted: '={{ "true" }}' } }, /Treat "To Completed"/],
	[{ options: { repeatAfterRestart: '={{ 1 }}' } }, /Repeat Events After Restart/],
	[{ events: ['newBooking', 'bookingGone'] }, /Trigger On/],
])('a wrong setting keeps the workflow unpublished: %j', async (wrong, said) => {
	expect(await failureOf(watch(wrong).poll())).toMatch(said);
});

it('"Fetch test event" shows matching bookings in the form of events and changes no memory', async () => {
	const id = add(20, 6);
	const node = watch();
	await node.poll();
	const before = node.memory();
	add(1, 3);
	setStatus(id, 3);

	const [sample] = recordsOf((await node.poll('manual')) ?? []);
	const [another] = recordsOf((await node.poll('manual')) ?? []);
	expect(node.memory()).toEqual(before);
	const emitted = recordsOf((await node.poll()) ?? []);
	expect(emitted).toHaveLength(2);
	const fields = Object.keys(emitted[0] ?? {});
	expect(Object.keys(sample ?? {})).toEqual([...fields, 'isTest', 'testNotice']);
	expect(sample).toMatchObject({
		eventId: expect.stringMatching(/^test:/) as string,
		isTest: true,
		testNotice: expect.stringContaining('real booking') as string,
	});
	expect(another?.eventId).not.toBe(sample?.eventId);
});

it.each([
	[3_000, /None of the 1500 bookings/],
	[0, /Create one/],
])(
	'"Fetch test event" of %i bookings without a match makes twenty requests at most',
	async (count, said) => {
		add(count, 0);
		expect(await failureOf(watch({ ...anyChange, to: [3] }).poll('manual'))).toMatch(said);
		expect(sandbox.requests.count('bookings')).toBeLessThanOrEqual(20);
	},
);
