import { readFileSync } from 'node:fs';

import {
	BOOKING_STATUS_LABELS,
	statusCode,
	statusLabel,
} from '../../nodes/TractorBooking/api/status';

it('the labels are those of the README', () => {
	const labels = [...BOOKING_STATUS_LABELS].map((pair) => pair.join(' '));
	expect(readFileSync('README.md', 'utf8')).toContain(`: ${labels.join(', ')}.`);
});

it.each([
	[3, 3, 'completed'],
	[' 3 ', 3, 'completed'],
	['3.0', 3, 'completed'],
	['Completed', 3, 'completed'],
	['To-Completed', 20, 'to_completed'],
	['in  progress', 6, 'in_progress'],
	[8, 8, 'unknown (8)'],
	['done', undefined, 'unknown (done)'],
	['3.5', undefined, 'unknown (3.5)'],
	['x3', undefined, 'unknown (x3)'],
	[null, undefined, 'unknown'],
	[undefined, undefined, 'unknown'],
])('the status %p is %p, %s', (written, code, label) => {
	expect(statusCode(written)).toBe(code);
	expect(statusLabel(written)).toBe(label);
});
