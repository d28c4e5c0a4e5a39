import { fieldOf, stopOf } from '../support/action.cts';
import { book, farmers } from '../support/bookings.cts';
import { jsonAnswer, startRawServer } from '../support/rawServer.cts';

jest.mock('../../nodes/TractorBooking/api/waits', () =>
	jest.requireActual<object>('../support/shortPauses.cts'),
);

const SWITCHING =
	'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

// test/faults has the other requests that are never answered.
it('a creation whose list never comes ends in time, so that others with the key go on', async () => {
	// Three tries of the first execution's list, the connections left open.
	let isAsked: () => void = () => undefined;
	const asked = new Promise<void>((resolve) => (isAsked = resolve));
	const server = await startRawServer((socket, { line, number }) => {
		isAsked();
		if (number <= 3) socket.write(SWITCHING);
		else if (line.startsWith('POST')) socket.end(jsonAnswer({ bookingID: 9, clusterID: 1 }));
		else socket.end(jsonAnswer({ count: 0, next: null, previous: null, results: [] }));
	});
	const { url } = server;
	const one = book({ url }, farmers(1), { options: { timeout: 0.5 } });
	// The one with the short timeout has the lock, whichever would be faster.
	await asked;
	const [first, second] = await Promise.all([one, book({ url }, farmers(1))]);
	await server.close();
	expect(stopOf(first).message).toMatch(/did not answer in time/);
	expect(fieldOf(second.items, 'bookingID')).toEqual([9]);
}, 60_000);
