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
		return { items: this.pages[page - 1] ?? [] };
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

it('believes a record that is older than the last one only if the next poll repeats it', async () => {
	const source = new Pages([[record(1, 6)]]);
	const watcher = new Watcher(source, settings());
	await watcher.poll();
	const after = record(1, 3, '2026-02-01T12:10:00Z');
	const before = record(1, 6, '2026-02-01T12:05:00Z');
	const emitted: string[] = [];
	for (const row of [after, before, after, before, after]) {
		source.pages = [[row]];
		emitted.push(...brief(await watcher.poll()));
	}
	expect(emitted).toEqual(['1: 6 > 3']);
	source.pages = [[before]];
	expect([await watcher.poll(), await watcher.poll()].map(brief)).toEqual([[], ['1: 3 > 6']]);
});

it('emits no change twice because older records were believed before the same one came again', async () => {
	const before = [1, 2, 3].map((id) => record(id, 6));
	const source = new Pages([before]);
	const watcher = new Watcher(source, settings());
	await watcher.poll();
	const after = [
		record(1, 3, '2026-02-01T12:10:00Z'),
		record(2, 3, '2026-02-01T12:10:00Z'),
		record(3, 6),
	];
	const emitted: string[] = [];
	for (const rows of [after, before, before, before, after, before, before, after, after]) {
		source.pages = [rows];
		emitted.push(...brief(await watcher.poll()));
	}
	expect(emitted.filter((event) => event.endsWith('> 3'))).toEqual(['1: 6 > 3', '2: 6 > 3']);
	// A newer date with the same status is another change: the booking was opened and completed meanwhile.
	source.pages = [before];
	for (let polls = 0; polls < 2; polls++) await watcher.poll();
	source.pages = [[record(1, 3, '2026-02-01T12:11:00Z'), ...before.slice(1)]];
	expect(brief(await watcher.poll())).toEqual(['1: 6 > 3']);
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

it('believes an older record of a settled booking when a sweep meets it for the second time', async () => {
	const list = new BookingList();
	list.fill(
		Array.from({ length: 60 }, (_, at) => 60 - at),
		() => 3,
	);
	list.set(1, 6);
	const watcher = new Watcher(list, settings({ pageSize: 3 }));
	await watcher.poll();
	list.set(1, 3, 'front', '2026-02-01T12:10:00Z');
	const emitted: string[] = [];
	const sweep = async () => {
		for (let polls = 0; polls < 5; polls++) emitted.push(...brief(await watcher.poll()));
	};
	await sweep();
	expect(emitted).toEqual(['1: 6 > 3']);
	list.set(1, 7, 'front', '2026-02-01T12:05:00Z');
	await sweep();
	expect(emitted).toHaveLength(1);
	await sweep();
	expect(emitted).toEqual(['1: 6 > 3', '1: 3 > 7']);
});

describe('a record that cannot be kept', () => {
	const deep = JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`) as unknown;

	it.each([
		['an id with half of a character', record('b\uD800', 6)],
		['a status with half of a character', record(7, 'odd\uDC00')],
		['a status that is nested ten thousand deep', record(7, deep)],
		['no id', { bookingStatus: 6 }],
	])('is left out with one warning, and the others are emitted: %s', async (_name, poison) => {
		const source = new Pages([[record(2, 6), poison, record(1, 6)]]);
		const watcher = new Watcher(source, settings());
		await watcher.poll();
		source.pages = [[record(2, 3), poison, record(1, 3)]];
		const { events, warnings, memory } = await watcher.pollOnce();
		expect(brief(events)).toEqual(['2: 6 > 3', '1: 6 > 3']);
		expect(warnings).toEqual([]);
		watcher.nowMs += 25 * 3_600_000;
		watcher.memory = memory;
		expect((await watcher.pollOnce()).warnings).toEqual([
			expect.stringContaining('1 bookings are left out'),
		]);
	});
});

it.each([
	['absent', { bookingID: 1 }],
	['named otherwise', { bookingID: 1, state: 6 }],
	['null', { bookingID: 1, bookingStatus: null }],
])('warns once a day if no record has a bookingStatus: it is %s', async (_name, row) => {
	const source = new Pages([[row, { ...row, bookingID: 2 }]]);
	const watcher = new Watcher(source, settings());
	const { warnings, memory } = await watcher.pollOnce();
	expect(warnings).toEqual([
		'None of the bookings that were read has a bookingStatus, so that no change of it can be seen.',
	]);
	watcher.memory = memory;
	expect((await watcher.pollOnce()).warnings).toEqual([]);
	watcher.nowMs += 25 * 3_600_000;
	source.pages = [[row, record(2, 6)]];
	expect((await watcher.pollOnce()).warnings).toEqual([]);
});

it('asks for a booking by its ID as the service writes it, leading zeros included', async () => {
	const asked: unknown[] = [];
	const source = new Pages([[record('007', 6)]]);
	const watcher = new Watcher(
		{
			readPage: source.readPage,
			readBooking: async (key, signal) => {
				asked.push(key);
				return await source.readBooking(key, signal);
			},
		},
		settings({ key: 'first' }),
	);
	await watcher.poll();
	watcher.settings = settings({ key: 'second' });
	source.pages = [[record('007', 3)]];
	expect(await watcher.poll()).toMatchObject([{ bookingID: '007', previousStatus: 6 }]);
	expect(asked).toEqual(['007']);
});

it('adds bookingID to an item whose booking spells it otherwise', async () => {
	const source = new Pages([[{ bookingId: 7, bookingStatus: 6 }]]);
	const watcher = new Watcher(source, settings());
	await watcher.poll();
	source.pages = [[{ bookingId: 7, bookingStatus: 3 }]];
	expect(await watcher.poll()).toMatchObject([{ bookingId: 7, bookingID: 7, bookingStatus: 3 }]);
});

describe('what a first scan was given by mistake', () => {
	const rows = [3, 2, 1].map((id) => record(id, 3));

	it.each([
		['an empty list', []],
		['records without ids', rows.map((row) => ({ ...row, bookingID: undefined }))],
		['records without a status', rows.map((row) => ({ ...row, bookingStatus: null }))],
	])('makes no old booking a new one: %s', async (_name, first) => {
		const source = new Pages([first]);
		const watcher = new Watcher(source, settings());
		for (let polls = 0; polls < 2; polls++) expect(await watcher.poll()).toEqual([]);
		source.pages = [rows];
		for (let polls = 0; polls < 3; polls++) expect(await watcher.poll()).toEqual([]);
		source.pages = [[record(4, 3, '2026-02-01T12:30:00Z'), record(3, 7), ...rows.slice(1)]];
		expect(brief(await watcher.poll())).toEqual(['4: null > 3', '3: 3 > 7']);
	});
});

describe('dates', () => {
	const later = '2026-02-01T12:00:30Z';

	it('emit what changed after the first scan had begun, although it was not seen before', async () => {
		const source = new Pages([[record(4, 6)], [record(3, 6)], [record(2, 6)], [record(1, 6)]]);
		const watcher = new Watcher(source, settings());
		await watcher.poll(2);
		source.pages = [[record(4, 6)], [record(3, 6)], [record(2, 3, later)], [record(1, 6)]];
		const emitted: string[] = [];
		for (let polls = 0; polls < 4; polls++) emitted.push(...brief(await watcher.poll()));
		expect(emitted).toEqual(['2: null > 3']);
	});

	it.each([
		['are all of after the first scan', later],
		['have no offset', '2026-02-01T12:00:30'],
		['are none', 'soon'],
	])('that %s are not used in the first scan', async (_name, date) => {
		const row = (id: number) => ({ ...record(id, 6, date), createdAt: date });
		const source = new Pages([[10, 9, 8, 7, 6].map(row), [5, 4, 3, 2, 1].map(row)]);
		const watcher = new Watcher(source, settings({ pageSize: 5 }));
		for (let polls = 0; polls < 6; polls++) expect(await watcher.poll(2)).toEqual([]);
		source.pages.unshift([row(11)]);
		const emitted: string[] = [];
		for (let polls = 0; polls < 4; polls++) emitted.push(...brief(await watcher.poll()));
		expect(emitted).toEqual(['11: null > 6']);
	});

	it.each([
		['2026-02-01T12:00:30', []],
		['2026-02-01T12:00:30+00:00', ['2: null > 3']],
		[Date.parse(later), ['2: null > 3']],
	])('of one booking count in the first scan if they are exact: %s', async (date, expected) => {
		const row = { ...record(2, 3), updatedAt: date };
		const source = new Pages([[record(4, 6)], [record(3, 6)], [row], [record(1, 6)]]);
		const watcher = new Watcher(source, settings());
		const emitted: string[] = [];
		for (let polls = 0; polls < 4; polls++) emitted.push(...brief(await watcher.poll(2)));
		expect(emitted).toEqual(expected);
	});

	it('of one booking, made after the first scan had begun, are used', async () => {
		const source = new Pages([[record(1, 6, later)]]);
		const watcher = new Watcher(source, settings());
		expect(brief(await watcher.poll())).toEqual(['1: null > 6']);
		source.pages = [[record(1, 6, later), record(2, 3)]];
		expect(await watcher.poll()).toEqual([]);
	});

	it('are not judged by bookings that are all made after a first scan that found none', async () => {
		const source = new Pages([]);
		const watcher = new Watcher(source, settings());
		for (let polls = 0; polls < 3; polls++) expect(await watcher.poll()).toEqual([]);
		const made = [6, 5, 4, 3, 2].map((id) => record(id, 6, later));
		source.pages = [made];
		expect(await watcher.poll()).toHaveLength(5);
		source.pages = [[...made, record(1, 3)]];
		expect(await watcher.poll()).toEqual([]);
	});

	it('that a service writes in local time, as if it were UTC, let old bookings be old', async () => {
		const rows = [10, 9, 8, 7, 6, 5, 4].map((id) => record(id, 6));
		const done = [3, 2, 1].map((id) => record(id, 3, `2026-02-01T14:${id}0:00Z`));
		const source = new Pages([[...rows, ...done]]);
		const watcher = new Watcher(source, settings());
		for (let polls = 0; polls < 2; polls++) expect(await watcher.poll()).toEqual([]);
		watcher.nowMs += 3_600_000;
		source.pages = [[record(11, 3, '2026-02-01T15:50:00Z'), ...rows, ...done]];
		expect(brief(await watcher.poll())).toEqual(['11: null > 3']);
	});

	it('make no New Booking of an old one that was changed', async () => {
		const source = new Pages([[record(4, 6)], [record(3, 6)], [record(2, 6)]]);
		const watcher = new Watcher(source, settings({ watch: { event: 'newBooking' } }));
		await watcher.poll(2);
		source.pages[2] = [record(2, 3, later)];
		for (let polls = 0; polls < 4; polls++) expect(await watcher.poll()).toEqual([]);
	});
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
