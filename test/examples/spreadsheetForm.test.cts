// The form that books a spreadsheet, without n8n: the code and the parameters are those of the file, the node is real.
import { runInNewContext } from 'node:vm';
import { DateTime } from 'luxon';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type {
	Drawn,
	Ending,
	Page,
	Step,
} from '../../examples/code/spreadsheet-to-bookings/parts/step';
import { forgetAccounts } from '../../nodes/TractorBooking/api/account';
import { asText } from '../../nodes/TractorBooking/utils/text';
import { nodeNamed, readExample } from '../../tools/examples.cts';
import type { WorkflowFile } from '../../tools/n8nClient.cts';
import { perform, recordsOf } from '../support/action.cts';
import { dayFromNow, eachWithSandbox, sentTo } from '../support/bookings.cts';
import { simulateDate } from '../support/virtualClock.cts';
import {
	KOBO_REQUESTS,
	koboExport,
	withoutEmptyCells,
	type KoboSettings,
} from '../resources/create/sheets/kobo.cts';
import { processedData } from '../support/engine.cts';

const sandbox = eachWithSandbox();

let workflow: WorkflowFile;
beforeAll(async () => {
	workflow = await readExample('spreadsheet-to-bookings');
});

/** What n8n gives an expression or a code, in its own context. */
const evaluate = (code: string, globals: object): unknown =>
	JSON.parse(JSON.stringify(runInNewContext(code, globals)));

/** A value of a parameter: that of its expression, if it is one. */
function valueOf(parameter: unknown, globals: object): unknown {
	if (typeof parameter === 'string') {
		const [, code] = /^=\{\{(.*)\}\}$/s.exec(parameter) ?? [];
		return code === undefined ? parameter : evaluate(`(${code})`, globals);
	}
	if (typeof parameter !== 'object' || parameter === null) return parameter;
	if (Array.isArray(parameter)) return parameter.map((one) => valueOf(one, globals));
	const entries = Object.entries(parameter);
	return Object.fromEntries(entries.map(([name, one]) => [name, valueOf(one, globals)]));
}

/** A line of a tab as the workflow numbers it; n8n's reader gives none for a tab without lines. */
function numbered(tab: string, line: IDataObject, index: number): IDataObject {
	const { jsonOutput } = nodeNamed(workflow, 'Number the rows').parameters;
	const $ = () => ({ item: { json: { tab } } });
	return valueOf(jsonOutput, { $json: line, $itemIndex: index, $ }) as IDataObject;
}

/** What somebody answers: options by the beginning of the question, and of theirs. */
type Answers = Record<string, string | string[]>;

class SpreadsheetForm {
	/** What the nodes gave last, and the node at each of its runs. */
	private last: Record<string, IDataObject[]> = {};
	private readonly runs: IDataObject[][] = [];
	private pages = 0;

	private constructor(
		tabs: Record<string, IDataObject[]>,
		private readonly kept: IDataObject[],
	) {
		this.last['Number the rows'] = Object.entries(tabs).flatMap(([tab, lines]) =>
			lines.map((line, index) => numbered(tab, line, index)),
		);
		this.last['Kept answers'] = kept.length > 0 ? kept : [{}];
		this.last['Upload the list'] = [{ 'Whom to ask': 'Efe' }];
	}

	/** Uploads a workbook. @param kept the data table @returns the form and the page that comes */
	static async upload(tabs: Record<string, IDataObject[]>, kept: IDataObject[] = []) {
		const form = new SpreadsheetForm(tabs, kept);
		return { form, drawn: await form.go(form.last['Kept answers'] ?? []) };
	}

	private run(name: string, input: IDataObject[] = []): IDataObject[] {
		const itemsOf = (records: IDataObject[]) => records.map((json) => ({ json }));
		const nodeOf = (records: IDataObject[], runs = [records]) => ({
			isExecuted: records.length > 0,
			all: (_output: number, run = runs.length - 1) => itemsOf(runs[run] ?? []),
			first: () => itemsOf(records)[0],
		});
		const code = asText(nodeNamed(workflow, name).parameters.jsCode);
		const output = evaluate(`(() => {${code}})()`, {
			$: (other: string) =>
				nodeOf(this.last[other] ?? [], other === 'Check, then book' ? this.runs : undefined),
			$input: nodeOf(input),
			$now: DateTime.fromISO('2026-11-28T13:39:00Z', { zone: 'Africa/Lagos' }),
			$runIndex: this.pages,
			$workflow: { id: 'w1' },
		}) as INodeExecutionData[];
		return (this.last[name] = recordsOf(output));
	}

	private async check(step: Step): Promise<IDataObject[]> {
		const { jsonOutput } = nodeNamed(workflow, 'Settings').parameters;
		const settings = valueOf(jsonOutput, { $json: step });
		const { parameters, onError } = nodeNamed(workflow, 'Check, then book');
		const $ = () => ({ first: () => ({ json: settings }) });
		const fields = valueOf(parameters, { $ }) as INodeParameters;
		const rows = this.run('Rows to check');
		const { items } = await perform(sandbox, 'booking:createFromSpreadsheet', fields, {
			...{ rows, onError, timezone: 'Africa/Lagos' },
		});
		this.runs.push(recordsOf(items));
		return recordsOf(items);
	}

	private async go(input: IDataObject[]): Promise<Drawn> {
		const [step] = this.run('Take the answers', input) as unknown as [Step];
		const given = step.toCheck ? await this.check(step) : [];
		const [drawn] = this.run('Draw the page', given) as unknown as [Drawn];
		this.pages++;
		if (drawn.route === 'again') return await this.go(this.last['Draw the page'] ?? []);
		if (drawn.route === 'keep')
			this.kept.push({ list: (drawn.state as Step).key, answers: drawn.answers });
		return drawn;
	}

	/** Answers the page that is shown. @param page its number, if it is another one */
	async answer(answers: Answers, page?: number): Promise<Drawn> {
		const [drawn] = this.last['Draw the page'] as unknown as [Page];
		const sent: IDataObject = { page: page ?? drawn.number, submittedAt: '2026-11-28' };
		for (const [beginning, chosen] of Object.entries(answers)) {
			const ask = drawn.asks.find(({ label }) => label.startsWith(beginning));
			if (!ask) throw new Error(`The page does not ask: ${beginning}`);
			const optionOf = (text: string) =>
				ask.options.find((one) => one.text.startsWith(text))?.text ?? text;
			sent[ask.label] = Array.isArray(chosen) ? chosen.map(optionOf) : optionOf(chosen);
		}
		return await this.go([sent]);
	}

	async choose(
		choice: 'Book' | 'Change my answers' | 'Choose another tab' | 'Finish' | 'Stop here',
	): Promise<Drawn> {
		return await this.answer({ 'What now?': choice });
	}
}

const titleOf = (drawn: Drawn) =>
	drawn.route === 'page' ? (drawn.page as { title: string }).title : (drawn as Ending).title;

const asksOf = (drawn: Drawn) => (drawn as Page).asks.map(({ key }) => key);

/** The column of a sheet that is given back. */
const columnOf = (drawn: Drawn, name: string) => (drawn as Ending).lines.map((line) => line[name]);

const STATUSES = ['Approved', 'Pending', 'Approved'];

/** A list that leaves open the country, the unit and which rows to book. */
const listOf = (first: number, statuses = STATUSES) =>
	statuses.map((Status, index) => ({
		'Farmer Name': `Farmer ${first + index}`,
		Phone: `0803${1_000_000 + first + index}`,
		...{ Service: 'Ploughing', 'Service Date': dayFromNow(20), 'Farm size': 2 },
		...{ Latitude: 10.52, Longitude: 7.43, Status },
	}));

const ANSWERS = {
	'Phones without': 'Nigeria',
	'Farm size without': 'Hectares',
	'Does a column': 'Status',
	'Book the rows': ['Approved'],
};

it('an empty line of a tab is no row', () => {
	const lines = [{ Name: 'Ada', '': 1 }, { Name: ' ', '': '' }, {}, { Name: 0 }];
	expect(lines.map((line, index) => numbered('List', line, index))).toEqual([
		{ tab: 'List', row: { Name: 'Ada', __EMPTY_0: 1, row_number: 2 } },
		{},
		{},
		{ tab: 'List', row: { Name: 0, row_number: 5 } },
	]);
});

it('asks what the sheet leaves open, shows what will happen, and books', async () => {
	const { form, drawn } = await SpreadsheetForm.upload({ List: listOf(1) });
	expect(asksOf(drawn)).toEqual(['which', 'values Status', 'areaUnit', 'phoneCountry']);
	const preview = await form.answer(ANSWERS);
	expect(titleOf(preview)).toBe('2 of 3 rows can be booked');
	expect(sentTo(sandbox)).toEqual([]);
	const result = await form.choose('Book');
	expect(titleOf(result)).toBe('2 of 3 rows are booked now');
	expect(columnOf(result, 'result')).toEqual(['created', 'left out', 'created']);
	expect(columnOf(result, 'reason')[1]).toBe('Status is Pending');
	expect(sentTo(sandbox)).toHaveLength(2);
});

it('keeps answers for the next list with the same headings, and asks again for a new value', async () => {
	const kept: IDataObject[] = [];
	const first = await SpreadsheetForm.upload({ List: listOf(1) }, kept);
	await first.form.answer(ANSWERS);
	await first.form.choose('Book');
	const second = await SpreadsheetForm.upload({ February: listOf(11) }, kept);
	expect(titleOf(second.drawn)).toBe('2 of 3 rows can be booked');
	expect(JSON.stringify(second.drawn)).toContain('Your answers, from the last list');
	const third = await SpreadsheetForm.upload({ List: listOf(21, ['Approved', 'Aproved']) }, kept);
	expect(titleOf(third.drawn)).toBe('Your answers about this sheet');
	expect(JSON.stringify(third.drawn)).toContain('New in Status&#58; Aproved&#46;');
	const other = await SpreadsheetForm.upload(
		{ List: listOf(31).map((row) => ({ ...row, Crop: 'Maize' })) },
		kept,
	);
	expect(titleOf(other.drawn)).toBe('Some questions about this sheet');
});

it('counts no lines below the list, and shows the crop and the village of each row', async () => {
	const rows = listOf(1).map((row) => ({ ...row, Crop: 'Maize', Village: 'Kujama' }));
	const signed = [
		{ 'Farmer Name': 'TOTAL', 'Farm size': 6 },
		{ 'Farmer Name': 'Prepared by: Efe' },
	];
	const { form } = await SpreadsheetForm.upload({ List: [...rows, ...signed] });
	const all = { ...ANSWERS, 'Book the rows': ['Approved', '(empty)'] };
	const preview = await form.answer(all);
	expect(titleOf(preview)).toBe('2 of 3 rows can be booked');
	expect(textOf(preview)).toContain('2 ha, Maize, Kujama');
	expect(textOf(preview)).toContain('5 (TOTAL), 6 (Prepared by: Efe)');
	expect(titleOf(await form.choose('Book'))).toBe('2 of 3 rows are booked now');
});

it('changes answers, and stops without a booking', async () => {
	const { form } = await SpreadsheetForm.upload({ List: listOf(1) });
	await form.answer(ANSWERS);
	expect(titleOf(await form.choose('Change my answers'))).toBe('Your answers about this sheet');
	const all = { ...ANSWERS, 'Does a column': 'No', 'Book the rows': [] };
	expect(titleOf(await form.answer(all))).toBe('3 of 3 rows can be booked');
	const result = await form.choose('Stop here');
	expect([titleOf(result), result.route]).toEqual(['Nothing was booked', 'end']);
	expect(columnOf(result, 'result')).toEqual(Array(3).fill('can be booked'));
	expect(sentTo(sandbox)).toEqual([]);
});

it('tells kept answers with the numbers of this list, in any case', async () => {
	const kept: IDataObject[] = [];
	const { form } = await SpreadsheetForm.upload({ List: listOf(1) }, kept);
	await form.answer(ANSWERS);
	await form.choose('Book');
	const second = await SpreadsheetForm.upload({ List: listOf(11, ['approved', 'PENDING']) }, kept);
	expect(titleOf(second.drawn)).toBe('1 of 2 rows can be booked');
	expect(textOf(second.drawn)).toContain('Book the rows whose Status is approved (1)');
});

it('asks for the country once for all tabs', async () => {
	const kept: IDataObject[] = [];
	const tabs = { Igabi: listOf(1), Zaria: listOf(11).map((row) => ({ ...row, Crop: 'Rice' })) };
	const answers = { 'Farm size without': 'Hectares', 'Does a column': 'No' };
	const isAsked = (drawn: Drawn) => asksOf(drawn).includes('phoneCountry');
	const first = await SpreadsheetForm.upload(tabs, kept);
	const page = await first.form.answer({ Tab: 'Igabi' });
	expect(isAsked(page)).toBe(true);
	await first.form.answer({ ...answers, 'Phones without': 'Nigeria' });
	await first.form.choose('Choose another tab');
	const other = await first.form.answer({ Tab: 'Zaria' });
	expect(JSON.stringify(other)).toContain('"defaultValue":"Nigeria (+234)"');
	await first.form.answer({ ...answers, 'Phones without': 'Nigeria' });
	await first.form.choose('Book');
	const second = await SpreadsheetForm.upload(tabs, kept);
	await second.form.answer({ Tab: 'Igabi' });
	const preview = await second.form.answer({ ...answers, 'Phones without': 'Nigeria' });
	expect(titleOf(preview)).toBe('3 of 3 rows can be booked');
});

describe('the export of a form by KoBoToolbox', () => {
	const approved = { 'Does a column': '_validation_status', 'Book the rows': ['Approved'] };

	it.each<[what: string, settings: KoboSettings, asks: string[]]>([
		['names in groups', { format: 'xml', groups: true, multiple: 'both' }, []],
		['names', { format: 'xml', groups: false, multiple: 'both' }, []],
		['labels in groups', { format: 'labels', groups: true, multiple: 'both' }, []],
		['labels', { format: 'labels', groups: false, multiple: 'summary' }, []],
	])('with %s asks which rows, and for the country', async (_, settings, asks) => {
		for (const rows of [koboExport(settings, KOBO_REQUESTS)].flatMap((all) => [
			all,
			withoutEmptyCells(all),
		])) {
			const { form, drawn } = await SpreadsheetForm.upload({ Export: rows });
			const asked = asksOf(drawn).filter((key) => !key.startsWith('values '));
			expect(asked).toEqual(['which', ...asks, 'phoneCountry']);
			expect(JSON.stringify(drawn)).toContain('"defaultValue":"Nigeria (+234)"');
			const preview = await form.answer({ ...approved, 'Phones without': 'Nigeria' });
			expect(titleOf(preview)).toBe('3 of 6 rows can be booked');
			expect(textOf(preview)).toContain('names several services');
			expect(textOf(preview)).toMatch(/Values of .*sex such as female cannot be sent/i);
		}
	});
});

it('sends a column that a booking need not have only if it is chosen', async () => {
	const sheet = listOf(1).map((row) => ({
		...row,
		'Main crop': 'Maize',
		'Village name': 'Rigasa',
	}));
	const { form, drawn } = await SpreadsheetForm.upload({ List: sheet });
	expect(asksOf(drawn)).toEqual(expect.arrayContaining(['column crop', 'column farmLocation']));
	await form.answer({ ...ANSWERS, 'Crop is in': 'Main crop', 'Farm Location is in': 'No column' });
	await form.choose('Book');
	const [sent] = sentTo(sandbox) as IDataObject[];
	expect(sent).toMatchObject({ crop: 'Maize' });
	expect(sent).not.toHaveProperty('farmLocation');
});

it('does not ask for an order of dates in which all are in the past', async () => {
	simulateDate(new Date('2035-11-26T12:00:00Z'));
	const sheet = listOf(1, ['a', 'a', 'a']).map((row) => ({ ...row, 'Service Date': '05/12/2035' }));
	const { form, drawn } = await SpreadsheetForm.upload({ List: sheet });
	expect(asksOf(drawn)).toEqual(['areaUnit', 'phoneCountry']);
	const { 'Phones without': phones, 'Farm size without': areas } = ANSWERS;
	const preview = await form.answer({ 'Phones without': phones, 'Farm size without': areas });
	expect(titleOf(preview)).toBe('3 of 3 rows can be booked');
	expect(textOf(preview)).toContain('A date such as 05/12/2035 is 5 December 2035');
	jest.useRealTimers();
});

it('takes no answer of an earlier page', async () => {
	const { form } = await SpreadsheetForm.upload({ List: listOf(1) });
	const { number } = await form.answer(ANSWERS);
	await form.choose('Change my answers');
	await form.answer({ ...ANSWERS, 'Book the rows': ['Approved', 'Pending'] });
	const again = await form.answer({ 'What now?': 'Book' }, number);
	expect(titleOf(again)).toBe('3 of 3 rows can be booked');
	expect(JSON.stringify(again)).toContain('That answer came from an earlier page');
	expect(sentTo(sandbox)).toEqual([]);
});

it('asks what an unknown service means, once its column is chosen', async () => {
	const sheet = listOf(1, Array(5).fill('Approved')).map(({ Service, ...row }, index) => ({
		...row,
		'job/kind': index === 1 ? 'Plowing' : Service,
	}));
	const { form, drawn } = await SpreadsheetForm.upload({ List: sheet });
	const word = (drawn as Page).asks.find(({ key }) => key === 'service Plowing');
	expect(word?.of?.value).toEqual({ serviceType: 'job/kind' });
	const { 'Phones without': phones, 'Farm size without': areas } = ANSWERS;
	const preview = await form.answer({
		...{ 'Phones without': phones, 'Farm size without': areas },
		...{ 'Service Type is in': 'job/kind', 'In job/kind, Plowing': 'Ploughing' },
		'Does a column': 'No',
	});
	expect(titleOf(preview)).toBe('5 of 5 rows can be booked');
	const result = await form.choose('Book');
	expect(columnOf(result, 'job/kind')[1]).toBe('Plowing');
	const sent = sentTo(sandbox) as Array<{ serviceType: number }>;
	expect(sent.map(({ serviceType }) => serviceType)).toEqual(Array(5).fill(3));
});

it('leaves out the rows of a service that somebody has chosen not to book', async () => {
	const sheet = listOf(1, Array(5).fill('Approved')).map((row, index) => ({
		...row,
		Service: index === 1 ? 'Plowing' : row.Service,
	}));
	const { form } = await SpreadsheetForm.upload({ List: sheet });
	const { 'Phones without': phones, 'Farm size without': areas } = ANSWERS;
	const preview = await form.answer({
		...{ 'Phones without': phones, 'Farm size without': areas },
		'In Service, Plowing means': 'None of these',
	});
	expect(titleOf(preview)).toBe('4 of 5 rows can be booked');
	expect(textOf(preview)).toContain('1 left out: Service is Plowing (1).');
	expect(textOf(preview)).not.toContain('tractor ID');
	expect(columnOf(await form.choose('Book'), 'reason')[1]).toBe('Service is Plowing');
});

describe('asks about a row that may be booked already', () => {
	const [known] = listOf(1, ['Approved']);
	const other = { ...known, 'Farm size': 3 };
	const third = listOf(3, ['Pending']);
	let kept: IDataObject[];
	afterEach(() => jest.restoreAllMocks());

	/** The page for a list with another job of a farmer who has a booking, and the number of that. */
	async function askedPage(lines: IDataObject[] = [other, ...third]) {
		kept = [];
		const first = await SpreadsheetForm.upload({ List: [known ?? {}, ...third] }, kept);
		await first.form.answer({ ...ANSWERS, 'Book the rows': ['Approved'] });
		const [id] = columnOf(await first.form.choose('Book'), 'bookingID');
		const { form, drawn } = await SpreadsheetForm.upload({ List: lines }, kept);
		expect(titleOf(drawn)).toBe('Which of these rows are to be booked?');
		return { form, drawn, id };
	}

	it('and books another job', async () => {
		const { form, drawn, id } = await askedPage();
		expect(textOf(drawn)).toContain(`Booking ${asText(id)} (new) has the same name, phone and day`);
		const preview = await form.answer({ 'What is row 2': 'Another' });
		expect(titleOf(preview)).toBe('1 of 2 rows can be booked');
		expect(textOf(preview)).toContain(`another job than booking ${asText(id)}`);
		const result = await form.choose('Book');
		expect(columnOf(result, 'result')).toEqual(['created', 'left out']);
		expect(sentTo(sandbox)).toHaveLength(2);
		// The saved sheet asks nothing, nor does the next list.
		const { lines } = result as Ending;
		const again = await SpreadsheetForm.upload({ Sheet: lines as IDataObject[] }, kept);
		expect(titleOf(again.drawn)).toBe('1 of 2 rows was already booked');
	});

	it('and does not book the same one', async () => {
		const { form, id } = await askedPage();
		const result = await form.answer({ 'What is row 2': `It is booking ${asText(id)}` });
		expect(columnOf(result, 'result')).toEqual(['already booked', 'left out']);
		expect(columnOf(result, 'bookingID')[0]).toBe(id);
		expect(sentTo(sandbox)).toHaveLength(1);
	});

	it('and leaves it, until the answers are changed', async () => {
		const two = [...listOf(5, ['Approved']), other, ...third];
		const { form } = await askedPage(two);
		const preview = await form.answer({ 'What is row 3': 'Leave' });
		expect(titleOf(preview)).toBe('1 of 3 rows can be booked');
		await form.choose('Change my answers');
		const again = await form.answer(ANSWERS);
		expect(titleOf(again)).toBe('Which of these rows are to be booked?');
		const changed = await form.answer({ 'What is row 3': 'Another' });
		expect(titleOf(changed)).toBe('2 of 3 rows can be booked');
		// What was answered before is filled in.
		await form.choose('Change my answers');
		expect(JSON.stringify(await form.answer(ANSWERS))).toContain(
			'"defaultValue":"Another job: book it"',
		);
	});

	it('and asks nothing twice about the sheet that was uploaded first', async () => {
		const list = [other, ...third];
		const { form, id } = await askedPage(list);
		await form.answer({ 'What is row 2': 'Another' });
		await form.choose('Book');
		const again = await SpreadsheetForm.upload({ List: list }, kept.slice(-1));
		expect(titleOf(again.drawn)).toBe('1 of 2 rows was already booked');
		expect(textOf(again.drawn)).toContain(`Row 2 is another job than booking ${asText(id)}`);
		// The answer can be changed, and has led to a booking.
		await again.form.choose('Change my answers');
		expect(titleOf(await again.form.answer(ANSWERS))).toBe('1 of 2 rows was already booked');
		expect(sentTo(sandbox)).toHaveLength(2);
	});

	it('and changes an answer that was kept', async () => {
		const list = [other, ...third];
		const { form, id } = await askedPage(list);
		const same = { 'What is row 2': `It is booking ${asText(id)}` };
		expect(titleOf(await form.answer(same))).toBe('1 of 2 rows was already booked');
		const again = await SpreadsheetForm.upload({ List: list }, kept.slice(-1));
		expect(textOf(again.drawn)).toContain(`Row 2 is booking ${asText(id)}`);
		await again.form.choose('Change my answers');
		const asked = await again.form.answer(ANSWERS);
		expect(textOf(asked)).toContain(`"defaultValue":"It is booking ${asText(id)}: do not book it"`);
		await again.form.answer({ 'What is row 2': 'Another' });
		await again.form.choose('Book');
		expect(sentTo(sandbox)).toHaveLength(2);
	});

	it('of a booking that was declined, and books it again', async () => {
		kept = [];
		const list = [known ?? {}, ...third];
		const first = await SpreadsheetForm.upload({ List: list }, kept);
		await first.form.answer({ ...ANSWERS, 'Book the rows': ['Approved'] });
		const [id] = columnOf(await first.form.choose('Book'), 'bookingID');
		sandbox.store.bookings.update(Number(id), { bookingStatus: 4 });
		// The claim of the first run has ended.
		const later = Date.now() + 25 * 60_000;
		jest.spyOn(Date, 'now').mockReturnValue(later);
		const { form, drawn } = await SpreadsheetForm.upload({ List: list }, kept);
		expect(textOf(drawn)).toContain(`The row is booking ${asText(id)} (declined)`);
		const preview = await form.answer({ 'What is row 2': 'Book it again' });
		expect(titleOf(preview)).toBe('1 of 2 rows can be booked');
		const result = await form.choose('Book');
		expect(columnOf(result, 'result')).toEqual(['created', 'left out']);
		const again = await SpreadsheetForm.upload({ List: list }, kept.slice(-1));
		expect(titleOf(again.drawn)).toBe('1 of 2 rows was already booked');
		expect(sentTo(sandbox)).toHaveLength(2);
	});

	it('all at once if n8n has lost its memory, and books what is new', async () => {
		kept = [];
		const list = [...listOf(1, ['Approved', 'Approved']), ...third];
		const first = await SpreadsheetForm.upload({ List: list }, kept);
		await first.form.answer({ ...ANSWERS, 'Book the rows': ['Approved'] });
		const ids = columnOf(await first.form.choose('Book'), 'bookingID');
		processedData.clear();
		forgetAccounts();
		const more = [...list, ...listOf(9, ['Approved'])];
		const { form, drawn } = await SpreadsheetForm.upload({ List: more }, kept);
		expect(asksOf(drawn)).toEqual(['rows']);
		const preview = await form.answer({ 'Are these rows': 'Yes, all 2' });
		expect(titleOf(preview)).toBe('1 of 4 rows can be booked');
		const result = await form.choose('Book');
		expect(columnOf(result, 'bookingID').slice(0, 2)).toEqual(ids.slice(0, 2));
		expect(sentTo(sandbox)).toHaveLength(3);
		const again = await SpreadsheetForm.upload({ List: more }, kept.slice(-1));
		expect(titleOf(again.drawn)).toBe('3 of 4 rows were already booked');
	});

	it('of the fields of a farmer, all at once, if a column tells them apart', async () => {
		kept = [];
		const list = twoFields().map((row, at) => ({ ...row, Field: ['River', 'North', ''][at] }));
		const { form } = await SpreadsheetForm.upload({ List: list }, kept);
		const drawn = await form.answer({ ...ANSWERS, 'Book the rows': ['Approved'] });
		expect(asksOf(drawn)).toEqual(['column plot']);
		const preview = await form.answer({ 'Does Field tell': 'Yes' });
		expect(titleOf(preview)).toBe('2 of 3 rows can be booked');
		await form.choose('Book');
		expect(sentTo(sandbox)).toHaveLength(2);
		const next = [...listOf(9, ['Approved']), ...third].map((row) => ({ ...row, Field: 'East' }));
		const again = await SpreadsheetForm.upload({ List: next }, kept);
		expect(titleOf(again.drawn)).toBe('1 of 2 rows can be booked');
		expect(textOf(again.drawn)).toContain('Does Field tell the fields of one farmer apart? Yes');
	});

	const twoFields = () => {
		const [row] = listOf(7, ['Approved']);
		return [row ?? {}, { ...row, Latitude: 10.62 }, ...third];
	};

	it('of two fields of a farmer, and books both by their plots', async () => {
		const { form } = await askedPage(twoFields());
		const unnamed = await form.answer({ 'What is row 3': 'Another' });
		expect(textOf(unnamed)).toContain('Answer again: Which field is row 3?');
		const preview = await form.answer({
			...{ 'What is row 3': 'Another', 'Which field is row 3': 'North' },
			'Which field is row 2': 'River',
		});
		expect(titleOf(preview)).toBe('2 of 3 rows can be booked');
		expect(textOf(preview)).toContain('2 ha, River');
		const result = await form.choose('Book');
		expect(columnOf(result, 'Plot')).toEqual(['River', 'North', undefined]);
		expect(sentTo(sandbox)).toHaveLength(3);
		const { lines } = result as Ending;
		const again = await SpreadsheetForm.upload({ Sheet: lines as IDataObject[] }, kept);
		expect(titleOf(again.drawn)).toBe('2 of 3 rows were already booked');
	});

	it('of the same job twice, and books it once', async () => {
		const { form } = await askedPage(twoFields());
		const preview = await form.answer({ 'What is row 3': 'The same' });
		expect(titleOf(preview)).toBe('1 of 3 rows can be booked');
		expect(textOf(preview)).toContain('2 left out: typed twice (1), Status is Pending (1).');
		const result = await form.choose('Book');
		expect(columnOf(result, 'result')).toEqual(['created', 'left out', 'left out']);
		expect(columnOf(result, 'reason')[1]).toBe('the same as row 2');
		for (const List of [(result as Ending).lines as IDataObject[], twoFields()]) {
			const again = await SpreadsheetForm.upload({ List }, kept.slice(-1));
			expect(titleOf(again.drawn)).toBe('1 of 3 rows was already booked');
		}
	});
});

const cover = [{ Cooperative: 'Riverside', Season: 2026 }];

/** What is said, without the signs of HTML. */
const textOf = (drawn: Drawn) =>
	JSON.stringify(drawn).replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));

it('asks which tab has the list, if several may, and names the others before and after it is booked', async () => {
	const tabs = { Cover: cover, January: listOf(1), February: listOf(11, ['Approved']) };
	const { form, drawn } = await SpreadsheetForm.upload(tabs);
	const lists = ['January', 'February'];
	expect((drawn as Page).asks[0]?.options.map(({ value }) => value)).toEqual(lists);
	const others =
		'The rows are those of the tab January. Not read: February (1 row), Cover (1 row).';
	expect(textOf(await form.answer({ Tab: 'January' }))).toContain(others);
	expect(textOf(await form.answer(ANSWERS))).toContain(others);
	const result = textOf(await form.choose('Book'));
	expect(result).toContain(`${others} To go on with February, upload the same file again`);
	expect(sentTo(sandbox)).toHaveLength(2);
});

it('goes to another tab, with other answers, before anything is booked', async () => {
	const { form } = await SpreadsheetForm.upload({ January: listOf(1), February: listOf(11) });
	await form.answer({ Tab: 'January' });
	await form.answer(ANSWERS);
	expect(asksOf(await form.choose('Choose another tab'))).toEqual(['tab']);
	expect(titleOf(await form.answer({ Tab: 'February' }))).toBe('Some questions about this sheet');
	await form.answer({ ...ANSWERS, 'Book the rows': ['Pending'] });
	expect(columnOf(await form.choose('Book'), 'Farmer Name')[1]).toBe('Farmer 12');
	expect(sentTo(sandbox)).toMatchObject([{ farmerName: 'Farmer 12' }]);
});

it('names a tab that is no list, and one that cannot be read', async () => {
	const { drawn } = await SpreadsheetForm.upload({
		...{ Cover: cover, List: listOf(1), Chart: [{ error: 'no cells' }] },
	});
	expect(textOf(drawn)).toContain('Not read: Chart (cannot be read), Cover (1 row).');
});

it.each<[string, Record<string, IDataObject[]>, RegExp]>([
	['no tab has a list', { Cover: cover }, /^No tab has headings/],
	['it is no workbook', { List: [{ error: 'Unsupported ZIP file' }] }, /^This is not an Excel/],
])('says that a file cannot be read: %s', async (_, tabs, text) => {
	const { drawn } = await SpreadsheetForm.upload(tabs);
	expect(drawn).toMatchObject({ route: 'stop', title: 'This file cannot be read' });
	expect(drawn).toHaveProperty('text', expect.stringMatching(text));
});

it.each<[string, IDataObject[], string]>([
	[
		'its first line is a request',
		[{ 'Kuya Halimbawa': 'Pedro', '0923-456-7001': '0918-234-5002', '2 ha': '1 ha' }],
		'The sheet seems to begin with a request, not with headings',
	],
	[
		'tables stand side by side',
		listOf(1).map((row) => ({ ...row, 'Farmer Name_1': 'DALAO', 'Rice Area (Ha)': 127.43 })),
		'n8n names them Farmer Name and Farmer Name_1',
	],
])('asks nothing, and says what to do, if %s', async (_, lines, text) => {
	const { drawn } = await SpreadsheetForm.upload({ List: lines });
	expect([titleOf(drawn), drawn.route]).toEqual(['Nothing was booked', 'end']);
	expect(textOf(drawn)).toContain(text);
});

it('books a possible duplicate that was left once the sheet that came back says that it is another job', async () => {
	const kept: IDataObject[] = [];
	const first = await SpreadsheetForm.upload({ List: listOf(1) }, kept);
	await first.form.answer(ANSWERS);
	await first.form.choose('Book');
	const larger = listOf(1).map((row) => ({ ...row, 'Farm size': 3 }));
	const second = await SpreadsheetForm.upload({ List: larger }, kept);
	await second.form.answer({ 'What is row 2': 'Leave', 'What is row 4': 'Leave' });
	const asked = await second.form.choose('Finish');
	expect(columnOf(asked, 'result')).toEqual([
		'possible duplicate',
		'left out',
		'possible duplicate',
	]);
	const ids = columnOf(asked, 'possibleBookingIDs');
	const answered = (asked as Ending).lines.map((line, at) => ({
		...(line as IDataObject),
		bookingID: ids[at] ? `not ${asText(ids[at])}` : '',
	}));
	const third = await SpreadsheetForm.upload({ List: answered }, kept);
	expect(titleOf(third.drawn)).toBe('2 of 3 rows can be booked');
	const result = await third.form.choose('Book');
	expect(columnOf(result, 'result')).toEqual(['created', 'left out', 'created']);
	expect(sentTo(sandbox)).toHaveLength(4);
});
