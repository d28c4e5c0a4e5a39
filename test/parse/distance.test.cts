import type { IDataObject } from 'n8n-workflow';
import { comparableDistance, type Measure } from '../../nodes/TractorBooking/parse/distance';
import { all } from './cells.cts';

test.each<[Measure, number | string, number]>([
	['distance', 3.2, 3.2],
	['distance', '3.2 kms.', 3.2],
	['distance', '12 Kilometres', 12],
	['distance', '850 m', 0.85],
	['distance', '1.100 km', 1.1],
	['distance', 0, 0],
	['minsAway', '12 mins.', 12],
	['minsAway', '1.5 hours', 90],
	['minsAway', '2hr', 120],
])('%s %p is compared as %p', (measure, value, comparable) => {
	expect(comparableDistance({ [measure]: value }, measure)).toBe(comparable);
});

test.each<[unknown, Measure]>([
	...all(
		[-1, '5 min', '3 days', '8 km away', '~3 km', '2 mi', '3 to 5 km', '2-3 km'],
		'distance' as const,
	),
	...all(['', null, {}, '2 __proto__'], 'distance' as const),
	...all(['1 hr 20 min', '3 km', 'soon', 'about 5 mins', '00:05:00'], 'minsAway' as const),
])('%p as %s cannot be compared', (value, measure) => {
	const tractor = JSON.parse(JSON.stringify({ [measure]: value })) as IDataObject;
	expect(comparableDistance(tractor, measure)).toBeUndefined();
});
