import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { readBodyText } from '../../nodes/TractorBooking/api/body';
import type { Sandbox } from '../../sandbox';
import { startSandbox } from '../../sandbox';
import { perform, stopOf } from '../support/action';

jest.mock('../../nodes/TractorBooking/api/abort', () =>
	jest.requireActual<object>('../support/shortPauses'),
);

const BOOKING = { bookingID: 100_001, bookingStatus: 0, farmerName: 'Adébáyọ̀ 農夫' };
const json = Buffer.from(JSON.stringify(BOOKING));

/** How a service may send the booking. */
const ways: Record<string, (response: ServerResponse) => void> = {
	'in one piece': (response) => response.end(json),
	'in pieces that cut characters apart': (response) => {
		const send = (at: number): void => {
			if (at === json.length) response.end();
			else response.write(json.subarray(at, at + 1), () => setImmediate(send, at + 1));
		};
		send(0);
	},
	'with a byte order mark': (response) =>
		response.end(Buffer.concat([Buffer.from('\ufeff'), json])),
	compressed: (response) => {
		response.setHeader('Content-Encoding', 'gzip');
		response.end(gzipSync(json));
	},
};

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

afterAll(async () => {
	await sandbox.close();
});

/** Reads a booking from a service that answers in this way; `timeout` is in seconds. */
async function read(answer: (response: ServerResponse) => void, timeout: number) {
	let requests = 0;
	const server = createServer((_request, response) => {
		requests += 1;
		response.setHeader('Content-Type', 'application/json');
		answer(response);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const fields = {
		bookingId: { __rl: true, mode: 'id', value: '100001' },
		options: { timeout },
	};
	const baseUrl = `http://127.0.0.1:${port}`;
	const result = await perform(sandbox, 'booking:get', fields, { baseUrl });
	server.closeAllConnections();
	server.close();
	return { result, requests };
}

it.each(Object.entries(ways))('a body is read whole that comes %s', async (_way, answer) => {
	const { result } = await read(answer, 30);
	expect(result.error).toBeUndefined();
	expect(result.items.map((item) => item.json)).toEqual([expect.objectContaining(BOOKING)]);
});

it('a body that does not end in time is a timeout, and is asked for again', async () => {
	const { result, requests } = await read(
		(response) => void response.write(json.subarray(0, 20)),
		1,
	);
	expect(stopOf(result).message).toMatch(
		/did not answer in time when asked to read booking 100001$/,
	);
	expect(requests).toBe(3);
}, 20_000);

it('bodies that are read at the same time share one limit, and small ones are read all the same', async () => {
	const piece = Buffer.alloc(1024 ** 2, ' ');
	const { signal } = new AbortController();
	async function* pieces(count: number) {
		for (let sent = 0; sent < count; sent++) {
			await new Promise(setImmediate);
			yield piece;
		}
	}
	const megabytes = async (count: number) => {
		const body = Object.assign(pieces(count), { destroy: () => undefined });
		const text = await readBodyText(body, signal).catch(() => '');
		return text.length / piece.length;
	};
	const together = await Promise.all([megabytes(60), megabytes(60), megabytes(5)]);
	expect(together.sort((a, b) => a - b)).toEqual([0, 5, 60]);
	expect(await megabytes(60)).toBe(60);
});
