import fc from 'fast-check';
import { formatValue, issueAt, issueText } from '../../nodes/TractorBooking/parse/issue';
import { labelOf, labelsOf } from '../../nodes/TractorBooking/parse/labels';
import { anything } from './cells';

describe('issues', () => {
	const refusal = { problem: 'is not a date', fix: 'write it as 2026-12-31' };

	test('name field, column, value, problem and fix', () => {
		expect(issueText(issueAt('serviceDate', 'soon', refusal, 'Day'))).toBe(
			'Service Date (column "Day"): "soon" is not a date; write it as 2026-12-31.',
		);
		expect(issueText(issueAt('serviceDate', 0, refusal, 'serviceDate'))).toBe(
			'Service Date: 0 is not a date; write it as 2026-12-31.',
		);
		expect(issueText(issueAt('serviceDate', 0, refusal, 'Service Date'))).toBe(
			'Service Date: 0 is not a date; write it as 2026-12-31.',
		);
		expect(issueText(issueAt('row', undefined, { problem: 'is empty', fix: 'fill it in' }))).toBe(
			'The row is empty; fill it in.',
		);
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
});

test.each([
	['farmerPhone', 'Farmer Phone'],
	['bookingID', 'Booking ID'],
	['custom_crop', 'Custom Crop'],
	['coordinates', 'Latitude and Longitude'],
	['Column Mapping', 'Column Mapping'],
])('the label of %s is %s', (field, label) => {
	expect(labelOf(field)).toBe(label);
});

test('labels are listed as in a sentence', () => {
	expect(labelsOf(['crop'])).toBe('Crop');
	expect(labelsOf(['crop', 'gender', 'landArea'])).toBe('Crop, Gender and Land Area');
});
