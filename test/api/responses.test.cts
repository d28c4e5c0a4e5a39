import { parseRetryAfter, readBodyText } from '../../nodes/TractorBooking/api/responses';

it.each([
	['0', 0],
	['5', 5_000],
	['', undefined],
	['soon', undefined],
	[undefined, undefined],
	['Tue, 03 Feb 2026 08:01:30 GMT', 90_000],
	['Tue, 03 Feb 2026 07:59:59 GMT', 0],
])('Retry-After %j asks to wait %p ms', (header, ms) => {
	jest.useFakeTimers({ now: Date.parse('2026-02-03T08:00:00Z') });
	expect(parseRetryAfter(header)).toBe(ms);
	jest.useRealTimers();
});

it.each([
	['is odd', 'is odd'],
	[{ error: 'is odd' }, '{"error":"is odd"}'],
	[null, ''],
	[undefined, ''],
])('a body that n8n has read, %j, is the text %j', async (body, text) => {
	expect(await readBodyText(body, new AbortController().signal)).toBe(text);
});
