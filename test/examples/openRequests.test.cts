// Requests of one farmer that may be one, by a form or an assistant, without n8n: the parameters are those of the file, the
// node is real.
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asText } from '../../nodes/TractorBooking/utils/text';
import { nodeNamed, readExample } from '../../tools/examples.cts';
import type { WorkflowFile } from '../../tools/n8nClient.cts';
import { perform } from '../support/action.cts';
import { dayFromNow, eachWithSandbox, sentTo } from '../support/bookings.cts';
import { valueOf } from './nodes.cts';

const sandbox = eachWithSandbox();

/** Whether a Filter node lets an item through. */
function passes(filter: INodeParameters, $json: IDataObject): boolean {
	const { conditions, combinator } = filter.conditions as unknown as {
		conditions: Array<{
			leftValue: string;
			rightValue: string;
			operator: { operation: 'equals' | 'notEmpty' };
		}>;
		combinator: 'and' | 'or';
	};
	const met = conditions.map(({ leftValue, rightValue, operator: { operation } }) => {
		const value = asText(valueOf(leftValue, { $json }));
		return operation === 'equals' ? value === rightValue : value !== '';
	});
	return combinator === 'or' ? met.includes(true) : !met.includes(false);
}

const form = {
	...{ Name: 'Amina Bello', Phone: '+2348031234567', Service: 'Ploughing', Date: dayFromNow(9) },
	...{
		Area: '2',
		Unit: 'ha',
		Latitude: '10.5',
		Longitude: '7.4',
		Crop: 'Maize',
		Village: 'Rigasa',
	},
};
const tool = {
	...{ farmerName: 'Amina Bello', farmerPhone: '+2348031234567', serviceType: 'Ploughing' },
	...{
		serviceDate: dayFromNow(9),
		landArea: '2 ha',
		latitude: 10.5,
		longitude: 7.4,
		tractorId: 201,
	},
};

describe.each<[example: string, node: string, request: IDataObject, others: IDataObject[]]>([
	[
		...(['form-to-booking', 'Book the nearest tractor', form] as const),
		[
			{ Latitude: '10.6', Longitude: '7.5' },
			{ Village: 'Zaria' },
			{ Crop: 'Rice' },
			{ Name: 'Bala' },
		],
	],
	['mcp-server', 'Book the tractor', tool, [{ latitude: 10.6 }, { farmerName: 'Bala' }]],
	['agent-with-approval', 'Book the tractor', tool, [{ latitude: 10.6 }, { farmerName: 'Bala' }]],
])('%s', (example, node, request, others) => {
	let workflow: WorkflowFile;
	beforeAll(async () => {
		workflow = await readExample(example);
	});

	/** @returns whether the next nodes keep the request, and what they say */
	async function send(more: IDataObject) {
		const { parameters, onError } = nodeNamed(workflow, node);
		const fields = { ...parameters, phoneCountry: 'none' } as INodeParameters;
		const rows = [{ ...request, ...more }];
		const { items, errors } = await perform(sandbox, 'booking:create', fields, { rows, onError });
		const links = workflow.connections[node]?.main?.[items.length > 0 ? 0 : 1] ?? [];
		const next = links.map((link) => nodeNamed(workflow, link.node));
		const [$json = {}] = [...items, ...errors].map((item) => item.json);
		const [first, last] = [next[0]?.parameters ?? {}, next.at(-1)?.parameters ?? {}];
		const { completionTitle, completionMessage, assignments } = last;
		const texts = (assignments as { assignments: IDataObject[] } | undefined)?.assignments ?? [];
		const said = [completionTitle, completionMessage, ...texts.map(({ value }) => value)];
		return {
			isKept: next[0]?.name === 'What may be booked already' && passes(first, $json),
			said: said.map((text) => asText(valueOf(text, { $json }))).join(' '),
		};
	}

	it('keeps what may be booked already for a person, and says so', async () => {
		expect(await send({})).toMatchObject({ isKept: false });
		for (const other of others) {
			const { isKept, said } = await send(other);
			expect([other, isKept]).toEqual([other, true]);
			expect(said).toMatch(/somebody looks at your request|a person has to decide/);
			expect(said).not.toContain('is booked');
		}
		expect(await send({})).toMatchObject({ isKept: false });
		expect(sentTo(sandbox)).toHaveLength(1);
	});

	it('keeps each request that differs', () => {
		const { filters } = nodeNamed(workflow, 'Keep the request').parameters as {
			filters: { conditions: Array<{ keyValue: string }> };
		};
		const keyOf = ($json: IDataObject) =>
			filters.conditions.map(({ keyValue }) => valueOf(keyValue, { $json }));
		for (const other of others) expect(keyOf({ ...request, ...other })).not.toEqual(keyOf(request));
	});
});
