import type { IDataObject } from 'n8n-workflow';

import { fieldOf, perform } from '../support/action.cts';
import { eachWithSandbox } from '../support/bookings.cts';

const sandbox = eachWithSandbox();

async function details(tractorIds: string) {
	return await perform(sandbox, 'tractor:get', { tractorIds }, { onError: 'continueErrorOutput' });
}

const tractorsWith = (keyOf: (id: number) => IDataObject) =>
	[201, 202].map((id) => ({ name: `Tractor ${id}`, ...keyOf(id) }));

it.each<[unknown]>([
	[tractorsWith((tractorID) => ({ tractorID }))],
	[tractorsWith((TractorId) => ({ id: TractorId + 900, TractorId }))],
	[{ id: 'req-7', data: tractorsWith((TractorID) => ({ TractorID })) }],
	[{ tractors: tractorsWith((TractorID) => ({ TractorID })) }],
])('details are known by the identifiers in %j', async (body) => {
	sandbox.faults.add({ fault: { kind: 'status', status: 200, body } });
	const { items, errors } = await details('201, 202');
	expect(fieldOf(items, 'name')).toEqual(['Tractor 201', 'Tractor 202']);
	expect(errors).toEqual([]);
});

it.each([400, 404])('an identifier that is refused with %d is named', async (status) => {
	sandbox.faults.add({
		match: { endpoint: 'details', path: /TR-9/ },
		fault: { kind: 'status', status },
	});
	const { items, errors } = await details('201, 202, 203, TR-9');
	expect(items).toEqual([]);
	expect(fieldOf(errors, 'error')).toEqual(['The service returned no details for tractor TR-9']);
	expect(sandbox.requests.count('details')).toBe(1 + 4);
});

it('identifiers that an answer leaves out are unknown', async () => {
	sandbox.faults.add({
		fault: { kind: 'status', status: 200, body: tractorsWith((TractorID) => ({ TractorID })) },
	});
	const { items, errors } = await details('201, 202, 203');
	expect(items).toEqual([]);
	expect(fieldOf(errors, 'error')).toEqual(['The service returned no details for tractor 203']);
	expect(sandbox.requests.count('details')).toBe(1);
});

it('many identifiers are asked for 25 at a time', async () => {
	const many = Array.from({ length: 110 }, (_, index) => `tractor-${1_000 + index}`);
	sandbox.faults.add({
		match: { endpoint: 'details' },
		fault: { kind: 'status', status: 200, body: many.map((TractorID) => ({ TractorID })) },
	});
	const { items } = await details(many.join(', '));
	expect(fieldOf(items, 'TractorID')).toEqual(many);
	expect(sandbox.requests.count('details')).toBe(5);
});
