import '../support/shortPauses.cts';
import { connect, createServer, type Socket } from 'node:net';
import tls from 'node:tls';

import { fieldOf, stopOf } from '../support/action.cts';
import { book, eachWithSandbox, farmers, outcomeOf } from '../support/bookings.cts';
import { listen } from '../support/listen.cts';
import { CERTIFICATE, KEY } from './selfSigned.cts';
import { faultyServiceForTests } from './service.cts';

// What the matrix does not see: one run beside another, and TLS.

const service = faultyServiceForTests(3_000);

it('a creation whose list never comes ends in time, so that others with the key go on', async () => {
	const world = service.open();
	const asked = new Promise<void>((isAsked) => {
		// Three tries of the first execution's list.
		world.fault = { strikes: () => world.requests.length <= 3, strike: () => isAsked() };
	});
	const one = book(world, farmers(1), { options: { timeout: 0.5 } });
	// The one with the short timeout has the lock, whichever would be faster.
	await asked;
	const [first, second] = await Promise.all([one, book(world, farmers(1))]);
	expect(stopOf(first).message).toMatch(/did not answer in time/);
	expect(fieldOf(second.items, 'bookingID')).toEqual([7004]);
}, 60_000);

const sandbox = eachWithSandbox({ bookings: 3 });
afterEach(() => jest.restoreAllMocks());

/** The sandbox with TLS, which something happens to in place of the answer to the first request to book. */
async function startBehindTls(strike: (connection: Socket) => void) {
	const connectOverTls = tls.connect as (options: tls.ConnectionOptions) => tls.TLSSocket;
	const trusting = (options: tls.ConnectionOptions) =>
		connectOverTls({ ...options, rejectUnauthorized: false });
	jest.spyOn(tls, 'connect').mockImplementation(trusting as typeof tls.connect);
	let isStruck = false;
	const server = createServer((connection) => {
		const inner = new tls.TLSSocket(connection, { isServer: true, cert: CERTIFICATE, key: KEY });
		const service = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
		for (const socket of [connection, inner, service]) socket.on('error', () => undefined);
		let strikes = false;
		inner.once('data', (request: Buffer) => {
			strikes = !isStruck && request.toString().startsWith('POST ');
		});
		inner.pipe(service);
		service.on('data', (answer) => {
			if (!strikes) inner.write(answer);
			else if (!isStruck) strike(connection);
			isStruck ||= strikes;
		});
		service.on('end', () => inner.end());
	});
	const { port, close } = await listen(server);
	return { baseUrl: `https://127.0.0.1:${port}`, close };
}

it.each<[how: string, strike: (connection: Socket) => void]>([
	['broken by bytes that are no TLS', (connection) => connection.write(Buffer.alloc(300, 0x16))],
	['closed without a word', (connection) => connection.destroy()],
])(
	'a booking is made once, and unknown, if TLS is %s after the handshake',
	async (_how, strike) => {
		const { baseUrl, close } = await startBehindTls(strike);
		const { table } = await outcomeOf(book, sandbox, farmers(1), {}, { baseUrl });
		await close();
		expect(table).toEqual([expect.stringMatching(/^2: unknown/)]);
		expect(sandbox.store.bookings.count('A')).toBe(3 + 1);
	},
);
