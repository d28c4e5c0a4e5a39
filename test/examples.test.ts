import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { Workbook } from 'exceljs';
import { DateTime } from 'luxon';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeProperties,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { TractorBooking } from '../nodes/TractorBooking/TractorBooking.node';
import { TractorBookingTrigger } from '../nodes/TractorBooking/TractorBookingTrigger.node';
import { NO_REQUEST } from '../nodes/TractorBooking/resources/booking/create/rows';
import { matchColumns } from '../nodes/TractorBooking/resources/booking/create/sheetColumns';
import { OPEN_FIELDS } from '../nodes/TractorBooking/resources/booking/create/fields';
import { asText } from '../nodes/TractorBooking/utils/text';
import { credentialName, nodeNamed } from '../tools/examples';
import type { WorkflowFile } from '../tools/n8nClient';
import { TEMPLATE, headings } from '../tools/makeTemplate';

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
		expect(preset.filter((country) => country !== '' && country !== 'none')).toEqual([]);
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

	it('has no made-up address, and sends the SMS of a test to the tester only', () => {
		// n8n publishes no workflow with a node that lacks its URL.
		expect(JSON.stringify(workflow)).not.toMatch(/example\.(?:com|org)|\.invalid/);
		const message = workflow.nodes.find(({ name }) => name === 'Write the message');
		const isToTester = JSON.stringify(message?.parameters ?? '').includes('$json.isTest ?');
		expect(isToTester).toBe(/to-(?:sms|whatsapp)/.test(file));
	});

	it('has a place to leave rows out between the reader of rows and the node', () => {
		const sheets = workflow.nodes.filter(
			({ parameters }) => parameters.operation === 'createFromSpreadsheet',
		);
		const links = Object.entries(workflow.connections).map(([from, { main = [] }]) => ({
			from,
			to: main.flat().flatMap((link) => link?.node ?? []),
		}));
		for (const { name } of sheets) {
			const before = new Set([name]);
			// A set is read on to what is added meanwhile.
			for (const node of before)
				for (const { from, to } of links) if (to.includes(node)) before.add(from);
			const filters = nodesOf('filter').filter((node) => before.has(node.name));
			expect(filters.map((node) => node.notes)).toEqual([
				'Leave out rows here: e.g. Status is Approved.',
			]);
			expect(nodesOf('stickyNote')[0]?.parameters.content).toContain('**Leave out rows here:**');
		}
	});

	it('fails at one place, after all else is done: an error ends the execution', () => {
		const ends = nodesOf('stopAndError').map(({ name }) => name);
		const links = Object.values(workflow.connections)
			.flatMap(({ main = [] }) => main.flat())
			.filter((link) => link && ends.includes(link.node));
		expect(links).toHaveLength(ends.length);
		expect(ends.length).toBeLessThan(2);
	});

	it('waits for no page for ever', () => {
		const endless = nodesOf('form').filter(({ parameters }) => parameters.limitWaitTime !== true);
		expect(endless.map(({ name }) => name)).toEqual([]);
	});

	it('has one note, which says what to choose, and names of nodes that exist', () => {
		const notes = nodesOf('stickyNote');
		expect(notes).toHaveLength(1);
		const content = JSON.stringify(notes[0]?.parameters.content);
		expect(content).toContain('credential');
		const names = workflow.nodes.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		const linked = Object.entries(workflow.connections).flatMap(
			([from, { main = [], ai_tool = [] }]) => [
				from,
				...[...main, ...ai_tool].flatMap((links) => (links ?? []).map(({ node }) => node)),
			],
		);
		expect(linked.filter((name) => !names.includes(name))).toEqual([]);
		const steps = [...content.matchAll(/\*([A-Z][^*]+)\*/g)].map(([, text]) => text);
		expect(steps.some((text) => names.includes(text ?? ''))).toBe(true);
	});

	it('has no quote in the name of a form, which n8n 1.123 puts into an expression as it is', () => {
		expect(nodesOf('formTrigger').filter(({ name }) => /['"`]/.test(name))).toEqual([]);
	});

	it('is described in examples/README.md, with a picture', () => {
		expect(readme).toContain(`](${file})`);
		const picture = `images/${file.replace('.json', '.png')}`;
		expect(readme).toContain(`](${picture})`);
		expect(existsSync(join(FOLDER, picture))).toBe(true);
	});
});

/**
 * What the spreadsheet workflow makes of the rows that its node gives: the page in the first item, and the sheet to keep.
 *
 * @param sheet all rows, if some are left out
 */
function drawn(rows: IDataObject[], sheet = rows): IDataObject[] {
	const workflow = Object.fromEntries(examples)['spreadsheet-to-bookings.json'];
	if (!workflow) throw new Error('The example is missing.');
	const { jsCode = '' } = nodeNamed(workflow, 'Draw the tables').parameters;
	const itemsOf = (some: IDataObject[]) => () => some.map((json) => ({ json }));
	const conditions = { conditions: [{ leftValue: '={{ $json.Status }}' }] };
	const nodes: Record<string, object> = {
		'Number the rows': { all: itemsOf(sheet) },
		'Leave out rows here': { params: { conditions } },
		'Check, then book': { isExecuted: rows.length > 0, all: itemsOf(rows) },
	};
	const output: unknown = runInNewContext(`(() => {${asText(jsCode)}})()`, {
		$: (name: string) => nodes[name],
		$input: { all: itemsOf(rows.length > 0 ? rows : [{}]) },
		$now: DateTime.fromISO('2026-11-28T13:39:00Z', { zone: 'Africa/Lagos' }),
	});
	return (output as INodeExecutionData[]).map(({ json }) => json);
}

describe('the pages of the spreadsheet workflow', () => {
	const columns = [{ column: 'Date', field: 'Service Date' }];
	const summary = { problem: '', notices: [], columns, otherColumns: [] };
	const row = (row_number: number, result: string, reason = '') => ({
		...{ row_number, result, reason, Date: 46_508, request: null },
		...(result === 'created' ? { bookingID: 5001, summary } : {}),
	});
	const inDoubt = row(3, 'to fix', 'Service Date: 46508 is 2027-05-01, or 2027-01-05');
	const page = ([first]: IDataObject[]) => first?.page as { title: string; html: string };

	it('keep the number of a day that is in doubt in the sheet', () => {
		const days = drawn([row(2, 'created'), inDoubt, { ...row(4, 'to fix'), Date: '1/5/2027' }]);
		expect(days.map(({ Date }) => Date)).toEqual(['2027-05-01', 46_508, '1/5/2027']);
		const sure = drawn([row(2, 'created'), row(3, 'to fix')]);
		expect(sure.map(({ Date }) => Date)).toEqual(['2027-05-01', '2027-05-01']);
	});

	it('do not ask to correct a row that is no request', () => {
		const rows = [row(4, 'not sent', 'no connection'), row(5, 'not sent', NO_REQUEST)];
		expect(page(drawn([row(2, 'created'), inDoubt, ...rows])).html).toMatch('2 rows to look at');
	});

	it('say when to upload again what may be booked, and not that nothing was booked', () => {
		const { title, html } = page(drawn([row(2, 'unknown'), row(3, 'to fix')]));
		expect(title).toBe('1 of 2 rows may be booked');
		expect(html).toMatch('1 row that may be booked');
		expect(html).toMatch('after <b>15:00</b>');
		expect(html).toMatch('1 row to look at');
	});

	it('count rows that are left out, and keep them and the empty lines in their places', () => {
		const sheet = [
			{ row_number: 2, Status: 'Pending' },
			{ row_number: 3, Status: 'Approved' },
			{ row_number: 6, Status: '' },
			{ row_number: 7, Status: 'Pending' },
		];
		const rows = drawn([{ ...row(3, 'created'), Status: 'Approved' }], sheet);
		const results = rows.map(({ result, Status }) => [result, Status]);
		const empty = [undefined, undefined];
		expect(results).toEqual([
			['left out', 'Pending'],
			['created', 'Approved'],
			empty,
			empty,
			['left out', ''],
			['left out', 'Pending'],
		]);
		const { title, html } = page(rows);
		expect(title).toBe('1 of 4 rows are booked now');
		expect(html.replace(/<i>.*?<\/i>|<[^>]*>/g, ' ')).toMatch(
			/3 rows left out.*Status&#58; Pending +2 +2&#44; 7 +Status&#58; &#40;empty&#41; +1 +6/,
		);
		expect(page(drawn([], sheet)).title).toBe('No row is left to book');
	});
});

describe('the empty sheet', () => {
	it('has the headings that its script gives it', async () => {
		const workbook = new Workbook();
		await workbook.xlsx.readFile(TEMPLATE);
		const row = workbook.getWorksheet('Requests')?.getRow(1).values;
		expect(row).toEqual([undefined, ...headings]);
	});

	it('has a column for each field that a person fills in, under a heading that is known', () => {
		const { columns, doubled, others } = matchColumns(headings);
		expect(doubled).toEqual([]);
		expect([...columns.keys()]).toEqual(
			expect.arrayContaining([...OPEN_FIELDS, 'crop', 'farmLocation', 'farmNote', 'bookingID']),
		);
		expect(others).toEqual(['Ready', 'status']);
	});

	it('has the same columns as the file for a data table', () => {
		const [first = ''] = readFileSync(join(FOLDER, 'tractor-requests.csv'), 'utf8').split('\n');
		const ofTable = matchColumns(first.trim().split(','));
		expect(ofTable.doubled).toEqual([]);
		expect([...ofTable.columns.keys()]).toEqual([...matchColumns(headings).columns.keys()]);
		expect(ofTable.others).toEqual(['ready', 'status']);
	});
});
