import { ServiceError } from '../../nodes/TractorBooking/api/errors';
import type { Source } from '../../nodes/TractorBooking/trigger/scan/reader';
import { BookingList } from './bookingList';
import { brief, settings, Watcher } from './polling';

function listOf(ids: number[], status: number): BookingList {
	const list = new BookingList();
	list.fill(ids, () => status);
	return list;
}

/** A trigger whose key is exchanged: what it then reads is another list. */
function withKeys(first: BookingList, second: BookingList) {
	let current = first;
	const watcher = new Watcher(
		{
			readPage: async (page, size) => await current.readPage(page, size),
			readBooking: async (key) => await current.readBooking(key),
		},
		settings({ key: 'first' }),
	);
	const use = (key: 'first' | 'second') => {
		current = key === 'first' ? first : second;
		watcher.settings = settings({ key });
	};
	return { watcher, use };
}

it('emits nothing of what another organisation has, and what changes there from then on', async () => {
	const second = listOf([24, 23, 22, 21], 3);
	const { watcher, use } = withKeys(listOf([5, 4, 3, 2, 1], 6), second);
	await watcher.poll();
	use('second');
	second.set(25, 3);
	const { events, warnings, memory } = await watcher.pollOnce();
	expect(events).toEqual([]);
	expect(warnings).toEqual([expect.stringContaining('belongs to another organisation')]);
	watcher.memory = memory;
	watcher.nowMs += 30_000;
	second.set(21, 7);
	second.set(26, 3);
	expect(brief(await watcher.poll())).toEqual(['26: null > 3', '21: 3 > 7']);
	use('first');
	expect(await watcher.poll()).toEqual([]);
});

it.each([
	new ServiceError('notAllowed', 'Not allowed', { status: 401 }),
	new ServiceError('server', 'Failed', { status: 500 }),
])('decides nothing as long as the bookings cannot be asked for ($kind)', async (failure) => {
	const list = listOf([5, 4, 3, 2, 1], 6);
	const { watcher, use } = withKeys(list, list);
	await watcher.poll();
	list.set(1, 3);
	use('second');
	let fails = true;
	list.beforeRequest = () => {
		if (fails) throw failure;
	};
	for (let polls = 0; polls < 3; polls++) await expect(watcher.poll()).rejects.toBe(failure);
	fails = false;
	expect(brief(await watcher.poll())).toEqual(['1: 6 > 3']);
});

it.each([[500], [401], [403], [404]])(
	'takes a rotated key for the same organisation whose newest booking answers %d by its ID',
	async (status) => {
		const list = listOf([5, 4, 3, 2, 1], 6);
		const kinds = { 500: 'server', 401: 'notAllowed', 403: 'notAllowed', 404: 'notFound' } as const;
		const failure = new ServiceError(kinds[status as keyof typeof kinds], 'Failed', { status });
		let isListed = true;
		const source: Source = {
			readPage: async (page, size) =>
				isListed ? await list.readPage(page, size) : { records: [{ bookingID: 9 }] },
			readBooking: async (key) => {
				if (key === 5) throw failure;
				return await list.readBooking(key);
			},
		};
		const watcher = new Watcher(source, settings({ key: 'first' }));
		await watcher.poll();
		for (const key of ['second', 'third']) {
			// The newest pages of a long list may show new bookings only.
			isListed = key === 'second';
			watcher.settings = settings({ key });
			const { warnings, memory } = await watcher.pollOnce();
			expect(warnings.join()).not.toContain('another organisation');
			watcher.memory = memory;
		}
		isListed = true;
		list.set(6, 3);
		expect(brief(await watcher.poll())).toContain('6: null > 3');
	},
);

it.each([401, 403])(
	"knows another organisation's key if the bookings answer %d and the list can be read",
	async (status) => {
		const second = listOf([24, 23], 3);
		second.readBooking = async () =>
			await Promise.reject(new ServiceError('notAllowed', 'Not yours', { status }));
		const { watcher, use } = withKeys(listOf([5, 4], 6), second);
		await watcher.poll();
		use('second');
		second.set(25, 3);
		const { events, warnings } = await watcher.pollOnce();
		expect(events).toEqual([]);
		expect(warnings).toEqual([expect.stringContaining('another organisation')]);
	},
);

it('knows a rotated key although all but the oldest bookings were archived', async () => {
	const list = listOf([5, 4, 3, 2, 1], 6);
	const { watcher, use } = withKeys(list, list);
	await watcher.poll();
	for (const archived of [5, 4, 3, 2]) list.delete(archived);
	use('second');
	list.set(6, 3);
	expect(brief(await watcher.poll())).toEqual(['6: null > 3']);
});

it('takes a booking for new that is made while the first scan goes on, also after a restart', async () => {
	const list = listOf(
		Array.from({ length: 250 }, (_, index) => 250 - index),
		6,
	);
	const watcher = new Watcher(list, settings());
	let requests = 0;
	list.beforeRequest = () => {
		requests += 1;
		if (requests === 2) throw new ServiceError('server', 'failed', { status: 500 });
	};
	await watcher.poll();
	const stored = watcher.memory;
	list.beforeRequest = () => undefined;
	list.set(251, 6);
	list.set(252, 3, 'front', undefined, '2026-01-20T08:00:00Z');
	watcher.nowMs += 300_000;
	expect(brief(await watcher.poll())).toEqual(['251: null > 6']);
	watcher.memory = stored;
	list.set(251, 3);
	expect(brief(await watcher.poll(Infinity, true))).toEqual(['251: null > 3']);
});

it('emits nothing of specific IDs that a new key cannot read, and goes on with one that can', async () => {
	const list = listOf([5, 4, 3], 6);
	const { watcher, use } = withKeys(list, listOf([], 6));
	const chosen = { chosen: [5, 4] };
	watcher.settings = settings({ key: 'first', ...chosen });
	await watcher.poll();
	use('second');
	watcher.settings = settings({ key: 'second', ...chosen });
	await expect(watcher.poll()).rejects.toMatchObject({ kind: 'notFound' });
	use('first');
	watcher.settings = settings({ key: 'third', ...chosen });
	list.set(5, 3);
	const { requests } = list;
	expect(brief(await watcher.poll())).toEqual(['5: 6 > 3']);
	expect(list.requests).toBe(requests + 2);
});
