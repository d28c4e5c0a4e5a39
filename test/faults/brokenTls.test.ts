import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import tls from 'node:tls';

import { asText } from '../../nodes/TractorBooking/utils/text';
import type { Sandbox } from '../../sandbox';
import { byId, perform, stopOf } from '../support/action';
import { book, bookingsByPhone, eachWithSandbox, farmers, tableOf } from '../support/bookings';
import { listen } from '../support/listen';

jest.mock('../../nodes/TractorBooking/api/abort', () =>
	jest.requireActual<object>('../support/shortPauses'),
);

let sandbox: Sandbox;

eachWithSandbox({ bookings: 3 }, (started) => (sandbox = started));
afterEach(() => jest.restoreAllMocks());

/** Both sides know a key in advance, so that no certificate is needed. */
const PSK = Buffer.alloc(16, 7);
const ciphers = 'PSK';

/** Lets connections of this process agree on the key. */
function trustKey(): void {
	const connectOverTls = tls.connect as (options: tls.ConnectionOptions) => tls.TLSSocket;
	const pskCallback = () => ({ psk: PSK, identity: 'test' });
	const options = { pskCallback, ciphers, checkServerIdentity: () => undefined };
	jest
		.spyOn(tls, 'connect')
		.mockImplementation(((given: tls.ConnectionOptions) =>
			connectOverTls({ ...given, ...options })) as typeof tls.connect);
}

/**
 * The sandbox with TLS. Something happens to the encrypted connection in place of the answer to the first request
 * of a method, which the sandbox has carried out by then.
 */
async function startBehindTls(method: string, strike: (connection: Socket) => void) {
	trustKey();
	let strikes = 0;
	const server = createServer((connection) => {
		connection.on('error', () => undefined);
		const secureContext = tls.createSecureContext({ ciphers });
		const options = { isServer: true, secureContext, pskCallback: () => PSK };
		const inner = new tls.TLSSocket(connection, options);
		inner.on('error', () => undefined);
		const service = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
		service.on('error', () => undefined);
		let isStruck = false;
		inner.once('data', (request: Buffer) => {
			isStruck = strikes === 0 && request.toString().startsWith(`${method} `);
		});
		inner.pipe(service);
		service.on('data', (answer) => {
			if (!isStruck) inner.write(answer);
			else if (strikes++ === 0) strike(connection);
		});
		service.on('end', () => inner.end());
	});
	const { port, close } = await listen(server);
	return { url: `https://127.0.0.1:${port}`, strikes: () => strikes, close };
}

const strikes: Array<[string, (connection: Socket) => void]> = [
	['broken by bytes that are no TLS', (connection) => connection.write(Buffer.alloc(300, 0x16))],
	['answered in plain HTTP', (connection) => connection.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
	['reset', (connection) => connection.resetAndDestroy()],
	['closed without a word', (connection) => connection.destroy()],
];

describe.each(strikes)('an encrypted connection that is %s after the handshake', (_how, strike) => {
	it('is made again for a read', async () => {
		const service = await startBehindTls('GET', strike);
		const result = await perform(service, 'booking:get', { bookingId: byId('100001') });
		await service.close();
		expect(result.error).toBeUndefined();
		expect(service.strikes()).toBe(1);
	});

	it('loses no booking, and makes none twice', async () => {
		const service = await startBehindTls('POST', strike);
		const [row = {}] = farmers(1);
		const { items } = await book(sandbox, [row], {}, { baseUrl: service.url });
		await service.close();
		expect(service.strikes()).toBe(1);
		expect(tableOf(items)).toEqual([
			'2: created (the response was lost; found among the bookings)',
		]);
		expect(bookingsByPhone(sandbox)[asText(row.phone)]).toBe(1);
	});

	it('is not said to have sent nothing', async () => {
		const service = await startBehindTls('POST', strike);
		const options = { ifAlreadyBooked: 'create' };
		const result = await book(sandbox, farmers(1), { options }, { baseUrl: service.url });
		await service.close();
		expect(stopOf(result).said).toMatch(/unknown whether .* was booked/);
		expect(stopOf(result).said).not.toContain('Nothing was sent');
	});
});
