import type { IDataObject } from 'n8n-workflow';
import { comparableDistance } from '../../nodes/TractorBooking/parse/distance';

test.each<[number | string, number]>([
	[3.2, 3.2],
	['3.2 km', 3.2],
	['850 m', 0.85],
	['1.100 km', 1.1],
	[0, 0],
])('%p is compared as %p', (distance, comparable) => {
	expect(comparableDistance({ distance })).toBe(comparable);
});

const texts = ['5 min', '3 days', '8 km away', '~3 km', '2 mi', '3 to 5 km', '2-3 km', ''];

test.each<IDataObject[string]>([...texts, -1, null, {}])('%p cannot be compared', (distance) => {
	expect(comparableDistance({ distance })).toBeUndefined();
});
