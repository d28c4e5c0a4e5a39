import { byId, fieldOf, perform, recordsOf, stopOf } from '../support/action.cts';
import { book, farmers } from '../support/bookings.cts';
import { faultyServiceForTests } from './service.cts';

jest.mock('../../nodes/TractorBooking/api/waits', () =>
	jest.requireActual<object>('../support/shortPauses.cts'),
);

// What the matrix does not see: one run beside another, and letters.

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

it('a body is read whole that comes in pieces that cut characters apart', async () => {
	const world = service.open();
	const farmerName = 'Adébáyọ̀ 農夫';
	Object.assign(world.bookings[0] ?? {}, { farmerName });
	world.fault = {
		strikes: () => true,
		strike: ({ socket, healthy }) => {
			const bytes = Buffer.from(JSON.stringify(healthy().body));
			socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n');
			const send = (at: number) => {
				if (at === bytes.length) socket.end();
				else socket.write(bytes.subarray(at, at + 1), () => setImmediate(send, at + 1));
			};
			send(0);
		},
	};
	const { items } = await perform(world, 'booking:get', { bookingId: byId('7001') });
	expect(recordsOf(items)).toMatchObject([{ farmerName }]);
});
