import type { IDataObject } from 'n8n-workflow';

import { before } from '../../nodes/TractorBooking/trigger/poll';
import { pollScheduled } from '../../nodes/TractorBooking/trigger/scheduledPoll';
import { BookingList } from './bookingList';
import type { Chosen } from './polling';
import { brief, settings } from './polling';

const SILENT = { debug: () => undefined, warn: () => undefined };

/** A process that polls one trigger. */
function process(list: BookingList, kept: IDataObject) {
	const locks = new Map();
	return async (requests = Infinity, chosen: Chosen = {}) => {
		const now = () => Date.parse('2026-02-01T12:00:00Z');
		const budget = { until: Infinity, requests, now };
		const found = await pollScheduled(locks, {
			id: 'trigger',
			staticData: kept,
			source: list,
			settings: settings({ pageSize: 2, ...chosen }),
			budget,
			logger: SILENT,
		});
		return found && brief(found);
	};
}

it('gives the lock of a poll that never ends to a later one, and discards what comes of it', async () => {
	const list = new BookingList();
	list.fill([2, 1], () => 6);
	const locks = new Map();
	const kept: IDataObject = {};
	const start = Date.parse('2026-02-01T12:00:00Z');
	const poll = async (nowMs: number) =>
		await pollScheduled(locks, {
			id: 'trigger',
			staticData: kept,
			source: list,
			settings: settings(),
			budget: { until: Infinity, requests: Infinity, now: () => nowMs },
			logger: SILENT,
		});
	await poll(start);
	let goOn: () => void = () => undefined;
	list.beforeRequest = async () => await new Promise((resolve) => (goOn = resolve));
	const hanging = poll(start + 60_000);
	list.beforeRequest = () => undefined;
	list.set(1, 3);
	expect(await poll(start + 120_000)).toBeUndefined();
	const later = await poll(start + 420_000);
	expect(brief(later ?? [])).toEqual(['1: 6 > 3']);
	goOn();
	expect(await hanging).toBeUndefined();
});

it('gives up a request at the deadline of the poll, and emits what it has', async () => {
	const list = new BookingList();
	list.fill([4, 3, 2, 1], () => 6);
	const poll = process(list, {});
	await poll();
	for (const key of [1, 4]) list.set(key, 3);
	let requests = 0;
	list.beforeRequest = async () => {
		requests += 1;
		if (requests === 3)
			await before(Date.now() + 100, async () => await new Promise(() => undefined));
	};
	expect(await poll()).toEqual(['4: 6 > 3']);
	// A page that fails is left out until the next round.
	expect([await poll(), await poll()].flat()).toEqual(['1: 6 > 3']);
});

it('discards what it read if another process has stored its state in the same place meanwhile', async () => {
	const list = new BookingList();
	list.fill([2, 1], () => 6);
	const kept: IDataObject = {};
	const [one, other] = [process(list, kept), process(list, kept)];
	await one();
	list.set(1, 3);
	let isFirst = true;
	list.beforeRequest = async () => {
		if (!isFirst) return;
		isFirst = false;
		expect(await other()).toEqual(['1: 6 > 3']);
	};
	expect(await one()).toBeUndefined();
});
