import { constants, createGzip } from 'node:zlib';

import { parseResponse, parseRetryAfter } from '../../nodes/TractorBooking/api/responses';
import { perform, stopOf } from '../support/action.cts';
import { startRawServer } from '../support/rawServer.cts';

jest.mock('../../nodes/TractorBooking/api/waits', () =>
	jest.requireActual('../support/shortPauses.cts'),
);

it('an answer that is too large ends with advice, and is not read on', async () => {
	const server = await startRawServer((socket) => {
		socket.write('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n');
		const gzip = createGzip({ level: constants.Z_BEST_SPEED });
		gzip.pipe(socket);
		const megabyte = Buffer.alloc(1024 ** 2, ' ');
		// Without end, as long as it is read.
		const write = () => {
			if (!socket.destroyed) gzip.write(megabyte, () => setImmediate(write));
		};
		write();
	});
	const result = await perform(server, 'booking:getAll');
	while (server.open.size > 0) await new Promise((resolve) => setTimeout(resolve, 20));
	await server.close();
	expect(stopOf(result)).toMatchObject({
		message: 'The response was larger than 100 MB when asked to list bookings',
		description: expect.stringMatching(/Ask for fewer records/) as unknown,
	});
	expect(server.requests).toHaveLength(1);
}, 60_000);

it.each([
	[400, 'validation'],
	[401, 'notAllowed'],
	[403, 'notAllowed'],
	[404, 'notFound'],
	[408, 'server'],
	[409, 'validation'],
	[405, 'status'],
	[429, 'rateLimited'],
	[500, 'server'],
	[599, 'server'],
])('status %i is a failure of the kind %s, with a reason and without', (statusCode, kind) => {
	for (const body of ['', '{"error":"it is odd"}']) {
		const response = { statusCode, headers: { 'retry-after': '2' }, body };
		expect(parseResponse(response, { name: 'bookings', purpose: 'list bookings' })).toMatchObject({
			kind,
			status: statusCode,
			retryAfterMs: 2_000,
		});
	}
});

it.each([
	['0', 0],
	['1.2', 1_200],
	[' 5 ', 5_000],
	[7, 7_000],
	['-5', 0],
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
