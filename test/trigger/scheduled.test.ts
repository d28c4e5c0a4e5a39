import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../nodes/TractorBooking/api/errors';
import { pollScheduled } from '../../nodes/TractorBooking/trigger/scheduledPoll';
import { PollLocks } from '../../nodes/TractorBooking/trigger/pollLock';
import { BookingList } from './bookingList';
import { brief, settings } from './polling';

const SILENT = { debug: () => undefined, warn: () => undefined };

/** A process that polls one trigger. */
function process(list: BookingList, kept: IDataObject) {
	const locks = new PollLocks();
	return async (requests = Infinity, watched = 'watched') => {
		const budget = { until: Infinity, requests, now: () => Date.parse('2026-02-01T12:00:00Z') };
		const found = await pollScheduled(locks, {
			id: 'trigger',
			staticData: kept,
			source: list,
			settings: settings({ pageSize: 2, watched }),
			budget,
			logger: SILENT,
		});
		return found && brief(found.events);
	};
}

it('emits again after a restart even if the first poll was deferred by a rate limit', async () => {
	const list = new BookingList();
	list.fill([10, 9, 8, 7, 6, 5, 4, 3, 2, 1], () => 6);
	const kept: IDataObject = {};
	const first = process(list, kept);
	await first();
	// A new first scan, which emits a change of a booking that it has seen before it is over.
	await first(3, 'else');
	list.set(9, 3);
	list.set(7, 3);
	const emitted = await first(2, 'else');
	expect(emitted).toHaveLength(1);

	const second = process(list, kept);
	list.beforeRequest = () => {
		throw new ServiceError('rateLimited', 'Too many requests');
	};
	expect(await second(Infinity, 'else')).toEqual([]);
	list.beforeRequest = () => undefined;
	const again = [await second(Infinity, 'else'), await second(Infinity, 'else')].flat();
	expect(again).toEqual(expect.arrayContaining(emitted ?? []));
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
