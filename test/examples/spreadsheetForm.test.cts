// The form that books a spreadsheet, without n8n: the code and the parameters are those of the file, the node is real.
import { DateTime } from 'luxon';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type {
	Drawn,
	Ending,
	Page,
	Step,
} from '../../examples/code/spreadsheet-to-bookings/parts/step';
import { accounts } from '../../nodes/TractorBooking/api/account';
import { asText } from '../../nodes/TractorBooking/utils/text';
import { nodeNamed, readExample } from '../../tools/examples.cts';
import type { WorkflowFile } from '../../tools/n8nClient.cts';
import { perform, recordsOf } from '../support/action.cts';
import { dayFromNow, eachWithSandbox, sentTo } from '../support/bookings.cts';
import { simulateDate } from '../support/virtualClock.cts';
import { processedData } from '../support/engine.cts';
import { codeOf, valueOf } from './nodes.cts';

const sandbox = eachWithSandbox();

let workflow: WorkflowFile;
beforeAll(async () => {
	workflow = await readExample('spreadsheet-to-bookings');
});

/** A line of a tab as the workflow numbers it; n8n's reader gives none for a tab without lines. */
function numbered(tab: string, line: IDataObject, index: number): IDataObject {
	const { jsonOutput } = nodeNamed(workflow, 'Number the rows').parameters;
	const $ = () => ({ item: { json: { tab } } });
	return valueOf(jsonOutput, { $json: line, $itemIndex: index, $ }) as IDataObject;
}

/** What somebody answers: options by the beginning of the question, and of theirs. */
type Answers = Record<string, string | string[]>;
type Choice = 'Book' | 'Change my answers' | 'Choose another tab' | 'Finish' | 'Stop here';

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

	/** Uploads a workbook. @param kept the data table @param hidden rows of its list @param merged cells of it @returns the form and the page that comes */
	static async upload(
		tabs: Record<string, IDataObject[]>,
		kept: IDataObject[] = [],
		hidden: number[] = [],
		merged: string[] = [],
	) {
		const form = new SpreadsheetForm(tabs, kept);
		form.last['Name the tabs'] = [{ tab: 'List', hidden, merged }];
		return { form, drawn: await form.go(form.last['Kept answers'] ?? []) };
	}

	private run(name: string, input: IDataObject[] = []): IDataObject[] {
		const itemsOf = (records: IDataObject[]) => records.map((json) => ({ json }));
		const nodeOf = (records: IDataObject[], runs = [records]) => ({
			isExecuted: records.length > 0,
			all: (_output: number, run = runs.length - 1) => itemsOf(runs[run] ?? []),
			first: () => itemsOf(records)[0],
		});
		return (this.last[name] = codeOf(workflow, name, {
			$: (other: string) =>
				nodeOf(this.last[other] ?? [], other === 'Check, then book' ? this.runs : undefined),
			$input: nodeOf(input),
			$now: DateTime.fromISO('2026-11-28T13:39:00Z', { zone: 'Africa/Lagos' }),
			$runIndex: this.pages,
			$workflow: { id: 'w1' },
		}));
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

	/** Answers the page that is shown. @param more what comes with the answers, if that is not as it has to be */
	async answer(answers: Answers, more: IDataObject = {}): Promise<Drawn> {
		const [drawn] = this.last['Draw the page'] as unknown as [Page];
		const { fields } = drawn.page as { fields: IDataObject[] };
		// What is filled in already is sent, too.
		const filled = fields.flatMap(({ fieldType, fieldLabel, defaultValue }) =>
			fieldLabel && defaultValue
				? [[fieldLabel, fieldType === 'checkbox' ? asText(defaultValue).split(',') : defaultValue]]
				: [],
		);
		const sent: IDataObject = {
			...(Object.fromEntries(filled) as IDataObject),
			...{ page: drawn.number, submittedAt: '2026-11-28', ...more },
		};
		for (const [beginning, chosen] of Object.entries(answers)) {
			const ask = drawn.asks.find(({ label }) => label.startsWith(beginning));
			if (!ask) throw new Error(`The page does not ask: ${beginning}`);
			const optionOf = (text: string) =>
				ask.options.find((one) => text !== '' && one.text.startsWith(text))?.text ?? text;
			sent[ask.label] = Array.isArray(chosen) ? chosen.map(optionOf) : optionOf(chosen);
		}
		return await this.go([sent]);
	}

	async choose(choice: Choice): Promise<Drawn> {
		return await this.answer({ 'What now?': choice });
	}
}

const titleOf = (drawn: Drawn) =>
	drawn.route === 'page' ? (drawn.page as { title: string }).title : (drawn as Ending).title;

const asksOf = (drawn: Drawn) => (drawn as Page).asks.map(({ key }) => key);

/** What is said, without the signs of HTML. */
const textOf = (drawn: Drawn) =>
	JSON.stringify(drawn).replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));

/** The sheet that is given back, and a column of it. */
const linesOf = (drawn: Drawn) => (drawn as Ending).lines as IDataObject[];
const columnOf = (drawn: Drawn, name: string) => linesOf(drawn).map((line) => line[name]);

const STATUSES = ['Approved', 'Pending', 'Approved'];

/** A list that leaves open the unit, and which rows to book; all is in one country. */
const listOf = (first: number, statuses = STATUSES) =>
	statuses.map((Status, index) => ({
		'Farmer Name': `Farmer ${first + index}`,
		Phone: `0803${1_000_000 + first + index}`,
		...{ Service: 'Ploughing', 'Service Date': dayFromNow(20), 'Farm size': 2 },
		...{ Latitude: 10.52, Longitude: 7.43, Status },
	}));

/** The row without a place, which says in which country it is. */
const withTractor = (tractor: number, row: IDataObject): IDataObject => ({
	...{ ...row, Latitude: undefined, Longitude: undefined, 'Tractor ID': tractor, Service: 3 },
});

const OF_CELLS = { 'Farm size without': 'Hectares' };
const OF_PHONES = { ...OF_CELLS, 'Phones without': 'Nigeria' };
const ANSWERS = { ...OF_CELLS, 'Does a column': 'Status', 'Book the rows': ['Approved'] };

/** Books a list whose questions are answered. @returns the last page */
async function bookList(List: IDataObject[], kept: IDataObject[] = []): Promise<Drawn> {
	const { form } = await SpreadsheetForm.upload({ List }, kept);
	await form.answer(ANSWERS);
	return await form.choose('Book');
}

it('an answer that one list does not need is kept for the next', async () => {
	const kept: IDataObject[] = [];
	const first = await SpreadsheetForm.upload({ List: listOf(1) }, kept);
	await first.form.answer({ ...OF_CELLS, 'Does a column': 'No' });
	await first.form.choose('Book');
	for (const List of [listOf(11, ['', '']), listOf(21)]) {
		// The data table has one row a list.
		kept.splice(0, kept.length - 1);
		const { form, drawn } = await SpreadsheetForm.upload({ List }, kept);
		expect(titleOf(drawn)).toBe(`${List.length} of ${List.length} rows can be booked`);
		await form.choose('Book');
	}
});

it('an empty line of a tab is no row', () => {
	const lines = [{ Name: 'Ada', '': 1 }, { Name: ' ', '': '' }, {}, { Name: 0 }];
	expect(lines.map((line, index) => numbered('List', line, index))).toEqual([
		{ tab: 'List', row: { Name: 'Ada', __EMPTY_0: 1, row_number: 2 } },
		...[{}, {}],
		{ tab: 'List', row: { Name: 0, row_number: 5 } },
	]);
});

it('asks what the sheet leaves open, shows what will happen, and books', async () => {
	const { form, drawn } = await SpreadsheetForm.upload({ List: listOf(1) });
	expect(asksOf(drawn)).toEqual(['which', 'values Status', 'areaUnit']);
	const preview = await form.answer(ANSWERS);
	expect(titleOf(preview)).toBe('2 of 3 rows can be booked');
	expect(textOf(preview)).toContain('are all from Nigeria (+234)');
	expect(sentTo(sandbox)).toEqual([]);
	const result = await form.choose('Book');
	expect(titleOf(result)).toBe('2 of 3 rows are booked now');
	expect(columnOf(result, 'result')).toEqual(['created', 'left out', 'created']);
	expect(columnOf(result, 'reason')[1]).toBe('Status is Pending');
	expect(sentTo(sandbox)).toHaveLength(2);
});

it('keeps answers for the next list with the same headings, in any case, and asks again for a new value', async () => {
	const kept: IDataObject[] = [];
	await bookList(listOf(1), kept);
	const upload = async (List: IDataObject[]) =>
		(await SpreadsheetForm.upload({ List }, kept)).drawn;
	const second = await upload(listOf(11, ['approved', 'PENDING']));
	expect(titleOf(second)).toBe('1 of 2 rows can be booked');
	expect(textOf(second)).toContain('Book the rows whose Status is approved (1)');
	const third = await upload(listOf(21, ['Approved', 'Aproved']));
	expect(asksOf(third)).toEqual(['which', 'values Status']);
	expect(textOf(third)).toContain('New in this list: Aproved (1).');
	const other = await upload(listOf(31).map((row) => ({ ...row, Crop: 'Maize' })));
	expect(titleOf(other)).toBe('Some questions about this sheet');
});

it('says nothing of new words in a column that was not chosen to decide', async () => {
	const kept: IDataObject[] = [];
	const { form } = await SpreadsheetForm.upload({ List: listOf(1) }, kept);
	await form.answer({ ...OF_CELLS, 'Does a column': 'No' });
	await form.choose('Book');
	const List = listOf(11, ['Approved', 'Hold', 'Hold']);
	const { drawn } = await SpreadsheetForm.upload({ List }, kept);
	expect(titleOf(drawn)).toBe('3 of 3 rows can be booked');
	expect(textOf(drawn)).not.toContain('Please note');
	expect(textOf(drawn)).toContain('Not read</h3><p>Status (Approved, Hold)');
});

it.each<[string, Answers, IDataObject, string]>([
	['of an earlier page', {}, { page: 0 }, 'That answer came from an earlier page'],
	['without the number of its page', {}, { page: null }, 'That answer came from an earlier page'],
	['that is in no list', { 'Does a column': 'Other' }, {}, 'Answer again: Does a column'],
	['that was left empty', { 'Does a column': '' }, {}, 'Answer again: Does a column'],
	['with a tick that is in no list', { 'Book the rows': ['x'] }, {}, 'Answer again: Book the rows'],
	['without a tick', { 'Book the rows': [] }, {}, 'Tick which values of Status'],
])('an answer %s asks again, and never means all rows', async (_, answers, more, note) => {
	const { form } = await SpreadsheetForm.upload({ List: listOf(1) });
	const again = await form.answer({ ...ANSWERS, ...answers }, more);
	expect(textOf(again)).toContain(note);
	expect(titleOf(await form.answer(ANSWERS))).toBe('2 of 3 rows can be booked');
});

it('an answer that never came ends it, whatever page it was', async () => {
	const { form } = await SpreadsheetForm.upload({ List: listOf(1) });
	await form.answer(ANSWERS);
	// Neither does another choice than *Book* book.
	expect(titleOf(await form.answer({ 'What now?': '' }))).toBe('2 of 3 rows can be booked');
	const end = await form.answer({}, { submittedAt: undefined });
	expect([end.route, textOf(end)]).toEqual(['stop', expect.stringContaining('Nobody answered')]);
	expect(sentTo(sandbox)).toEqual([]);
});

it('changes answers, and stops without a booking', async () => {
	const { form } = await SpreadsheetForm.upload({ List: listOf(1) });
	await form.answer(ANSWERS);
	const changing = await form.choose('Change my answers');
	expect(titleOf(changing)).toBe('Your answers about this sheet');
	expect(textOf(changing)).not.toContain('answers about rows');
	// The one that the list itself gave, too.
	const country = { 'Phones without': 'None (Leave as Typed)' };
	const all = { ...ANSWERS, ...country, 'Does a column': 'No', 'Book the rows': [] };
	const preview = await form.answer(all);
	expect(titleOf(preview)).toBe('3 of 3 rows can be booked');
	expect(textOf(preview)).toContain('Does a column say which rows to book? No: book all rows');
	expect(textOf(preview)).toContain('Farmer 1 08031000001');
	const result = await form.choose('Stop here');
	expect([titleOf(result), result.route]).toEqual(['Nothing was booked', 'end']);
	expect(columnOf(result, 'result')).toEqual(Array(3).fill('can be booked'));
	expect(sentTo(sandbox)).toEqual([]);
});

it('asks for the country once for all tabs', async () => {
	const kept: IDataObject[] = [];
	const [Igabi, zaria] = [1, 11].map((first) => listOf(first).map((row) => withTractor(201, row)));
	const tabs = {
		Igabi: Igabi ?? [],
		Zaria: (zaria ?? []).map((row) => ({ ...row, Crop: 'Rice' })),
	};
	const answers = { ...OF_PHONES, 'Does a column': 'No' };
	const first = await SpreadsheetForm.upload(tabs, kept);
	await first.form.answer({ Tab: 'Igabi' });
	await first.form.answer(answers);
	await first.form.choose('Choose another tab');
	const others = { 'Farm size without': 'Hectares', 'Does a column': 'No' };
	expect(asksOf(await first.form.answer({ Tab: 'Zaria' }))).not.toContain('phoneCountry');
	await first.form.answer(others);
	await first.form.choose('Book');
	const second = await SpreadsheetForm.upload(tabs, kept);
	expect(asksOf(await second.form.answer({ Tab: 'Igabi' }))).not.toContain('phoneCountry');
	expect(titleOf(await second.form.answer(others))).toBe('3 of 3 rows can be booked');
});

it('asks for the country again once a list without places names a new tractor', async () => {
	const kept: IDataObject[] = [];
	const listWith = (first: number, ...tractors: number[]) =>
		tractors.flatMap((tractor, at) =>
			listOf(first + at, ['Approved']).map((row) => withTractor(tractor, row)),
		);
	const upload = async (List: IDataObject[]) => await SpreadsheetForm.upload({ List }, kept);
	const { form } = await upload(listWith(1, 201, 202));
	await form.answer(OF_PHONES);
	await form.choose('Book');
	const asked = await upload(listWith(11, 202, 203));
	expect(asksOf(asked.drawn)).toEqual(['phoneCountry']);
	const why = 'New in this list: tractor 203. So its phones may be from another country.';
	expect(textOf(asked.drawn)).toContain(why);
	await asked.form.answer({});
	await asked.form.choose('Book');
	kept.splice(0, 1);
	const next = await upload(listWith(21, 203, 201));
	expect(titleOf(next.drawn)).toBe('2 of 2 rows can be booked');
});

it('asks for the country once if the column of the tractors is asked about, too', async () => {
	const kept: IDataObject[] = [];
	const upload = async (first: number) => {
		const List = listOf(first, ['Approved', 'Approved']).map((row) => ({
			...{ ...withTractor(201, row), 'Tractor ID': undefined, 'Tractor given': 201 },
		}));
		return await SpreadsheetForm.upload({ List }, kept);
	};
	const { form } = await upload(1);
	await form.answer({ ...OF_PHONES, 'The place or the tractor': 'Tractor ID: Tractor given' });
	await form.choose('Book');
	expect(titleOf((await upload(11)).drawn)).toBe('2 of 2 rows can be booked');
});

it('asks for the country again where it is in doubt only for places that are new', async () => {
	const kept: IDataObject[] = [];
	const upload = async (first: number, ...places: Array<[number, number]>) => {
		const List = places.map(([Latitude, Longitude], at) => {
			// No numbers of the country around.
			const Phone = `0712345${600 + first + at}`;
			return { ...listOf(first + at, ['Approved'])[0], Phone, Latitude, Longitude };
		});
		return await SpreadsheetForm.upload({ List }, kept);
	};
	const { form } = await upload(1, [10.52, 7.43], [10.48, 7.44]);
	await form.answer({ ...OF_PHONES, 'Phones without': 'Kenya' });
	await form.choose('Book');
	const again = await upload(11, [10.83, 7.41], [10.14, 6.98]);
	expect(titleOf(again.drawn)).toBe('2 of 2 rows can be booked');
	const other = await upload(21, [11.63, 7.4]);
	expect(textOf(other.drawn)).toContain('New in this list: a place near 12, 7.');
});

it.each<[right: string, change: Answers, farmLocation: string | undefined, job: string]>([
	['Yes', {}, 'Rigasa', 'Ploughing (3), 2 ha, Maize, Rigasa, 10.5200, 7.4300'],
	['No', { 'Farm Location is in': 'no column' }, undefined, '2 ha, Maize, 10.5200, 7.4300'],
])('shows and sends likely columns that need not be there: %s', async (right, change, ...given) => {
	const [farmLocation, job] = given;
	const own = { 'Main crop': 'Maize', 'Village name': 'Rigasa', 'Farm Note': '---' };
	const List = listOf(1).map((row) => ({ ...row, ...own }));
	const { form, drawn } = await SpreadsheetForm.upload({ List });
	expect(asksOf(drawn)).toEqual(expect.arrayContaining(['column crop', 'column farmLocation']));
	const answers = { ...ANSWERS, 'Is this right?': right, ...change };
	const preview = textOf(await form.answer(answers));
	expect(preview).toContain(job);
	expect(preview).not.toContain('---');
	await form.choose('Book');
	const [sent] = sentTo(sandbox) as IDataObject[];
	expect([sent?.crop, sent?.farmLocation]).toEqual(['Maize', farmLocation]);
});

it.each<[string, genders: Array<string | number>, says: string, results: string[]]>([
	['if none can', ['F', 'F', 'M'], 'Not read</h3><p>Status (A', Array(3).fill('created')],
	['or its rows', ['F', 1, 'M'], '2 rows to look at', ['to fix', 'created', 'to fix']],
])('leaves a column out that cannot be sent, %s', async (_, genders, says, results) => {
	const List = listOf(1).map((row, at) => ({ ...row, Gender: genders[at] }));
	const { form, drawn } = await SpreadsheetForm.upload({ List });
	expect(asksOf(drawn)).toEqual(['which', 'values Status', 'areaUnit']);
	expect(textOf(await form.answer({ ...OF_CELLS, 'Does a column': 'No' }))).toContain(says);
	expect(columnOf(await form.choose('Book'), 'result')).toEqual(results);
});

it('names cells that are merged over several rows', async () => {
	const { form } = await SpreadsheetForm.upload({ List: listOf(1) }, [], [], ['D2:D4']);
	const preview = await form.answer({ ...ANSWERS, 'Book the rows': ['Approved'] });
	expect(textOf(preview)).toContain('Merged cells (D2:D4) count for their first row only.');
});

it('counts no line below the list among the rows', async () => {
	const below = [
		{ 'Farmer Name': 'TOTAL', 'Farm size': 6 },
		{ 'Farmer Name': 'Prepared by: Musa' },
	];
	const List = [...listOf(1), ...below.map((row) => ({ ...row, Status: '' }))];
	const { form, drawn } = await SpreadsheetForm.upload({ List });
	const ticks = (drawn as Page).asks.find(({ key }) => key === 'values Status');
	expect(ticks?.options.map(({ text }) => text)).toEqual(['Approved (2)', 'Pending (1)']);
	const preview = await form.answer({ ...OF_CELLS, 'Does a column': 'No' });
	expect(titleOf(preview)).toBe('3 of 3 rows can be booked');
	expect(textOf(preview)).toContain('2 lines are no requests</h3><p>5 (TOTAL)');
	expect(textOf(preview)).not.toContain('the row is not a request');
});

const FARMERS = { 'Farmer Name': undefined, Phone: undefined };

it.each<[string, IDataObject, string]>([
	['a place', { Latitude: undefined, Longitude: undefined }, 'Tractor ID, or Latitude'],
	['the farmers', FARMERS, 'Farmer Name; Farmer Phone.'],
	['the years', { 'Service Date': undefined, Day: '10 March' }, 'Service Date (with the year, '],
	['a service, and more', { Service: undefined, Phone: undefined }, 'Farmer Phone; Service Type ('],
])('asks nothing of a sheet that lacks %s, and says so at once', async (_, lacking, said) => {
	const List = listOf(1, Array(5).fill('')).map((row) => ({
		...{ ...row, ...lacking, 'GPS N': 10.5, 'GPS E': 7.4 },
		...{ _parent_index: 1, _submission__uuid: 'x', _submission__validation_status: 'Approved' },
	}));
	const { drawn } = await SpreadsheetForm.upload({ List });
	const text = expect.stringContaining(`No column was found for: ${said}`);
	expect(drawn).toMatchObject({ route: 'stop', text });
});

it('says so, too, if no column is chosen for it', async () => {
	const List = listOf(1).map(({ Service, ...row }) => ({ ...row, Kind: Service }));
	const { form } = await SpreadsheetForm.upload({ List });
	const none = { 'Service Type is in': 'no column of this sheet' };
	const drawn = await form.answer({ ...ANSWERS, ...none });
	expect(drawn).toMatchObject({
		route: 'stop',
		text: expect.stringMatching(/for: Service Type.*replace a form's codes/),
	});
});

it('books without what no column holds, if rows can do without it', async () => {
	const List = listOf(1).map((row) => ({ ...row, Phone: undefined }));
	const { form } = await SpreadsheetForm.upload({ List });
	const answers = { 'Farm size without': 'Hectares', 'Does a column': 'No' };
	await form.answer({ ...answers, 'Farmer Phone is in': 'no column' });
	expect(columnOf(await form.choose('Book'), 'result')).toEqual(Array(3).fill('created'));
});

it('takes no order of dates in silence, even if all are in the past in the other one', async () => {
	simulateDate(new Date('2035-11-26T12:00:00Z'));
	const List = listOf(1, ['a', 'a', 'a']).map((row) => ({ ...row, 'Service Date': '05/12/2035' }));
	const { form, drawn } = await SpreadsheetForm.upload({ List });
	expect(textOf(drawn)).toContain('"defaultValue":"5 December 2035 (the day first)"');
	const other = { 'A date such as': '12 May 2035' };
	expect(titleOf(await form.answer({ ...OF_CELLS, ...other }))).toBe('Nothing was booked');
	jest.useRealTimers();
});

describe('a word for a service that no tractor offers', () => {
	const words = (heading: string) =>
		listOf(1, Array(5).fill('Approved')).map(({ Service, ...row }, index) => ({
			...row,
			[heading]: index === 1 ? 'Plowing' : Service,
		}));

	it('is asked about together with its column, and with the places of its rows', async () => {
		// However it is written, it is one word.
		const List = words('job/kind').map(({ Latitude, Longitude, ...row }, at) => ({
			...{ ...row, 'Lat. of farm': Latitude, 'Long. of farm': Longitude },
			...(at === 3 && { 'job/kind': 'PLOWING\u200B' }),
		}));
		const { form } = await SpreadsheetForm.upload({ List });
		const all = { ...OF_CELLS, 'Is this right?': 'Yes', 'In job/kind, Plowing': 'Ploughing' };
		const preview = await form.answer(all);
		expect(titleOf(preview)).toBe('5 of 5 rows can be booked');
		expect(columnOf(await form.choose('Book'), 'job/kind')[1]).toBe('Plowing');
		expect(sentTo(sandbox)).toMatchObject(Array(5).fill({ serviceType: 3 }));
	});

	it('is taken in place of the choice that is ticked', async () => {
		const List = words('job/services').map((row, at) => ({
			...{ ...row, 'job/services': at < 4 ? 'plough' : 'plough harrow' },
			...{ 'job/services/plough': 1, 'job/services/harrow': Number(at === 4) },
		}));
		const { form, drawn } = await SpreadsheetForm.upload({ List });
		expect(asksOf(drawn).filter((key) => key.startsWith('service'))).toEqual(['service plough']);
		const preview = await form.answer({ ...OF_CELLS, 'In job/services, plough': 'Ridging' });
		expect(titleOf(preview)).toBe('4 of 5 rows can be booked');
		await form.choose('Book');
		expect(sentTo(sandbox)).toMatchObject(Array(4).fill({ serviceType: 4 }));
	});

	it('means the same if the sheet comes again, and its column is one that was chosen', async () => {
		const kept: IDataObject[] = [];
		const List = words('job/kind');
		const { form } = await SpreadsheetForm.upload({ List }, kept);
		const column = { 'Service Type is in': 'job/kind' };
		await form.answer({ ...OF_CELLS, ...column, 'In job/kind, Plowing': 'Ploughing' });
		const ids = columnOf(await form.choose('Book'), 'bookingID');
		const saved = List.map((row, at) => ({ ...row, bookingID: ids[at] }));
		for (const sheet of [List, saved]) {
			const again = await SpreadsheetForm.upload({ List: sheet }, kept.slice(-1));
			expect(titleOf(again.drawn)).toBe('5 of 5 rows were already booked');
		}
	});

	it('is not asked about if each row has its own in another column', async () => {
		const List = words('Service').map((row, index) =>
			index === 1 ? { ...row, Service: 'Other' } : row,
		);
		const { form, drawn } = await SpreadsheetForm.upload({ List });
		expect(asksOf(drawn)).not.toContain('service Other');
		expect(titleOf(await form.answer(OF_CELLS))).toBe('4 of 5 rows can be booked');
	});

	it('leaves its rows out if somebody has chosen not to book it', async () => {
		const { form } = await SpreadsheetForm.upload({ List: words('Service') });
		const none = {
			...OF_CELLS,
			'In Service, Plowing (which no tractor of these rows offers) means': 'None of these',
		};
		const preview = await form.answer(none);
		expect(titleOf(preview)).toBe('4 of 5 rows can be booked');
		expect(textOf(preview)).toContain('1 left out: Service is Plowing (1).');
		expect(textOf(preview)).not.toContain('tractor ID');
		expect(columnOf(await form.choose('Book'), 'reason')[1]).toBe('Service is Plowing');
	});
});

describe('asks about a row that may be booked already', () => {
	const [known = {}, second = {}] = listOf(1, ['Approved', 'Approved']);
	const other = { ...known, 'Farm size': 3 };
	const third = listOf(3, ['Pending']);
	/** The list that is booked first, as bookings 100001 and 100002. */
	const list = [known, second, ...third];
	const [farmer = {}] = listOf(7, ['Approved']);
	const twoFields = [farmer, { ...farmer, Latitude: 10.62 }, ...third];
	let kept: IDataObject[];
	beforeEach(() => (kept = []));
	afterEach(() => jest.restoreAllMocks());

	/** The page for a list, after the first one was booked. */
	async function askedPage(List: IDataObject[], meanwhile: () => void = () => undefined) {
		await bookList(list, kept);
		meanwhile();
		const { form, drawn } = await SpreadsheetForm.upload({ List }, kept);
		expect(titleOf(drawn)).toBe('Which of these rows are to be booked?');
		return { form, drawn };
	}

	const decline = () => {
		sandbox.store.bookings.update(100_001, { bookingStatus: 4 });
		// The claim of the first run has ended.
		jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 25 * 60_000);
	};
	const forget = () => {
		processedData.clear();
		accounts.clear();
	};
	const plots = { 'Which field is row 3': 'North', 'Which field is row 2': 'River' };
	const [created, already, left] = ['created', 'already booked', 'left out'];

	interface Case {
		List: IDataObject[];
		meanwhile?: () => void;
		answers: Answers;
		/** What the question and the preview say. */
		says: string[];
		can: string;
		results: string[];
		/** What the same list comes to, and the one that was given back. */
		again: string;
	}

	it.each<[string, Case]>([
		[
			"a second field, minutes after the first one's list",
			{
				List: [{ ...known, Latitude: 10.62 }, ...third],
				answers: { 'What is row 2': 'Another', 'Which field is row 2': 'North' },
				says: ['some of its cells have changed since', '2 ha, North'],
				...{ can: '1 of 2 rows', results: [created, left], again: '1 of 2 rows was' },
			},
		],
		[
			'two other jobs',
			{
				List: [other, { ...known, 'Farm size': 4 }, ...third],
				answers: { 'What is row 2': 'Another', 'What is row 3': 'Another' },
				says: ['Booking 100001 (new) has', 'Row 2 is not booking 100001, row 3 is not booking'],
				...{ can: '2 of 3 rows', results: [created, created, left], again: '2 of 3 rows were' },
			},
		],
		[
			'a booking that was declined, and is wanted again',
			{
				...{ List: list, meanwhile: decline, answers: { 'What is row 2': 'Book it again' } },
				says: ['Booking 100001 (declined) has the same name, phone and day', 'not booking 100001'],
				...{ can: '1 of 3 rows', results: [created, already, left], again: '2 of 3 rows were' },
			},
		],
		[
			'a booking that its row names, was declined, and is of another day',
			{
				List: [{ ...known, bookingID: 100_001, 'Service Date': dayFromNow(25) }, second, ...third],
				...{ meanwhile: decline, answers: { 'What is row 2': 'Another' } },
				says: ['Booking 100001 (declined) has the same name and phone', 'not booking 100001'],
				...{ can: '1 of 3 rows', results: [created, already, left], again: '2 of 3 rows were' },
			},
		],
		[
			'a booking that its row names, and is of another day, as in a list of last week',
			{
				List: [{ ...known, bookingID: 100_001, 'Service Date': dayFromNow(25) }, second, ...third],
				answers: { 'What is row 2': 'Another' },
				says: ['Booking 100001 (new) has the same name and phone', 'not booking 100001'],
				...{ can: '1 of 3 rows', results: [created, already, left], again: '2 of 3 rows were' },
			},
		],
		[
			'a booking that its row denies, with all its cells',
			{
				List: [{ ...known, bookingID: 'not 100001' }, second, ...third],
				answers: { 'What is row 2': 'Another', 'Which field is row 2': 'North again' },
				says: ['so another job needs a field in words', '2 ha, North again'],
				...{ can: '1 of 3 rows', results: [created, already, left], again: '2 of 3 rows were' },
			},
		],
		[
			'all rows at once if n8n has lost its memory',
			{
				...{ List: [...list, farmer], meanwhile: forget },
				answers: { 'Are these rows': 'Yes, all 2' },
				says: ['2 rows that may be bookings', '2 rows booked already'],
				...{ can: '1 of 4 rows', results: [already, already, left, created] },
				again: '3 of 4 rows were',
			},
		],
		[
			'two fields of a farmer, by their plots',
			{
				...{ List: twoFields, answers: { 'What is row 3': 'Another', ...plots } },
				says: ['Row 2 (Farmer 7) is the same but for Latitude', '2 ha, River'],
				...{ can: '2 of 3 rows', results: [created, created, left], again: '2 of 3 rows were' },
			},
		],
		[
			'the same job twice',
			{
				...{ List: twoFields, answers: { 'What is row 3': 'The same' } },
				says: ['The same as row 2', '2 left out: typed twice (1), Status is Pending (1).'],
				...{ can: '1 of 3 rows', results: [created, left, left], again: '1 of 3 rows was' },
			},
		],
	])('%s', async (_, { List, meanwhile, answers, says, can, results, again }) => {
		const { form, drawn } = await askedPage(List, meanwhile);
		const preview = await form.answer(answers);
		expect(titleOf(preview)).toBe(`${can} can be booked`);
		const [ofQuestion = '', ofPreview = ''] = says;
		expect(textOf(drawn)).toContain(ofQuestion);
		expect(textOf(preview)).toContain(ofPreview);
		// What was just answered is no news.
		expect(textOf(preview)).not.toContain('said not to be');
		const result = await form.choose('Book');
		expect(columnOf(result, 'result')).toEqual(results);
		const sent = 2 + results.filter((one) => one === created).length;
		for (const rows of [linesOf(result), List]) {
			const next = await SpreadsheetForm.upload({ List: rows }, kept.slice(-1));
			expect(titleOf(next.drawn)).toBe(`${again} already booked`);
		}
		expect(sentTo(sandbox)).toHaveLength(sent);
	});

	it('and leaves it, until the answers are changed', async () => {
		const { form } = await askedPage([farmer, other, ...third]);
		// That is what is chosen beforehand.
		const preview = await form.answer({});
		expect(titleOf(preview)).toBe('1 of 3 rows can be booked');
		await form.choose('Change my answers');
		const again = await form.answer(ANSWERS);
		expect(titleOf(again)).toBe('Which of these rows are to be booked?');
		const changed = await form.answer({ 'What is row 3': 'Another' });
		expect(titleOf(changed)).toBe('2 of 3 rows can be booked');
		// What was answered before is filled in.
		await form.choose('Change my answers');
		expect(textOf(await form.answer(ANSWERS))).toContain('"defaultValue":"Another job: book it"');
	});

	it('shows the answer to all at once if answers are changed', async () => {
		const { form } = await askedPage([...list, farmer], forget);
		await form.answer({ 'Are these rows': 'Yes, all 2' });
		await form.choose('Book');
		const again = await SpreadsheetForm.upload({ List: [...list, farmer] }, kept.slice(-1));
		await again.form.choose('Change my answers');
		const page = textOf(await again.form.answer(ANSWERS));
		expect(page).toContain('"defaultValue":"Yes, all 2: do not book them"');
	});

	it('does not book the same one, and changes an answer that was kept', async () => {
		const List = [other, ...third];
		const { form } = await askedPage(List);
		// The other row is left out, by an answer that was kept.
		await form.answer({ 'What is row 2': 'It is booking 100001' });
		const same = await form.choose('Finish');
		expect(titleOf(same)).toBe('1 of 2 rows was already booked, 1 to look at');
		expect(columnOf(same, 'bookingID')[0]).toBe(100_001);
		expect(columnOf(same, 'reason')[0]).toMatch(
			/other cells\. If the booking still has to change,/,
		);
		const again = await SpreadsheetForm.upload({ List }, kept.slice(-1));
		expect(textOf(again.drawn)).toContain('Row 2 is booking 100001');
		const changing = await again.form.choose('Change my answers');
		expect(textOf(changing)).toContain('Your answers about rows come last.');
		expect(textOf(await again.form.answer(ANSWERS))).toContain(
			'"defaultValue":"It is booking 100001: do not book it"',
		);
		await again.form.answer({ 'What is row 2': 'Another' });
		await again.form.choose('Book');
		expect(sentTo(sandbox)).toHaveLength(3);
	});

	it('asks again if another job is said to be the same field', async () => {
		const List = twoFields.map((row) => ({ ...row, Plot: 'North' }));
		const { form } = await askedPage(List);
		const another = { 'What is row 3': 'Another', 'Which field is row 3': 'North' };
		expect(titleOf(await form.answer(another))).toBe('Which of these rows are to be booked?');
		const preview = await form.answer({ ...another, 'Which field is row 3': 'North 2' });
		expect(titleOf(preview)).toBe('2 of 3 rows can be booked');
	});

	it('asks again if two fields have one name', async () => {
		const { form } = await askedPage(twoFields);
		const names = (second: string) => ({
			...{ 'What is row 3': 'Another', 'Which field is row 2': 'North' },
			'Which field is row 3': second,
		});
		const again = await form.answer(names(' north'));
		expect(textOf(again)).toContain('Give the fields of rows 3 and 2 different names.');
		expect(titleOf(await form.answer(names('River')))).toMatch(/rows can be booked$/);
	});

	it('asks again if two rows are said to be one booking', async () => {
		const { form } = await askedPage([other, { ...known, 'Farm size': 4 }, ...third]);
		const own = 'It is booking 100001';
		const again = await form.answer({ 'What is row 2': own, 'What is row 3': own });
		expect(titleOf(again)).toBe('Which of these rows are to be booked?');
		expect(textOf(again)).toContain('Only one of the rows 2, 3 can be booking 100001.');
		const preview = await form.answer({ 'What is row 2': own, 'What is row 3': 'Another' });
		expect(titleOf(preview)).toBe('1 of 3 rows can be booked');
	});

	it('of the fields of a farmer, all at once, if a column tells them apart', async () => {
		const List = twoFields.map((row, at) => ({ ...row, Field: ['River', 'North', ''][at] }));
		const { form } = await SpreadsheetForm.upload({ List }, kept);
		expect(asksOf(await form.answer(ANSWERS))).toEqual(['column plot']);
		const again = await SpreadsheetForm.upload({ List });
		await again.form.answer(ANSWERS);
		const rows = await again.form.answer({ 'Does Field tell': 'No' });
		expect(asksOf(rows)).toEqual(expect.arrayContaining([expect.stringMatching(/^row /)]));
		const preview = await form.answer({ 'Does Field tell': 'Yes' });
		expect(titleOf(preview)).toBe('2 of 3 rows can be booked');
		await form.choose('Book');
		expect(sentTo(sandbox)).toHaveLength(2);
		const next = [...listOf(9, ['Approved']), ...third].map((row) => ({ ...row, Field: 'East' }));
		const { drawn } = await SpreadsheetForm.upload({ List: next }, kept);
		expect(titleOf(drawn)).toBe('1 of 2 rows can be booked');
		expect(textOf(drawn)).toContain('Does Field tell the fields of one farmer apart? Yes');
	});
});

const cover = [{ Cooperative: 'Riverside', Season: 2026 }];

it('goes to another tab, with other answers, before anything is booked', async () => {
	const { form } = await SpreadsheetForm.upload({ January: listOf(1), February: listOf(11) });
	await form.answer({ Tab: 'January' });
	await form.answer(ANSWERS);
	expect(asksOf(await form.choose('Choose another tab'))).toEqual(['tab']);
	expect(titleOf(await form.answer({ Tab: 'February' }))).toBe('Some questions about this sheet');
	const answers = { 'Farm size without': 'Hectares', 'Does a column': 'Status' };
	await form.answer({ ...answers, 'Book the rows': ['Pending'] });
	expect(columnOf(await form.choose('Book'), 'Farmer Name')[1]).toBe('Farmer 12');
	expect(sentTo(sandbox)).toMatchObject([{ farmerName: 'Farmer 12' }]);
});

it('names a tab that is no list, and one that cannot be read', async () => {
	const tabs = { Cover: cover, List: listOf(1), Chart: [{ error: 'no cells' }] };
	const { drawn } = await SpreadsheetForm.upload(tabs);
	expect(textOf(drawn)).toContain('Not read: Chart (cannot be read), Cover (1 line).');
});

const request = { 'Kuya Halimbawa': 'Pedro', '0923-456-7001': '0918-234-5002', '2 ha': '1 ha' };
const sideBySide = { 'Farmer Name_1': 'DALAO', 'Rice Area (Ha)': 127.43 };
const [UNREADABLE, NOTHING] = ['This file cannot be read', 'Nothing was booked'];

it.each<[string, IDataObject[], string, string]>([
	['no tab has a list', cover, UNREADABLE, 'No tab has headings'],
	['it is no workbook', [{ error: 'Unsupported ZIP file' }], UNREADABLE, 'This is not an Excel'],
	['its first line is a request', [request], NOTHING, 'The sheet seems to begin with a request'],
	[
		'tables stand side by side',
		listOf(1).map((row) => ({ ...row, ...sideBySide })),
		NOTHING,
		'n8n names them Farmer Name and Farmer Name_1',
	],
])('asks nothing, and says what to do, if %s', async (_, List, title, text) => {
	const { drawn } = await SpreadsheetForm.upload({ List });
	expect([titleOf(drawn), drawn.route]).toEqual([title, title === NOTHING ? 'end' : 'stop']);
	expect(textOf(drawn)).toContain(text);
});
