import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { trigger } from '../support/engine';

interface OddResponse {
	status?: number;
	body: string;
	/** How far the Date header is ahead of this machine's clock. */
	aheadMs?: number;
}

let server: Server | undefined;
let respond: (page: number) => OddResponse;

const HOUR_MS = 3_600_000;

async function watch() {
	const started = createServer((request, response) => {
		const page = /booking\/(\d+)/.exec(request.url ?? '')?.[1];
		const { status = 200, body, aheadMs = 0 } = respond(Number(page));
		response.writeHead(status, {
			'content-type': 'application/json',
			date: new Date(Date.now() + aheadMs).toUTCString(),
		});
		response.end(body);
	});
	server = started;
	await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
	const { port } = started.address() as AddressInfo;
	return trigger({
		parameters: { events: ['newBooking'] },
		credentials: {
			tractorBookingApi: { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'key' },
		},
	});
}

afterEach(async () => {
	await new Promise((resolve) => server?.close(resolve));
});

/** The list in one page, each booking made now. */
function list(ids: number[]): string {
	const now = new Date().toISOString();
	const results = ids.map((bookingID) => ({ bookingID, bookingStatus: 0, createdAt: now }));
	return JSON.stringify(results);
}

it('fails at a body that is nothing but lists in lists', async () => {
	respond = () => ({ body: list([1]) });
	const node = await watch();
	await node.poll();
	respond = () => ({ body: `${'['.repeat(10_000)}${']'.repeat(10_000)}` });
	await expect(node.poll()).rejects.toThrow('nested too deeply');
});

it.each([
	['a page that is not there', (page: number) => page !== 1],
	['every page', () => true],
])('emits new bookings where the clock of %s is 50 hours ahead', async (_what, isAhead) => {
	let ids = [1];
	respond = (page) => ({
		...(page === 1 ? { body: list(ids) } : { status: 404, body: '{}' }),
		aheadMs: isAhead(page) ? 50 * HOUR_MS : 0,
	});
	const node = await watch();
	await node.poll();
	ids = [2, 1];
	expect(await node.poll()).toHaveLength(1);
});
