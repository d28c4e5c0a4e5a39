import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { comparableDistance, nearestFirst } from '../../nodes/TractorBooking/parse/distance';
import { anything } from './cells';

type Measure = Parameters<typeof comparableDistance>[1];

test.each<[Measure, unknown, number | undefined]>([
	['distance', 3.2, 3.2],
	['distance', '3.2', 3.2],
	['distance', '3.2 km', 3.2],
	['distance', '3,2 kms.', 3.2],
	['distance', '12 Kilometres', 12],
	['distance', '850 m', 0.85],
	['distance', '850 meters', 0.85],
	['distance', '1 mile', 1.609_344],
	['distance', '2 mi', 3.218_688],
	['distance', '1.100 km', 1.1],
	['distance', 0, 0],
	['distance', '5 min', undefined],
	['distance', '3 days', undefined],
	['minsAway', '12 min', 12],
	['minsAway', '12 mins.', 12],
	['minsAway', '1 minute', 1],
	['minsAway', '12 m', 12],
	['minsAway', '1.5 hours', 90],
	['minsAway', '2 h', 120],
	['minsAway', '2hrs', 120],
	['minsAway', '1 hr 20 min', undefined],
	['minsAway', '3 km', undefined],
	['minsAway', 'soon', undefined],
	['minsAway', '', undefined],
	['minsAway', undefined, undefined],
	['minsAway', null, undefined],
	['minsAway', { value: 3 }, undefined],
	['distance', '8 km away', undefined],
	['distance', '~3 km', undefined],
	['distance', '> 3 km', undefined],
	['distance', '3 to 5 km', undefined],
	['distance', '2-3 km', undefined],
	['minsAway', 'about 5 mins', undefined],
	['minsAway', '90 s', 1.5],
	['minsAway', '30 seconds', 0.5],
	['minsAway', '3 shifts', undefined],
	['minsAway', '00:05:00', undefined],
])('%s %p is compared as %p', (measure, value, comparable) => {
	expect(comparableDistance({ [measure]: value } as IDataObject, measure)).toBe(comparable);
});

test('the nearest comes first, and what cannot be compared last, in its order', () => {
	const tractors = ['1.1 km', 'far', '850 m', 2, 'near'].map((distance) => ({ distance }));
	expect(nearestFirst(tractors, 'distance').map(({ distance }) => distance)).toEqual([
		'850 m',
		'1.1 km',
		2,
		'far',
		'near',
	]);
});

test('nothing throws, and a distance is a number', () => {
	fc.assert(
		fc.property(anything(), fc.constantFrom<Measure>('distance', 'minsAway'), (value, measure) => {
			const away = comparableDistance({ [measure]: value } as IDataObject, measure);
			expect(away === undefined || Number.isFinite(away)).toBe(true);
		}),
	);
});
