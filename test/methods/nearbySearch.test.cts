import type { INodeParameters } from 'n8n-workflow';

import { KEYS, TOWNS } from '../../sandbox/index.cts';
import { byId, credentialsOf } from '../support/action.cts';
import { answer, eachWithSandbox, tractorsNear } from '../support/bookings.cts';
import { failureOf, searchList } from '../support/editor.cts';

const sandbox = eachWithSandbox({ bookings: 1 });

const [kaduna = { latitude: 0, longitude: 0 }] = TOWNS;
const place = { latitude: String(kaduna.latitude), longitude: String(kaduna.longitude) };
const create = { resource: 'booking', operation: 'create', tractorSelection: 'id', ...place };

async function search(
	name: 'searchTractors' | 'searchServices',
	parameters: INodeParameters = {},
	{ filter, apiKey }: { filter?: string; apiKey?: string } = {},
) {
	const credentials = credentialsOf({ baseUrl: sandbox.url, apiKey });
	return await searchList(name, credentials, { parameters: { ...create, ...parameters }, filter });
}

const valuesOf = ({ results }: { results: Array<{ value: unknown }> }) =>
	results.map(({ value }) => value);

const nearest = () => tractorsNear(sandbox, kaduna).map(({ id }) => String(id));

describe('the list of tractors in Booking > Create', () => {
	it('has the tractors near the coordinate, nearest first, with distance and services', async () => {
		const found = await search('searchTractors');
		expect(nearest().length).toBeGreaterThan(1);
		expect(valuesOf(found)).toEqual(nearest());
		expect(found.paginationToken).toBeUndefined();
		expect(sandbox.requests.find()).toHaveLength(2);
		const tractor = sandbox.store.tractors.get(Number(nearest()[0]));
		const names = tractor?.services.map(({ id, name }) => `${name} (${id})`);
		const [id, away, ...others] = found.results[0]?.name.split(' – ') ?? [];
		expect(id).toBe(String(tractor?.id));
		expect(away).toMatch(/^distance \d+(\.\d+)?$/);
		expect(others).toEqual([names?.sort().join(', '), tractor?.name]);
	});

	it('finds by id, and by service', async () => {
		const [id = ''] = nearest();
		expect(valuesOf(await search('searchTractors', {}, { filter: id }))).toEqual([id]);
		const service = sandbox.store.tractors.get(Number(id))?.services[0]?.name ?? '';
		const offering = nearest().filter((other) =>
			sandbox.store.tractors.get(Number(other))?.services.some(({ name }) => name === service),
		);
		const filter = service.toUpperCase();
		expect(valuesOf(await search('searchTractors', {}, { filter }))).toEqual(offering);
	});

	it('has no services where the details cannot be read', async () => {
		answer(sandbox, { endpoint: 'details' }, 403);
		const found = await search('searchTractors');
		expect(valuesOf(found)).toEqual(nearest());
		expect(found.results[0]?.name).toMatch(/^\d+ – distance [\d.]+$/);
	});

	it.each<[INodeParameters, string | undefined, RegExp]>([
		[
			{ latitude: '', longitude: '' },
			undefined,
			/^NodeOperationError: .*no value yet.* From List/s,
		],
		// An expression that n8n did not resolve.
		[{ latitude: '={{ $json.lat }}', longitude: '' }, undefined, /no value yet.* From List/s],
		[{ latitude: '95' }, undefined, /^NodeOperationError: Latitude .*\nLatitude: "95" /],
		[{}, KEYS.none, /^NodeApiError: .*find tractors near a coordinate/],
	])('says what to do with %j and the key %p', async (parameters, apiKey, said) => {
		expect(await failureOf(search('searchTractors', parameters, { apiKey }))).toMatch(said);
		if (!apiKey) expect(sandbox.requests.find()).toEqual([]);
	});
});

describe('the list of services in Booking > Create', () => {
	const servicesOf = (...ids: string[]) => {
		const all = ids.flatMap((id) => sandbox.store.tractors.get(Number(id))?.services ?? []);
		const byNumber = new Map(all.map(({ id, name }) => [id, `${id} – ${name}`]));
		return [...byNumber].sort(([a], [b]) => a - b).map(([, name]) => name);
	};
	const namesOf = ({ results }: { results: Array<{ name: string }> }) =>
		results.map(({ name }) => name);

	it('has those of the chosen tractor, by number', async () => {
		const chosen = { tractorId: byId('201'), latitude: '', longitude: '' };
		const found = await search('searchServices', chosen);
		expect(namesOf(found)).toEqual(servicesOf('201'));
		expect(valuesOf(found)).toEqual(found.results.map(({ name }) => name.split(' ')[0]));
		expect(sandbox.requests.find()).toHaveLength(1);
		const typed = await search('searchServices', { ...chosen, tractorId: '201.0' });
		expect(namesOf(typed)).toEqual(servicesOf('201'));
	});

	it.each([
		['none is chosen', { tractorId: byId('') }],
		['it is an expression', { tractorId: byId('={{ $json.tractor }}') }],
		['the nearest will be taken', { tractorSelection: 'nearest', tractorId: byId('218') }],
	])('has those of the tractors near the coordinate if %s', async (_when, parameters) => {
		const found = await search('searchServices', parameters);
		expect(namesOf(found)).toEqual(servicesOf(...nearest()));
		expect(sandbox.requests.find()).toHaveLength(2);
	});

	it.each<[INodeParameters, RegExp]>([
		[{ tractorId: byId('201') }, /^NodeOperationError: .*the tractor name no .*Number or Name/s],
		[{ tractorId: byId(''), latitude: '', longitude: '' }, /have no value yet/],
	])('says what to do where there are none for %j', async (parameters, said) => {
		sandbox.store.tractors.get(201)?.services.splice(0);
		expect(await failureOf(search('searchServices', parameters))).toMatch(said);
	});
});
