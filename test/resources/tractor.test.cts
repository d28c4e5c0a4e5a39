import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { TOWNS } from '../../sandbox/index.cts';
import { fieldOf, pairsOf, perform, recordsOf, stopOf } from '../support/action.cts';
import { answer, eachWithSandbox, tractorsNear } from '../support/bookings.cts';
import { TOOL } from '../support/engine.cts';

const sandbox = eachWithSandbox();

const [kaduna] = TOWNS;

const continuing = { onError: 'continueErrorOutput' };

async function find(fields: INodeParameters, rows: IDataObject[] = [{}], settings = {}) {
	const { latitude, longitude } = kaduna;
	const all = { latitude, longitude, ...fields };
	return await perform(sandbox, 'tractor:findNearby', all, { rows, ...settings });
}

describe('Tractor > Find Nearby', () => {
	it('returns the nearest first, all or up to a limit', async () => {
		const all = await find({ returnAll: true });
		expect(fieldOf(all.items, 'TractorID')).toEqual(
			tractorsNear(sandbox, kaduna).map(({ id }) => id),
		);
		const some = await find({ limit: 2 });
		expect(recordsOf(some.items)).toEqual(recordsOf(all.items).slice(0, 2));
		expect(sandbox.requests.count('nearby')).toBe(2);
		expect(sandbox.requests.count('details')).toBe(0);
	});

	it('asks once for items with the same coordinate, however it is written', async () => {
		const rows = [{ lat: 10.5222 }, { lat: '10,5222' }, { lat: '10.5222° N' }, { lat: 11.0855 }];
		const { items } = await find({ latitude: '={{ $json.lat }}', limit: 1 }, rows);
		expect(pairsOf(items)).toEqual([0, 1, 2, 3]);
		expect(sandbox.requests.count('nearby')).toBe(2);
	});
});

describe('Include Details', () => {
	it('adds the details of the tractors of an item in one request', async () => {
		const rows = [
			{ ...kaduna, details: true },
			{ ...TOWNS[10], details: false },
			{ ...TOWNS[1], details: true },
		];
		const place = { latitude: '={{ $json.latitude }}', longitude: '={{ $json.longitude }}' };
		const options = { includeDetails: '={{ $json.details }}' };
		const { items } = await find({ ...place, limit: 3, options }, rows);
		expect(sandbox.requests.count('details')).toBe(2);
		expect(pairsOf(items)).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2]);
		for (const { json, pairedItem } of items) {
			const tractor = sandbox.store.tractors.get(Number(json.TractorID));
			const wanted = (pairedItem as { item: number }).item !== 1;
			expect(json.owner).toBe(wanted ? tractor?.owner : undefined);
			// The values of the search stay, which the details do not have.
			expect(json.distance).toEqual(expect.any(Number));
			expect(json.minsAway).toEqual(expect.any(Number));
		}
	});

	it.each([
		[{}, 'string'],
		[{ includeDetails: false }, 'undefined'],
	])('a tool adds them unless the option is off: %j', async (options, type) => {
		const { items } = await find({ limit: 1, options }, [{}], { node: { type: TOOL } });
		expect(typeof items[0]?.json.owner).toBe(type);
	});

	it('that cannot be read fails the items that want them, and no others', async () => {
		answer(sandbox, { endpoint: 'details' }, 403);
		const fields = { limit: 1, options: { includeDetails: '={{ $json.details }}' } };
		const rows = [{ details: false }, { details: true }];
		expect(stopOf(await find(fields, rows))).toMatchObject({ itemIndex: 1, httpCode: '403' });
		const { items, errors } = await find(fields, rows, continuing);
		expect([pairsOf(items), pairsOf(errors)]).toEqual([[0], [1]]);
	});
});

const get = async (
	tractorIds: INodeParameters[string],
	rows: IDataObject[] = [{}],
	settings = {},
) => await perform(sandbox, 'tractor:get', { tractorIds }, { rows, ...settings });

describe('Tractor > Get', () => {
	it('reports an expression that fails at its item alone', async () => {
		const rows = [{ ids: '201' }, { ids: 'none' }];
		const { items, errors } = await get('={{ $json.ids.toNumber() }}', rows, continuing);
		expect([pairsOf(items), pairsOf(errors)]).toEqual([[0], [1]]);
	});

	it('sends the ids of all items in one request and pairs the results', async () => {
		const rows = [{ ids: '201,202' }, { ids: 203 }, { ids: ['202', 204] }];
		const { items } = await get('={{ $json.ids }}', rows);
		expect(fieldOf(items, 'TractorID')).toEqual([201, 202, 203, 202, 204]);
		expect(pairsOf(items)).toEqual([0, 0, 1, 2, 2]);
		expect(sandbox.requests.find().map(({ path }) => path)).toEqual([
			'/booking-services/tractor/201,202,203,204/detail/',
		]);
		expect(items[1]?.json).not.toBe(items[3]?.json);
	});

	const records = [201, 202].map((TractorId) => ({ id: TractorId + 900, TractorId }));

	it.each<[unknown]>([[records], [{ id: 'req-7', data: records }], [{ tractors: records }]])(
		'knows details by the identifiers in %j',
		async (body) => {
			answer(sandbox, {}, 200, body);
			const { items } = await get('201, 202');
			expect(fieldOf(items, 'id')).toEqual([1101, 1102]);
		},
	);

	it.each([
		['is refused with 400', { path: /TR-9/ }, 400, undefined, 'TR-9', 1 + 3],
		['is refused with 404', { path: /TR-9/ }, 404, undefined, 'TR-9', 1 + 3],
		['the answer leaves out', {}, 200, records, '203', 1],
	] as const)('names an identifier that %s', async (_what, match, status, body, id, requests) => {
		answer(sandbox, match, status, body);
		const { items, errors } = await get(`201, 202, ${id}`, [{}], continuing);
		expect(items).toEqual([]);
		const error = `The service returned no details for tractor ${id}`;
		expect(fieldOf(errors, 'error')).toEqual([error]);
		expect(sandbox.requests.count('details')).toBe(requests);
	});

	it('says nothing that n8n would show as HTML', async () => {
		const { said } = stopOf(await get('<b>'));
		expect(said).toContain('tractor ‹b>');
	});

	it('asks for 25 of many identifiers at a time', async () => {
		const many = Array.from({ length: 110 }, (_, index) => `tractor-${1_000 + index}`);
		const details = many.map((TractorID) => ({ TractorID }));
		answer(sandbox, {}, 200, details);
		const { items } = await get(many.join(', '));
		expect(fieldOf(items, 'TractorID')).toEqual(many);
		expect(sandbox.requests.count('details')).toBe(5);
	});
});
