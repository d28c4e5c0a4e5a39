import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { dayFromNow, eachWithSandbox, saidOf } from '../support/bookings.cts';
import type { OperationName } from '../support/action.cts';
import { byId, OPERATIONS, pairsOf, perform, recordsOf, stopOf } from '../support/action.cts';

const sandbox = eachWithSandbox({ bookings: 300 });

/** An operation with three rows of different parameters; the middle one fails. */
interface Case {
	fields: INodeParameters;
	rows: [IDataObject, IDataObject, IDataObject];
	/** What a record says about the row that it belongs to. */
	about: (record: IDataObject) => unknown;
	/** That of the records of the first and of the last row. */
	expected: [unknown[], unknown[]];
	reason: string;
}

const tomorrow = dayFromNow(0);

const sheetRow = (Tractor: number | string, farmer: number) => ({
	...{
		Tractor,
		Phone: `+234800000000${farmer}`,
		Service: 3,
		'Service Date': tomorrow,
		Name: 'A B',
		Area: '2 ha',
	},
	choose: 'id',
});

const cases: Record<OperationName, Case> = {
	'tractor:findNearby': {
		fields: {
			latitude: '={{ $json.lat }}',
			longitude: '={{ $json.lng }}',
			limit: '={{ $json.most }}',
			options: { includeDetails: '={{ $json.details }}' },
		},
		rows: [
			{ lat: 10.5222, lng: 7.4384, most: 1, details: true },
			{ lat: 'Kaduna', lng: 7.4384, most: 1 },
			{ lat: '0.5143', lng: '35.2698', most: 2, details: false },
		],
		about: ({ PositionLatitude: latitude, owner }) => [Math.round(Number(latitude)), typeof owner],
		expected: [
			[[10, 'string']],
			[
				[1, 'undefined'],
				[1, 'undefined'],
			],
		],
		reason: 'Latitude: "Kaduna" is not a coordinate; write decimal degrees, such as 6.5244.',
	},
	'tractor:get': {
		fields: { tractorIds: '={{ $json.tractors }}' },
		rows: [{ tractors: 204 }, { tractors: 'TR-9' }, { tractors: [202, '201'] }],
		about: ({ TractorID: id }) => id,
		expected: [[204], [202, 201]],
		reason: 'The service returned no details for tractor TR-9',
	},
	'booking:create': {
		fields: {
			tractorId: '={{ $json.tractor }}',
			serviceType: 3,
			serviceDate: '={{ $json.day }}',
			farmerPhone: '={{ $json.phone }}',
		},
		rows: [
			{ tractor: 201, day: tomorrow, phone: '+2348000000001' },
			{ tractor: 202, day: '2020-01-01', phone: '+2348000000002' },
			{ tractor: '203', day: tomorrow, phone: '+2348000000003' },
		],
		about: ({ result, bookedTractorId }) => [result, bookedTractorId],
		expected: [[['created', 201]], [['created', 203]]],
		reason: 'Service Date: "2020-01-01" is in the past',
	},
	'booking:createFromSpreadsheet': {
		fields: {
			tractorSelection: '={{ $json.choose }}',
			options: { columnMapping: { columns: [{ column: 'choose', field: 'ignore' }] } },
		},
		rows: [sheetRow(201, 1), sheetRow('', 2), sheetRow('203', 3)],
		about: ({ result, bookedTractorId }) => [result, bookedTractorId],
		expected: [[['created', 201]], [['created', 203]]],
		reason: 'Tractor ID (column "Tractor") has no value',
	},
	'booking:get': {
		fields: { bookingId: byId('={{ $json.booking }}') },
		rows: [{ booking: 100_007 }, { booking: 5 }, { booking: '100009' }],
		about: ({ bookingID: id }) => id,
		expected: [[100_007], [100_009]],
		reason: 'Booking 5 is unknown, or belongs to another organisation',
	},
	'booking:getAll': {
		fields: { limit: '={{ $json.most }}', filters: { status: '={{ $json.statuses }}' } },
		rows: [
			{ most: 1, statuses: [4] },
			{ most: 'all', statuses: [] },
			{ most: 2, statuses: ['6'] },
		],
		about: ({ bookingStatusLabel: label }) => label,
		expected: [['declined'], ['in_progress', 'in_progress']],
		reason: 'Limit: "all" is not a whole number from 1 up',
	},
	'catalogue:get': {
		fields: { tractorId: byId('={{ $json.tractor }}') },
		rows: [{ tractor: 201 }, { tractor: 'x/y' }, { tractor: '202' }],
		about: ({ tractor_id: id }) => id,
		expected: [['201'], ['202']],
		reason: 'Tractor x/y is not in the catalogue',
	},
	'catalogue:getAll': {
		fields: { limit: '={{ $json.most }}' },
		rows: [{ most: 1 }, { most: -1 }, { most: 3 }],
		about: ({ tractor_id: id }) => id,
		expected: [['201'], ['201', '202', '203']],
		reason: 'Limit: -1 is not a whole number from 1 up',
	},
	'contract:getAll': {
		fields: { limit: '={{ $json.most }}' },
		rows: [{ most: 2 }, { most: '' }, { most: 1 }],
		about: ({ contract_id: id }) => id,
		expected: [[5001, 5002], [5001]],
		reason: 'Limit is empty; ',
	},
};

const reasonOf = (json: IDataObject) => json.error ?? saidOf(json);

describe.each(OPERATIONS)('%s', (name) => {
	const given = cases[name];
	const [first, faulty, last] = given.rows;
	const [ofFirst, ofLast] = given.expected;

	it('stops on an error, and says at which item', async () => {
		const result = await perform(sandbox, name, given.fields, { rows: given.rows });
		expect(result.items).toEqual([]);
		const { name: type, message, description, itemIndex } = stopOf(result);
		expect(itemIndex).toBe(1);
		expect(type).toMatch(/^Node(Api|Operation)Error$/);
		expect(`${message}\n${description}`).toContain(given.reason);
	});

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'continues with the other items: %s',
		async (onError) => {
			const settings = { rows: given.rows, onError };
			const { items, errors, error } = await perform(sandbox, name, given.fields, settings);
			expect(error).toBeUndefined();
			// Among the items, the error is where its row was.
			if (onError === 'continueRegularOutput') errors.push(...items.splice(ofFirst.length, 1));
			expect(recordsOf(items).map(given.about)).toEqual([...ofFirst, ...ofLast]);
			expect(pairsOf(items)).toEqual([...ofFirst.map(() => 0), ...ofLast.map(() => 2)]);
			expect(pairsOf(errors)).toEqual([1]);
			const [{ json } = { json: {} }] = errors;
			expect(json).toMatchObject(faulty);
			expect(reasonOf(json)).toContain(given.reason);
		},
	);

	it.each([
		['a service that cannot be reached', 'http://127.0.0.1:9', /^Could not connect to /],
		['a credential that cannot be used', 'http://a.example', /^The base URL must start with /],
	])('gives every item the error of %s', async (_what, baseUrl, said) => {
		const { items, errors } = await perform(sandbox, name, given.fields, {
			...{ rows: [first, last], onError: 'continueErrorOutput', baseUrl },
		});
		expect(items).toEqual([]);
		expect(pairsOf(errors)).toEqual([0, 1]);
		const [reason] = errors.map(({ json }) => reasonOf(json));
		expect(reason).toMatch(said);
		const [, other] = errors.map(({ json }) => json.toDo ?? json.error);
		// One error of the service is not repeated for each row.
		expect(other).toMatch(name.startsWith('booking:create') ? /^See .*row 2\b/ : said);
	});
});

it('a sheet is not booked by its first row alone', async () => {
	const { fields, rows } = cases['booking:createFromSpreadsheet'];
	const settings = { rows, node: { executeOnce: true } };
	const result = await perform(sandbox, 'booking:createFromSpreadsheet', fields, settings);
	expect(stopOf(result).said).toMatch(/^Execute Once is on .*; turn it off/s);
	expect(sandbox.requests.find()).toEqual([]);
});

it('an empty input asks nothing', async () => {
	for (const name of OPERATIONS) {
		const { items, error } = await perform(sandbox, name, cases[name].fields, { rows: [] });
		expect({ name, items, error }).toEqual({ name, items: [], error: undefined });
	}
	expect(sandbox.requests.find()).toEqual([]);
});
