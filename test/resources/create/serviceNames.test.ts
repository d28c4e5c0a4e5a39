import type { Sandbox } from '../../../sandbox';
import { startSandbox } from '../../../sandbox';
import { fieldOf } from '../../support/action';
import { book, farmers, sentTo } from '../../support/bookings';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ bookings: 0, otherBookings: 0 });
});
afterAll(async () => await sandbox.close());

const options = { matchFields: ['farmerPhone', 'serviceDate', 'serviceType'] };

it('recognises a row by a service that is given by name', async () => {
	const [row = {}] = farmers(1);
	const byName = [
		{ ...row, service: 'Ploughing' },
		{ ...row, service: 'harrowing' },
	];
	const first = await book(sandbox, byName, { options });
	expect(fieldOf(first.items, 'result')).toEqual(['created', 'created']);
	const again = await book(sandbox, [...byName, { ...row, service: 3 }], { options });
	expect(fieldOf(again.items, 'result')).toEqual([
		'already booked',
		'already booked',
		'already booked',
	]);
	expect(sentTo(sandbox)).toHaveLength(2);
});
