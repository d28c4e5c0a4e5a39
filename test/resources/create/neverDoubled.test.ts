import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { forgetKeys } from '../../../nodes/TractorBooking/api/limits';
import type { Settings } from '../../support/action';
import { book, dayFromNow, farmers, outcomeOf } from '../../support/bookings';
import { eachWithLateService } from '../../support/eachLateService';
import type { LateService } from '../../support/lateService';
import { load } from '../../support/loads';
import { skipped, skippedNow } from '../../support/skippedTime';

jest.mock('../../../nodes/TractorBooking/api/abort', () =>
	jest.requireActual<object>('../../support/shortPauses'),
);

const MINUTE_MS = 60_000;
let service: LateService;
eachWithLateService(skippedNow, (started) => (service = started));

/** Lets so many minutes pass, for the node and the service. */
const pass = (minutes: number) => void (skipped.ms += minutes * MINUTE_MS);

/** The node continues after a restart: n8n alone remembers what it sent. */
const otherProcess = forgetKeys;

const run = async (rows: IDataObject[], fields: INodeParameters = {}, settings: Settings = {}) =>
	await outcomeOf(book, service, rows, fields, settings);

const allBooked = (rows: IDataObject[]) => rows.map(() => 'already booked');

/** Books for other farmers, as another client does. */
function addOthers(count: number, madeAt?: number): void {
	for (let index = 0; index < count; index++)
		service.add({ farmerPhone: `+23490${10_000_000 + index}`, serviceDate: dayFromNow(1) }, madeAt);
}

/** Books a row, as another client does. */
const addRow = ({ phone, date, name }: IDataObject) =>
	service.add({ farmerPhone: phone, serviceDate: date, farmerName: name });

const countAfresh = () => void (service.counts = { create: 0, list: 0, byId: 0 });

/** The list shows no more of a booking than this. */
const phoneAndDay = ({ bookingID, farmerPhone, serviceDate }: IDataObject) => ({
	bookingID,
	farmerPhone,
	serviceDate,
});

it('a booking of this process that 404s counts for a quarter of an hour, and is asked about then', async () => {
	const rows = farmers(1);
	await run(rows);
	service.bookings = [];
	pass(14);
	expect((await run(rows)).table[0]).toMatch(/^2: already booked .*status not shown; if .* in 15/);
	pass(7);
	expect((await run(rows)).table[0]).toMatch(/^2: possible duplicate .* not in the list/);
});

it.each([1, Infinity])(
	'a listed booking counts, though %d reads by its ID fail',
	async (missing) => {
		const [first = {}, second = {}, third = {}] = farmers(3);
		await run([first, second]);
		addOthers(250);
		pass(60);
		await run([third]);
		service.missingById = missing;
		countAfresh();
		const { results } = await run([first, second, third]);
		expect(results).toEqual(allBooked([first, second, third]));
		// The newest end, and the whole list.
		expect(service.counts).toEqual({ create: 0, list: 5, byId: 2 });
	},
);

it('a booking that neither the list nor a read by its ID shows any more is looked for once', async () => {
	const [first = {}, second = {}] = farmers(2);
	await run([first]);
	addOthers(250);
	await run([second]);
	pass(60);
	service.bookings = service.bookings.filter(({ farmerPhone }) => farmerPhone !== first.phone);
	const bookAnyway = { options: { ifPossibleDuplicate: 'book' } };
	expect((await run([first], bookAnyway)).table).toEqual(['2: created']);
	countAfresh();
	expect((await run([first])).table).toEqual([expect.stringContaining('2: already booked')]);
	expect(service.counts.list).toBeLessThanOrEqual(2);
	expect(service.counts.byId).toBe(0);
});

it('a list that shows nothing when it is first read is read once more', async () => {
	const rows = farmers(2);
	await run(rows);
	otherProcess();
	service.emptyLists = 1;
	expect((await run(rows)).results).toEqual(allBooked(rows));
});

it.each([
	['what this process booked fills in what the records do not show', 23 * 60, /Name is "Farmer 1"/],
	['after a day, it is forgotten', 25 * 60, /it shows no Farmer Name/],
])('%s', async (_what, minutes, said) => {
	const [amina = {}, other = {}] = farmers(2, { date: dayFromNow(9) });
	service.render = phoneAndDay;
	await run([amina]);
	pass(minutes);
	// What is old is dropped when another row is booked.
	await run([{ ...other, date: dayFromNow(8) }]);
	const { table } = await run([{ ...amina, name: 'Bala' }]);
	expect(table[0]).toMatch(/^2: possible duplicate/);
	expect(table[0]).toMatch(said);
});

it.each([[['farmerPhone', 'serviceDate', 'landArea']], [['landArea', 'serviceDate']]])(
	'while the list is still empty, rows are recognised by what was sent: %p',
	async (matchFields) => {
		Object.assign(service, { listedAfterMs: MINUTE_MS, readAfterMs: MINUTE_MS });
		const rows = farmers(3);
		await run(rows, { options: { matchFields } });
		const { table } = await run(rows, { options: { matchFields } });
		expect(table[0]).toMatch(/^2: already booked (?!.*not compared)/);
	},
);

it('while the list is still empty, rows are recognised by their numbers', async () => {
	Object.assign(service, { listedAfterMs: MINUTE_MS, readAfterMs: MINUTE_MS });
	const rows = farmers(3);
	const { ids } = await run(rows.slice(0, 2));
	const numbered = rows.map((row, at): IDataObject => ({ ...row, number: ids[at] }));
	const { table } = await run(numbered, { additionalFields: { bookingID: '={{ $json.number }}' } });
	expect(table).toEqual([
		'2: already booked (the row names booking 5001 (unknown))',
		'3: already booked (the row names booking 5002 (unknown))',
		'4: created',
	]);
});

describe('a row and it is unknown whether that was booked', () => {
	const rows = farmers(3);

	beforeEach(async () => {
		// The second one is booked or not, and the list does not show it.
		await run(farmers(1, { phone: '+2348031234567' }));
		service.fate = (_request, count) => (count === 3 ? 'dropped' : 'booked');
		service.listedAfterMs = MINUTE_MS;
		expect((await run(rows)).table[1]).toMatch(/^3: unknown/);
		expect(service.counts.create).toBe(4);
	});

	it('stops a node that does not continue before it sends anything', async () => {
		const [, , , fourth = {}] = farmers(4);
		const { error } = await run([fourth, ...rows], {}, { onError: 'stopWorkflow' });
		expect(error?.description).toMatch(
			/^Farmer 2 \(row 4\): .* was sent .*\. Run the row again after/m,
		);
		expect(error?.message).toMatch(/^1 of \d rows may be booked\. This run sent nothing\./);
		expect(service.counts.create).toBe(4);
	});

	it('keeps no other row of the farmer back', async () => {
		const other = { ...rows[1], date: dayFromNow(15) };
		expect((await run([...rows, other])).table[3]).toBe('5: created');
	});

	it('is unknown no longer once its booking shows', async () => {
		addRow(rows[1] ?? {});
		pass(2);
		expect((await run(rows)).table[1]).toMatch(/^3: possible duplicate .*booking 5004/);
		expect(service.counts.create).toBe(4);
	});
});

describe('a lost response', () => {
	const rows = farmers(2);
	const [amina = {}, bala = {}] = rows;
	const household = ['Amina', 'Bala'].map((name) => ({ ...amina, name }));

	it.each([
		['booked, then 500', 'possible duplicate'],
		['lost', 'possible duplicate'],
		['500', 'created'],
		['dropped', 'created'],
	] as const)('(%s) comes to one booking, though it is listed late', async (fate, result) => {
		service.listedAfterMs = 16 * MINUTE_MS;
		service.fate = (_request, count) => (count === 2 ? fate : 'booked');
		expect((await run(rows)).table[1]).toMatch(/^3: unknown \(It is unknown/);
		for (const minutes of [14, 6]) {
			const claimed = /^3: unknown \(This row, or one like it, was sent .* until \d\d:\d\d/;
			expect((await run(rows)).table[1]).toMatch(claimed);
			expect(service.counts.create).toBe(2);
			pass(minutes);
		}
		expect((await run(rows)).table[1]).toContain(`3: ${result}`);
		expect(Object.values(service.timesBooked)).toEqual([1, 1]);
		expect(service.counts.create).toBe(result === 'created' ? 3 : 2);
	});

	it.each([
		['of another row', [], rows],
		['that the list showed before', rows.slice(0, 1), rows.slice(1)],
	])('is also a success with a booking %s', async (_what, before, sent) => {
		await run(before);
		otherProcess();
		service.fate = (_request, count) => (count === 2 ? 'merged' : 'booked');
		expect((await run(sent)).table.at(-1)).toMatch(
			/: unknown \(.*: The service answered with booking 5001, which was there before/,
		);
	});

	it('of every row ends the run after five', async () => {
		service.fate = () => '500';
		const { results, table } = await run(farmers(8));
		expect(results).toEqual([...Array(5).fill('unknown'), ...Array(3).fill('not sent')]);
		expect(table[5]).toMatch(/^7: not sent \(Not sent, because .*: It is unknown/);
	});

	it('of every row ends nothing where the list shows that all are booked', async () => {
		service.fate = () => 'booked, then 500';
		expect((await run(farmers(12))).results).toEqual(Array(12).fill('created'));
		expect(service.counts.create).toBe(12);
	});

	it.each([
		[1, 'unknown'],
		[2, 'created'],
	])('of both rows of a household; bookings made: %i, result: %s', async (made, result) => {
		service.render = phoneAndDay;
		service.fate = ({ farmerPhone, serviceDate }, count) => {
			// They are made late, so that both responses are lost before.
			if (count === 2) for (let n = 0; n < made; n++) service.add({ farmerPhone, serviceDate });
			return 'dropped';
		};
		expect((await run(household)).results).toEqual([result, result]);
		expect(service.bookings).toHaveLength(made);
	});

	it.each([
		['that was there before', { ifPossibleDuplicate: 'book' }, 2],
		['that may be an older one, where rows are booked anyway', { ifAlreadyBooked: 'create' }, 1],
	])('is not found in a booking %s', async (_what, options, sent) => {
		service.render = phoneAndDay;
		// The process knows the list; then another client books somebody of the household.
		await run(farmers(1, { phone: '+2348031234567' }));
		service.add({ farmerPhone: amina.phone, serviceDate: amina.date });
		service.fate = (_request, count) => (count === 2 ? 'dropped' : 'booked');
		const { table } = await run(household.slice(0, sent), { options });
		expect(table).toEqual([expect.stringMatching(/^2: unknown/), '3: created'].slice(0, sent));
	});

	it('is not found in a booking that appeared before its request', async () => {
		const many = farmers(7);
		service.fate = (_request, count) => {
			// It appears when the five lost ones are searched for, before the last row is sent.
			if (count === 6) addRow(many[6] ?? {});
			return count === 1 ? 'booked' : 'dropped';
		};
		expect((await run(many)).table[6]).toMatch(/^8: unknown/);
		expect(service.counts.create).toBe(7);
	});

	it('belongs to the booking that is most like the row', async () => {
		service.fate = (request, count) => {
			if (count !== 2) return 'booked';
			service.add({ ...request, farmerName: 'Bala' });
			return 'lost';
		};
		const { results, ids } = await run(rows);
		const [own] = service.bookings.filter(({ farmerName }) => farmerName === bala.name);
		expect([results[1], ids[1]]).toEqual(['created', String(own?.bookingID)]);
	});
});

describe.each(['newest', 'oldest'] as const)('a long list, %s first', (order) => {
	const BEFORE = load(100_000, 1_000);

	beforeEach(() => {
		service.order = order;
		for (let index = 0; index < BEFORE; index++)
			addRow({
				phone: `+23470${10_000_000 + index}`,
				date: '2026-01-05',
				name: `Farmer ${index}`,
			});
	});

	it('is read as a whole once, and then at its newest end', async () => {
		const [first = {}, second = {}, ...others] = farmers(6);
		await run([first]);
		expect(service.counts.list).toBeGreaterThanOrEqual(BEFORE / 100);
		for (const row of [second, ...others]) {
			countAfresh();
			await run([row]);
			expect(service.counts.list).toBeLessThanOrEqual(3);
			expect(service.counts.byId).toBe(0);
			expect(service.counts.create).toBe(1);
		}
	});

	it('shows bookings of others, and old ones as they are now', async () => {
		const [first = {}, second = {}, third = {}] = farmers(3);
		await run([first]);
		Object.assign(service.bookings[7] ?? {}, { serviceDate: dayFromNow(3) });
		addOthers(250);
		addRow(second);
		countAfresh();
		const moved = { ...third, phone: '+2347010000007', date: dayFromNow(3), name: 'Farmer 7' };
		const { table } = await run([second, moved, third]);
		expect(table[0]).toMatch(/^2: possible duplicate .*as booking \d+/);
		expect(table[1]).toMatch(/^3: possible duplicate .*as booking \d+/);
		expect(table[2]).toBe('4: created');
		expect(service.counts.list).toBeLessThan(10);
		expect(service.counts.byId).toBe(1);
	});
});

it('many known bookings are read again by pages, not one by one', async () => {
	const rows = farmers(30);
	const [row = {}] = farmers(1, { phone: '+2348031234567' });
	await run(rows);
	addOthers(300);
	await run([row]);
	countAfresh();
	expect((await run(rows)).results).toEqual(allBooked(rows));
	expect(service.counts.list).toBeLessThanOrEqual(5);
	expect(service.counts.byId).toBeLessThanOrEqual(20);
});

it('a booking that the list shows late, deep between known ones, is found by the count', async () => {
	service.pageSize = 5;
	const [first = {}, second = {}] = farmers(2);
	addOthers(20);
	service.listedAfterMs = MINUTE_MS;
	pass(2);
	// Made half a minute ago, and not shown yet, unlike those that are made after it.
	const late = addRow(second);
	addOthers(20, Date.now() - 2 * MINUTE_MS);
	await run([first]);
	expect(service.bookings).toContain(late);
	pass(2);
	expect((await run([second])).table[0]).toMatch(/^2: possible duplicate .*as booking 5021/);
});

it('a list whose newest booking was deleted is read as a whole once', async () => {
	Object.assign(service, { pageSize: 10, isCounted: false });
	const [first = {}, second = {}] = farmers(2);
	addOthers(40);
	await run([first]);
	const deleted = service.add({ farmerPhone: '+2349012345678', serviceDate: dayFromNow(1) });
	await run([first]);
	service.bookings = service.bookings.filter((booking) => booking !== deleted);
	for (const pages of [6, 1]) {
		service.counts.list = 0;
		expect((await run([first])).table).toEqual([expect.stringMatching(/^2: already booked/)]);
		expect(service.counts.list).toBe(pages);
	}
	expect((await run([second])).table).toEqual(['2: created']);
});

it.each([
	['sorted by update, which came in the order of the IDs at first', 'updated'],
	['without an order', 'shuffled'],
] as const)('a list %s is read as a whole', async (_what, order) => {
	const [first = {}, second = {}] = farmers(2);
	Object.assign(service, { order, pageSize: 10, isCounted: false });
	addOthers(40);
	pass(1);
	await run([first]);
	addRow(second);
	// The owner changes the first ten bookings, which are the latest to be updated.
	for (const booking of service.bookings.slice(0, 10)) {
		skipped.ms += 1_000;
		booking.updatedAt = Date.now();
	}
	service.counts.list = 0;
	expect((await run([second])).table[0]).toMatch(/^2: possible duplicate .*as booking 5042/);
	expect(service.counts.list).toBeGreaterThanOrEqual(5);
});
