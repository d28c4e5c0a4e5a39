import type { INode } from 'n8n-workflow';

import { ServiceError } from '../../nodes/TractorBooking/api/errors';
import type { Source } from '../../nodes/TractorBooking/trigger/scan/reader';
import { fetchTestEvent } from '../../nodes/TractorBooking/trigger/items';
import { BookingList } from './bookingList';
import { brief, settings, Watcher } from './polling';

it('stops reading a final booking even if it was gone for a while', async () => {
	const list = new BookingList();
	const chosen = { chosen: [1], skipFinished: true };
	list.fill([1], () => 3);
	const watcher = new Watcher(list, settings(chosen));
	await watcher.poll();
	list.delete(1);
	await watcher.poll();
	list.set(1, 3);
	await watcher.poll();
	const { requests } = list;
	expect(await watcher.poll()).toEqual([]);
	expect(list.requests).toBe(requests);
});

describe('a chosen booking that cannot be read', () => {
	/** Four bookings, of which the service fails to give the one with this id, in some way. */
	function failing(bad: number, failure: ServiceError, chosen = [1, 2, 3, 4]) {
		const list = new BookingList();
		list.fill([1, 2, 3, 4], () => 6);
		let fails = true;
		const source: Source = {
			...list,
			readBooking: async (key) => {
				if (fails && key === bad) throw failure;
				return await list.readBooking(key);
			},
		};
		const watcher = new Watcher(source, settings({ chosen }));
		return { list, watcher, fix: () => (fails = false) };
	}

	it.each([
		new ServiceError('notAllowed', 'Not allowed', { status: 403 }),
		new ServiceError('unreadable', 'Not a booking'),
		new ServiceError('notJson', 'Not JSON', { status: 200 }),
		new ServiceError('server', 'Failed', { status: 500 }),
		new ServiceError('timeout', 'No response'),
	])('does not keep the others from being emitted, and is warned of ($kind)', async (failure) => {
		for (const bad of [1, 2, 4]) {
			const { list, watcher } = failing(bad, failure);
			const first = await watcher.pollOnce();
			expect(first.events).toEqual([]);
			expect(first.warnings).toEqual([`${failure.message}. The others are read.`]);
			watcher.memory = first.memory;
			for (const to of [7, 3]) {
				const good = [1, 2, 3, 4].filter((key) => key !== bad);
				const was = list.get(good[0] ?? 0) as number;
				for (const key of good) list.set(key, to);
				const found = await watcher.pollOnce();
				expect(brief(found.events)).toEqual(good.map((key) => `${key}: ${was} > ${to}`));
				await watcher.poll();
			}
		}
	});

	it('is recorded as it is when it can be read at last, not as one that changed', async () => {
		const { list, watcher, fix } = failing(2, new ServiceError('server', 'Failed'));
		list.set(2, 3);
		for (let polls = 0; polls < 3; polls++) expect(await watcher.poll(2)).toEqual([]);
		fix();
		for (let polls = 0; polls < 3; polls++) expect(await watcher.poll()).toEqual([]);
		list.set(2, 7);
		expect(brief(await watcher.poll())).toEqual(['2: 3 > 7']);
	});

	it('fails the poll if none can be read', async () => {
		const failure = new ServiceError('server', 'Failed', { status: 500 });
		await expect(failing(2, failure, [2]).watcher.poll()).rejects.toBe(failure);
	});

	it('lets the next poll begin after it if the budget or the rate limit ends the poll there', async () => {
		const { list, watcher } = failing(2, new ServiceError('notAllowed', 'No', { status: 403 }));
		for (let polls = 0; polls < 3; polls++) await watcher.poll(2);
		for (const key of [1, 3, 4]) list.set(key, 3);
		const emitted: string[] = [];
		for (let polls = 0; polls < 3; polls++) emitted.push(...brief(await watcher.poll(2)));
		expect(emitted.sort()).toEqual(['1: 6 > 3', '3: 6 > 3', '4: 6 > 3']);
	});

	it('counts as a response if it is unknown, so a rate limit after it ends the poll well', async () => {
		const unknown = new ServiceError('notFound', 'Unknown', { status: 404 });
		const { list, watcher } = failing(1, unknown);
		let requests = 0;
		list.beforeRequest = () => {
			if (++requests % 2 === 0) throw new ServiceError('rateLimited', 'Too many requests');
		};
		const limited = async () => await watcher.poll().catch(() => []);
		for (let polls = 0; polls < 8; polls++) await limited();
		list.set(4, 3);
		const emitted: string[] = [];
		for (let polls = 0; polls < 8; polls++) emitted.push(...brief(await limited()));
		expect(emitted).toEqual(['4: 6 > 3']);
	});
});

describe('a chosen booking that is unknown', () => {
	const watching = (...chosen: number[]) => {
		const list = new BookingList();
		list.fill([9], () => 6);
		return { list, watcher: new Watcher(list, settings({ chosen })) };
	};

	it('is warned of, each by its ID, and the others are read', async () => {
		const { list, watcher } = watching(1, 9, 2);
		const first = await watcher.pollOnce();
		expect(first.warnings).toEqual([
			'Booking 1 is unknown. The others are read.',
			'Booking 2 is unknown. The others are read.',
		]);
		watcher.memory = first.memory;
		list.set(9, 3);
		const next = await watcher.pollOnce();
		expect(brief(next.events)).toEqual(['9: 6 > 3']);
	});

	it('fails the poll, and the test event, as long as there is no other', async () => {
		const { list, watcher } = watching(1, 2);
		await expect(watcher.poll()).rejects.toMatchObject({
			message: 'Booking 1 is unknown',
			description: expect.stringContaining('Correct Booking IDs') as string,
		});
		const budget = { until: Infinity, requests: Infinity, now: Date.now };
		const node = {} as INode;
		await expect(fetchTestEvent(node, list, watcher.settings, budget)).rejects.toThrow(
			'Booking 1 is unknown',
		);
		list.fill([2], () => 6);
		expect(await watcher.poll()).toEqual([]);
		list.set(2, 3);
		expect(brief(await watcher.poll())).toEqual(['2: 6 > 3']);
	});

	it('fails no poll that had no time to ask for all, lest it never comes to the others', async () => {
		const { list, watcher } = watching(1, 2, 3, 4, 9);
		for (let polls = 0; polls < 3; polls++) expect(await watcher.poll(2)).toEqual([]);
		list.set(9, 3);
		const emitted: string[] = [];
		for (let polls = 0; polls < 3; polls++) emitted.push(...brief(await watcher.poll(2)));
		expect(emitted).toEqual(['9: 6 > 3']);
	});

	it('fails no poll if the others are not read any more because they are completed', async () => {
		const list = new BookingList();
		list.fill([1, 2], (id) => (id === 1 ? 3 : 6));
		const watcher = new Watcher(list, settings({ chosen: [1, 2], skipFinished: true }));
		await watcher.poll();
		list.delete(2);
		expect(await watcher.poll()).toEqual([]);
	});
});

it('emits a booking that is made a minute after a first scan without it, however late it is read', async () => {
	const list = new BookingList();
	list.fill([2], () => 6);
	const watcher = new Watcher(list, settings({ chosen: [1, 2] }));
	await watcher.poll();
	list.set(1, 3);
	watcher.nowMs += 3 * 86_400_000;
	expect(brief(await watcher.poll())).toEqual(['1: null > 3']);
});
