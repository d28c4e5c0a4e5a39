import fc from 'fast-check';
import { comparableDistance, nearestFirst } from '../../nodes/TractorBooking/parse/distance';
import { anything } from './cells';

type Measure = Parameters<typeof comparableDistance>[1];

const away = (measure: Measure, value: unknown) =>
	comparableDistance(JSON.parse(JSON.stringify({ [measure]: value })), measure);

test.each<[Measure, unknown, number | undefined]>([
	['distance', 3.2, 3.2],
	['distance', '3,2 kms.', 3.2],
	['distance', '12 Kilometres', 12],
	['distance', '850 m', 0.85],
	['distance', '2 mi', 3.218_688],
	['distance', '1.100 km', 1.1],
	['distance', 0, 0],
	['minsAway', '12 mins.', 12],
	['minsAway', '1.5 hours', 90],
	['minsAway', '2hr', 120],
	...[
		'5 min',
		'3 days',
		'8 km away',
		'~3 km',
		'3 to 5 km',
		'2-3 km',
		'',
		null,
		{},
		'2 __proto__',
	].map((value): [Measure, unknown, undefined] => ['distance', value, undefined]),
	...['1 hr 20 min', '3 km', 'soon', 'about 5 mins', '00:05:00'].map(
		(value): [Measure, unknown, undefined] => ['minsAway', value, undefined],
	),
])('%s %p is compared as %p', (measure, value, comparable) => {
	expect(away(measure, value)).toBe(comparable);
});

test('the nearest comes first, and what cannot be compared last, in its order', () => {
	const tractors = ['1.1 km', 'far', '850 m', 2, 'near'].map((distance) => ({ distance }));
	const sorted = nearestFirst(tractors, 'distance').map(({ distance }) => distance);
	expect(sorted).toEqual(['850 m', '1.1 km', 2, 'far', 'near']);
});

test('nothing throws, and a distance is a number', () => {
	fc.assert(
		fc.property(anything(), (distance) => {
			const known = Reflect.apply(comparableDistance, undefined, [{ distance }, 'distance']);
			expect(known === undefined || Number.isFinite(known)).toBe(true);
		}),
	);
});
