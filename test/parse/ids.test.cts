import { parseId, parseIds } from '../../nodes/TractorBooking/parse/ids';
import { all, problemOf, valueOf } from './cells.cts';

test.each<[unknown, string[]]>([
	[1042, ['1042']],
	['7, 8;9 10\n11', ['7', '8', '9', '10', '11']],
	['["7", "8"]', ['7', '8']],
	[[7, ['8', '7']], ['7', '8']], // prettier-ignore
	['7, 🚜', ['7', '🚜']],
	['1042.0, #7, 007.00, 7', ['1042', '7', '007']],
	['v1.0, 7.5, 7.000, T-#7', ['v1.0', '7.5', '7.000', 'T-#7']],
])('%p → %p', (value, ids) => {
	expect(valueOf(parseIds(value))).toEqual(ids);
});

test.each<[unknown, RegExp]>([
	...all(['', ' , ;', [], null, {}, '7, ..'], /no identifier/),
	...all(['7\uD83D', ['5', '\uDE9C']], /broken character/),
])('%j is refused', (value, problem) => {
	expect(problemOf(parseIds(value))).toMatch(problem);
	expect(problemOf(parseId(value))).toMatch(problem);
});

test('one identifier is one', () => {
	expect(valueOf(parseId(' 1042 '))).toBe('1042');
	expect(problemOf(parseId('7, 8'))).toMatch(/more than one identifier/);
});
