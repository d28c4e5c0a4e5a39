import type { IDataObject } from 'n8n-workflow';

import { clientOf, EXECUTION_POLICY } from '../../../nodes/TractorBooking/api/client';
import { BookingIndex } from '../../../nodes/TractorBooking/resources/booking/create/match/bookingIndex';
import {
	readAll,
	readNew,
} from '../../../nodes/TractorBooking/resources/booking/create/match/readList';
import type { SheetSummary } from '../../../nodes/TractorBooking/resources/booking/create/say/report';
import { asText } from '../../../nodes/TractorBooking/utils/text';
import { hintsOf } from '../../support/action.cts';
import {
	bookSheet,
	dayFromNow,
	farmers,
	outcomeOf,
	type Outcome,
} from '../../support/bookings.cts';
import { asDocumented, type LateService, pageOf } from '../../support/lateService.cts';
import { lateServiceForTests, Worker } from '../../support/worker.cts';

// A service that counts 250 bookings and shows 238 of them: what becomes of the rows of the others.

const begin = lateServiceForTests();
let service: LateService;
let worker: Worker;
beforeEach(() => {
	({ service, worker } = begin());
	for (const { name, phone, date, tractor } of everyone.slice(0, 250))
		service.add({ farmerName: name, farmerPhone: phone, serviceDate: date, tractorId: tractor });
});

const everyone = farmers(256);
const [oldest = {}, second = {}] = everyone;
const [unbooked = {}, other = {}] = everyone.slice(250);

async function run(rows: IDataObject[], dryRun = false): Promise<Outcome> {
	return await outcomeOf(bookSheet, service, rows, { dryRun }, worker.settings);
}

/** What a run says of the list: a Dry Run in its summary, too, from which a page is made. */
function saidOf(outcome: Outcome): string[] {
	const { notices } = (outcome.records[0]?.summary ?? {}) as Partial<SheetSummary>;
	const texts = notices?.map(({ text }) => text).join();
	return [hintsOf(outcome).join(), ...(texts === undefined ? [] : [texts])];
}

/** The twelve oldest bookings never come; the others come five a page. */
const hideSome = () =>
	(service.page = (records, number, size) => ({
		...pageOf(records.slice(0, -12), number, Math.min(size, 5)),
		count: records.length,
	}));

function shuffle(): void {
	let requests = 0;
	service.page = (records, number, size) => {
		requests += 1;
		const placeOf = ({ bookingID }: IDataObject) => (Number(bookingID) * (requests + 618)) % 991;
		const ordered = [...records].sort((a, b) => placeOf(a) - placeOf(b));
		return pageOf(ordered, number, size);
	};
}

it.each(['newest', 'oldest'] as const)(
	'what is counted and never listed is said at each run, and keeps no row from being booked: %s first',
	async (order) => {
		service.order = order;
		hideSome();
		const counts = (all: number, listed: number) =>
			expect.stringContaining(`counts ${all} bookings and lists ${listed}: a row whose booking is`);
		expect(saidOf(await run([oldest, second], true))).toEqual(Array(2).fill(counts(250, 238)));
		expect(saidOf(await run([oldest, second], true))).toEqual(Array(2).fill(counts(250, 238)));
		service.reads = [];
		const first = await run([unbooked]);
		expect(first.results).toEqual(['created']);
		expect(saidOf(first)).toEqual([counts(250, 238)]);
		expect(saidOf(await run([unbooked, other]))).toEqual([counts(251, 239)]);
		// Only the newest end is read.
		expect(service.reads.length).toBeLessThan(6);
	},
);

it.each(['newest', 'oldest'] as const)(
	'a booking that the service has moved to the day of a row is asked about: %s first',
	async (order) => {
		service.order = order;
		await run([oldest], true);
		await run([oldest], true);
		const { name: farmerName, phone: farmerPhone, date: serviceDate } = unbooked;
		Object.assign(service.bookings[120] ?? {}, { farmerName, farmerPhone, serviceDate });
		expect((await run([unbooked], true)).results).toEqual(['possible duplicate']);
	},
);

it('a booking at the end is asked about, although another one is gone and each page says that it is the last', async () => {
	service.order = 'oldest';
	service.add({ farmerName: 'Odd', serviceDate: other.date });
	service.page = (records, number, size) => ({
		...pageOf(records, number, Math.min(size, 5)),
		next: null,
	});
	await run([unbooked], true);
	service.bookings.splice(3, 1);
	service.add({ farmerName: other.name, farmerPhone: other.phone, serviceDate: other.date });
	expect((await run([other], true)).results).toEqual(['possible duplicate']);
});

it('a booking that is listed later than it is counted is said until it is listed', async () => {
	service.page = (records, number, size) => ({ ...pageOf(records, number, size), count: 251 });
	expect(saidOf(await run([oldest], true)).join()).toMatch(/counts 251 bookings and lists 250/);
	service.add({ farmerName: 'Efe', farmerPhone: '+2348039990001', serviceDate: '2026-03-09' });
	expect(saidOf(await run([oldest], true)).join()).not.toContain('counts');
});

it('bookings that are made while the list is read are not missed', async () => {
	service.beforePage = async () => {
		const { length } = service.bookings;
		await Promise.resolve();
		service.add({ farmerName: 'Efe', farmerPhone: `+23480399${10_000 + length}` });
	};
	for (const row of [unbooked, other]) {
		const outcome = await run([oldest, row]);
		expect(outcome.results).toEqual(['possible duplicate', 'created']);
		expect(saidOf(outcome).join()).not.toContain('counts');
	}
});

it.each([false, true])(
	'a booking that is gone from an old page is not listed; a bare array: %p',
	async (isBare) => {
		Object.assign(service, { bookings: [], isBare });
		service.page = (records, number, size) => pageOf(records, number, Math.min(size, 5));
		const rows = everyone.slice(0, 8);
		await run(rows);
		await run(rows);
		service.bookings.shift();
		expect((await run(rows)).table[0]).toContain('not in the list');
	},
);

it.each([false, true])(
	'a booking with the ID of one that a restored service has lost is new; a bare array: %p',
	async (isBare) => {
		Object.assign(service, { bookings: [], isBare });
		const { nextId } = service;
		const rows = everyone.slice(0, 4);
		await run(rows);
		await run(rows);
		Object.assign(service, { bookings: [], nextId });
		const others = everyone.slice(4, 8);
		const { ids, results } = await run(others);
		expect(results).toEqual(Array(4).fill('created'));
		expect((await run(others)).ids).toEqual(ids);
	},
);

it('a run sees what appears after a later one has read the whole list', async () => {
	service.page = (records, number, size) => pageOf(records, number, Math.min(size, 25));
	const client = clientOf({
		...{ baseUrl: service.url, secret: 'any key', policy: EXECUTION_POLICY },
		request: async (options) => await service.request(options),
	});
	const index = new BookingIndex();
	await readAll(client, index, 1);
	await readAll(client, index, 2);
	const { bookingID } = service.add({ farmerName: 'Efe', farmerPhone: '+2348039990001' });
	await readNew(client, index, 1);
	expect(index.shownIds()).toContain(bookingID);
	expect(index.shownIds()).toHaveLength(251);
});

it('with a list whose order changes, nothing is booked', async () => {
	expect((await run([unbooked])).results).toEqual(['created']);
	worker = new Worker(service);
	const { page } = service;
	shuffle();
	const rows = [unbooked, other];
	const outcome = await run(rows);
	expect(outcome.results).toEqual(['not sent', 'not sent']);
	expect(outcome.table[0]).toMatch(/list of bookings.*Try again later/);
	expect(saidOf(outcome).join()).not.toContain('counts');
	expect(service.counts.create).toBe(1);
	service.page = page;
	expect((await run(rows)).results).toEqual(['already booked', 'created']);
});

describe('of more farmers with one phone than a row can be asked about', () => {
	const letter = (at: number) => String.fromCharCode(65 + at);
	const named = (count: number) =>
		farmers(count, { phone: '+2348031234500', date: dayFromNow(20) }).map((row, at) => ({
			...row,
			name: (letter(Math.floor(at / 26)) + letter(at % 26)).repeat(3),
		}));
	const group = named(26);
	const [first = {}, ...others] = group;
	const hideNames = async () => {
		await run(group);
		service.render = (sent) => ({ ...asDocumented(sent), farmerName: null });
	};

	it('each has its own booking, although the list hides their names', async () => {
		await hideNames();
		const { table } = await run(group);
		expect(
			table.filter((said) => !/: already booked \(this row was booked before, as/.test(said)),
		).toEqual([]);
	});

	it('one whose area is corrected is asked about', async () => {
		await hideNames();
		const { results } = await run([{ ...first, area: '3 ha' }, ...others]);
		expect(results).toEqual(['possible duplicate', ...others.map(() => 'already booked')]);
	});

	it('one whose name is corrected is asked about its own booking, of however many', async () => {
		const [head = {}, ...tail] = named(130);
		const [id] = (await run([head, ...tail])).ids;
		const { records } = await run([{ ...head, name: 'AAAAAB' }, ...tail]);
		expect(asText(records[0]?.possibleBookingIDs).split(', ')).toContain(id);
	});

	it('what an earlier run asked about stays asked', async () => {
		await hideNames();
		const asked = asText(service.bookings[0]?.bookingID);
		const row = { ...first, name: 'Newcomer', possibleBookingIDs: asked };
		const { records } = await run([row]);
		const ids = asText(records[0]?.possibleBookingIDs).split(', ');
		expect(ids).toContain(asked);
		expect(ids).toHaveLength(21);
	});
});

it('an empty list beside a count stops the run, and it is said how a new organisation begins', async () => {
	service.page = () => ({ ...pageOf([], 1, 100), count: 2 });
	const outcome = await run([unbooked]);
	expect(outcome.results).toEqual(['not sent']);
	expect(outcome.table[0]).toContain('Options > Compare With Bookings off');
});
