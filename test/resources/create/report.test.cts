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

it('the preview says how the columns were read, and what is in the others, once', async () => {
	const rows = farmers(5, { Officer: 'Musa' });
	rows.forEach((row, index) => (row.Colour = `colour ${index}`));
	const fields = { dryRun: true, options: { otherColumns: 'ignore' } };
	const { items } = await bookSheet(sandbox, rows, fields);
	const [summary, ...others] = fieldOf(items, 'summary');
	expect(summary).toMatchObject({
		columns: expect.arrayContaining([{ column: 'phone', field: 'Farmer Phone' }]) as unknown,
		otherColumns: [
			{ column: 'Officer', values: [{ value: 'Musa', count: 5 }], distinct: 1 },
			{ column: 'Colour', values: { length: 5 }, distinct: 5 },
		],
		notices: [],
	});
	expect(others).toEqual(Array(4).fill(undefined));
});
