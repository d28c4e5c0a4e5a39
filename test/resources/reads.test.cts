import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	BOOKING_STATUS_LABELS,
	RECORD_FIELDS,
	withStatusLabel,
} from '../../nodes/TractorBooking/api/status';
import { byId, fieldOf, hintsOf, pairsOf, perform, recordsOf, stopOf } from '../support/action.cts';
import { answer, eachWithSandbox } from '../support/bookings.cts';

const sandbox = eachWithSandbox({ bookings: 120, otherBookings: 5, contracts: 45 });

const FIRST = 100_001;
const STATUSES = [...BOOKING_STATUS_LABELS.keys()];

const withoutGaps = (record: unknown) => JSON.parse(JSON.stringify(record)) as IDataObject;

function read(id: number) {
	const booking = sandbox.store.bookings.get(id);
	if (!booking) throw new Error(`No booking ${id}`);
	return booking;
}

function simplified(id: number): IDataObject {
	const booking: IDataObject = withStatusLabel(withoutGaps(read(id)));
	return Object.fromEntries(RECORD_FIELDS.map((name) => [name, booking[name]]));
}

describe.each([
	['booking:get', 'bookingId', 'bookingID', 100_001, 100_002, { booking_id: '100002' }],
	['catalogue:get', 'tractorId', 'tractor_id', 202, 201, { id: 7, tractor_id: '201' }],
] as const)('%s', (name, field, key, id, second, other) => {
	const get = async (value: string, rows: IDataObject[] = [{}]) =>
		await perform(sandbox, name, { [field]: { ...byId(value), mode: 'list' } }, { rows });

	it('refuses another record than the one that was asked for', async () => {
		answer(sandbox, {}, 200, other);
		const { message } = stopOf(await get(String(id)));
		expect(message).toMatch(
			new RegExp(`^The service sent another (booking|tractor) when asked to read \\1 ${id}`),
		);
	});

	it('asks once for a record that several items name, and each gets a record of its own', async () => {
		const rows = [{ id }, { id: String(id) }, { id: second }, { id }];
		const { items } = await get('={{ $json.id }}', rows);
		expect(fieldOf(items, key).map(Number)).toEqual([id, id, second, id]);
		expect(pairsOf(items)).toEqual([0, 1, 2, 3]);
		expect(new Set(items.map(({ json }) => json)).size).toBe(4);
		expect(sandbox.requests.find()).toHaveLength(2);
	});
});

async function filtered(
	filters: INodeParameters,
	more: { timezone?: string; rows?: IDataObject[] } = {},
) {
	return await perform(sandbox, 'booking:getAll', { returnAll: true, filters }, more);
}

function idsWhere(holds: (booking: Booking) => boolean): number[] {
	const ids = sandbox.store.bookings.ids('A').reverse();
	return ids.filter((id) => holds(read(id)));
}

const documented = () => simplified(FIRST);
const raw = () => withStatusLabel(withoutGaps(read(FIRST)));

it.each<[INodeParameters, () => unknown]>([
	[{}, documented],
	[{ simplify: true }, documented],
	[{ simplify: false }, raw],
	[{ simplify: '={{ "no" }}' }, () => expect.stringMatching(/^Simplify is neither on nor off\n/)],
])('what comes out of a booking with %j', async (fields, wanted) => {
	sandbox.store.bookings.update(FIRST, { farmerName: 'Folake Lawal' });
	const filters = { farmerName: 'Folake Lawal' };
	for (const [name, asked] of [
		['booking:get', { bookingId: String(FIRST) }],
		['booking:getAll', { returnAll: true, filters }],
	] as const) {
		const result = await perform(sandbox, name, { ...asked, ...fields });
		expect(result.error ? stopOf(result).said : recordsOf(result.items).at(-1)).toEqual(wanted());
	}
});

const [own, other] = [FIRST + 1, FIRST + 2];

it.each<[INodeParameters, number[]]>([
	[{ farmerPhone: '+234 803 123 4567' }, [own]],
	[{ farmerPhone: '0803-123-4567', phoneCountry: 'NG' }, [own]],
	[{ farmerPhone: '={{ 8031234567 }}', phoneCountry: 'NG' }, [own]],
	[{ farmerPhone: '+2348031234569' }, []],
	[{ farmerName: 'zára béllo' }, [own]],
	[{ farmerName: 'Bello', farmerPhone: '+2348031234568' }, [other]],
	[{ farmerName: 'Amina Bell' }, []],
])('Get Many finds the bookings of a farmer by %j', async (filters, ids) => {
	const { bookings } = sandbox.store;
	bookings.update(own, { farmerName: 'BELLO, Amina Zara', farmerPhone: '+2348031234567' });
	bookings.update(other, { farmerName: 'Aminata Bello', farmerPhone: '08031234568' });
	expect(fieldOf((await filtered(filters)).items, 'bookingID')).toEqual(ids);
});

type Booking = ReturnType<typeof read>;
const isPairedWith =
	(...tractors: number[]) =>
	({ tractorPairedTo: id }: Booking) =>
		id !== null && tractors.includes(id);
const isCompleted = ({ bookingStatus }: Booking) => bookingStatus === 3;

it.each<[INodeParameters, (booking: Booking) => boolean]>([
	[{ tractorId: '241' }, isPairedWith(241)],
	[{ tractorId: '241, 202' }, isPairedWith(241, 202)],
	[{ tractorId: '={{ [241] }}' }, isPairedWith(241)],
	...[[3], 'completed', '={{ 3 }}'].map((status): [INodeParameters, typeof isCompleted] => [
		{ status },
		isCompleted,
	]),
	[{ status: '={{ [99] }}' }, () => false],
	[{ status: [] }, () => true],
])('Get Many filters on %j', async (filters, holds) => {
	const expected = idsWhere(holds);
	expect(expected.length > 0).toBe(!JSON.stringify(filters).includes('99'));
	for (const shape of [Number, String]) {
		sandbox.hooks.shapeBooking = (booking) => ({
			...booking,
			bookingStatus: shape(booking.bookingStatus),
		});
		const result = await filtered(filters);
		expect(fieldOf(result.items, 'bookingID')).toEqual(expected);
		expect(hintsOf(result)).toEqual([]);
	}
});

it.each([
	['2027-03-10T00:00:00', '2027-03-12T00:00:00'],
	["={{ DateTime.fromISO('2027-03-10T23:30') }}", "={{ DateTime.fromISO('2027-03-12') }}"],
])('Get Many filters on service dates, both ends included, from %s to %s', async (from, to) => {
	for (const [at, day] of ['09', '10', '11', '12', '13'].entries())
		sandbox.store.bookings.update(FIRST + at, { serviceDate: `2027-03-${day}` });
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
])('Get Many filters on updates since %s in %s', async (updatedSince, timezone, count) => {
	for (const [at, time] of ['09T23:00:00', '10T08:59:59', '10T09:00:00', '11T00:00:00'].entries())
		sandbox.store.bookings.update(FIRST + at, { updatedAt: `2027-03-${time}Z` });
	const { items, error } = await filtered({ updatedSince }, { timezone });
	expect(error).toBeUndefined();
	expect(fieldOf(items, 'bookingID')).toEqual([FIRST + 3, FIRST + 2, FIRST + 1].slice(0, count));
});

it.each([
	['bookingStatus', { status: STATUSES }, 'soon'],
	['serviceDate', { serviceDateFrom: '2000-01-01', serviceDateTo: '2099-01-01' }, '06/12/2026'],
	['updatedAt', { updatedSince: '2000-01-01' }, '0000-00-00'],
])(
	'Get Many says which have no readable %s, and refuses if none has',
	async (field, filters, odd) => {
		for (const rows of [[{}], [{}, {}]]) {
			sandbox.hooks.shapeBooking = (booking) => {
				const at = Number(booking.bookingID) - FIRST;
				return at > 2 ? booking : { ...booking, [field]: [null, undefined, odd][at] };
			};
			const result = await filtered(filters, { rows });
			expect(result.items).toHaveLength(117 * rows.length);
			const hint = new RegExp(`${field} of 3 bookings .*"${odd}"`);
			expect(hintsOf(result)).toEqual([expect.stringMatching(hint)]);
			sandbox.hooks.shapeBooking = (booking) => ({ ...booking, [field]: undefined });
			const { message } = stopOf(await filtered(filters, { rows }));
			expect(message).toMatch(new RegExp(`${field} of 120 bookings cannot be read`));
		}
		expect((await filtered({})).items).toHaveLength(120);
	},
);

it('Get Many with Return All reads the list once for all items', async () => {
	const requests = [];
	for (const rows of [[{}], [{}], [{}, {}, {}]]) {
		sandbox.requests.clear();
		expect((await filtered({}, { rows })).items).toHaveLength(120 * rows.length);
		requests.push(sandbox.requests.count('bookings'));
	}
	// The first time, it looks for a page 0.
	expect(requests[2]).toBe(requests[1]);
});

it.each<[INodeParameters, RegExp]>([
	// One that found no farmer or tractor must not list the bookings of all.
	[{ farmerPhone: '' }, /^Farmer Phone is empty/],
	[{ tractorId: '' }, /^Tractor ID is empty/],
	[{ farmerPhone: 'Amina' }, /^Farmer Phone: "Amina" is not a phone number/],
	[{ farmerPhone: '803123', phoneCountry: 'NG' }, /^Farmer Phone: .* is not a phone number of/],
	[
		{ farmerPhone: '0803', phoneCountry: 'XX' },
		/^Phone Country: "XX" is not the code .*; choose a country/,
	],
	[{ farmerName: '--' }, /^Farmer Name: "--" is not a name; enter a name/],
	[
		{ status: '={{ ["complete"] }}' },
		/^Status: "complete" is not a status; choose among .*completed/,
	],
	[{ updatedSince: 'soon' }, /^Updated Since: "soon" is not a date and time; write it as/],
	[{ serviceDateFrom: '2027-02-31' }, /^Service Date From: "2027-02-31" does not exist/],
	[{ serviceDateTo: '03/04/2027' }, /^Service Date To: "03\/04\/2027" may be day\/month/],
])('Get Many refuses the filter %p before anything is sent', async (filters, message) => {
	const { description, itemIndex } = stopOf(await filtered(filters));
	expect(description).toMatch(message);
	expect(itemIndex).toBe(0);
	expect(sandbox.requests.find()).toEqual([]);
});

const hundred = Array.from({ length: 100 }, (_, at) => ({ id: FIRST + at }));
const byItem = { bookingId: byId('={{ $json.id }}') };

it('reads of many items go several at a time, and come back in order', async () => {
	sandbox.settings.latencyMs = 10;
	const { items } = await perform(sandbox, 'booking:get', byItem, { rows: hundred });
	expect(fieldOf(items, 'bookingID')).toEqual(hundred.map(({ id }) => id));
	expect(pairsOf(items)).toEqual([...hundred.keys()]);
	expect(sandbox.requests.count('booking')).toBe(100);
	expect(sandbox.requests.peakInFlight).toBe(8);
});

it('the first item that fails stops the node, and no more are begun', async () => {
	const rows = hundred.map(({ id }, at) => ({ id: at === 20 || at === 22 ? 1 : id }));
	const result = await perform(sandbox, 'booking:get', byItem, { rows });
	expect(stopOf(result)).toMatchObject({ itemIndex: 20, httpCode: '404' });
	expect(sandbox.requests.count('booking')).toBeLessThan(20 + 2 * 8);
});
