import type { IDataObject } from 'n8n-workflow';

import type { Source } from '../../nodes/TractorBooking/trigger/scan/reader';
import { load } from '../support/loads';
import { BookingList } from './bookingList';
import { brief, settings, Watcher } from './polling';

const OLD = '2026-01-10T08:00:00Z';

/** A list whose pages are given as they are. */
class Pages implements Source {
	constructor(public pages: IDataObject[][]) {}

	readonly readPage: Source['readPage'] = async (page) => {
		if (page < 1) return undefined;
		return { records: this.pages[page - 1] ?? [] };
	};

	readonly readBooking: Source['readBooking'] = async (key) => {
		const found = this.pages.flat().find(({ bookingID }) => bookingID === key);
		if (!found) throw new Error(`There is no booking ${key}`);
		return found;
	};
}

function record(bookingID: unknown, bookingStatus: unknown, updatedAt = OLD): IDataObject {
	return { bookingID, bookingStatus, createdAt: OLD, updatedAt } as IDataObject;
}

describe('two records of one booking in one poll', () => {
	const [newer, older] = ['2026-02-01T11:00:00Z', '2026-02-01T10:00:00Z'];

	it.each([
		['the newer one first', [record(1, 3, newer), record(1, 6, older)]],
		['the older one first', [record(1, 6, older), record(1, 3, newer)]],
	])('count as the newer one, and make no endless events (%s)', async (_name, rows) => {
		const source = new Pages([[record(2, 0), record(1, 6), record(3, 0)]]);
		const watcher = new Watcher(source, settings());
		await watcher.poll();
		source.pages = [
			[record(2, 0), rows[0] ?? {}],
			[rows[1] ?? {}, record(3, 0)],
		];
		expect(brief(await watcher.poll())).toEqual(['1: 6 > 3']);
		for (let polls = 0; polls < 4; polls++) expect(await watcher.poll()).toEqual([]);
	});

	it('make no event in the first scan', async () => {
		const rows = [record(1, 3, newer), record(1, 6, older)];
		for (const pages of [[rows], [rows.slice(0, 1), rows.slice(1)], [rows.slice(1), rows]]) {
			const watcher = new Watcher(new Pages(pages), settings());
			for (let polls = 0; polls < 4; polls++) expect(await watcher.poll()).toEqual([]);
		}
	});
});

it('ignores records that are older than the last one for an hour: the service has servers that lag', async () => {
	const source = new Pages([[record(1, 6)]]);
	const watcher = new Watcher(source, settings());
	await watcher.poll();
	const after = record(1, 3, '2026-02-01T12:10:00Z');
	const before = record(1, 6, '2026-02-01T12:05:00Z');
	const emitted: string[] = [];
	for (const row of [after, before, before, after, before, after]) {
		source.pages = [[row]];
		watcher.nowMs += 60_000;
		emitted.push(...brief(await watcher.poll()));
	}
	expect(emitted).toEqual(['1: 6 > 3']);
	source.pages = [[before]];
	watcher.nowMs += 3_600_000;
	expect(brief(await watcher.poll())).toEqual(['1: 3 > 6']);
});

it('emits Booking Completed once in the life of a booking, whatever servers show that lag', async () => {
	const completed = { event: 'bookingCompleted', treatToCompletedAsCompleted: false } as const;
	const source = new Pages([[record(1, 6)]]);
	const watcher = new Watcher(source, settings({ watch: completed }));
	const emitted: unknown[] = [];
	for (const status of [6, 3, 6, 3, 7, 3]) {
		source.pages = [[{ bookingID: 1, bookingStatus: status }]];
		watcher.nowMs += 7_200_000;
		emitted.push(...(await watcher.poll()).map(({ eventId }) => eventId));
	}
	expect(emitted).toEqual([expect.stringMatching(/:1:completed$/)]);
});

it('emits every change of a booking whose updatedAt never changes', async () => {
	const source = new Pages([[record(1, 0)]]);
	const watcher = new Watcher(source, settings());
	await watcher.poll();
	const emitted: string[] = [];
	for (const status of [3, 1, 3, 1, 3]) {
		source.pages = [[record(1, status)]];
		emitted.push(...brief(await watcher.poll()));
	}
	expect(emitted).toEqual(['1: 0 > 3', '1: 3 > 1', '1: 1 > 3', '1: 3 > 1', '1: 1 > 3']);
});

describe('a record that cannot be kept', () => {
	const deep = JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`) as unknown;

	it.each([
		['an id with half of a character', record('b\uD800', 6)],
		['a status with half of a character', record(7, 'odd\uDC00')],
		['a status that is nested ten thousand deep', record(7, deep)],
		['no id', { bookingStatus: 6 }],
		['an id of five million characters', record('b'.repeat(5_000_000), 6)],
		['a status of five million characters', record(7, 'b'.repeat(5_000_000))],
	])('is left out with a warning, and the others are emitted: %s', async (_name, poison) => {
		const source = new Pages([[record(2, 6), poison, record(1, 6)]]);
		const watcher = new Watcher(source, settings());
		await watcher.poll();
		source.pages = [[record(2, 3), poison, record(1, 3)]];
		const { events, warnings, memory } = await watcher.pollOnce();
		expect(brief(events)).toEqual(['2: 6 > 3', '1: 6 > 3']);
		expect(warnings).toEqual([expect.stringContaining('1 bookings are left out')]);
		expect(memory.text.length).toBeLessThan(1_000);
	});
});

it('does not grow for ever where the IDs are others at every poll', async () => {
	const source = new Pages([[]]);
	const watcher = new Watcher(source, settings());
	let [poll, largest, resets] = [0, 0, 0];
	for (; poll < 60; poll++) {
		const name = (at: number) => `${poll}-${at}-${'x'.repeat(180)}`;
		source.pages = [Array.from({ length: 2_000 }, (_, at) => record(name(at), 6))];
		const { memory, warnings, events } = await watcher.pollOnce();
		watcher.memory = memory;
		largest = Math.max(largest, memory.text.length);
		expect(events).toEqual([]);
		resets += warnings.some((text) => /more IDs than/.test(text)) ? 1 : 0;
	}
	expect(largest).toBeLessThanOrEqual(10_000_000);
	expect(resets).toBe(2);
});

it.each([
	['absent', { bookingID: 1 }],
	['named otherwise', { bookingID: 1, state: 6 }],
	['null', { bookingID: 1, bookingStatus: null }],
])('warns if no record has a bookingStatus: it is %s', async (_name, row) => {
	const source = new Pages([[row, { ...row, bookingID: 2 }]]);
	const watcher = new Watcher(source, settings());
	expect((await watcher.pollOnce()).warnings).toEqual([
		expect.stringContaining('has a bookingStatus'),
	]);
	source.pages = [[row, record(2, 6)]];
	expect((await watcher.pollOnce()).warnings).toEqual([]);
});

it('adds bookingID to an item whose booking spells it otherwise', async () => {
	const source = new Pages([[{ bookingId: 7, bookingStatus: 6 }]]);
	const watcher = new Watcher(source, settings());
	await watcher.poll();
	source.pages = [[{ bookingId: 7, bookingStatus: 3 }]];
	expect(await watcher.poll()).toMatchObject([{ bookingId: 7, bookingID: 7, bookingStatus: 3 }]);
});

/** How a service may write the instant at which a booking was made, in minutes after the first poll. */
const FORMS: Array<[string, (minutes: number) => unknown]> = [
	['ISO, UTC', (minutes) => instant(minutes).toISOString()],
	[
		'ISO, offset',
		(minutes) =>
			instant(minutes + 180)
				.toISOString()
				.replace('Z', '+03:00'),
	],
	[
		'ISO, no offset',
		(minutes) =>
			instant(minutes + 60)
				.toISOString()
				.slice(0, 19),
	],
	['seconds', (minutes) => instant(minutes).getTime() / 1_000],
	['milliseconds', (minutes) => instant(minutes).getTime()],
	['HTTP', (minutes) => instant(minutes).toUTCString()],
	['day', (minutes) => instant(minutes).toISOString().slice(0, 10)],
	['local, as if it were UTC', (minutes) => instant(minutes + 180).toISOString()],
	['unreadable', (minutes) => `${minutes} minutes`],
	['none', () => undefined],
];
const DATED = FORMS.filter(([name]) => name !== 'unreadable' && name !== 'none');

function instant(minutes: number): Date {
	return new Date(Date.parse('2026-02-01T12:00:00Z') + minutes * 60_000);
}

/** A thousand completed bookings that were made in the year before the first poll. */
function completed(form: (minutes: number) => unknown, count = 1_000): IDataObject[] {
	return Array.from({ length: count }, (_, at): IDataObject => {
		const createdAt = form(-(at + 8) * 500) as string;
		return {
			bookingID: count - at,
			bookingStatus: 3,
			createdAt,
			updatedAt: instant(1).toISOString(),
		};
	});
}

describe.each([0, 3])('a first scan that is shown %d of a thousand bookings', (shown) => {
	it.each(FORMS)('makes no flood of the others (%s)', async (_name, form) => {
		const rows = completed(form);
		const source = new Pages([rows.slice(rows.length - shown)]);
		const watcher = new Watcher(source, settings());
		await watcher.poll();
		source.pages = [rows];
		expect(await watcher.poll()).toEqual([]);
		source.pages = [[{ ...rows[0], bookingStatus: 7 }, ...rows.slice(1)]];
		expect(brief(await watcher.poll())).toEqual(['1000: 3 > 7']);
	});
});

it.each(DATED)(
	'emits what is made after a first scan without bookings (%s)',
	async (name, form) => {
		const source = new Pages([[]]);
		const watcher = new Watcher(source, settings());
		await watcher.poll();
		const createdAt = form(name === 'day' ? 1_440 : 5) as string;
		source.pages = [[{ bookingID: 1, bookingStatus: 0, createdAt }]];
		expect(brief(await watcher.poll())).toEqual(['1: null > 0']);
	},
);

it('says why hundreds of never-seen bookings start the workflow, or do not', async () => {
	const source = new Pages([completed(() => undefined, 300)]);
	const watcher = new Watcher(source, settings());
	await watcher.poll();
	const more = (form: (at: number) => unknown) =>
		Array.from({ length: 200 }, (_, at): IDataObject => {
			return { bookingID: 1_000 + at, bookingStatus: 0, createdAt: form(at) as string };
		});
	source.pages = [more(() => undefined)];
	const noted = await watcher.pollOnce();
	expect([noted.events, noted.warnings]).toEqual([[], [expect.stringContaining('createdAt')]]);
	source.pages = [more((at) => instant(at).toISOString())];
	const emitted = await watcher.pollOnce();
	expect(emitted.events).toHaveLength(200);
	expect(emitted.warnings).toEqual([expect.stringContaining('made after 2026-02-01T12:00')]);
});

it('notes what a booking shows when a first scan of several polls comes to it', async () => {
	const list = new BookingList();
	list.fill([9, 8, 7, 6, 5, 4, 3, 2, 1], () => 6);
	const watcher = new Watcher(list, settings({ pageSize: 3 }));
	await watcher.poll(2);
	for (const key of [9, 1]) list.set(key, 3);
	expect([await watcher.poll(), await watcher.poll()].flatMap(brief)).toEqual(['9: 6 > 3']);
	list.set(1, 7);
	expect(brief(await watcher.poll())).toEqual(['1: 3 > 7']);
});

it('emits nothing because a booking was deleted during the first scan of a list that says nothing', async () => {
	const list = new BookingList({ says: 'nothing' });
	list.fill([9, 8, 7, 6, 5, 4, 3, 2, 1], () => 3);
	let requests = 0;
	list.beforeRequest = () => {
		if (++requests === 3) list.delete(9);
	};
	const watcher = new Watcher(list, settings({ pageSize: 3 }));
	for (let polls = 0; polls < 4; polls++) expect(await watcher.poll()).toEqual([]);
});

it('reads a long list of bookings in one response', async () => {
	const rows = Array.from({ length: load(200_000) }, (_, at) => record(at + 1, 3));
	const source = new Pages([rows]);
	const watcher = new Watcher(source, settings());
	for (let polls = 0; polls < 2; polls++) expect(await watcher.poll()).toEqual([]);
	rows[10_000] = record(10_001, 7);
	expect(brief(await watcher.poll())).toEqual(['10001: 3 > 7']);
});
