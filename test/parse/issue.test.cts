import fc from 'fast-check';
import {
	about,
	formatValue,
	InvalidInputError,
	issueText,
	listOf,
	sentencesOf,
	unwrap,
} from '../../nodes/TractorBooking/parse/issue';
import { anything } from './cells.cts';

const invalid = sentencesOf({
	date: () => ['is not a date', 'write it as 2026-12-31'],
	phones: (one: string, other: string) => [
		about`may mean ${one} or ${other}`,
		'write it in full',
		'set Phone Country',
	],
});

test('an issue has the code of its sentence, and what a setting mends apart', () => {
	const issue = { ...invalid('phones', '+2341', '+2342'), field: 'Farmer Phone', value: 1 };
	expect(issue).toMatchObject({ code: 'phones', fix: 'write it in full' });
	const text = 'Farmer Phone: 1 may mean +2341 or +2342; write it in full, or set Phone Country.';
	expect(issueText(issue)).toBe(text);
	// n8n logs the headline.
	expect(new InvalidInputError([issue]).headline).toBe('Farmer Phone may mean … or …');
});

const several = (count: number) => Array.from({ length: count }, (_, at) => String(at + 1));
test.each([
	[several(0), ''],
	[several(1), '1'],
	[several(2), '1 and 2'],
	[several(3), '1, 2 and 3'],
	[several(12), '1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 12'],
	[several(13), '1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more'],
])('list %p', (texts, text) => {
	expect(listOf(texts)).toBe(text);
});
test('list with another word', () => expect(listOf(['a', 'b'], 'or')).toBe('a or b'));

test('the value of a field, or what is wrong with it', () => {
	expect(unwrap({ ok: true, value: 7 }, 'Limit', '7')).toBe(7);
	const thrownFor = (value: unknown) => () => unwrap(invalid('date'), 'Day', value);
	expect(thrownFor('soon')).toThrow('Day: "soon" is not a date; write it as 2026-12-31.');
	expect(thrownFor('')).toThrow('Day is empty; write it as 2026-12-31.');
	expect(thrownFor('soon')).toThrow(expect.objectContaining({ headline: 'Day is not a date' }));
	const issues = [expect.objectContaining({ field: 'Day', code: 'empty' })];
	expect(thrownFor('')).toThrow(expect.objectContaining({ headline: 'Day is empty', issues }));
});

test('show any value in short', () => {
	expect(formatValue('a\n  b')).toBe('"a b"');
	expect(formatValue([1, null])).toBe('[1,null]');
	expect(formatValue('x'.repeat(100))).toHaveLength(60);
	const circular: { self?: unknown } = {};
	circular.self = circular;
	expect(formatValue(circular)).toBe('object');
	fc.assert(
		fc.property(anything(), (value) => {
			expect(formatValue(value).length).toBeLessThanOrEqual(60);
		}),
	);
});
