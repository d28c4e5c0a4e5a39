import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { startSandbox } from '../../sandbox';
import { fieldOf, hintsOf, pairsOf, perform, recordsOf, stopOf } from '../support/action';

let sandbox: Sandbox;

beforeAll(async () => (sandbox = await startSandbox({ bookings: 120, otherBookings: 5 })));
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

const FIRST = 100_001;
const byId = (value: unknown) => ({ __rl: true, mode: 'id', value }) as INodeParameters;

async function get(bookingId: unknown, rows: IDataObject[] = [{}]) {
	return await perform(sandbox, 'booking:get', { bookingId } as INodeParameters, { rows });
}

describe('Booking > Get', () => {
	it.each([
		['By ID', byId('={{ 100003 }}')],
		[
			'From List',
			{ __rl: true, mode: 'list', value: '100003', cachedResultName: '100003 – Amina' },
		],
	])('reads the booking that is chosen %s', async (_mode, chosen) => {
		const { items } = await get(chosen);
		expect(recordsOf(items)).toEqual([
			{
				...withoutGaps(sandbox.store.bookings.get(100_003)),
				bookingStatusLabel: expect.any(String) as unknown,
			},
		]);
	});

	it('refuses another booking than the one that was asked for', async () => {
		sandbox.hooks.shapeBooking = () => ({ booking_id: '100002' });
		const { message } = stopOf(await get(byId('100001')));
		expect(message).toMatch(/sent booking 100002 when asked to read booking 100001/);
	});

	it.each([{ bookingStatus: 3, bookingID: null }, { bookingID: '100001' }])(
		'takes a record with the same identifier, or without any: %j',
		async (booking) => {
			sandbox.hooks.shapeBooking = () => booking;
			expect(recordsOf((await get(byId('100001'))).items)).toEqual([
				expect.objectContaining(booking),
			]);
		},
	);

	it('says so if a booking has no status', async () => {
		sandbox.hooks.shapeBooking = ({ bookingID }) => ({ bookingID });
		const { items } = await get(byId('100001'));
		expect(recordsOf(items)).toEqual([{ bookingID: FIRST, bookingStatusLabel: 'unknown' }]);
	});

	it('asks once for a booking that several items name', async () => {
		const rows = [{ id: 100_001 }, { id: '100001' }, { id: 100_002 }, { id: 100_001 }];
		const { items } = await get(byId('={{ $json.id }}'), rows);
		expect(fieldOf(items, 'bookingID')).toEqual([100_001, 100_001, 100_002, 100_001]);
		expect(pairsOf(items)).toEqual([0, 1, 2, 3]);
		expect(sandbox.requests.count('booking')).toBe(2);
	});

	it.each([
		['', /^Booking is empty; enter at least one/],
		['100001, 100002', /^Booking: "100001, 100002" holds more than one identifier; enter one only/],
	])('refuses %p before anything is sent', async (value, message) => {
		const { description, itemIndex } = stopOf(await get(byId(`={{ ${JSON.stringify(value)} }}`)));
		expect(description).toMatch(message);
		expect(itemIndex).toBe(0);
		expect(sandbox.requests.find()).toEqual([]);
	});
});

/** A record as JSON carries it. */
function withoutGaps(record: unknown): IDataObject {
	return JSON.parse(JSON.stringify(record)) as IDataObject;
}

async function filtered(
	filters: INodeParameters,
	more: { timezone?: string; rows?: IDataObject[] } = {},
) {
	return await perform(sandbox, 'booking:getAll', { returnAll: true, filters }, more);
}

/** Ids of the bookings for which something holds, in the order of the list. */
function idsWhere(holds: (booking: ReturnType<typeof read>) => boolean): number[] {
	return sandbox.store.bookings
		.ids('A')
		.reverse()
		.filter((id) => holds(read(id)));
}

function read(id: number) {
	const booking = sandbox.store.bookings.get(id);
	if (!booking) throw new Error(`No booking ${id}`);
	return booking;
}

describe('Booking > Get Many', () => {
	it('labels every booking and keeps what the service says of it', async () => {
		const { items } = await filtered({});
		expect(items).toHaveLength(120);
		for (const { json } of items) {
			expect(json).toMatchObject(withoutGaps(read(Number(json.bookingID))));
			expect(json.bookingStatusLabel).toMatch(/^[a-z_]+$/);
		}
	});

	it.each<[INodeParameters['status'], number[] | undefined]>([
		[[3], [3]],
		[
			[6, 10, 4],
			[6, 10, 4],
		],
		['completed', [3]],
		['={{ 3 }}', [3]],
		['={{ [99] }}', []],
		[[], undefined],
	])('filters on the status %j', async (status, statuses) => {
		const expected = idsWhere((booking) => statuses?.includes(booking.bookingStatus) ?? true);
		for (const asText of [false, true]) {
			sandbox.settings.bookingStatusAsText = asText;
			expect(fieldOf((await filtered({ status })).items, 'bookingID')).toEqual(expected);
		}
	});

	it('refuses what is no status', async () => {
		const { said } = stopOf(await filtered({ status: '={{ ["complete"] }}' }));
		expect(said).toContain('Status: "complete" is not a status');
	});

	it('reads the list once for items with different filters, and shares no object between them', async () => {
		const rows = [{ status: [3] }, { status: [0, 3] }, { status: [3] }];
		const { items } = await filtered({ status: '={{ $json.status }}' }, { rows });
		const [completed, newOrCompleted] = rows.map(({ status }) =>
			idsWhere(({ bookingStatus }) => status.includes(bookingStatus)),
		);
		expect(completed?.length).toBeGreaterThan(0);
		const ofItem = (item: number) => items.filter((_, at) => pairsOf(items)[at] === item);
		expect([0, 1, 2].map((item) => fieldOf(ofItem(item), 'bookingID'))).toEqual([
			completed,
			newOrCompleted,
			completed,
		]);
		expect(new Set(items.map(({ json }) => json)).size).toBe(items.length);
		const all = sandbox.requests.count('bookings');
		sandbox.requests.clear();
		await filtered({ status: [3] });
		expect(sandbox.requests.count('bookings')).toBe(all);
	});

	it.each([
		['a picked day', '2027-03-10T00:00:00', '2027-03-12T00:00:00'],
		[
			'a DateTime',
			"={{ DateTime.fromISO('2027-03-10T23:30') }}",
			"={{ DateTime.fromISO('2027-03-12') }}",
		],
	])('filters on service dates, both ends included, from %s', async (_form, from, to) => {
		const days = ['2027-03-09', '2027-03-10', '2027-03-11', '2027-03-12', '2027-03-13'];
		days.forEach((serviceDate, index) =>
			sandbox.store.bookings.update(FIRST + index, { serviceDate }),
		);
		const late = idsWhere(({ serviceDate }) => serviceDate >= '2027-03-10');
		for (const timezone of ['UTC', 'America/Los_Angeles', 'Pacific/Auckland']) {
			const between = await filtered({ serviceDateFrom: from, serviceDateTo: to }, { timezone });
			expect(fieldOf(between.items, 'bookingID')).toEqual([FIRST + 3, FIRST + 2, FIRST + 1]);
			const after = await filtered({ serviceDateFrom: from }, { timezone });
			expect(fieldOf(after.items, 'bookingID')).toEqual(late);
		}
	});

	it.each([
		['2027-03-10T12:00:00', 'Africa/Nairobi', 2],
		['2027-03-10T09:00:00.001Z', 'Africa/Lagos', 1],
		["={{ DateTime.fromISO('2027-03-10T12:00', { zone: 'Africa/Nairobi' }) }}", 'UTC', 2],
		['={{ new Date(1804669200000) }}', 'UTC', 2],
		['2027-03-10', 'UTC', 3],
	])('filters on updates since %s in %s', async (updatedSince, timezone, count) => {
		const times = [
			'2027-03-09T23:00:00Z',
			'2027-03-10T08:59:59Z',
			'2027-03-10T09:00:00Z',
			'2027-03-11T00:00:00Z',
		];
		times.forEach((updatedAt, index) =>
			sandbox.store.bookings.update(FIRST + index, { updatedAt }),
		);
		const { items, error } = await filtered({ updatedSince }, { timezone });
		expect(error).toBeUndefined();
		expect(fieldOf(items, 'bookingID')).toEqual([FIRST + 3, FIRST + 2, FIRST + 1].slice(0, count));
	});

	it('reads dates that the service gives as instants', async () => {
		const date = 'Wed, 10 Mar 2027 09:00:00 GMT';
		sandbox.hooks.shapeBooking = (booking) =>
			booking.bookingID === FIRST ? { ...booking, updatedAt: date, serviceDate: date } : booking;
		const filters = { updatedSince: '2027-03-10T09:00:00Z', serviceDateTo: '2027-03-10' };
		expect(fieldOf((await filtered(filters)).items, 'bookingID')).toEqual([FIRST]);
		const after = { updatedSince: '2027-03-10T09:00:01Z', serviceDateFrom: '2027-03-11' };
		expect((await filtered(after)).items).toEqual([]);
	});

	it.each([
		['serviceDate', { serviceDateFrom: '2000-01-01', serviceDateTo: '2099-01-01' }],
		['updatedAt', { updatedSince: '2000-01-01' }],
	])(
		'leaves out bookings without a readable %s if it is filtered on, and says how many',
		async (field, filters) => {
			sandbox.hooks.shapeBooking = (booking) => {
				const at = Number(booking.bookingID) - FIRST;
				return at > 2 ? booking : { ...booking, [field]: [null, 'soon', '0000-00-00'][at] };
			};
			for (const rows of [[{}], [{}, {}]]) {
				const result = await filtered(filters, { rows });
				expect(result.items).toHaveLength(117 * rows.length);
				expect(hintsOf(result)).toEqual([
					expect.stringMatching(new RegExp(`${field} of 3 bookings .*"0000-00-00"`)),
				]);
			}
			// None of those in the status has a date, but others have.
			const [status] = idsWhere((booking) => booking.bookingID === FIRST).map(
				(id) => sandbox.store.bookings.get(id)?.bookingStatus,
			);
			sandbox.hooks.shapeBooking = (booking) =>
				booking.bookingStatus === status ? { ...booking, [field]: '' } : booking;
			const some = await filtered({ ...filters, status: [status ?? 0] });
			expect([some.items, some.error]).toEqual([[], undefined]);
			expect(hintsOf(some)).toEqual([expect.stringContaining('cannot be read, such as ""')]);
		},
	);

	it.each([
		['serviceDate', { serviceDateTo: '2000-01-01' }],
		['updatedAt', { updatedSince: '2000-01-01' }],
	])('refuses a filter on the %s if no booking has a readable one', async (field, filters) => {
		sandbox.hooks.shapeBooking = (booking) => ({ ...booking, [field]: undefined });
		for (const rows of [[{}], [{}, {}]]) {
			const { message } = stopOf(await filtered(filters, { rows }));
			expect(message).toMatch(new RegExp(`${field} of 120 bookings cannot be read`));
		}
		expect((await filtered({})).items).toHaveLength(120);
	});

	it('keeps bookings whose day may be one that is wanted', async () => {
		sandbox.hooks.shapeBooking = (booking) => ({ ...booking, serviceDate: '06/12/2026' });
		const may = await filtered({ serviceDateFrom: '2026-12-06', serviceDateTo: '2026-12-06' });
		expect(may.items).toHaveLength(120);
		const none = await filtered({ serviceDateFrom: '2026-12-07' });
		expect([none.items, none.error]).toEqual([[], undefined]);
	});

	it('combines filters, each item with its own', async () => {
		const rows = [
			{ status: [3], from: '2000-01-01' },
			{ status: [], from: '2099-01-01' },
			{ status: [0, 1], from: '' },
		];
		const { items } = await filtered(
			{ status: '={{ $json.status }}', serviceDateFrom: '={{ $json.from }}' },
			{ rows },
		);
		const completed = idsWhere(({ bookingStatus }) => bookingStatus === 3);
		const early = idsWhere(({ bookingStatus }) => bookingStatus < 2);
		expect(fieldOf(items, 'bookingID')).toEqual([...completed, ...early]);
		expect(pairsOf(items)).toEqual([...completed.map(() => 0), ...early.map(() => 2)]);
	});

	it.each([
		[{ updatedSince: 'soon' }, /^Updated Since: "soon" is not a date and time; write it as/],
		[{ serviceDateFrom: '2027-02-31' }, /^Service Date From: "2027-02-31" is not a day of/],
		[{ serviceDateTo: '03/04/2027' }, /^Service Date To: "03\/04\/2027" may be day\/month/],
	])('refuses the filter %p before anything is sent', async (filters, message) => {
		const { description, itemIndex } = stopOf(await filtered(filters));
		expect(description).toMatch(message);
		expect(itemIndex).toBe(0);
		expect(sandbox.requests.find()).toEqual([]);
	});
});

describe('Catalogue > Get', () => {
	it.each([
		['By ID', byId('202')],
		['From List', { __rl: true, mode: 'list', value: '202', cachedResultName: '202 – Swaraj 855' }],
	])('reads the tractor that is chosen %s, as it came', async (_mode, tractorId) => {
		const { items } = await perform(sandbox, 'catalogue:get', { tractorId });
		const { name, town, services } = sandbox.store.tractors.get(202) ?? {};
		expect(recordsOf(items)).toEqual([
			{
				tractor_id: '202',
				tractor_name: name,
				tractor_location: { country: town?.country, state: town?.state, city: town?.city },
				implements_attached: services?.map(({ implement }) => implement),
			},
		]);
	});

	it('refuses another tractor than the one that was asked for', async () => {
		const body = { id: 7, tractor_id: '203' };
		sandbox.faults.add({ fault: { kind: 'status', status: 200, body } });
		const result = await perform(sandbox, 'catalogue:get', { tractorId: byId('202') });
		expect(stopOf(result).message).toMatch(/sent tractor 203 when asked to read tractor 202/);
		const own = await perform(sandbox, 'catalogue:get', { tractorId: byId('7') });
		expect(recordsOf(own.items)).toEqual([body]);
	});

	it('says that a tractor is not in the catalogue', async () => {
		const result = await perform(sandbox, 'catalogue:get', { tractorId: byId('9') });
		expect(stopOf(result).message).toMatch(/^Tractor 9 is not/);
	});

	it('items that share a tractor do not share the object', async () => {
		const fields = { tractorId: byId('202') };
		const { items } = await perform(sandbox, 'catalogue:get', fields, { rows: [{}, {}] });
		expect(sandbox.requests.count('tractor')).toBe(1);
		expect(items[0]?.json).toEqual(items[1]?.json);
		expect(items[0]?.json).not.toBe(items[1]?.json);
	});
});
