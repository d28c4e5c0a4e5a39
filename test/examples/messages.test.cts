// To whom an example sends, and of what.
import { DateTime } from 'luxon';
import { readExample } from '../../tools/examples.cts';
import { assignmentsOf, valueOf } from './nodes.cts';

it.each([
	['+2348031234567', '+2348031234567'],
	['08031234567', '+2348031234568'],
	[undefined, '+2348031234568'],
])('of a booking with the phone %p, the answer goes to %s', async (farmerPhone, receiver) => {
	const { to } = assignmentsOf(await readExample('where-is-my-tractor'), 'Write the answer');
	const globals = {
		$input: { first: () => ({ json: { farmerPhone } }) },
		$: () => ({ first: () => ({ json: { phone: '+2348031234568' } }) }),
	};
	expect(valueOf(to, globals)).toBe(receiver);
});

it('of many bookings, the answer names those nearest to today', async () => {
	const { body } = assignmentsOf(await readExample('where-is-my-tractor'), 'Write the answer');
	const all = [21, 14, 7, 0].map((days) => ({
		json: {
			bookingID: 5000 + days,
			bookingStatusLabel: 'paired',
			serviceDate: DateTime.now().plus({ days }).toISODate(),
		},
	}));
	const answer = String(valueOf(body, { $input: { all: () => all }, DateTime }));
	expect(answer.match(/Booking \d+/g)).toEqual(['Booking 5000', 'Booking 5007', 'Booking 5014']);
});
