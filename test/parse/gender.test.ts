import { parseGender } from '../../nodes/TractorBooking/parse/gender';
import { problemOf, valueOf } from './cells';

test.each<[unknown, number]>([
	[2, 2],
	['2', 2],
	['2.0', 2],
	[0, 0],
])('%p → %p', (value, gender) => {
	expect(valueOf(parseGender(value))).toBe(gender);
});

test.each(['male', 'F', 1.5, true, null])('%p is refused', (value) => {
	expect(problemOf(parseGender(value))).toMatch(/integer/);
});
