import { parseInteger, parseNumericId } from '../../nodes/TractorBooking/parse/numbers';
import { all, problemOf, valueOf } from './cells.cts';

test.each<[unknown, number]>([
	...all([12, ' 12 ', '12.0', '#12'], 12),
	['007', 7],
	['-3', -3],
	['-0', 0],
])('%p → %p', (value, number) => {
	expect(valueOf(parseInteger(value))).toBe(number);
});

test.each([
	...[12.5, '12.5', '12.000', '1,250', '1e3', 'T12', 'No. 12', '12 ha', '', true, null, [1]],
	...[2 ** 53, '9007199254740993'],
])('%p is refused', (value) => {
	expect(problemOf(parseInteger(value))).toMatch(/not a whole number/);
});

test('an ID has a least number', () => {
	expect(valueOf(parseNumericId('1', 1, 'tractor'))).toBe(1);
	expect(problemOf(parseNumericId(0, 1, 'tractor'))).toMatch(/not the ID of a tractor/);
});
