import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { forgetKeys } from '../../../nodes/TractorBooking/api/limits';
import { asText } from '../../../nodes/TractorBooking/utils/text';
import { KEYS, type Sandbox } from '../../../sandbox';
import { fieldOf, stopOf } from '../../support/action';
import {
	answer,
	book,
	bookingsByPhone,
	dayFromNow,
	farmers,
	eachWithSandbox,
	outcomeOf,
} from '../../support/bookings';

let sandbox: Sandbox;
eachWithSandbox({ bookings: 40 }, (started) => (sandbox = started));

const rows = farmers(3);
const [amina = {}, musa = {}] = rows;
const createAnyway = { options: { ifAlreadyBooked: 'create' } };
const nearest = { tractorSelection: 'nearest', latitude: 10.5, longitude: 7.4 };
const named = ['farmerName', 'serviceDate'];
const withService = ['farmerPhone', 'serviceDate', 'serviceType'];
const withArea = ['farmerPhone', 'landArea'];

const run = async (given: IDataObject[], fields: INodeParameters = {}) =>
	await outcomeOf(book, sandbox, given, fields);

/** How often each of the rows is booked. */
function timesBooked(): number[] {
	const counts = bookingsByPhone(sandbox);
	return rows.map(({ phone }) => counts[asText(phone)] ?? 0);
}

describe('a row that is booked already', () => {
	beforeEach(async () => {
		await book(sandbox, [amina]);
		// By another process: this one knows more of its own bookings than the service shows.
		forgetKeys();
		sandbox.requests.clear();
	});

	it('is skipped, and its booking returned with its status, by default', async () => {
		sandbox.store.bookings.advance(100_041, 6);
		const { items, table } = await run(rows);
		expect(table).toEqual([
			expect.stringMatching(
				/^2: already booked \(same .*, Service Date and .* as booking 100041 \(in_progress\)\)$/,
			),
			'3: created',
			'4: created',
		]);
		expect(items[0]?.json).toMatchObject({
			bookingID: 100_041,
			bookingStatus: 6,
			bookingStatusLabel: 'in_progress',
			bookedTractorId: amina.tractor,
		});
		expect(timesBooked()).toEqual([1, 1, 1]);
	});

	it('is booked again if that is wanted, and so is a row typed twice; no booking is read', async () => {
		const { results } = await run([amina, musa, musa], createAnyway);
		expect(results).toEqual(['created', 'created', 'created']);
		expect(timesBooked()).toEqual([2, 2, 0]);
		expect(sandbox.requests.count('bookings')).toBe(0);
	});

	it('is an issue if that is wanted, before anything is sent', async () => {
		const fields = { options: { ifAlreadyBooked: 'fail' } };
		const { description, itemIndex } = stopOf(await book(sandbox, [musa, amina], fields));
		expect(itemIndex).toBe(1);
		expect(description).toMatch(
			/Farmer 1 \(row 3\): The row is booked already: .* booking 100041 \(new\); remove the row/,
		);
		expect(timesBooked()).toEqual([1, 0, 0]);
	});

	it.each<[string, string[], IDataObject, string]>([
		['a local number', [], { phone: '0803 101 0000' }, 'already booked'],
		['a number without the plus', [], { phone: 2_348_031_010_000 }, 'already booked'],
		['another number of one tail', [], { phone: '+2347031010000' }, 'possible duplicate'],
		['another number', [], { phone: '+2348031010099' }, 'created'],
		['another day', [], { date: dayFromNow(90) }, 'created'],
		['its day with a time', [], { date: `${asText(amina.date)}T08:00:00` }, 'already booked'],
		['its name in other order', [], { name: '1, FÁRMER' }, 'already booked'],
		['another name', [], { name: 'Bala <Bello>' }, 'possible duplicate'],
		['another area', [], { area: '3 ha' }, 'possible duplicate'],
		['its name', named, { name: 'FARMER  1', phone: '+2348031010098' }, 'already booked'],
		['another name', named, { name: 'Farmer 2' }, 'created'],
		['another service', withService, { service: 4 }, 'created'],
		['its service', withService, { service: '3' }, 'already booked'],
		['its area', withArea, { area: '2.0 ha', date: dayFromNow(91) }, 'already booked'],
		['another area', withArea, { area: '2,5 ha' }, 'created'],
	])('is recognised by %s, with match fields %p', async (_what, matchFields, change, result) => {
		const fields = { phoneCountry: 'NG', options: { matchFields } };
		expect((await run([{ ...amina, ...change }], fields)).results).toEqual([result]);
	});

	it('is asked about if its phone is another one, and the list may mean its day', async () => {
		const year = new Date().getFullYear() + 1;
		const april: IDataObject = { ...musa, date: `${year}-04-03` };
		await book(sandbox, [april]);
		sandbox.store.bookings.update(100_042, { serviceDate: `03/04/${year}` });
		forgetKeys();
		const { table } = await run([{ ...april, phone: '+2348031010056' }, amina]);
		expect(table[0]).toContain(`its Service Date may differ: "03/04/${year}"`);
	});

	it('is asked about if its service has another name, and the nearest tractor is to be chosen', async () => {
		for (const [service, result] of [
			['Ploughing', 'created'],
			['Ploughing', 'already booked'],
			['Harrowing', 'possible duplicate'],
		]) {
			expect((await run([{ ...musa, service }], nearest)).results).toEqual([result]);
			forgetKeys();
		}
	});
});

describe('a row that repeats another one of the input', () => {
	it('is booked in place of one that cannot be', async () => {
		const { results } = await run([{ ...amina, tractor: 'A' }, amina]);
		expect(results).toEqual(['to fix', 'created']);
	});

	it.each<[string, IDataObject, string, IDataObject?]>([
		['a note beside none', { note: 'call first' }, 'already booked'],
		['the note', { note: 'plot 2' }, 'possible duplicate', { note: 'plot 1' }],
		['the case of the name', { name: 'FARMER 1' }, 'already booked'],
		['the order of the name', { name: '1 Farmer' }, 'possible duplicate'],
		['the tractor', { tractor: 202 }, 'created'],
		['the area', { area: '3 ha' }, 'created'],
		['the service', { service: 4 }, 'created'],
	])('differs in %s', async (_what, change, result, first = {}) => {
		const fields = { additionalFields: { farmNote: '={{ $json.note }}' } };
		const { results } = await run(
			[
				{ ...amina, ...first },
				{ ...amina, ...change },
			],
			fields,
		);
		expect(results).toEqual(['created', result]);
	});

	it('is the same, whichever tractor is chosen for it, unless its service has another name', async () => {
		const row = { ...amina, service: 'Ploughing' };
		const { results } = await run([row, row, { ...row, service: 'Ridging' }], {
			...nearest,
			options: { matchFields: withService },
		});
		expect(results).toEqual(['created', 'already booked', 'created']);
	});
});

it.each([
	[404, 'Not found'],
	[200, { message: 'Nothing here' }],
])('a list that answers %p %j: the error says how a first row is booked', async (status, body) => {
	answer(sandbox, { endpoint: 'bookings' }, status, body);
	const { description } = stopOf(await book(sandbox, rows));
	expect(description).toMatch(/no bookings yet, run one row .* Create Anyway/);
	expect(sandbox.requests.count('create')).toBe(0);
});

describe('executions at the same moment', () => {
	const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

	function bookSlowly(latencyMs: number) {
		sandbox.settings.latencyMs = latencyMs;
		const first = { isOver: false, done: Promise.resolve() };
		first.done = book(sandbox, rows).then(() => void (first.isOver = true));
		return first;
	}

	it('that book the same rows book each of them once, also after one that fails', async () => {
		sandbox.settings.latencyMs = 20;
		const refused = [{ ...amina, phone: '+2348031099999', tractor: 9_999 }];
		const [failing, ...runs] = await Promise.all(
			[refused, rows, rows, rows].map(async (given) => await book(sandbox, given)),
		);
		expect(stopOf(failing!).said).toContain('tractorId');
		expect(timesBooked()).toEqual([1, 1, 1]);
		const results = runs.map(({ items }) => fieldOf(items, 'result'));
		const skipped = rows.map(() => 'already booked');
		expect(results.sort()).toEqual([skipped, skipped, rows.map(() => 'created')]);
	});

	it('wait no longer once they are stopped, and then send nothing', async () => {
		const first = bookSlowly(150);
		await later(50);
		const started = ({ cancel }: { cancel: () => void }) => void later(50).then(cancel);
		const stopped = await book(sandbox, [musa], {}, { started });
		expect(first.isOver).toBe(false);
		expect(stopOf(stopped).message).toContain('stopped');
		await first.done;
		expect(timesBooked()).toEqual([1, 1, 1]);
		// The first one's, and none of the second one's.
		expect(sandbox.requests.count('create')).toBe(3);
	});

	it('do not wait if they only check, or use another key', async () => {
		const first = bookSlowly(150);
		await later(50);
		sandbox.settings.latencyMs = 0;
		await book(sandbox, [amina], { dryRun: true });
		await book(sandbox, [amina], createAnyway, { apiKey: KEYS.bookingOnly });
		expect(first.isOver).toBe(false);
		await first.done;
	});
});
