import type { IDataObject } from 'n8n-workflow';

import { findService, namesOfServices, servicesOf } from '../../nodes/TractorBooking/api/services';

const ploughing = { id: 3, name: 'Ploughing' };

it.each<[IDataObject, unknown]>([
	// a list, under any name that ends with services or implements
	[{ TractorServices: [{ serviceType: 3, serviceName: 'Ploughing', cost: 25_000 }] }, [ploughing]],
	[{ tractor_services: [{ service_type: '3', service_name: 'Ploughing' }] }, [ploughing]],
	[{ implements_attached: ['Ploughing', 'Ridging'] }, [{ name: 'Ploughing' }, { name: 'Ridging' }]],
	[{ services: [3, '4'] }, [{ id: 3 }, { id: 4 }]],
	[{ services: ['Ploughing, disc'] }, [{ name: 'Ploughing, disc' }]],
	// the field named as in the request wins
	[{ services: [{ id: 501, serviceType: 3, name: 'Ploughing' }] }, [ploughing]],
	// nothing says which field is the number of the service
	[{ services: [{ id: 501, service_id: 3, name: 'Ploughing' }] }, [{ name: 'Ploughing' }]],
	[{ services: [{ id: 3, type: 'Tillage', name: 'Ploughing' }] }, [{ name: 'Ploughing' }]],
	[{ services: [{ id: 501, service: { id: 3, name: 'Ploughing' } }] }, []],
	[{ services: [{ id: 3, price: 25_000, name: 'Ploughing' }] }, [ploughing]],
	// several fields
	[{ services: [ploughing], implements: ['Disc plough'] }, [ploughing, { name: 'Disc plough' }]],
	[{ services: [] }, []],
])('the services in the details %j', (details, services) => {
	const record = { TractorID: 201, owner: { name: 'Coop', id: 7 }, ...details };
	expect(servicesOf(record)).toEqual(services);
});

it.each<[IDataObject]>([
	[{}],
	[{ services: null }],
	[{ services: { Ploughing: 3 } }],
	[{ hectaresServiced: 12, serviceArea: 30, lastServiceDate: '2026-01-01', lastService: 3 }],
	[{ servicePrice: 10, isServiceable: true }],
])('the details %j name no services', (details) => {
	expect(servicesOf({ TractorID: 201, ...details })).toEqual([]);
});

it('a service by name is the one that has a number', () => {
	const offered = [{ name: 'ploughing' }, ploughing];
	expect(findService(offered, { name: 'Ploughing' })).toEqual(ploughing);
	expect(findService(offered.slice(0, 1), { name: 'Ploughing' })).toEqual({ name: 'ploughing' });
	expect(findService([ploughing, ploughing], { name: 'Ploughing' })).toEqual(ploughing);
});

it.each([
	['land_clearing', 1],
	// as the messages and lists of the nodes write it
	['Land clearing (1)', 1],
	['1 – Land clearing', 1],
	['Land clearing (3)', undefined],
	['clearing', undefined],
	['Ploughing service', undefined],
])('the service %p is number %p', (name, id) => {
	const offered = [{ id: 1, name: 'Land clearing' }, ploughing];
	expect(findService(offered, { name })?.id).toBe(id);
});

it('services are listed as a cell may name them: those with a number, if there are any', () => {
	expect(
		namesOfServices([{ id: 4 }, ploughing, { id: 0, name: 'Survey' }, { name: 'Labour' }]),
	).toEqual(['4', 'Ploughing (3)', 'Survey (0)']);
	expect(namesOfServices([{ name: 'Labour' }])).toEqual(['Labour']);
});
