// To whom an example sends.
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
