import fc from 'fast-check';
import { formatValue, issueText } from '../../nodes/TractorBooking/parse/issue';
import { anything } from './cells.cts';

const refusal = { problem: 'is not a date', fix: 'write it as 2026-12-31' };

test.each([
	['Day', 'soon', 'Service Date (column "Day"): "soon" is not a date; write it as 2026-12-31.'],
	['Service Date', 0, 'Service Date: 0 is not a date; write it as 2026-12-31.'],
	[undefined, undefined, 'Service Date is not a date; write it as 2026-12-31.'],
])('name field, column %p, value, problem and fix', (column, value, text) => {
	expect(issueText({ field: 'Service Date', column, value, ...refusal })).toBe(text);
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
