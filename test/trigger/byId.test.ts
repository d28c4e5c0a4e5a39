import type { INode } from 'n8n-workflow';

import { ServiceError } from '../../nodes/TractorBooking/api/errors';
import { fetchTestEvent } from '../../nodes/TractorBooking/trigger/items';
import { listOf, unknown } from './bookingList';
import { settings, Watcher } from './polling';

const BROKEN = new ServiceError('interrupted', 'The connection broke');

function watching(chosen: number[]) {
	const list = listOf(4);
	return { list, watcher: new Watcher(list, { chosen }) };
}

const failures = (['notAllowed', 'unreadable', 'notJson', 'server', 'timeout'] as const).map(
	(kind) => new ServiceError(kind, 'The request failed'),
);

it.each([...failures, unknown(9)])(
	'emits the others if one booking cannot be read, with a warning ($kind)',
	async (failure) => {
		for (const bad of [1, 2, 4]) {
			const { list, watcher } = watching([1, 2, 3, 4]);
			// Made on the day of the first scan, so that the date does not say whether it is new.
			list.delete(bad);
			list.set(bad, 6, 'end', undefined, '2026-02-01T08:00:00Z');
			list.failure = (key) => (key === bad ? failure : undefined);
			expect(await watcher.poll()).toEqual([]);
			expect(watcher.warnings).toEqual([`${failure.message}. Left out for now: booking ${bad}.`]);
			const good = [1, 2, 3, 4].filter((key) => key !== bad);
			for (const key of good) list.set(key, 3);
			expect(await watcher.changes()).toEqual(good.map((key) => `${key}: 6 > 3`));
			// It is noted as it is when it can be read at last.
			list.failure = () => undefined;
			if (failure.kind === 'notFound') continue;
			list.set(bad, 3);
			expect(await watcher.changesOf(3)).toEqual([]);
			list.set(bad, 7);
			expect(await watcher.changes()).toEqual([`${bad}: 3 > 7`]);
		}
	},
);

it('fails if none can be read', async () => {
	const { list, watcher } = watching([2]);
	list.failure = () => BROKEN;
	await expect(watcher.poll()).rejects.toBe(BROKEN);
});

it('fails, as does the test event, while all are unknown, and says where to correct them', async () => {
	const { list, watcher } = watching([7, 8]);
	await expect(watcher.poll()).rejects.toMatchObject({
		kind: 'notFound',
		description: expect.stringContaining('Correct Booking IDs') as string,
	});
	const budget = { until: Infinity, requests: Infinity, now: Date.now };
	const testEvent = fetchTestEvent({} as INode, list, settings({ chosen: [7, 8] }), budget);
	await expect(testEvent).rejects.toMatchObject({ kind: 'notFound' });
	list.set(8, 6);
	expect(await watcher.poll()).toEqual([]);
	list.set(8, 3);
	expect(await watcher.changes()).toEqual(['8: 6 > 3']);
});

it.each<[string, number[], number[], (list: ReturnType<typeof listOf>) => void]>([
	['nothing is wrong', [1, 2, 3, 4], [1, 2, 3, 4], () => undefined],
	[
		'one cannot be read',
		[1, 2, 3, 4],
		[1, 3, 4],
		(list) => (list.failure = (key) => (key === 2 ? BROKEN : undefined)),
	],
	['most are unknown', [5, 6, 7, 8, 4], [4], () => undefined],
])('comes to all in turn with two requests a poll, if %s', async (_name, chosen, seen, setUp) => {
	const { list, watcher } = watching(chosen);
	setUp(list);
	expect(await watcher.changesOf(4, 2)).toEqual([]);
	for (const key of seen) list.set(key, 3);
	const events = (await watcher.changesOf(6, 2)).sort();
	expect(events).toEqual(seen.map((key) => `${key}: 6 > 3`));
});

it('comes to the others although one needs the whole time of a poll', async () => {
	const { list, watcher } = watching([1, 2, 3]);
	watcher.pollMs = 28_800;
	list.failure = (key) => {
		if (key !== 1) return undefined;
		watcher.nowMs += 30_000;
		return BROKEN;
	};
	const poll = async () => await watcher.changes().catch(() => []);
	for (let polls = 0; polls < 3; polls++) expect(await poll()).toEqual([]);
	for (const key of [2, 3]) list.set(key, 3);
	expect([await poll(), await poll(), await poll()].flat()).toEqual(['2: 6 > 3', '3: 6 > 3']);
});

it('emits a booking that is made a minute after a first scan without it, however late it is read', async () => {
	const { list, watcher } = watching([1, 9]);
	await watcher.poll();
	list.set(9, 3);
	watcher.nowMs += 3 * 86_400_000;
	expect(await watcher.changes()).toEqual(['9: null > 3']);
});
