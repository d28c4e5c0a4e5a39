import fc from 'fast-check';
import {
	about,
	formatValue,
	InvalidInputError,
	issueText,
	sentencesOf,
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

test.each([
	['Day', 'soon', 'Service Date (column "Day"): "soon" is not a date; write it as 2026-12-31.'],
	['Service Date', 0, 'Service Date: 0 is not a date; write it as 2026-12-31.'],
	[undefined, undefined, 'Service Date is not a date; write it as 2026-12-31.'],
])('name field, column %p, value, problem and fix', (column, value, text) => {
	expect(issueText({ field: 'Service Date', column, value, ...invalid('date') })).toBe(text);
});

test('an issue has the code of its sentence, and what a setting mends apart', () => {
	const issue = { ...invalid('phones', '+2341', '+2342'), field: 'Farmer Phone', value: 1 };
	expect(issue).toMatchObject({ code: 'phones', fix: 'write it in full' });
	const text = 'Farmer Phone: 1 may mean +2341 or +2342; write it in full, or set Phone Country.';
	expect(issueText(issue)).toBe(text);
	// n8n logs the headline.
	expect(new InvalidInputError([issue]).headline).toBe('Farmer Phone may mean … or …');
});

test('show any value in short', () => {
	expect(formatValue('a\n  b')).toBe('"a b"');
	expect(formatValue([1, null])).toBe('[1,null]');
	expect(formatValue('x'.repeat(100))).toHaveLength(60);
	const circular: { self?: unknown } = {};
	circular.self = circular;
	expect(formatValue(circular)).toBe('an object');
	fc.assert(
		fc.property(anything(), (value) => {
			expect(formatValue(value).length).toBeLessThanOrEqual(60);
		}),
	);
});
