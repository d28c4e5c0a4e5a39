import { byId, fieldOf, perform, stopOf } from '../support/action.cts';
import { book, farmers } from '../support/bookings.cts';
import { jsonAnswer, startRawServer, type RawServer } from '../support/rawServer.cts';

jest.mock('../../nodes/TractorBooking/api/waits', () =>
	jest.requireActual<object>('../support/shortPauses.cts'),
);

const SWITCHING =
	'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

/** Timeouts of the node, in seconds: for executions in which some request is answered, and for the others. */
const options = { timeout: 1 };
const short = { timeout: 0.5 };

let server: RawServer | undefined;

afterEach(async () => await server?.close());

it('a request that is answered by a change of protocol ends in time, and gives its slot back', async () => {
	server = await startRawServer((socket, { number, line }) => {
		const bookingID = /\d+(?= HTTP)/.exec(line)?.[0];
		socket.end(number <= 8 ? SWITCHING : jsonAnswer({ bookingID, bookingStatus: 0 }));
	});
	const fields = { bookingId: byId('={{ $json.id }}'), options };
	const rows = Array.from({ length: 20 }, (_, id) => ({ id }));
	const { items, error } = await perform(server, 'booking:get', fields, { rows });
	expect(error).toBeUndefined();
	expect(fieldOf(items, 'bookingStatus')).toEqual(Array(20).fill(0));
}, 60_000);

it('a creation whose list never comes ends in time, so that others with the key go on', async () => {
	// Three tries of the first execution's list, the connections left open.
	let isAsked: () => void = () => undefined;
	const asked = new Promise<void>((resolve) => (isAsked = resolve));
	server = await startRawServer((socket, { line, number }) => {
		isAsked();
		if (number <= 3) socket.write(SWITCHING);
		else if (line.startsWith('POST')) socket.end(jsonAnswer({ bookingID: 9, clusterID: 1 }));
		else socket.end(jsonAnswer({ count: 0, next: null, previous: null, results: [] }));
	});
	const { url } = server;
	const one = book({ url }, farmers(1), { options: short });
	// The one with the short timeout has the lock, whichever would be faster.
	await asked;
	const [first, second] = await Promise.all([one, book({ url }, farmers(1))]);
	expect(stopOf(first).message).toMatch(/did not answer in time/);
	expect(fieldOf(second.items, 'bookingID')).toEqual([9]);
}, 60_000);

it('a request whose headers come one by one without end ends in time, and its connection is closed', async () => {
	server = await startRawServer((socket) => {
		socket.write('HTTP/1.1 200 OK\r\n');
		const timer = setInterval(() => socket.write('X-More: 1\r\n'), 100);
		socket.on('close', () => clearInterval(timer));
	});
	const fields = { bookingId: byId('7'), options: short };
	const stop = stopOf(await perform(server, 'booking:get', fields));
	while (server.open.size > 0) await new Promise((resolve) => setTimeout(resolve, 20));
	expect(stop.message).toMatch(/did not answer in time/);
}, 60_000);
