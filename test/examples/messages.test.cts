// To whom examples send, and what they say of a message that failed.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { asText } from '../../nodes/TractorBooking/utils/text';
import { readExample } from '../../tools/examples.cts';
import { assignmentsOf, valueOf } from './nodes.cts';

const examples = readdirSync(join(__dirname, '../../examples'))
	.filter((file) => file.endsWith('.json'))
	.map((file) => file.replace('.json', ''));

it('each workflow says the same about what to do if an SMS failed', async () => {
	const workflows = await Promise.all(examples.map(async (name) => await readExample(name)));
	const endings = workflows
		.flatMap(({ nodes }) => nodes.filter(({ name }) => name === 'Tell that an SMS failed'))
		.map(({ parameters }) => asText(parameters.errorObject).split(".join('; ')").at(-1));
	expect(endings.length).toBeGreaterThan(3);
	expect(new Set(endings).size).toBe(1);
});

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
