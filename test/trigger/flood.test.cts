import { ServiceError } from '../../nodes/TractorBooking/api/errors';
import { load } from '../support/loads.cts';
import { listOf } from './bookingList.cts';
import { floodOf, FORMS, HIDDEN, LOCAL, NEW_ONES } from './flood.cts';
import { published } from './polling.cts';

const MINUTE_MS = 60_000;

/** Full loads play all forms; else the first one, and that without a date. */
const played = FORMS.filter(([name], at) => at < load(FORMS.length, 1) || name === 'none');

describe.each(Object.entries(HIDDEN))('in pages of 10, if %s', (_name, hidden) => {
	it.each(played)('a first scan makes no flood of the others (%s)', async (name, form) => {
		const { told, toldNew, warnings } = await floodOf(hidden, form);
		const isUndated = name === 'none' || name === 'unreadable';
		const { told: ifUndated = 0, toldIfLocal = 0 } = hidden;
		const ifDated = name === LOCAL ? toldIfLocal : 0;
		expect(told).toBe(isUndated ? ifUndated : ifDated);
		expect(toldNew).toBe(NEW_ONES);
		if (isUndated && !hidden.told) expect(warnings).toBeGreaterThan(0);
	});
});

const undated = (): undefined => undefined;

/** With 8 requests a poll, each shows few of the bookings: they are counted by the round. With 4, the count alone comes too late. */
it.each([
	['the list ends after 400 of 5,000', { minutes: 60 }],
	['the list ends after 400 of 5,000', { minutes: 120, cap: 25 }],
	['the list ends after 400 of 5,000', { minutes: 60, cap: 25, requests: 8 }],
	['the list is empty', { cap: 25, requests: 8 }],
	['the list is empty', { requests: 4, count: 500 }],
])(
	'a slow poll makes no flood of bookings without a date either: %s, %j',
	async (
		name,
		{ count, ...polling }: { count?: number; minutes?: number; cap?: number; requests?: number },
	) => {
		const hidden = HIDDEN[name];
		if (!hidden) throw new Error(name);
		const list = { ...hidden, count: count ?? hidden.count };
		const { told, toldNew, warnings } = await floodOf(list, undated, polling);
		expect([told, toldNew]).toEqual([0, NEW_ONES]);
		expect(warnings).toBeGreaterThan(0);
	},
);

const UNDATED = { made: 'unknown' };

it('emits 200 new bookings without a date, of which each poll meets two', async () => {
	const list = listOf(500, 6, UNDATED);
	const watcher = await published(list, { watch: { event: 'newBooking' } });
	let told = 0;
	for (let poll = 0; poll < 100; poll++) {
		for (const more of [1, 2]) list.set(500 + 2 * poll + more, 0, 'front', 'unknown', 'unknown');
		watcher.nowMs += MINUTE_MS;
		told += (await watcher.poll()).length;
	}
	expect(told).toBe(200);
});

it('emits new bookings without a date on a new last page, also if the service fails for the page after it', async () => {
	const list = listOf(10, 6, { ...UNDATED, cap: 5, says: 'nothing' });
	const failure = new ServiceError('server', 'Failed', { status: 500 });
	list.fault = (_page, found) => (found?.records.length ? undefined : failure);
	const watcher = await published(list, { watch: { event: 'newBooking' } }, 20);
	list.set(11, 0, 'end', 'unknown', 'unknown');
	expect(await watcher.changes()).toEqual(['11: null > 0']);
});

it('notes 2,000 imported bookings without a date, with a warning, and emits the next one', async () => {
	const list = listOf(500, 6, UNDATED);
	const watcher = await published(list, { watch: { event: 'newBooking' } });
	const add = (id: number) => list.set(id, 0, 'front', 'unknown', 'unknown');
	for (let id = 501; id <= 2_500; id++) add(id);
	expect(await watcher.poll()).toEqual([]);
	expect(watcher.warnings).toEqual([expect.stringMatching(/^2000 bookings appear/)]);
	add(2_501);
	expect(await watcher.changes()).toEqual(['2501: null > 0']);
});
