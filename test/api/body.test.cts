import { byId, perform, recordsOf } from '../support/action.cts';
import { startRawServer } from '../support/rawServer.cts';

const BOOKING = { bookingID: 100_001, bookingStatus: 0, farmerName: 'Adébáyọ̀ 農夫' };
const json = Buffer.from(JSON.stringify(BOOKING));

// test/faults has other ways in which a body may come.
it('a body is read whole that comes in pieces that cut characters apart', async () => {
	const server = await startRawServer((socket) => {
		socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n');
		const send = (at: number) => {
			if (at === json.length) socket.end();
			else socket.write(json.subarray(at, at + 1), () => setImmediate(send, at + 1));
		};
		send(0);
	});
	const { items } = await perform(server, 'booking:get', { bookingId: byId('100001') });
	await server.close();
	expect(recordsOf(items)).toEqual([expect.objectContaining(BOOKING)]);
});
