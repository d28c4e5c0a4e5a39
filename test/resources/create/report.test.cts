import type { IDataObject } from 'n8n-workflow';

import { TOWNS, type Sandbox } from '../../../sandbox/index.cts';
import { fieldOf, hintsOf, recordsOf } from '../../support/action.cts';
import {
	answer,
	bookSheet,
	dayFromNow,
	farmers,
	sentTo,
	eachWithSandbox,
} from '../../support/bookings.cts';

let sandbox: Sandbox;
eachWithSandbox({}, (started) => (sandbox = started));

const continuing = { onError: 'continueRegularOutput' } as const;
const [kaduna = { latitude: 0, longitude: 0 }] = TOWNS;

/** Farms of different farmers at distances from Kaduna to the north, in degrees, all on one day. */
const farmsAt = (...north: number[]): IDataObject[] =>
	farmers(north.length, { date: dayFromNow(3), lng: kaduna.longitude }).map((row, index) => ({
		...row,
		tractor: '',
		lat: kaduna.latitude + (north[index] ?? 0),
	}));

it('a sheet with the results written back is read as before', async () => {
	const rows = farmers(3);
	const dry = await bookSheet(sandbox, rows, { dryRun: true });
	const first = await bookSheet(sandbox, recordsOf(dry.items));
	expect(fieldOf(first.items, 'result')).toEqual(['created', 'created', 'created']);
	sandbox.store.bookings.advance(Number(first.items[0]?.json.bookingID), 2);
	const again = await bookSheet(sandbox, recordsOf(first.items));
	expect(fieldOf(again.items, 'result')).toEqual(Array(3).fill('already booked'));
	expect(fieldOf(again.items, 'bookingID')).toEqual(fieldOf(first.items, 'bookingID'));
	// Whoever the service has paired; not what the sheet says.
	expect(fieldOf(again.items, 'bookedTractorId')).toEqual([201, null, null]);
	expect(hintsOf(again)).toEqual(['3 already booked.']);
	const withoutIds = recordsOf(first.items).map((json) => ({ ...json, bookingID: '' }));
	const third = await bookSheet(sandbox, withoutIds);
	expect(fieldOf(third.items, 'result')).toEqual(Array(3).fill('already booked'));
	expect(sentTo(sandbox)).toHaveLength(3);
});

it.each(['bookings', 'nearby', 'details', 'create'] as const)(
	'a key that is refused is said once above all rows, and blames none of them: %s',
	async (endpoint) => {
		answer(sandbox, { endpoint }, 401);
		const fields = { tractorSelection: 'nearest' };
		const result = await bookSheet(sandbox, farmsAt(0, 0.01, 0.02), fields, continuing);
		const reasons = fieldOf(result.items, 'reason').map(String);
		expect(reasons[0]).toMatch(/did not allow this credential/);
		expect(reasons.at(-1)).toMatch(/^See (?:row 2|Farmer \d \(row \d\))/);
		const [hint = ''] = hintsOf(result);
		expect(hint).toMatch(/^The service did not allow this credential/);
		for (const text of [hint, ...reasons])
			expect(text).not.toMatch(/[Cc]orrect the (?:row|sheet)|Create Anyway/);
		expect(sandbox.requests.count('create')).toBe(endpoint === 'create' ? 1 : 0);
	},
);

it.each([400, 409, 422])(
	'a row that is refused with %i is not to be changed if it is booked',
	async (status) => {
		answer(sandbox, { endpoint: 'create' }, status, { error: 'farmerPhone is booked' });
		const { items } = await bookSheet(sandbox, farmers(1), {}, continuing);
		expect(items[0]?.json.reason).toMatch(
			/is booked\. If it .*exists already, change nothing.* Otherwise correct the values/,
		);
	},
);

describe('the preview', () => {
	it('says how the columns were read, and which were not, once', async () => {
		const rows = farmers(5, { Officer: 'Musa' });
		rows.forEach((row, index) => (row.Colour = `colour ${index}`));
		const fields = { dryRun: true, options: { otherColumns: 'ignore' } };
		const { items } = await bookSheet(sandbox, rows, fields);
		expect(fieldOf(items, 'summary')).toMatchObject([
			{
				text: expect.stringMatching(/^5 would create\. /) as unknown,
				columns: expect.arrayContaining([
					{ column: 'phone', field: 'Farmer Phone' },
					{ column: 'date', field: 'Service Date' },
				]) as unknown,
				otherColumns: [
					{ column: 'Officer', values: [{ value: 'Musa', count: 5 }], distinct: 1 },
					{
						column: 'Colour',
						values: [...rows.keys()].map((at) => ({ value: `colour ${at}`, count: 1 })),
						distinct: 5,
					},
				],
			},
			...Array<undefined>(4).fill(undefined),
		]);
	});

	it('names phones to which no SMS may go, each reason once', async () => {
		const [one = {}, two = {}, three = {}] = farmers(3);
		const rows = [one, { ...two, phone: '0803 123 4567' }, { ...three, phone: '+254 20 222 2222' }];
		const { items, ...result } = await bookSheet(sandbox, rows, { dryRun: true });
		expect(items[1]?.json.reason).toMatch(/no country code/);
		expect(fieldOf(items, 'summary')[0]).toMatchObject({
			notices: [
				expect.stringMatching(/^Farmer 2 \(row 3\): .*no country code/),
				expect.stringMatching(/^Farmer 3 \(row 4\): .*not a known mobile/),
			],
		});
		expect(hintsOf({ items, ...result })).toHaveLength(1);
	});

	it('names rows with one phone and day, which may be one job', async () => {
		const [one = {}, two = {}, three = {}, four = {}] = farmers(4);
		const { phone, date } = one;
		const rows = [one, { ...two, phone, date }, three, { ...three, area: '9 ha' }, four];
		const { items } = await bookSheet(sandbox, rows, { dryRun: true });
		expect(fieldOf(items, 'result')).toEqual(Array(5).fill('would create'));
		expect(fieldOf(items, 'summary')[0]).toMatchObject({
			notices: [
				'Farmer 1 (row 2), Farmer 2 (row 3), Farmer 3 (row 4) and Farmer 3 (row 5): same phone and day as another row; each is booked as its own job.',
			],
		});
	});
});
