import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { readBodyText } from '../../nodes/TractorBooking/api/body';
import { startSandbox } from '../../sandbox';
import { perform } from '../support/action';

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

it.each(Object.entries(ways))('a body is read whole that comes %s', async (_way, answer) => {
	const sandbox = await startSandbox();
	const server = createServer((_request, response) => {
		response.setHeader('Content-Type', 'application/json');
		answer(response);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const fields = { bookingId: { __rl: true, mode: 'id', value: '100001' } };
	const baseUrl = `http://127.0.0.1:${port}`;
	const { items } = await perform(sandbox, 'booking:get', fields, { baseUrl });
	server.closeAllConnections();
	server.close();
	await sandbox.close();
	expect(items.map((item) => item.json)).toEqual([expect.objectContaining(BOOKING)]);
});

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
