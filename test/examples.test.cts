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
import { addedBy } from '../nodes/TractorBooking/resources/booking/create/readers';
import { parseHeading } from '../nodes/TractorBooking/resources/booking/create/sheetColumns';
import { MAIN_FIELDS } from '../nodes/TractorBooking/resources/booking/create/fields';
import { asText } from '../nodes/TractorBooking/utils/text';
import { withCode } from '../tools/exampleCode.cts';
import { credentialName, nodeNamed } from '../tools/examples.cts';
import type { WorkflowFile } from '../tools/n8nClient.cts';
import { TEMPLATE, headings } from '../tools/makeTemplate.cts';

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

/** Each link between two nodes, by their names. */
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

	it('waits for no page for ever', () => {
		const endless = nodesOf('form').filter(({ parameters }) => parameters.limitWaitTime !== true);
		expect(endless.map(({ name }) => name)).toEqual([]);
	});

	it('lets no model approve for a person', () => {
		// Once its time is over, n8n 2.41 reads `approved`, and `$tool` reads `query`, from what the model wrote itself.
		const gates = workflow.nodes.filter(({ type }) => type.endsWith('HitlTool'));
		const unsafe = gates.filter(({ parameters }) =>
			/limitWaitTime|\$tool\b/.test(JSON.stringify(parameters)),
		);
		expect(unsafe).toEqual([]);
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

/** What a Code node of the spreadsheet workflow gives. @param nodes by name, what the others gave; of `$input` its items */
function ran(name: string, nodes: Record<string, IDataObject[]>): IDataObject {
	const workflow = Object.fromEntries(examples)['spreadsheet-to-bookings.json'];
	if (!workflow) throw new Error('The example is missing.');
	const { jsCode = '' } = nodeNamed(workflow, name).parameters;
	const node = (items: IDataObject[] = []) => ({
		isExecuted: items.length > 0,
		all: () => items.map((json) => ({ json })),
		first: () => ({ json: items[0] }),
	});
	const output: unknown = runInNewContext(`(() => {${asText(jsCode)}})()`, {
		$: (other: string) => node(nodes[other]),
		$input: node(nodes.$input),
		$now: DateTime.fromISO('2026-11-28T13:39:00Z', { zone: 'Africa/Lagos' }),
		$runIndex: 2,
		$workflow: { id: 'w1' },
	});
	const [first] = output as INodeExecutionData[];
	return JSON.parse(JSON.stringify(first?.json)) as IDataObject;
}

/** What becomes of a line of a tab; n8n's reader gives none for a tab without lines. */
function numbered(line: IDataObject, itemIndex: number): unknown {
	const workflow = Object.fromEntries(examples)['spreadsheet-to-bookings.json'];
	if (!workflow) throw new Error('The example is missing.');
	const { jsonOutput } = nodeNamed(workflow, 'Number the rows').parameters;
	const [, code = ''] = /^=\{\{(.*)\}\}$/s.exec(asText(jsonOutput)) ?? [];
	const names = { item: { json: { tab: 'List' } } };
	const row: unknown = runInNewContext(`(${code})`, {
		$json: line,
		$itemIndex: itemIndex,
		$: () => names,
	});
	return JSON.parse(JSON.stringify(row));
}

it('an empty line of the spreadsheet workflow is no row', () => {
	const lines = [{ Name: 'Ada', '': 1 }, { Name: ' ', '': '' }, {}, { Name: 0 }];
	expect(lines.map(numbered)).toEqual([
		{ tab: 'List', row: { Name: 'Ada', __EMPTY_0: 1, row_number: 2 } },
		{},
		{},
		{ tab: 'List', row: { Name: 0, row_number: 5 } },
	]);
});

const inTab = (rows: IDataObject[]) => rows.map((row) => ({ tab: 'List', row }));

/**
 * What is drawn once rows were booked.
 *
 * @param given what the node gave
 * @param sheet all rows, if some are left out
 */
function drawn(given: IDataObject[], sheet = given, answers: IDataObject = {}) {
	const state = { mode: 'book', answers, toCheck: true, rows: given, checks: 2, tab: 'List' };
	return ran('Draw the page', {
		'Take the answers': [{ ...state, more: [], note: '' }],
		'Number the rows': inTab(sheet),
		'Check, then book': given,
		$input: given,
	}) as { title: string; html: string; lines: IDataObject[] };
}

describe('the result of the spreadsheet workflow', () => {
	const columns = [{ column: 'Date', field: 'Service Date' }];
	const summary = { problem: '', notices: [], columns, otherColumns: [], questions: [] };
	const row = (row_number: number, result: string, reason = '') => ({
		...{ row_number, result, reason, Date: 46_508, request: null },
		...(result === 'created' ? { bookingID: 5001, summary } : {}),
	});
	const inDoubt = row(3, 'to fix', 'Service Date: 46508 is 2027-05-01, or 2027-01-05');

	it('has each day in a form that a person can read, and both of one that is in doubt', () => {
		const text = { ...row(4, 'to fix'), Date: '1/5/2027' };
		const sent = { ...row(5, 'unknown'), request: { serviceDate: '2027-05-01' } };
		const days = drawn([row(2, 'created'), inDoubt, text, sent]).lines.map(({ Date }) => Date);
		expect(days).toEqual(['2027-05-01', '2027-05-01 or 2027-01-05', '1/5/2027', '2027-05-01']);
		const sure = drawn([row(2, 'created'), row(3, 'to fix')]);
		expect(sure.lines.map(({ Date }) => Date)).toEqual(['2027-05-01', '2027-05-01']);
	});

	it('asks of a possible duplicate what an officer can do', () => {
		const reason =
			'The row may be booked already: booking 5001 (new) has the same farmer and day; if it is the same job, write 5001 into the column "bookingID"; if not, run this row alone with If Possible Duplicate set to Another Job';
		const { html, lines } = drawn([row(2, 'created'), row(3, 'possible duplicate', reason)]);
		expect(html).not.toMatch('If Possible Duplicate');
		expect(lines[1]?.reason).toBe(
			'The row may be booked already: booking 5001 (new) has the same farmer and day. If it is the same job, delete this row; if its booking has to change, tell the owner of this form. If not, ask the owner of this form to book this row.',
		);
	});

	it('asks of a row that is the same job as another one what an officer can do', () => {
		const reason =
			'The row is the same job as row 2 (Amina Bello), but for No. (1, 2); if it is the same job, delete this row; if not, give each of the two a number in a column that you choose in Options > Row ID.';
		expect(drawn([row(2, 'created'), row(3, 'to fix', reason)]).lines[1]?.reason).toMatch(
			/; if not, ask the owner of this form to book this row\.$/,
		);
	});

	it('takes no sign of a sheet for HTML, or for an expression', () => {
		const text = `</td></tr> {{ 40 + 2 }} \`"'$& &lt;`;
		const named = { ...row(2, 'created'), request: { farmerName: text } };
		const { html } = drawn([named, row(3, 'to fix', text)]);
		expect(html).not.toMatch(/<\/tr> |[{}`"'$]|&lt;/);
		expect(html.match(/40 &#43; 2/g)).toHaveLength(2);
	});

	it('does not ask to correct a row that is no request', () => {
		const rows = [row(4, 'not sent', 'no connection'), row(5, 'not sent', NO_REQUEST)];
		expect(drawn([row(2, 'created'), inDoubt, ...rows]).html).toMatch('2 rows to look at');
	});

	it('says when to upload again what may be booked, and not that nothing was booked', () => {
		const { title, html } = drawn([row(2, 'unknown'), row(3, 'to fix')]);
		expect(title).toBe('1 of 2 rows may be booked');
		expect(html).toMatch('1 row that may be booked');
		expect(html).toMatch('after <b>15:00</b>');
		expect(html).toMatch('1 row to look at');
	});

	it('counts rows that are left out, and keeps them and the empty lines in their places', () => {
		const sheet = [
			{ row_number: 2, Status: 'Pending' },
			{ row_number: 3, Status: 'Approved' },
			{ row_number: 6, Status: '' },
			{ row_number: 7, Status: 'Pending' },
		];
		const { lines, title, html } = drawn([{ ...row(3, 'created'), Status: 'Approved' }], sheet, {
			which: 'Status',
		});
		expect(lines).toEqual([
			{ Status: 'Pending', result: 'left out', reason: 'Status is Pending', bookingID: '' },
			{ Status: 'Approved', result: 'created', reason: '', bookingID: 5001 },
			...[{}, {}],
			{ Status: '', result: 'left out', reason: 'Status is (empty)', bookingID: '' },
			{ Status: 'Pending', result: 'left out', reason: 'Status is Pending', bookingID: '' },
		]);
		expect(title).toBe('1 of 4 rows is booked now');
		expect(html).toContain(
			'<h3>3 rows left out</h3><p>Status&#58; Pending 2&#44; &#40;empty&#41; 1.',
		);
	});
});

describe('an answer to a page of the spreadsheet workflow', () => {
	const which = {
		key: 'which',
		label: 'Does a column say which rows to book?',
		needed: true,
		options: [
			{ text: 'Status', value: 'Status' },
			{ text: 'No: book all rows', value: '' },
		],
	};
	const options = ['Approved', 'Pending'].map((value) => ({ text: `${value} (1)`, value }));
	const ticks = {
		key: 'values Status',
		label: 'Book the rows whose Status is',
		many: true,
		options,
	};
	const sheet = ['Approved', 'Pending'].map((Status, at) => ({
		...{ row_number: at + 2, Farmer: 'Amina', Phone: '+2348031234567', Status },
	}));
	const sent = {
		page: '5',
		submittedAt: '2026-11-28',
		[which.label]: 'Status',
		[ticks.label]: ['Approved (1)'],
	};
	const taken = (answer: IDataObject, page: IDataObject = {}) =>
		ran('Take the answers', {
			'Number the rows': inTab(sheet),
			'Kept answers': [{}],
			'Draw the page': [
				{
					...{ route: 'page', mode: 'learn', number: 5, ignored: ['Status', 'Farm\nnote'] },
					...{ asks: [which, ticks], state: { tab: 'List', answers: {}, more: [] }, ...page },
				},
			],
			$input: [answer],
		});

	it('leaves out the rows whose value was not ticked', () => {
		const { mode, rows, set } = taken(sent);
		expect(mode).toBe('look');
		expect(rows).toEqual(sheet.slice(0, 1));
		expect(set).toMatchObject({ ignored: 'Status\nFarm note' });
	});

	it.each<[string, IDataObject, RegExp]>([
		['of an earlier page', { ...sent, page: '3' }, /came from an earlier page/],
		['without the number of its page', { ...sent, page: null }, /came from an earlier page/],
		['that is in no list', { ...sent, [which.label]: 'Other' }, /^Answer again: Does a column/],
		['that was left empty', { ...sent, [which.label]: '' }, /^Answer again: Does a column/],
		[
			'with a tick that is in no list',
			{ ...sent, [ticks.label]: ['x'] },
			/^Answer again: Book the/,
		],
		['without a tick', { ...sent, [ticks.label]: [] }, /^Tick which values of Status/],
	])('%s asks again, and never means all rows', (_, answer, note) => {
		const { mode, note: said } = taken(answer);
		expect([mode, said]).toEqual(['learn', expect.stringMatching(note)]);
	});

	it('that gives one column to two fields asks again', () => {
		const asks = ['landArea', 'areaType'].map((field) => ({
			...{ key: `column ${field}`, label: field, needed: true },
			options: [{ text: 'Land', value: { [field]: 'Land' } }],
		}));
		const answer = { page: '5', submittedAt: '2026-11-28', landArea: 'Land', areaType: 'Land' };
		const { mode, note } = taken(answer, { asks });
		expect([mode, note]).toEqual(['learn', expect.stringMatching(/^Land is chosen for two/)]);
	});

	it('that never came ends it, whatever page it was', () => {
		for (const mode of ['learn', 'preview', 'tab'])
			expect(taken({}, { mode })).toMatchObject({ mode: 'stop', toCheck: false });
	});

	it('books only if Book was chosen on the preview', () => {
		const choice = {
			...{ key: 'choice', label: 'What now?', needed: true },
			options: ['book', 'change', 'stop'].map((value) => ({ text: value, value })),
		};
		const modes = ['book', 'change', 'stop', 'Book', ''].map((text) => {
			const page = { mode: 'preview', asks: [choice] };
			const { mode, isOver } = taken({ ...sent, 'What now?': text }, page);
			return isOver ? 'over' : mode;
		});
		expect(modes).toEqual(['book', 'learn', 'over', 'look', 'look']);
	});
});

describe('the empty sheet', () => {
	const fieldsOf = (names: string[]) => names.flatMap((name) => parseHeading(name) ?? []);
	const isAdded = addedBy({});
	const othersOf = (names: string[]) =>
		names.filter((name) => parseHeading(name) === undefined && !isAdded(name));

	it('has the headings that its script gives it', async () => {
		const workbook = new Workbook();
		await workbook.xlsx.readFile(TEMPLATE);
		const row = workbook.getWorksheet('Requests')?.getRow(1).values;
		expect(row).toEqual([undefined, ...headings]);
	});

	it('has a column for each field that a person fills in, under a heading that is known', () => {
		const fields = fieldsOf(headings);
		expect(new Set(fields).size).toBe(fields.length);
		expect(fields).toEqual(
			expect.arrayContaining([...MAIN_FIELDS, 'crop', 'farmLocation', 'farmNote', 'bookingID']),
		);
		expect(othersOf(headings)).toEqual(['Ready', 'status']);
	});

	it('has the same columns as the file for a data table', () => {
		const [first = ''] = readFileSync(join(FOLDER, 'tractor-requests.csv'), 'utf8').split('\n');
		const ofTable = first.trim().split(',');
		expect(fieldsOf(ofTable)).toEqual(fieldsOf(headings));
		expect(othersOf(ofTable)).toEqual(['ready', 'status']);
	});
});
