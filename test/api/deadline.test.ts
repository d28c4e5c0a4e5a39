import type { INodeParameters } from 'n8n-workflow';

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

let server: RawServer | undefined;

afterEach(async () => await server?.close());

describe('a request ends in time', () => {
	it('that is answered by a change of protocol, and gives its slot back', async () => {
		server = await startRawServer((socket, { number }) =>
			socket.end(number <= 8 ? SWITCHING : jsonAnswer({ bookingStatus: 0 })),
		);
		const fields = { bookingId: byId('={{ $json.id }}'), options };
		const rows = Array.from({ length: 20 }, (_, id) => ({ id }));
		const { items, error } = await perform(server, 'booking:get', fields, { rows });
		expect(error).toBeUndefined();
		expect(fieldOf(items, 'bookingStatus')).toEqual(Array(20).fill(0));
	}, 60_000);

	it('so that other creations with the key go on', async () => {
		// Three tries of the first execution's list, the connections left open.
		let isAsked: () => void = () => undefined;
		const asked = new Promise<void>((resolve) => (isAsked = resolve));
		server = await startRawServer((socket, { line, number }) => {
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
		const { url } = server;
		const create = async (more: INodeParameters) =>
			await perform({ url }, 'booking:create', { ...fields, ...more });
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
		const stop = stopOf(await perform(slow, 'booking:get', fields));
		while (slow.open.size > 0) await new Promise((resolve) => setTimeout(resolve, 20));
		await slow.close();
		expect([name, stop.message]).toEqual([
			name,
			expect.stringMatching(/did not answer in time when asked to read booking 7$/),
		]);
	};
	await Promise.all(delays.map(run));
}, 60_000);
