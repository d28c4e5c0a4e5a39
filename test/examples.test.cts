import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { readSheet } from 'read-excel-file/node';

import { TractorBooking } from '../nodes/TractorBooking/TractorBooking.node';
import { TractorBookingTrigger } from '../nodes/TractorBooking/TractorBookingTrigger.node';
import { addedBy } from '../nodes/TractorBooking/resources/booking/create/sheet/readerColumns';
import { parseHeading } from '../nodes/TractorBooking/resources/booking/create/sheet/headings';
import { MAIN_FIELDS } from '../nodes/TractorBooking/resources/booking/create/row/fields';
import { asText } from '../nodes/TractorBooking/utils/text';
import { withCode } from '../tools/exampleCode.cts';
import { credentialName } from '../tools/examples.cts';
import type { WorkflowFile } from '../tools/n8nClient.cts';
import { TEMPLATE, headings } from '../tools/makeTemplate.cts';
import { assignmentsOf } from './examples/nodes.cts';

const FOLDER = 'examples';
const PACKAGE = 'n8n-nodes-tractor-booking.';

const action = new TractorBooking().description;
const descriptions: Record<string, INodeTypeDescription | undefined> = {
	tractorBooking: action,
	tractorBookingTool: action,
	tractorBookingTrigger: new TractorBookingTrigger().description,
};

/** What n8n itself adds to a node: to a tool its description for the model, to a polling trigger its times. */
const OF_N8N = ['descriptionType', 'toolDescription', 'pollTimes'];

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
const examples = files.map((file): [string, WorkflowFile] => [
	file,
	JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as WorkflowFile,
]);
const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8');

const [firstLine = ''] = readFileSync(join(FOLDER, 'tractor-requests.csv'), 'utf8').split('\n');
const tableHeadings = firstLine.split(',');

const linksOf = ({ connections }: WorkflowFile) =>
	Object.entries(connections).flatMap(([from, { main = [], ai_tool = [] }]) =>
		[...main, ...ai_tool].flatMap((links) => links ?? []).map(({ node: to }) => ({ from, to })),
	);

const ofPackage = ({ nodes }: WorkflowFile) => nodes.filter(({ type }) => type.startsWith(PACKAGE));

function descriptionOf({ type }: INode): INodeTypeDescription {
	const description = descriptions[type.slice(PACKAGE.length)];
	if (!description) throw new Error(`There is no node ${type}.`);
	return description;
}

/** The paths of what is in `given` and not in `known`. */
function unknownIn(given: unknown, known: unknown, path: string): string[] {
	if (typeof given !== 'object' || given === null) return [];
	if (typeof known !== 'object' || known === null) return [path];
	const others = known as Record<string, unknown>;
	return Object.entries(given).flatMap(([key, value]) =>
		key in known ? unknownIn(value, others[key], `${path}.${key}`) : [`${path}.${key}`],
	);
}

/** The parameters of a node that its description does not have, or does not show beside the others. */
function unknownParameters(node: INode): string[] {
	const description = descriptionOf(node);
	const entries = Object.entries(node.parameters).filter(([name]) => !OF_N8N.includes(name));
	const own = Object.fromEntries(entries);
	const { properties } = description;
	const known = NodeHelpers.getNodeParameters(properties, own, true, false, node, description);
	return unknownIn(own, known, node.name);
}

/** The choices of dropdowns that a node has made and its description does not offer. */
function unknownChoices(node: INode): string[] {
	const description = descriptionOf(node);
	const isShown = (property: INodeProperties) =>
		NodeHelpers.displayParameter(node.parameters, property, node, description);
	return choicesIn(description.properties.filter(isShown), node.parameters, node.name);
}

function choicesIn(properties: INodeProperties[], values: object, path: string): string[] {
	return properties.flatMap((property) => {
		const { name, type, options = [] } = property;
		const value = (values as Record<string, unknown>)[name];
		const isChosenLater = value === '' && property.required === true;
		if (value === undefined || isChosenLater) return [];
		if (typeof value === 'string' && value.startsWith('=')) return [];
		const here = `${path}.${name}`;
		if (type === 'collection') return choicesIn(options as INodeProperties[], Object(value), here);
		if (type !== 'options' && type !== 'multiOptions') return [];
		const offered: unknown[] = options.flatMap((option) =>
			'value' in option ? [option.value] : [],
		);
		const wrong = [value].flat().filter((choice) => !offered.includes(choice));
		return wrong.map((choice) => `${here}: ${JSON.stringify(choice)}`);
	});
}

/** The conditions that tell what may be booked already from what the node gives. */
const WHAT_IS_OPEN = {
	combinator: 'or',
	conditions: [
		{ leftValue: '={{ $json.possibleBookingIDs }}', operator: { operation: 'notEmpty' } },
		{ leftValue: '={{ $json.result }}', rightValue: 'possible duplicate' },
	],
};

const NEVER: Record<string, (node: INode) => boolean> = {
	// If it fails, n8n would also take the other way, with an empty item.
	'always gives data, and has a way for errors': ({ alwaysOutputData, onError }) =>
		alwaysOutputData === true && onError === 'continueErrorOutput',
	'waits for a page for ever': ({ type, parameters }) =>
		type === 'n8n-nodes-base.form' && parameters.limitWaitTime !== true,
	// Once its time is over, n8n 2.41 reads `approved`, and `$tool` reads `query`, from what the model wrote itself.
	'lets a model approve for a person': ({ type, parameters }) =>
		type.endsWith('HitlTool') && /limitWaitTime|\$tool\b/.test(JSON.stringify(parameters)),
};

/** What n8n's editor would mark red in a node: fields that are required and empty. */
function issuesOf(node: INode): string[] {
	const description = descriptionOf(node);
	const issues = NodeHelpers.getNodeParametersIssues(description.properties, node, description);
	return Object.values(issues?.parameters ?? {}).flat();
}

describe.each(examples)('%s', (file, workflow) => {
	const nodesOf = (type: string) =>
		workflow.nodes.filter((node) => node.type === `n8n-nodes-base.${type}`);

	it('has nodes and parameters of this package as they are', () => {
		const nodes = ofPackage(workflow);
		expect(nodes.length).toBeGreaterThan(0);
		expect(nodes.flatMap(unknownParameters)).toEqual([]);
		expect(nodes.flatMap(unknownChoices)).toEqual([]);
		// A preset country would make wrong numbers of the phones of another one: n8n asks for it.
		const asked = nodes.filter(({ parameters }) => parameters.phoneCountry === '');
		const wanted = asked.map(() => 'Parameter "Phone Country" is required.');
		expect(nodes.flatMap(issuesOf)).toEqual(wanted);
		const preset = nodes.map(({ parameters }) => parameters.phoneCountry ?? '');
		const isOpen = (country: unknown) =>
			country === '' || country === 'none' || asText(country).startsWith('=');
		expect(preset.filter((country) => !isOpen(country))).toEqual([]);
		if (asked.length > 0) expect(JSON.stringify(workflow.nodes)).toContain('*Phone Country*');
	});

	it('leaves its credentials to choose, and names no machine', () => {
		const credentials = workflow.nodes.map((node) => node.credentials ?? {});
		const ids = credentials.flatMap((ofNode) => Object.values(ofNode).map(({ id }) => id));
		expect(ids.filter((id) => id !== null)).toEqual([]);
		const ours = credentials.flatMap(({ tractorBookingApi }) => tractorBookingApi?.name ?? []);
		expect(new Set(ours)).toEqual(new Set([credentialName]));
		expect(Object.keys(workflow).sort()).toEqual(['connections', 'name', 'nodes', 'settings']);
		expect(JSON.stringify(workflow)).not.toMatch(/localhost|127\.0\.0\.1|instanceId/);
	});

	it('has the code of its sources', async () => {
		const text = readFileSync(join(FOLDER, file), 'utf8');
		expect(await withCode(file.replace('.json', ''), text)).toBe(text);
	});

	it('has no made-up address, and sends the SMS of a test to the tester only', () => {
		// n8n publishes no workflow with a node that lacks its URL.
		expect(JSON.stringify(workflow)).not.toMatch(/example\.(?:com|org)|\.invalid/);
		const message = workflow.nodes.find(({ name }) => name === 'Write the message');
		const isToTester = JSON.stringify(message?.parameters ?? '').includes('$json.isTest ?');
		expect(isToTester).toBe(/to-(?:sms|whatsapp)/.test(file));
	});

	it('has a place to leave rows out between the reader of rows and the node, unless a page asks', () => {
		if (nodesOf('form').length > 0) return;
		const sheets = workflow.nodes.filter(
			({ parameters }) => parameters.operation === 'createFromSpreadsheet',
		);
		for (const { name } of sheets) {
			const before = new Set([name]);
			// A set is read on to what is added meanwhile.
			for (const node of before)
				for (const { from, to } of linksOf(workflow)) if (to === node) before.add(from);
			const filters = nodesOf('filter').filter((node) => before.has(node.name));
			expect(filters.map((node) => node.notes)).toEqual([
				'Leave out rows here: e.g. Status is Approved.',
			]);
			expect(nodesOf('stickyNote')[0]?.parameters.content).toContain('**Leave out rows here:**');
		}
	});

	it('fails at one place, after all else is done: an error ends the execution', () => {
		const ends = nodesOf('stopAndError').map(({ name }) => name);
		const links = linksOf(workflow).filter(({ to }) => ends.includes(to));
		expect(links).toHaveLength(ends.length);
		expect(ends.length).toBeLessThan(2);
	});

	it.each(Object.entries(NEVER))('has no node that %s', (_, does) => {
		expect(workflow.nodes.filter(does).map(({ name }) => name)).toEqual([]);
	});

	it('keeps a request that may be booked already, for a person to decide', () => {
		const creating = ofPackage(workflow).filter(
			({ parameters }) => parameters.operation === 'create',
		);
		// After a tool, no node can keep anything.
		expect(creating.filter(({ type }) => type.endsWith('Tool'))).toEqual([]);
		const keeping = nodesOf('dataTable').filter(({ name }) => name === 'Keep the request');
		expect(keeping).toHaveLength(creating.length);
		for (const { parameters } of keeping) {
			const { columns, filters } = parameters as unknown as {
				columns: { value: object };
				filters: { conditions: Array<{ keyName: string }> };
			};
			// A request that differs in any cell is another one.
			const request = filters.conditions.map(({ keyName }) => keyName);
			const kept = [...request, 'ready', 'possibleBookingIDs'];
			expect(Object.keys(columns.value).sort()).toEqual(kept.sort());
			const [open] = nodesOf('filter');
			expect(open?.parameters.conditions).toMatchObject(WHAT_IS_OPEN);
			// From its errors, too.
			expect(linksOf(workflow).filter(({ to }) => to === open?.name)).toHaveLength(2);
		}
	});

	it('writes only columns that the table of requests has', () => {
		const names = nodesOf('dataTable')
			.filter(({ parameters }) => JSON.stringify(parameters).includes('"tractor_requests"'))
			.flatMap(({ parameters: { columns } }) =>
				Object.keys((columns as { value?: object } | undefined)?.value ?? {}),
			);
		expect(names.filter((name) => !tableHeadings.includes(name))).toEqual([]);
	});

	it('writes a status where it was read, not after a wait: executions that wait may go on in any order', () => {
		const writes = ({ parameters: { columns } }: INode) =>
			JSON.stringify(columns ?? '').includes('$json.bookingStatusLabel');
		const writing = workflow.nodes.filter(writes).map(({ name }) => name);
		const before = linksOf(workflow).filter(({ to }) => writing.includes(to));
		const readers = ofPackage(workflow).map(({ name }) => name);
		expect(before.filter(({ from }) => !readers.includes(from))).toEqual([]);
	});

	it('has one note, which says what to choose, and names of nodes that exist', () => {
		const notes = nodesOf('stickyNote');
		expect(notes).toHaveLength(1);
		const content = JSON.stringify(notes[0]?.parameters.content);
		expect(content).toContain('credential');
		const names = workflow.nodes.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		const linked = linksOf(workflow).flatMap(({ from, to }) => [from, to]);
		expect(linked.filter((name) => !names.includes(name))).toEqual([]);
		const steps = [...content.matchAll(/\*([A-Z][^*]+)\*/g)].map(([, text]) => text);
		expect(steps.some((text) => names.includes(text ?? ''))).toBe(true);
	});

	it('is described in examples/README.md, with a picture', () => {
		expect(readme).toContain(`](${file})`);
		const picture = `../.github/images/${file.replace('.json', '.png')}`;
		expect(readme).toContain(`](${picture})`);
		expect(existsSync(join(FOLDER, picture))).toBe(true);
	});
});

it('an agent says of a request what the MCP server does, which is played end to end', () => {
	const texts = examples.flatMap(([file, workflow]) =>
		/^(?:agent|mcp)-/.test(file) ? [assignmentsOf(workflow, 'Say what became of it')] : [],
	);
	expect(texts).toEqual([texts[1], texts[0]]);
});

describe('the empty sheet', () => {
	const fieldsOf = (names: string[]) => names.flatMap((name) => parseHeading(name) ?? []);
	const othersOf = (names: string[]) => {
		const isAdded = addedBy(names);
		return names.filter((name) => parseHeading(name) === undefined && !isAdded(name));
	};

	it('has the headings that its script gives it', async () => {
		const [first] = await readSheet(TEMPLATE, 'Requests');
		expect(first).toEqual(headings);
	});

	it('has a column for each field that a person fills in, under a heading that is known', () => {
		const fields = fieldsOf(headings);
		expect(new Set(fields).size).toBe(fields.length);
		const others = ['crop', 'plot', 'farmLocation', 'farmNote', 'bookingID'];
		expect(fields).toEqual(expect.arrayContaining([...MAIN_FIELDS, ...others]));
		expect(othersOf(headings)).toEqual(['Ready', 'status']);
	});

	it('has the same columns as the file for a data table', () => {
		expect(fieldsOf(tableHeadings)).toEqual(fieldsOf(headings));
		expect(othersOf(tableHeadings)).toEqual(['ready', 'status']);
	});
});

it('each workflow says the same about what to do if an SMS failed', () => {
	const endings = examples
		// It sends what failed once more: after that, farmers would have two messages.
		.filter(([name]) => name !== 'completion-to-sms.json')
		.flatMap(([, { nodes }]) => nodes.filter(({ name }) => name === 'Tell that an SMS failed'))
		.map(({ parameters }) => asText(parameters.errorObject).split(".join('; ')").at(-1));
	expect(endings.length).toBeGreaterThan(3);
	expect(new Set(endings).size).toBe(1);
});
