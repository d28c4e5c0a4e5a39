import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Endpoint, Sandbox, SandboxOptions } from '../../sandbox';
import { KEYS, startSandbox } from '../../sandbox';
import type { PolledTrigger } from '../support/engine';
import { trigger } from '../support/engine';

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

/** The fields of an event that tests compare. */
interface Event {
	bookingID: number | string;
	bookingStatus: number | string;
	previousStatus: number | string | null;
	eventId: string;
	detectedAt: string;
}

function eventsOf(items: INodeExecutionData[] | null): Event[] {
	return (items ?? []).map(({ json }) => json as unknown as Event);
}

/** The events of a poll, shortened to `booking: previous > new`. */
function brief(items: INodeExecutionData[] | null): string[] {
	return eventsOf(items).map(
		({ bookingID, previousStatus, bookingStatus }) =>
			`${bookingID}: ${previousStatus} > ${bookingStatus}`,
	);
}

function idsOf(items: INodeExecutionData[] | null): string[] {
	return eventsOf(items).map(({ eventId }) => eventId);
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
	it('records a baseline first, then emits each change once, with the booking', async () => {
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
		});
		expect(items?.[0]?.json.eventId).toMatch(/^[0-9a-f]{8}:\d+:status-3:2$/);
		const [detectedAt = ''] = eventsOf(items).map((event) => event.detectedAt);
		expect(new Date(detectedAt).toISOString()).toBe(detectedAt);
		expect(await node.poll()).toBeNull();
	});

	it('emits a booking first seen after the baseline in a watched status', async () => {
		await start();
		add(3, 3);
		const node = watch();
		await node.poll();

		const completed = add(1, 3);
		add(1, 0);
		const items = await node.poll();
		expect(brief(items)).toEqual([`${completed}: null > 3`]);
		expect(items?.[0]?.json.previousStatusLabel).toBeNull();
	});

	it('emits new bookings, whatever becomes of them later', async () => {
		await start();
		add(3, 0);
		const node = watch({ events: ['newBooking'] });
		await node.poll();

		const id = add(2, 0);
		expect(brief(await node.poll())).toEqual([`${id + 1}: null > 0`, `${id}: null > 0`]);
		setStatus(id, 3);
		expect(await node.poll()).toBeNull();
	});

	it('counts only completed as completed, once in the life of a booking', async () => {
		await start();
		const id = add(1, 6);
		const node = watch();
		await node.poll();

		setStatus(id, 20);
		expect(await node.poll()).toBeNull();
		setStatus(id, 3);
		const first = await node.poll();
		expect(brief(first)).toEqual([`${id}: 20 > 3`]);
		setStatus(id, 7);
		expect(await node.poll()).toBeNull();
		setStatus(id, 3);
		expect(await node.poll()).toBeNull();
	});

	it("counts the owner's mark too when asked to, once a booking", async () => {
		await start();
		const [marked, unmarked] = [add(1, 6), add(1, 6)];
		const node = watch({ options: { treatToCompletedAsCompleted: true } });
		await node.poll();

		setStatus(marked, 20);
		setStatus(unmarked, 3);
		expect(brief(await node.poll()).sort()).toEqual([`${marked}: 6 > 20`, `${unmarked}: 6 > 3`]);
		setStatus(marked, 3);
		expect(await node.poll()).toBeNull();
	});

	it('filters after recording, so that the previous status is always the last one seen', async () => {
		await start();
		const id = add(1, 2);
		const node = watch({ ...anyChange, from: [7], to: [3] });
		await node.poll();
		for (const status of [6, 7]) {
			setStatus(id, status);
			expect(await node.poll()).toBeNull();
		}
		setStatus(id, 3);
		expect(brief(await node.poll())).toEqual([`${id}: 7 > 3`]);
	});

	it('lets bookings seen for the first time pass a From filter only if it names them', async () => {
		await start();
		add(1, 0);
		const without = watch({ ...anyChange, from: [2], to: [3] });
		const from = [2, 'firstSeen'];
		const including = watch({ ...anyChange, from, to: [3] }, { workflowId: 'other' });
		await without.poll();
		await including.poll();
		const id = add(1, 3);
		expect(await without.poll()).toBeNull();
		expect(brief(await including.poll())).toEqual([`${id}: null > 3`]);
	});

	it.each([
		['lists', '={{ [6, 7] }}', '={{ [3] }}'],
		['single codes', '={{ 6 }}', "={{ '3' }}"],
		['text with commas', "={{ '6, 7' }}", '3, 4'],
	])('filters on statuses that expressions give as %s', async (_form, from, to) => {
		await start();
		const id = add(3, 2);
		const node = watch({ ...anyChange, from, to });
		await node.poll();
		setStatus(id, 3);
		setStatus(id + 1, 6);
		expect(await node.poll()).toBeNull();
		setStatus(id + 1, 3);
		expect(brief(await node.poll())).toEqual([`${id + 1}: 6 > 3`]);
	});

	it('fires for what matches already when asked to, and for each once', async () => {
		await start();
		add(2, 0);
		const id = add(150, 3);
		const node = watch({ options: { emitExisting: true } });
		const items = await node.poll();
		expect(items).toHaveLength(150);
		expect(new Set(idsOf(items)).size).toBe(150);
		expect(await node.poll()).toBeNull();
		setStatus(id, 7);
		await node.poll();
		setStatus(id, 3);
		expect(await node.poll()).toBeNull();
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
	const faults = [
		{ kind: 'status', status: 503 },
		{ kind: 'reset' },
		{ kind: 'truncated' },
		{ kind: 'html', status: 200 },
	] as const;

	it.each(faults)(
		'of which a page fails emits the others now, and that one later ($kind)',
		async (fault) => {
			await start();
			const id = add(250, 6);
			const node = watch();
			await node.poll();
			for (const changed of [id, id + 120, id + 249]) setStatus(changed, 3);
			sandbox.faults.add({
				match: { path: '/booking-services/partner/booking/2/' },
				times: 1,
				fault,
			});
			expect(brief(await node.poll()).sort()).toEqual([`${id}: 6 > 3`, `${id + 249}: 6 > 3`]);
			expect(brief(await node.poll())).toEqual([`${id + 120}: 6 > 3`]);
			expect(await node.poll()).toBeNull();
		},
	);

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

	it('ends early at a rate limit in the middle, with what it found, and goes on from there', async () => {
		await start();
		const id = add(250, 6);
		const node = watch();
		await node.poll();
		for (const changed of [id, id + 249]) setStatus(changed, 3);
		sandbox.faults.add({ skip: 2, times: 1, fault: { kind: 'rateLimited', retryAfter: '30' } });
		expect(brief(await node.poll())).toEqual([`${id + 249}: 6 > 3`]);
		expect(brief(await node.poll())).toEqual([`${id}: 6 > 3`]);
		expect(await node.poll()).toBeNull();
	});

	it('does not keep a workflow from being published when the rate limit is reached', async () => {
		await start();
		const id = add(2, 6);
		const node = watch();
		sandbox.faults.add({ times: 1, fault: { kind: 'rateLimited' } });
		expect(await node.poll()).toBeNull();
		setStatus(id, 3);
		expect(await node.poll()).toBeNull();
		setStatus(id + 1, 3);
		expect(brief(await node.poll())).toEqual([`${id + 1}: 6 > 3`]);
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

describe('memory', () => {
	it('outlives a restart', async () => {
		await start();
		const id = add(250, 6);
		const node = watch();
		await node.poll();
		setStatus(id + 1, 3);
		const restarted = watch({}, { memory: node.memory() });
		expect(brief(await restarted.poll())).toEqual([`${id + 1}: 6 > 3`]);
	});

	it('that is older than what was emitted gives the same events the same ids', async () => {
		await start();
		const id = add(3, 2);
		const node = watch();
		await node.poll();
		const older = node.memory();

		// The first poll sees each status on the way, the second one after the crash only the last.
		for (const status of [6, 20]) {
			setStatus(id, status);
			await node.poll();
		}
		setStatus(id, 3);
		const created = add(1, 3);
		const emitted = await node.poll();
		expect(emitted).toHaveLength(2);
		const again = await watch({}, { memory: older }).poll();
		expect(idsOf(again)).toEqual(idsOf(emitted));
		expect(brief(again)).toEqual([`${created}: null > 3`, `${id}: 2 > 3`]);
	});

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

	it('gives no id twice after a changed filter', async () => {
		await start();
		const id = add(1, 6);
		const node = watch({ ...anyChange, to: [3] });
		await node.poll();
		setStatus(id, 3);
		const first = idsOf(await node.poll());
		setStatus(id, 7);

		const changed = watch({ ...anyChange, to: [3, 4] }, { memory: node.memory() });
		await changed.poll();
		setStatus(id, 3);
		const second = idsOf(await changed.poll());
		expect(second).toHaveLength(1);
		expect(second).not.toEqual(first);
	});

	it('is not gone on with for another base URL', async () => {
		await start();
		const id = add(3, 6);
		const node = watch(anyChange);
		await node.poll();
		setStatus(id, 3);
		const first = idsOf(await node.poll());

		const other = await startSandbox({ bookings: 0, otherBookings: 0 });
		other.store.bookings.addMany(3, { status: 6 });
		other.store.bookings.addMany(3, { status: 3 });
		const moved = trigger({
			parameters: anyChange,
			credentials: { tractorBookingApi: { baseUrl: other.url, apiKey: KEYS.full } },
			memory: node.memory(),
		});
		expect(await moved.poll()).toBeNull();
		other.store.bookings.update(id, { bookingStatus: 3 });
		const second = await moved.poll();
		expect(brief(second)).toEqual([`${id}: 6 > 3`]);
		expect(idsOf(second)).not.toEqual(first);
		await other.close();
	});

	const damages: Array<[string, (stored: IDataObject) => unknown]> = [
		['no form at all', () => ({ '1042': 3 })],
		['a text for the whole', () => 'gone'],
		[
			'a later form',
			(stored) => ({ text: (stored.text as string).replace('"form":1', '"form":99') }),
		],
		[
			'a text that was cut',
			(stored) => ({ ...stored, text: JSON.stringify(stored.text).slice(0, -5) }),
		],
	];

	it.each(damages)('with %s is replaced by a baseline', async (_name, damage) => {
		await start();
		const id = add(150, 6);
		const node = watch();
		await node.poll();
		const memory = damage(node.memory().memory as IDataObject) as IDataObject;

		setStatus(id, 3);
		const damaged = watch({}, { memory: { memory } });
		expect(await damaged.poll()).toBeNull();
		setStatus(id + 1, 3);
		expect(brief(await damaged.poll())).toEqual([`${id + 1}: 6 > 3`]);
	});

	it('keeps a booking that is missing from a scan', async () => {
		await start();
		const id = add(5, 6);
		const node = watch(anyChange);
		await node.poll();
		const hide = sandbox.store.bookings.get(id);
		sandbox.hooks.shapeBooking = (booking) =>
			booking.bookingID === hide?.bookingID ? { detail: 'hidden' } : booking;
		expect(await node.poll()).toBeNull();
		delete sandbox.hooks.shapeBooking;
		expect(await node.poll()).toBeNull();
		setStatus(id, 3);
		expect(brief(await node.poll())).toEqual([`${id}: 6 > 3`]);
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

	it('treats no old booking as a new one because the list moved during the baseline', async () => {
		await start();
		const id = add(300, 3);
		// A deletion on the first page moves a booking of the second page to the first one, which is read.
		let deleted = false;
		sandbox.hooks.beforeListPage = ({ offset }) => {
			if (offset === 100 && !deleted) sandbox.store.bookings.delete(id + 299);
			if (offset === 100) deleted = true;
		};
		const node = watch();
		for (let polls = 0; polls < 4; polls++) expect(await node.poll()).toBeNull();
		const created = add(1, 3);
		expect(brief(await node.poll())).toEqual([`${created}: null > 3`]);
	});

	it('leaves what it read to the other poll when two overlap', async () => {
		await start({ latencyMs: 20 });
		const id = add(250, 6);
		const node = watch();
		await node.poll();
		setStatus(id, 3);
		const both = await Promise.all([node.poll(), node.poll()]);
		expect(both.flatMap(brief)).toEqual([`${id}: 6 > 3`]);
		expect(await node.poll()).toBeNull();
	});

	const envelopes = [
		'array',
		'documented',
		'data',
		'dataPagination',
		'dataEnvelope',
		'dataNext',
		'dataCursor',
	] as const;

	it.each(envelopes)(
		'reads every page of a list in the envelope "%s"',
		async (bookingsEnvelope) => {
			await start({ bookingsEnvelope, maxPageSize: 40 });
			const id = add(130, 6);
			const node = watch();
			await node.poll();
			for (const changed of [id, id + 50, id + 129]) setStatus(changed, 3);
			expect(await node.poll()).toHaveLength(3);
			expect(await node.poll()).toBeNull();
		},
	);

	const endings = ['empty', 'notFound', 'repeatLast', 'repeatFirst'] as const;

	it.each(endings)('ends if a page beyond the end is "%s"', async (beyondEnd) => {
		await start({ beyondEnd, bookingsEnvelope: 'dataNext' });
		const id = add(200, 6);
		const node = watch();
		await node.poll();
		setStatus(id, 3);
		const before = requests();
		expect(await node.poll()).toHaveLength(1);
		expect(requests() - before).toBeLessThanOrEqual(5);
	});

	it.each([0, 7, 10_000])('is not misled by a count of %d', async (reportedCount) => {
		await start({ reportedCount });
		const id = add(250, 6);
		const node = watch();
		await node.poll();
		await node.poll();
		setStatus(id, 3);
		add(1, 3);
		expect(await node.poll()).toHaveLength(2);
		expect(await node.poll()).toBeNull();
	});

	it.each([
		[20, { beyondEnd: 'notFound' }],
		[250, { beyondEnd: 'notFound' }],
		[20, { bookingsEnvelope: 'array' }],
		[250, { bookingsEnvelope: 'array' }],
	] as const)('finds out that pages count from 0 (%d bookings, %j)', async (count, style) => {
		await start({ firstPage: 0, ...style });
		const id = add(count, 6);
		const node = watch();
		await node.poll();
		setStatus(id, 3);
		setStatus(id + count - 1, 3);
		expect(await node.poll()).toHaveLength(2);
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

	it('copes with hostile and incomplete records', async () => {
		await start();
		const id = add(6, 6);
		const names = ['__proto__', 'constructor', '"\\', '', ' 7 '];
		names.forEach((name, at) => sandbox.store.bookings.update(id + at, { bookingID: name }));
		const node = watch(anyChange);
		await node.poll();
		expect(await node.poll()).toBeNull();

		for (let at = 0; at < 6; at++) setStatus(id + at, 'resting');
		const items = await watch(anyChange, { memory: node.memory() }).poll();
		expect((items ?? []).map(({ json }) => json.bookingID).sort()).toEqual(
			[...names.filter((name) => name !== ''), id + 5].map((name) => name).sort(),
		);
		expect(items?.[0]?.json).toMatchObject({
			previousStatus: 6,
			bookingStatus: 'resting',
			bookingStatusLabel: 'unknown (resting)',
		});
	});

	it('gives advice that a trigger can follow if a poll fails', async () => {
		await start();
		add(1, 6);
		const node = watch();
		await node.poll();
		sandbox.faults.add({ times: 1, fault: { kind: 'rateLimited', retryAfter: '30' } });
		await expect(node.poll()).rejects.toMatchObject({
			description: expect.stringContaining('poll less often') as string,
		});
	});

	it.each([undefined, null, ''])(
		'treats a record with the status %p as one that says nothing about it',
		async (bookingStatus) => {
			await start();
			const id = add(1, 6);
			const node = watch(anyChange);
			await node.poll();
			sandbox.hooks.shapeBooking = (booking) => ({ ...booking, bookingStatus });
			expect(await node.poll()).toBeNull();
			delete sandbox.hooks.shapeBooking;
			setStatus(id, 3);
			expect(brief(await node.poll())).toEqual([`${id}: 6 > 3`]);
		},
	);

	it('treats a booking that the list shows late as an old one by its dates', async () => {
		await start({ reportedCount: 251 });
		const id = add(250, 0);
		const old = '2020-01-01T00:00:00Z';
		const hidden = id + 200;
		sandbox.hooks.shapeBooking = (booking) =>
			booking.bookingID === hidden
				? { detail: 'hidden' }
				: { ...booking, createdAt: booking.bookingID === hidden ? old : booking.createdAt };
		const node = watch({ events: ['newBooking'] });
		expect(await node.poll()).toBeNull();
		sandbox.hooks.shapeBooking = (booking) =>
			booking.bookingID === hidden ? { ...booking, createdAt: old, updatedAt: old } : booking;
		expect(await node.poll()).toBeNull();
		const created = add(1, 0);
		expect(brief(await node.poll())).toEqual([`${created}: null > 0`]);
	});
});

describe('a long list', () => {
	it('costs a few requests a poll, and shows what moves at the next one', async () => {
		await start();
		const settled = add(3_000, 3);
		const moving = add(20, 6);
		const node = watch(anyChange);
		await node.poll();
		expect(requests()).toBe(31);

		setStatus(moving + 7, 3);
		const created = add(1, 0);
		expect(brief(await node.poll())).toEqual([`${created}: null > 0`, `${moving + 7}: 6 > 3`]);
		expect(requests() - 31).toBeLessThanOrEqual(20);

		// A final booking that changes again is found by the rolling sweep, within a stated number of polls.
		setStatus(settled, 7);
		const emitted = [];
		for (let polls = 0; polls < 9; polls++) emitted.push(...brief(await node.poll()));
		expect(emitted).toEqual([`${settled}: 3 > 7`]);
	});
});

describe('Days After Service Date', () => {
	it.each([null, 'abc', -3, 1.5, '={{ "abc" }}'])(
		'that are no number of days keep the workflow from being published: %j',
		async (overdueDays) => {
			await start();
			const node = watch({ events: ['bookingOverdue'], overdueDays });
			await expect(node.poll()).rejects.toMatchObject({
				description: expect.stringMatching(
					/^Days After Service Date.* is (?:empty|not a number of days); enter a whole number, 0 or more\.$/,
				) as string,
			});
		},
	);

	it('may be text', async () => {
		await start();
		expect(
			await watch({ events: ['bookingOverdue'], overdueDays: '={{ "2" }}' }).poll(),
		).toBeNull();
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

	it('that are unknown do no harm, and are emitted when they appear', async () => {
		await start();
		const id = add(1, 6);
		const node = watch(chosen([id, id + 1, '../../etc']));
		expect(await node.poll()).toBeNull();
		add(1, 0);
		expect(brief(await node.poll())).toEqual([`${id + 1}: null > 0`]);
	});

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

	it('are not read again once they are final, if that is set', async () => {
		await start();
		const id = add(2, 6);
		const node = watch(chosen([id, id + 1], { skipFinished: true }));
		await node.poll();
		setStatus(id, 3);
		expect(await node.poll()).toHaveLength(1);
		const before = requests('booking');
		expect(await node.poll()).toBeNull();
		expect(requests('booking') - before).toBe(1);
	});

	it('that do not fit into the budget are read by several polls in rotation', async () => {
		await start();
		const id = add(3, 6);
		const node = watch(chosen([id, id + 1, id + 2]), { budgetMs: 0 });
		for (let polls = 0; polls < 3; polls++) expect(await node.poll()).toBeNull();
		for (let at = 0; at < 3; at++) setStatus(id + at, 3);
		const emitted = [await node.poll(), await node.poll(), await node.poll()].flatMap(brief);
		expect(emitted).toEqual([`${id}: 6 > 3`, `${id + 1}: 6 > 3`, `${id + 2}: 6 > 3`]);
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

	it('gives each test an event of its own, which no node treats as a repeat', async () => {
		await start();
		add(1, 3);
		const node = watch();
		const [first, second] = [await node.poll('manual'), await node.poll('manual')];
		expect(brief(first)).toEqual(brief(second));
		expect(first?.[0]?.json.eventId).not.toBe(second?.[0]?.json.eventId);
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

	it('reads twenty pages at most, and says what to do when nothing matches', async () => {
		await start();
		add(3_000, 0);
		const node = watch();
		await expect(node.poll('manual')).rejects.toMatchObject({
			message: 'No booking matches this trigger',
			description: expect.stringContaining('None of the 2000 bookings') as string,
		});
		expect(requests()).toBe(20);
	});

	it.each([{ beyondEnd: 'notFound' }, { bookingsEnvelope: 'array' }] as const)(
		'finds the only page of a list whose pages count from 0, %j',
		async (style) => {
			await start({ firstPage: 0, ...style });
			add(5, 3);
			expect(await watch().poll('manual')).toHaveLength(1);
		},
	);

	it('shows what there is if the service fails at pages that it does not have', async () => {
		await start({ bookingsEnvelope: 'array' });
		for (const page of [0, 2]) {
			const path = `/booking-services/partner/booking/${page}/`;
			sandbox.faults.add({ match: { path }, fault: { kind: 'status', status: 500 } });
		}
		await expect(watch().poll('manual')).rejects.toMatchObject({
			message: 'No booking matches this trigger',
		});
		add(5, 3);
		expect(await watch().poll('manual')).toHaveLength(1);
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
