import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Endpoint, Sandbox, SandboxOptions } from '../../sandbox';
import { KEYS, startSandbox } from '../../sandbox';
import type { PolledTrigger } from '../support/engine';
import { trigger } from '../support/engine';
import { brief as briefly } from './polling';

let sandbox: Sandbox;

async function start(options: SandboxOptions = {}): Promise<void> {
	sandbox = await startSandbox({ bookings: 0, otherBookings: 0, ...options });
}

afterEach(async () => await sandbox.close());

interface Kept {
	memory?: IDataObject;
	workflowId?: string;
	budgetMs?: number;
}

function watch(parameters: INodeParameters = {}, kept: Kept = {}): PolledTrigger {
	return trigger({
		parameters: { events: ['bookingCompleted'], ...parameters },
		credentials: { tractorBookingApi: { baseUrl: sandbox.url, apiKey: KEYS.full } },
		...kept,
	});
}

const anyChange = { events: ['bookingStatusChanged'] };

function brief(items: INodeExecutionData[] | null): string[] {
	return briefly((items ?? []).map(({ json }) => json));
}

function idsOf(items: INodeExecutionData[] | null): unknown[] {
	return (items ?? []).map(({ json }) => json.eventId);
}

/** Adds bookings of one status and returns the id of the first; the ids run on from it. */
function add(count: number, status: number): number {
	return sandbox.store.bookings.addMany(count, { status });
}

function setStatus(bookingID: number, bookingStatus: unknown): void {
	sandbox.store.bookings.update(bookingID, { bookingStatus });
}

function requests(endpoint: Endpoint = 'bookings'): number {
	return sandbox.requests.count(endpoint);
}

describe('what is emitted', () => {
	it('is each change once, with the booking, after a first poll that only notes', async () => {
		await start();
		const id = add(250, 6);
		const node = watch(anyChange);
		expect(await node.poll()).toBeNull();
		setStatus(id, 3);
		const items = await node.poll();
		expect(items).toHaveLength(1);
		expect(items?.[0]?.json).toMatchObject({
			bookingID: id,
			farmerPhone: sandbox.store.bookings.get(id)?.farmerPhone,
			bookingStatus: 3,
			bookingStatusLabel: 'completed',
			previousStatus: 6,
			previousStatusLabel: 'in_progress',
			event: 'bookingStatusChanged',
			eventId: expect.stringMatching(/^[0-9a-f]{8}:\d+:status-3:2$/) as string,
			detectedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
		});
		expect(await node.poll()).toBeNull();
	});

	/** Of three bookings, the statuses in turn; a fourth one is made with the last status. */
	it.each<[string, INodeParameters, number[], string[]]>([
		['New Booking', { events: ['newBooking'] }, [3], ['3: null > 3']],
		['Booking Completed', {}, [20, 3, 7, 3], ['0: 20 > 3', '3: null > 3']],
		[
			'Booking Completed, with the mark',
			{ options: { treatToCompletedAsCompleted: true } },
			[20, 3],
			['0: 6 > 20', '3: null > 3'],
		],
		['a change to one status', { ...anyChange, to: [3] }, [7, 3], ['0: 7 > 3', '3: null > 3']],
		['a change from one to another', { ...anyChange, from: [7], to: [3] }, [2, 7, 3], ['0: 7 > 3']],
		[
			'what is seen first',
			{ ...anyChange, from: [2, 'firstSeen'], to: [3] },
			[7, 3],
			['3: null > 3'],
		],
		[
			'lists from expressions',
			{ ...anyChange, from: '={{ [6, 7] }}', to: '={{ [3] }}' },
			[7, 3],
			['0: 7 > 3'],
		],
		[
			'single codes from expressions',
			{ ...anyChange, from: '={{ 6 }}', to: "={{ '3' }}" },
			[3],
			['0: 6 > 3'],
		],
		[
			'text with commas',
			{ ...anyChange, from: "={{ '6, 7' }}", to: '3, 4' },
			[4, 6, 3],
			['0: 6 > 4', '0: 6 > 3'],
		],
	])('is %s', async (_name, parameters, statuses, expected) => {
		await start();
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

	it('is what matches already, if that is set, each once', async () => {
		await start();
		add(2, 0);
		const id = add(150, 3);
		const node = watch({ options: { emitExisting: true } });
		const items = await node.poll();
		expect(items).toHaveLength(150);
		expect(new Set(idsOf(items)).size).toBe(150);
		for (const status of [7, 3]) {
			setStatus(id, status);
			expect(await node.poll()).toBeNull();
		}
	});

	it('emits several events of one booking, each with its name and an ID of its own', async () => {
		await start();
		const id = add(3, 6);
		const node = watch({
			events: ['bookingCompleted', 'bookingStatusChanged', 'newBooking'],
			to: [3, 4],
		});
		await node.poll();
		setStatus(id, 3);
		setStatus(id + 1, 4);
		const created = sandbox.store.bookings.addMany(1, { status: 0 });
		const items = (await node.poll()) ?? [];
		expect(items.map(({ json }) => [json.bookingID, json.event])).toEqual([
			[created, 'newBooking'],
			[id + 1, 'bookingStatusChanged'],
			[id, 'bookingCompleted'],
			[id, 'bookingStatusChanged'],
		]);
		expect(new Set(idsOf(items)).size).toBe(4);
		expect(await node.poll()).toBeNull();
	});

	it('lets an event that is chosen later begin then, for bookings that are known', async () => {
		await start();
		const id = add(3, 6);
		const node = watch({ events: ['newBooking'] });
		await node.poll();
		setStatus(id, 3);
		await node.poll();
		const wider = watch(
			{ events: ['newBooking', 'bookingCompleted', 'bookingOverdue'], overdueDays: 0 },
			{ memory: node.memory() },
		);
		expect(await wider.poll()).toBeNull();
		setStatus(id + 1, 3);
		expect(brief(await wider.poll())).toEqual([`${id + 1}: 6 > 3`]);
	});

	it.each([[[]], [['bookingGone']]])('needs an event that exists: %j', async (events) => {
		await start();
		await expect(watch({ events }).poll()).rejects.toThrow(/Trigger On/);
	});
});

describe('a failed poll', () => {
	it('throws the error for n8n, which then backs off, with advice that fits a poll', async () => {
		await start();
		add(1, 6);
		const node = watch();
		await node.poll();
		const failWith = async (status: number, headers = {}) => {
			const fault = sandbox.faults.add({ fault: { kind: 'status', status, headers } });
			const error = await node.poll().catch((thrown: unknown) => thrown);
			fault.remove();
			return error;
		};
		const wait = expect.stringContaining('The next poll tries again by itself') as string;
		expect(await failWith(503)).toMatchObject({
			failure: { cause: 'temporarily-unavailable' },
			description: wait,
		});
		// Here, only a person can help.
		expect(await failWith(401)).toMatchObject({
			failure: { cause: 'credential-invalid' },
			description: expect.not.stringContaining('tries again') as string,
		});
		expect(await failWith(429, { 'retry-after': '90' })).toMatchObject({
			failure: { cause: 'rate-limited', retryAfterMs: 90_000 },
		});
	});
});

describe('a list that answers 404 because it is empty', () => {
	const emptyList = {
		match: { endpoint: 'bookings' as const },
		fault: { kind: 'status' as const, status: 404 },
	};

	it('does not keep a workflow from being published, and its first booking is an event', async () => {
		await start();
		const fault = sandbox.faults.add(emptyList);
		const node = watch({ events: ['newBooking'] });
		expect(await node.poll()).toBeNull();
		expect(await node.poll()).toBeNull();
		fault.remove();
		const createdAt = new Date(Date.now() + 1_000).toISOString();
		sandbox.store.bookings.update(add(1, 0), { createdAt });
		expect(await node.poll()).toHaveLength(1);
	});

	it('fails if nothing else answers at the base URL', async () => {
		await start();
		sandbox.faults.add({ fault: { kind: 'status', status: 404 } });
		await expect(watch().poll()).rejects.toMatchObject({ httpCode: '404' });
	});

	it('fails if bookings are known', async () => {
		await start();
		add(1, 6);
		const node = watch();
		await node.poll();
		sandbox.faults.add(emptyList);
		await expect(node.poll()).rejects.toMatchObject({ httpCode: '404' });
	});
});

describe('the state', () => {
	it('loses no change when an option is changed', async () => {
		await start();
		const id = add(150, 6);
		const node = watch();
		await node.poll();
		setStatus(id, 3);
		setStatus(id + 2, 20);
		const created = add(1, 3);

		const options = { treatToCompletedAsCompleted: true };
		const changed = watch({ options }, { memory: node.memory() });
		expect(brief(await changed.poll())).toEqual([
			`${created}: null > 3`,
			`${id + 2}: 6 > 20`,
			`${id}: 6 > 3`,
		]);
		setStatus(id + 1, 20);
		expect(brief(await changed.poll())).toEqual([`${id + 1}: 6 > 20`]);
	});

	it('emits only what happens from now on for bookings that were not watched before', async () => {
		await start();
		const id = add(30, 6);
		const chosen = (ids: number[]) => ({
			...anyChange,
			bookings: 'chosen',
			bookingIds: ids.join(','),
		});
		const node = watch(chosen([id]));
		await node.poll();
		for (const changed of [id, id + 1]) setStatus(changed, 3);
		await new Promise((resolve) => setTimeout(resolve, 1_100));
		const wider = watch(chosen([id, id + 1, id + 2]), { memory: node.memory() });
		expect(brief(await wider.poll())).toEqual([`${id}: 6 > 3`]);
		setStatus(id + 2, 3);
		expect(brief(await wider.poll())).toEqual([`${id + 2}: 6 > 3`]);
		const all = watch(anyChange, { memory: wider.memory() });
		setStatus(id + 1, 7);
		expect(brief(await all.poll())).toEqual([`${id + 1}: 3 > 7`]);
	});

	it('is not gone on with for another base URL, whose events have other IDs', async () => {
		await start();
		const id = add(3, 6);
		const node = watch(anyChange);
		await node.poll();
		setStatus(id, 3);
		const ids = idsOf(await node.poll());
		const baseUrl = sandbox.url.replace('127.0.0.1', 'localhost');
		const moved = trigger({
			parameters: anyChange,
			credentials: { tractorBookingApi: { baseUrl, apiKey: KEYS.full } },
			memory: node.memory(),
		});
		setStatus(id, 6);
		expect(await moved.poll()).toBeNull();
		setStatus(id, 3);
		ids.push(...idsOf(await moved.poll()));
		expect(new Set(ids).size).toBe(2);
	});

	it.each<[string, (text: string) => unknown]>([
		['no form at all', () => ({ '1042': 3 })],
		['a text for the whole', () => 'gone'],
		['a later form', (text) => ({ text: text.replace('"form":1', '"form":99') })],
		['a text that was cut', (text) => ({ text: text.slice(0, -5) })],
	])('with %s is replaced by a baseline', async (_name, damage) => {
		await start();
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
});

describe('a scan', () => {
	it('that does not fit into the budget goes on in the next poll, the baseline too', async () => {
		await start();
		const id = add(450, 6);
		// Without any time left, a poll makes the one request without which nothing would ever go on.
		const node = watch({}, { budgetMs: 0 });
		for (let page = 1; page <= 5; page++) {
			expect(await node.poll()).toBeNull();
		}
		setStatus(id, 3);
		add(1, 3);
		const emitted = [];
		for (let page = 1; page <= 5; page++) emitted.push(...brief(await node.poll()));
		expect(emitted.sort()).toEqual([`${id}: 6 > 3`, `${id + 450}: null > 3`]);
	});

	it.each([
		{ bookingsEnvelope: 'array' },
		{ bookingsEnvelope: 'dataCursor', maxPageSize: 40 },
		{ beyondEnd: 'notFound', firstPage: 0 },
		{ beyondEnd: 'repeatFirst', reportedCount: 7 },
	] as const)('reads every page of a list of another kind: %j', async (style) => {
		await start(style);
		const id = add(130, 6);
		const node = watch();
		await node.poll();
		for (const changed of [id, id + 50, id + 129]) setStatus(changed, 3);
		expect(await node.poll()).toHaveLength(3);
		expect(await node.poll()).toBeNull();
	});

	it('treats ids and statuses as numbers and as text as the same', async () => {
		await start();
		const id = add(5, 6);
		const node = watch(anyChange);
		await node.poll();
		sandbox.settings.bookingIdsAsText = true;
		sandbox.settings.bookingStatusAsText = true;
		expect(await node.poll()).toBeNull();
		setStatus(id, 3);
		const items = await node.poll();
		expect(items?.[0]?.json).toMatchObject({
			bookingID: String(id),
			bookingStatus: '3',
			previousStatus: 6,
		});
	});
});

describe('a setting', () => {
	const days = /^Days After Service Date.* is (?:empty|not a number of days); enter a whole number/;
	it.each<[INodeParameters, RegExp]>([
		...[null, 'abc', -3, 1.5, '={{ "abc" }}'].map((overdueDays): [INodeParameters, RegExp] => [
			{ events: ['bookingOverdue'], overdueDays },
			days,
		]),
		[{ ...anyChange, from: '={{ "gone" }}' }, /^From Statuses: "gone" is not a status/],
		[{ ...anyChange, to: '={{ ["firstSeen!"] }}' }, /^To Statuses: "firstSeen!" is not a status/],
	])('that cannot be right keeps the workflow from being published: %j', async (wrong, said) => {
		await start();
		await expect(watch(wrong).poll()).rejects.toMatchObject({
			description: expect.stringMatching(said) as string,
		});
	});

	it('may be the text of a number', async () => {
		await start();
		const node = watch({ events: ['bookingOverdue'], overdueDays: '={{ "2" }}' });
		expect(await node.poll()).toBeNull();
	});
});

describe('chosen bookings', () => {
	const chosen = (ids: unknown[], options: IDataObject = {}) => ({
		...anyChange,
		bookings: 'chosen',
		bookingIds: ids.join(', '),
		options: options as INodeParameters,
	});

	it('are read by id, and no others', async () => {
		await start();
		const id = add(300, 6);
		const node = watch(chosen([id, id + 299]));
		await node.poll();
		for (const changed of [id, id + 1, id + 299]) setStatus(changed, 3);
		expect(brief(await node.poll())).toEqual([`${id}: 6 > 3`, `${id + 299}: 6 > 3`]);
		expect(requests()).toBe(0);
		expect(await node.poll()).toBeNull();
	});

	it.each(['newBooking', 'bookingStatusChanged'])(
		'that are unknown do no harm, and are emitted when they appear (%s)',
		async (event) => {
			await start();
			const id = add(1, 6);
			const node = watch({ ...chosen([id, id + 1, '../../etc']), events: [event] });
			expect(await node.poll()).toBeNull();
			add(1, 0);
			expect(brief(await node.poll())).toEqual([`${id + 1}: null > 0`]);
		},
	);

	it('start nothing if the service sends another booking in the place of one', async () => {
		await start();
		const id = add(3, 6);
		const node = watch(chosen([id, `${id + 1}.0`]));
		await node.poll();
		sandbox.hooks.shapeBooking = (booking) =>
			booking.bookingID === id ? { ...booking, bookingID: id + 2, bookingStatus: 3 } : booking;
		setStatus(id + 1, 3);
		expect(brief(await node.poll())).toEqual([`${id + 1}: 6 > 3`]);
		await expect(watch(chosen([id])).poll()).rejects.toThrow(
			`The service sent booking ${id + 2} when asked to read booking ${id}`,
		);
		delete sandbox.hooks.shapeBooking;
	});
});

describe('"Fetch test event"', () => {
	it('shows matching bookings in the form of events and changes no memory', async () => {
		await start();
		const id = add(20, 6);
		const node = watch();
		await node.poll();
		const before = node.memory();
		add(1, 3);
		setStatus(id, 3);

		const sample = await node.poll('manual');
		expect(sample).toHaveLength(1);
		expect(node.memory()).toEqual(before);
		const emitted = await node.poll();
		expect(emitted).toHaveLength(2);
		const fields = Object.keys(emitted?.[0]?.json ?? {});
		expect(Object.keys(sample?.[0]?.json ?? {})).toEqual([...fields, 'isTest', 'testNotice']);
		expect(sample?.[0]?.json).toMatchObject({
			eventId: expect.stringMatching(/^test:/) as string,
			isTest: true,
			testNotice: expect.stringContaining('real booking') as string,
		});
	});

	it('passes its own filters', async () => {
		await start();
		add(20, 3);
		const sample = await watch({ ...anyChange, from: [6], to: [3] }).poll('manual');
		expect(sample).toHaveLength(1);
		expect(sample?.[0]?.json).toMatchObject({
			previousStatus: 6,
			previousStatusLabel: 'in_progress',
		});
	});

	it('reads the chosen bookings by id, and no others', async () => {
		await start();
		const id = add(30, 6);
		for (const completed of [id, id + 1, id + 2]) setStatus(completed, 3);
		const chosen = { ...anyChange, to: [3], bookings: 'chosen' };
		const bookingIds = `${id + 29}, ${id + 1}, 999999`;
		const sample = await watch({ ...chosen, bookingIds }).poll('manual');
		expect(brief(sample)).toEqual([`${id + 1}: null > 3`]);
		expect(requests()).toBe(0);
		expect(requests('booking')).toBe(2);
	});

	it('makes twenty requests at most, and says what to do when nothing matches', async () => {
		await start();
		add(3_000, 0);
		const node = watch();
		await expect(node.poll('manual')).rejects.toMatchObject({
			message: 'No booking matches this trigger',
			description: expect.stringContaining('None of the 1900 bookings') as string,
		});
		expect(requests()).toBe(20);
	});

	it('fails in words where the rate limit is reached, or the budget at once', async () => {
		await start();
		add(5, 3);
		sandbox.faults.add({ times: 1, fault: { kind: 'rateLimited', retryAfter: '30' } });
		await expect(watch().poll('manual')).rejects.toMatchObject({
			message: expect.stringContaining('rate limit') as string,
			description: expect.stringMatching(/^Wait a minute, then fetch again\./) as string,
		});
		expect(await watch({}, { budgetMs: 0 }).poll('manual')).toHaveLength(1);
	});

	it.each([
		[{ kind: 'status', status: 401 }, 'did not allow this credential'],
		[{ kind: 'status', status: 502, body: '<html></html>' }, 'returned an error (status 502)'],
		[{ kind: 'reset' }, 'broke off'],
	] as const)('says what is wrong when no page can be read, %j', async (fault, said) => {
		await start();
		add(5, 3);
		sandbox.faults.add({ match: { endpoint: 'bookings' }, fault });
		await expect(watch().poll('manual')).rejects.toMatchObject({
			message: expect.stringContaining(said) as string,
			description: expect.not.stringContaining('The next poll') as string,
		});
	});

	it('says what to do when there is no booking at all', async () => {
		await start();
		await expect(watch({ events: ['newBooking'] }).poll('manual')).rejects.toMatchObject({
			description: expect.stringContaining('Create one') as string,
		});
	});
});
