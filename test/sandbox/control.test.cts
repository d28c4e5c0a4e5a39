import type { Booking } from '../../sandbox/index.cts';
import { KEYS, TOKENS } from '../../sandbox/index.cts';
import { PATHS, sandboxForTests, validBooking } from './client.cts';

const test = sandboxForTests();

it('shows a page that needs nothing from elsewhere', async () => {
	const { status, headers, data } = await test.client(null).get('/');
	expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/html')]);
	expect(data).not.toMatch(/https?:\/\//);
	// What a credential needs, to be copied.
	expect(data).toContain(`'${KEYS.full}'`);
	expect(data).toContain(`'${TOKENS.full}'`);
});

it('tells its state, without a secret', async () => {
	await test.client().get(PATHS.nearby);
	const { data } = await test.client(null).get('/sandbox/state');
	expect(data).toMatchObject({ bookings: { A: 300, B: 80 }, requests: { nearby: { total: 1 } } });
	expect(JSON.stringify(data)).not.toContain(KEYS.full);
});

it('lists and advances bookings', async () => {
	const client = test.client(null);
	const { data } = await client.get('/sandbox/bookings?status=3&limit=5');
	const statuses = data.bookings.map(({ bookingStatus }: Booking) => bookingStatus);
	expect([data.total, statuses]).toEqual([300, [3, 3, 3, 3, 3]]);
	expect((await client.get('/sandbox/bookings?organisation=B&limit=1')).data.total).toBe(80);

	const path = `/sandbox/bookings/${test.sandbox.store.bookings.addMany(1, { status: 0 })}`;
	expect((await client.post(`${path}/advance`)).data.bookingStatus).toBe(1);
	const completed = await client.post(`${path}/advance`, { status: 3 });
	expect(completed.data).toMatchObject({ bookingStatus: 3, bookingStatusLabel: 'completed' });
	expect((await client.post('/sandbox/bookings/9/advance')).status).toBe(404);
});

it('changes settings in part, and refuses unknown ones', async () => {
	const client = test.client(null);
	test.sandbox.settings.firstPage = 0;
	const change = { bookingsEnvelope: 'array', rateLimits: { nearby: 1 } };
	const { data } = await client.post('/sandbox/settings', change);
	const rateLimits = { nearby: 1, create: 50 };
	expect(data).toMatchObject({ bookingsEnvelope: 'array', firstPage: 0, rateLimits });
	expect(test.sandbox.settings).toEqual(data);
	for (const wrong of [{ bookingsEnvelope: 'nested' }, { unheardOf: 1 }, { latencyMs: '20' }])
		expect((await client.post('/sandbox/settings', wrong)).status).toBe(400);
});

it('is touched neither by faults nor by latency', async () => {
	test.sandbox.settings.latencyMs = 60_000;
	test.sandbox.faults.add({ fault: { kind: 'reset' } });
	expect((await test.client(null).get('/sandbox/state')).status).toBe(200);
	expect(test.sandbox.requests.find()).toEqual([]);
});

it('shows and clears the outbox and the requests', async () => {
	const client = test.client(null);
	for (const body of ['one', 'two'])
		await client.post('/sms/messages', { to: '+2348000000001', body });
	const outbox = await client.get('/sandbox/outbox');
	expect(outbox.data.messages).toMatchObject([{ body: 'one' }, { body: 'two' }]);
	const message = { method: 'POST', path: '/sms/messages', status: 201 };
	expect(test.sandbox.requests.find({ endpoint: 'sms' })).toMatchObject([message, message]);
	await client.delete('/sandbox/outbox');
	await client.delete('/sandbox/requests');
	expect(test.sandbox.store.outbox).toEqual([]);
	expect(test.sandbox.requests.count('sms')).toBe(0);
});

it('puts everything back, and gives no identifier again', async () => {
	const { sandbox } = test;
	const create = async () => (await test.client().post(PATHS.create, validBooking())).data;
	const before = await create();
	sandbox.settings.rateLimits.create = 1;
	sandbox.faults.add({ fault: { kind: 'reset' } });
	sandbox.hooks.shapeBooking = () => null;
	sandbox.clock.start(60_000);
	await test.client(null).post('/sandbox/reset');
	const { settings, faults, hooks, clock } = sandbox;
	expect([settings.rateLimits.create, faults.list(), hooks, clock.running]).toEqual([
		50,
		[],
		{},
		false,
	]);
	expect((await create()).bookingID).toBe(before.bookingID + 1);
	expect(sandbox.store.bookings.count('A')).toBe(301);
});

it('finds bookings by farmer, phone in any form, and ID', async () => {
	const { data: made } = await test.client().post(PATHS.create, validBooking());
	const found = async (search: string) => {
		const { data } = await test.client(null).get('/sandbox/bookings', { params: { search } });
		return data.bookings.map(({ bookingID }: Booking) => bookingID);
	};
	for (const search of ['AMINA bello', '+234 800 000 0042', '0800 000 0042', '8000000042'])
		expect([search, (await found(search))[0]]).toEqual([search, made.bookingID]);
	expect(await found(String(made.bookingID))).toEqual([made.bookingID]);
	expect(await found('no one')).toEqual([]);
});

it.each([
	['a name that leads here', { Host: 'evil.example:80' }, 403],
	['the page of another website', { Origin: 'https://evil.example' }, 403],
	['the page of another server on this machine', { Origin: 'http://127.0.0.1:1' }, 403],
	['a page without an address', { Origin: 'null' }, 403],
	['no page', {}, 200],
])('answers %s with its switches as it should', async (_who, headers, status) => {
	const client = test.client(null);
	for (const [method, url] of [
		['GET', '/'],
		['GET', '/?x'],
		['GET', '/sandbox/state'],
		['POST', '/sandbox/reset'],
		['POST', '/%73andbox/reset'],
		['DELETE', '/sandbox/outbox'],
	]) {
		expect([url, (await client.request({ method, url, headers })).status]).toEqual([url, status]);
	}
	const own = { headers: { Origin: test.sandbox.url } };
	expect((await client.post('/sandbox/reset', undefined, own)).status).toBe(200);
});
