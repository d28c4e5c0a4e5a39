import { isGenderWord, parseGender } from '../../nodes/TractorBooking/parse/gender';
import { problemOf, valueOf } from './cells';

describe('gender', () => {
	const words = { Female: 7, 'F.': 7, homme: 3, '1': 5, half: 1.5 };

	test.each<[unknown, number]>([
		[2, 2],
		['2', 2],
		['2.0', 2],
		[0, 0],
		[' FEMALE ', 7],
		['f.', 7],
		['Hommé', 3],
		[1, 5], // the user's own map goes before the number as it is
	])('%p → %p', (value, gender) => {
		expect(valueOf(parseGender(value, words))).toBe(gender);
	});

	test.each(['male', 'F', 'half', 1.5, true, null, '__proto__', 'constructor', 'toString'])(
		'%p is refused',
		(value) => {
			expect(problemOf(parseGender(value, words))).toMatch(/integer|whole number/);
		},
	);

	test('without a map no word has a meaning', () => {
		const cell = parseGender('female');
		expect(cell).toMatchObject({
			ok: false,
			fix: expect.stringContaining('Options > Gender Words'),
		});
	});
});

test.each<[unknown, boolean]>([
	['F', true],
	[' female ', true],
	['2', false],
	[2, false],
	['1.5', false],
	[true, false],
	['', false],
	[null, false],
])('%p is a word: %p', (value, isWord) => {
	expect(isGenderWord(value)).toBe(isWord);
});
