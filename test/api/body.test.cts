import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import { perform, recordsOf } from '../support/action.cts';
import { startRawServer } from '../support/rawServer.cts';

const BOOKING = { bookingID: 100_001, bookingStatus: 0, farmerName: 'Adébáyọ̀ 農夫' };
const json = Buffer.from(JSON.stringify(BOOKING));

function sendPieces(socket: Socket, at = 0): void {
	if (at === json.length) socket.end();
	else socket.write(json.subarray(at, at + 1), () => setImmediate(sendPieces, socket, at + 1));
}

/** How a service may send the booking. */
const ways: Array<[string, string, (socket: Socket) => void]> = [
	['in one piece', '', (socket) => socket.end(json)],
	['in pieces that cut characters apart', '', sendPieces],
	[
		'with a byte order mark',
		'',
		(socket) => socket.end(Buffer.concat([Buffer.from('\ufeff'), json])),
	],
	['compressed', 'Content-Encoding: gzip\r\n', (socket) => socket.end(gzipSync(json))],
];

it.each(ways)('a body is read whole that comes %s', async (_way, header, send) => {
	const server = await startRawServer((socket) => {
		socket.write(`HTTP/1.1 200 OK\r\nConnection: close\r\n${header}\r\n`);
		send(socket);
	});
	const fields = { bookingId: { __rl: true, mode: 'id', value: '100001' } };
	const { items } = await perform(server, 'booking:get', fields);
	await server.close();
	expect(recordsOf(items)).toEqual([expect.objectContaining(BOOKING)]);
});
