import type { INodeParameters } from 'n8n-workflow';

import { Client } from '../../nodes/TractorBooking/api/client';
import type { Sandbox } from '../../sandbox';
import { startSandbox } from '../../sandbox';
import { fieldOf, perform, stopOf } from '../support/action';
import { dayFromNow } from '../support/bookings';
import type { RawAnswer, RawServer } from '../support/rawServer';
import { jsonAnswer, startRawServer } from '../support/rawServer';

jest.mock('../../nodes/TractorBooking/api/abort', () =>
	jest.requireActual<object>('../support/shortPauses'),
);

const SWITCHING =
	'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

/** Timeouts of the node, in seconds: for executions in which some request is answered, and for the others. */
const options = { timeout: 1 };
const short = { timeout: 0.5 };

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

let sandbox: Sandbox;
let server: RawServer | undefined;

beforeAll(async () => (sandbox = await startSandbox()));
afterAll(async () => await sandbox.close());
afterEach(async () => {
	await server?.close();
});

async function serve(answer: RawAnswer): Promise<string> {
	server = await startRawServer(answer);
	return server.url;
}

describe('a request ends in time', () => {
	it('that is answered by a change of protocol, and gives its slot back', async () => {
		const baseUrl = await serve((socket, { number }) =>
			socket.end(number <= 8 ? SWITCHING : jsonAnswer({ bookingStatus: 0 })),
		);
		const { items, error } = await perform(
			sandbox,
			'booking:get',
			{ bookingId: byId('={{ $json.id }}'), options },
			{ baseUrl, rows: Array.from({ length: 20 }, (_, id) => ({ id })) },
		);
		expect(error).toBeUndefined();
		expect(fieldOf(items, 'bookingStatus')).toEqual(Array(20).fill(0));
	}, 60_000);

	it('so that other creations with the key go on', async () => {
		// Three tries of the first execution's list, the connections left open.
		let isAsked: () => void = () => undefined;
		const asked = new Promise<void>((resolve) => (isAsked = resolve));
		const baseUrl = await serve((socket, { line, number }) => {
			isAsked();
			if (number <= 3) socket.write(SWITCHING);
			else if (line.startsWith('POST')) socket.end(jsonAnswer({ bookingID: 9, clusterID: 1 }));
			else socket.end(jsonAnswer({ count: 0, next: null, previous: null, results: [] }));
		});
		const fields = {
			tractorId: '201',
			serviceType: '3',
			serviceDate: dayFromNow(3),
			farmerPhone: '+2348000000001',
		};
		const create = async (more: INodeParameters) =>
			await perform(sandbox, 'booking:create', { ...fields, ...more }, { baseUrl });
		const one = create({ options: short });
		// The one with the short timeout has the lock, whichever would be faster.
		await asked;
		const [first, second] = await Promise.all([one, create({})]);
		expect(stopOf(first).message).toMatch(/did not answer in time when asked to list bookings$/);
		expect(fieldOf(second.items, 'bookingID')).toEqual([9]);
	}, 60_000);
});

/** Ways to keep a request waiting. */
const delays: Array<[string, RawAnswer]> = [
	[
		'whose headers come one by one without end',
		(socket) => {
			socket.write('HTTP/1.1 200 OK\r\n');
			const timer = setInterval(() => socket.write('X-More: 1\r\n'), 100);
			socket.on('close', () => clearInterval(timer));
		},
	],
	[
		'whose body comes byte by byte without end',
		(socket) => {
			socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[');
			const timer = setInterval(() => socket.write(' '), 100);
			socket.on('close', () => clearInterval(timer));
		},
	],
	[
		'whose redirects are slow, each within the time',
		(socket, { number }) => {
			const headers = [`Location: /booking-services/partner/booking/${number}`];
			setTimeout(() => socket.end(jsonAnswer('', '302 Found', headers)), 200);
		},
	],
];

it('a request ends in time, whatever it waits for, and its connection is closed', async () => {
	const run = async ([name, answer]: (typeof delays)[number]) => {
		const slow = await startRawServer(answer);
		const fields = { bookingId: byId('7'), options: short };
		const stop = stopOf(await perform(sandbox, 'booking:get', fields, { baseUrl: slow.url }));
		while (slow.open.size > 0) await new Promise((resolve) => setTimeout(resolve, 20));
		await slow.close();
		expect([name, stop.message]).toEqual([
			name,
			expect.stringMatching(/did not answer in time when asked to read booking 7$/),
		]);
	};
	await Promise.all(delays.map(run));
}, 60_000);

it('a helper that never settles delays no other request', async () => {
	const client = new Client({
		baseUrl: 'https://api.example.com',
		secret: 'some-key',
		policy: { timeoutMs: 100, rateLimitWaitMs: 0, retries: 0 },
		request: async () => await new Promise(() => undefined),
	});
	const endpoint = { name: 'bookings', purpose: 'list bookings' };
	const requests = Array.from(
		{ length: 20 },
		async () => await client.send({ endpoint, path: '/' }, (body) => body),
	);
	for (const request of requests) {
		await expect(request).rejects.toMatchObject({ kind: 'timeout' });
	}
});

it('a request that is no longer needed is not sent, and its answer is not waited for', async () => {
	let sent = 0;
	const client = new Client({
		baseUrl: 'https://api.example.com',
		secret: 'some-key',
		policy: { timeoutMs: 3_600_000, rateLimitWaitMs: 0, retries: 2 },
		request: async () => {
			sent += 1;
			return await new Promise(() => undefined);
		},
	});
	const endpoint = { name: 'bookings', purpose: 'list bookings' };
	const stop = new AbortController();
	const request = { endpoint, path: '/', signal: stop.signal };
	const underWay = client.send(request, (body) => body);
	await new Promise((resolve) => setImmediate(resolve));
	expect(sent).toBe(1);
	stop.abort();
	await expect(underWay).rejects.toMatchObject({ kind: 'cancelled' });
	await expect(client.send(request, (body) => body)).rejects.toMatchObject({ kind: 'stopped' });
	expect(sent).toBe(1);
});
