// The form that books a spreadsheet, without n8n: the code and the parameters are those of the file, the node is real.
import { DateTime } from 'luxon';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Drawn, Page, Step } from '../../examples/code/spreadsheet-to-bookings/parts/step';
import { accounts } from '../../nodes/TractorBooking/api/account';
import { asText } from '../../nodes/TractorBooking/utils/text';
import { nodeNamed, readExample } from '../../tools/examples.cts';
import type { WorkflowFile } from '../../tools/n8nClient.cts';
import { perform, recordsOf } from '../support/action.cts';
import { dayFromNow, eachWithSandbox, sentTo } from '../support/bookings.cts';
import { simulateDate } from '../support/virtualClock.cts';
import { processedData } from '../support/engine.cts';
import { OutcomePage } from '../support/page.cts';
import { codeOf, valueOf } from './nodes.cts';
import { shownOn } from './shown.cts';

const NOW = new Date('2026-11-28T12:39:00Z');
simulateDate(NOW);
beforeEach(() => void jest.setSystemTime(NOW));
afterAll(() => void jest.useRealTimers());

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

	/** Uploads a workbook. @param kept the data table @param looks what it looks like in Excel @returns the form and the page that comes */
	static async upload(
		tabs: Record<string, IDataObject[]>,
		kept: IDataObject[] = [],
		looks: IDataObject = {},
	) {
		const form = new SpreadsheetForm(tabs, kept);
		form.last['Name the tabs'] = [{ tab: 'List', hidden: [], struck: [], merged: [], ...looks }];
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
		if (drawn.route === 'keep') {
			const list = (drawn.state as Step).key;
			const at = this.kept.findIndex((one) => one.list === list);
			// The data table has one row a list.
			this.kept.splice(at < 0 ? this.kept.length : at, 1, { list, answers: drawn.answers });
		}
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

const STATUSES = ['Approved', 'Pending', 'Approved'];

/** A list that leaves open the unit, and which rows to book; all is in one country. */
const listOf = (first: number, statuses: Array<string | number> = STATUSES): IDataObject[] =>
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

/** What somebody does with a page: answers it, or chooses what is next. */
type Act = Answers | Choice | [Answers, more: IDataObject];
/** A list, the tabs of a workbook, or what is made of the list that came back. */
type Uploaded =
	IDataObject[] | Record<string, IDataObject[]> | ((came: IDataObject[]) => IDataObject[]);
/** What is uploaded, and what is done with its pages; or what happens meanwhile. */
type Upload = [Uploaded, ...Act[]] | (() => void);

const asItCame = (came: IDataObject[]) => came;

const lineOf = ({ result, bookingID, reason }: IDataObject) =>
	[result, bookingID, reason].filter(Boolean).map(asText).join(' ');

/** Uploads one list after the other. @returns all that is shown, and sent */
async function play(uploads: readonly Upload[]): Promise<string> {
	const kept: IDataObject[] = [];
	const told: string[] = [];
	let last: IDataObject[] = [];
	for (const upload of uploads) {
		if (typeof upload === 'function') {
			upload();
			continue;
		}
		const [given, ...acts] = upload;
		const List = typeof given === 'function' ? given(last) : given;
		const tabs = Array.isArray(List) ? { List } : List;
		const { form, drawn } = await SpreadsheetForm.upload(tabs, kept);
		// That is on the page once.
		const tell = (...said: string[]) => void (upload === booked || told.push(...said));
		tell('> a list', shownOn(drawn, lineOf));
		for (const act of acts) {
			const given = typeof act === 'string' ? [{ 'What now?': act }] : [act].flat();
			const next = await form.answer(...(given as Parameters<typeof form.answer>));
			tell(`> ${JSON.stringify(act)}`, shownOn(next, lineOf));
			if ('lines' in next) last = next.lines as IDataObject[];
		}
	}
	// Neither names nor phones stay in a table of n8n.
	expect(JSON.stringify(kept)).not.toMatch(/Farmer \d|\+?\d{9,}/);
	const sent = sentTo(sandbox).map((one) => `sent: ${Object.values(one ?? {}).join(', ')}`);
	return [...told, ...sent].join('\n');
}

const NO = { ...OF_CELLS, 'Does a column': 'No' };
const withoutCountry = { ...ANSWERS, 'Phones without': 'None (Leave as Typed)' };
const withTractors = (first: number, ...tractors: number[]) =>
	tractors.flatMap((tractor, at) =>
		listOf(first + at, ['Approved']).map((row) => withTractor(tractor, row)),
	);
const tractorsGiven = (first: number) =>
	withTractors(first, 201, 201).map((row) => ({
		...{ ...row, 'Tractor ID': undefined, 'Tractor given': 201 },
	}));
const ofKenya = (first: number, ...places: Array<[number, number]>) =>
	places.map(([Latitude, Longitude], at) => {
		const Phone = `0712345${600 + first + at}`;
		return { ...listOf(first + at, ['Approved'])[0], Phone, Latitude, Longitude };
	});
const all = (List: IDataObject[], change: IDataObject): IDataObject[] =>
	List.map((row) => ({ ...row, ...change }));
const genders = (...some: Array<string | number>) =>
	listOf(1).map((row, at) => ({ ...row, Gender: some[at] }));
const inTwoColumns = listOf(1).map(({ 'Farmer Name': name, ...row }) => ({
	...{ ...row, 'Nom du membre': name, 'Prénom du membre': `Amina ${asText(name)}` },
}));
const twoTabs = {
	Igabi: withTractors(1, 201, 201, 201),
	Zaria: all(withTractors(11, 201, 201, 201), { Crop: 'Rice' }),
};
const likely = all(listOf(1), {
	'Main crop': 'Maize',
	'Village name': 'Rigasa',
	'Farm Note': '---',
});
const below = [{ 'Farmer Name': 'TOTAL', 'Farm size': 6 }, { 'Farmer Name': 'Prepared by: Musa' }];
const months = { January: listOf(1), February: listOf(11) };
const words = (heading: string) =>
	listOf(1, Array(5).fill('Approved')).map(({ Service, ...row }, at) => ({
		...row,
		[heading]: at === 1 ? 'Plowing' : Service,
	}));
const LACKING: Record<string, IDataObject> = {
	'a place': { Latitude: undefined, Longitude: undefined },
	'the farmers': { 'Farmer Name': undefined, Phone: undefined },
	'the years': { 'Service Date': undefined, Day: '10 March' },
	'a service, and more': { Service: undefined, Phone: undefined },
};
const deciding = listOf(1, ['Approved', '', 'approved', 'Pending', ' PENDING']).map((row, at) => ({
	...{ Remarks: at === 2 ? 'wait' : '', ...row },
	...{ 'Visit Date': at < 3 ? 46_371 : 46_372, 'Approved Y/N': at % 2 },
}));
const cover = [{ Cooperative: 'Riverside', Season: 2026 }];
const request = { 'Kuya Halimbawa': 'Pedro', '0923-456-7001': '0918-234-5002', '2 ha': '1 ha' };

/** Once these are booked, nothing more is said of them. */
const withPhone = (Phone: string) =>
	withTractors(1, 201, 201).map((row, at) => ({ ...row, Phone: at ? Phone : '+2348031000001' }));
/** No heading but that of the booking is known. */
const renamed = (List: IDataObject[]): IDataObject[] =>
	List.map(({ Phone, Service, ['Service Date']: day, Latitude, Longitude, ...row }) => ({
		...{ ...row, 'Contact no.': `+234${asText(Phone).slice(1)}`, 'What to do': Service, When: day },
		'Where (GPS)': `${asText(Latitude)}, ${asText(Longitude)}`,
	}));

/** Phones under a heading that says nothing; two of them cannot be read. */
const contacts = listOf(1, Array(5).fill('')).map(({ Phone, ...row }, at) => {
	return { ...row, Contact: at < 3 ? Phone : `${asText(Phone)} / ${asText(Phone)}` };
});

const [known = {}, second = {}] = listOf(1, ['Approved', 'Approved']);
const larger = { ...known, 'Farm size': 3 };
const largest = { ...known, 'Farm size': 4 };
const third = listOf(3, ['Pending']);
const [farmer = {}] = listOf(7, ['Approved']);
const twoFields = [farmer, { ...farmer, Latitude: 10.62 }, ...third];
/** The list that is booked first, as bookings 100001 and 100002. */
const list = [known, second, ...third];
const booked: Upload = [list, ANSWERS, 'Book'];
const named = { ...known, bookingID: 100_001, 'Service Date': dayFromNow(25) };
const withField = twoFields.map((row, at) => ({ ...row, Field: ['River', 'North', ''][at] }));
const moved = [named, second, ...third];
const elsewhere = [{ ...known, Latitude: 10.62 }, ...third];
const denied = [{ ...known, bookingID: 'not 100001' }, second, ...third];
const two = [larger, largest, ...third];
const another = { 'What is row 2': 'Another' };
const ofRow3 = { 'What is row 3': 'Another' };
const plots = { ...ofRow3, 'Which field is row 3': 'North', 'Which field is row 2': 'River' };
const ofFirst = (row: number) => ({ [`What is row ${row}`]: 'It is booking 100001' });
const change: Act[] = ['Change my answers', ANSWERS];

/** The claims of the runs before have ended. */
const endClaims = () => void jest.setSystemTime(Date.now() + 25 * 60_000);
const decline = () => {
	sandbox.store.bookings.update(100_001, { bookingStatus: 4 });
	endClaims();
};
const forget = () => {
	processedData.clear();
	accounts.clear();
};
/** Somebody else books another field of the farmer. */
const byPhone = () => {
	const whose = { farmerName: 'Farmer 7', farmerPhone: '+2348031000007' };
	const job = { serviceDate: dayFromNow(20), serviceType: 3, tractorId: 201 };
	sandbox.store.bookings.create('A', { ...whose, ...job });
};
/** The service fails once, and makes no booking. */
const failOnce = () => {
	const fault = { kind: 'status', status: 500, body: {} } as const;
	sandbox.faults.add({ match: { endpoint: 'create' }, fault, times: 1 });
};
const page = new OutcomePage(join(__dirname, 'spreadsheetForm.txt'));

const FLOWS: Record<string, Upload[]> = {
	'asks what the sheet leaves open, shows what will happen, and books': [
		[listOf(1), ANSWERS, 'Book'],
	],
	'books for a name in two columns': [
		[inTwoColumns, { ...ANSWERS, 'Farmer Name is in': 'Prénom du membre and' }, 'Book'],
	],
	'an answer that one list does not need is kept for the next': [
		[listOf(1), NO, 'Book'],
		[listOf(11, ['', '']), 'Book'],
		[listOf(21)],
	],
	'answers are kept for the same headings, in any case, and a new value is asked about': [
		[listOf(1), ANSWERS, 'Book'],
		[listOf(11, ['approved', 'PENDING'])],
		[listOf(21, ['Approved', 'Aproved'])],
		[all(listOf(31), { Crop: 'Maize' })],
	],
	'new words in a column that was not chosen to decide': [
		[listOf(1), NO, 'Book'],
		[listOf(11, ['Approved', 'Hold', 'Hold'])],
	],
	'a first word that tells rows apart, below those that came back': [
		[
			renamed(listOf(1, ['Approved', 'Approved'])),
			{ ...OF_CELLS, 'Is this right?': 'Yes' },
			'Book',
		],
		[(came) => [...came, ...renamed(listOf(11, ['Approved', 'Pending']))]],
	],
	'what was wrong with a row, until it is corrected in the list that came back': [
		[withPhone('+234803'), OF_CELLS, 'Stop here'],
		[
			(came) => withPhone('+2348031000002').map((row, at) => ({ ...came[at], ...row })),
			OF_CELLS,
			'Book',
		],
	],
	'answers are changed, also the one that the list gave, and nothing is booked': [
		[
			listOf(1),
			ANSWERS,
			'Change my answers',
			{ ...withoutCountry, 'Does a column': 'No', 'Book the rows': [] },
			'Stop here',
		],
	],
	'answers that are not those of the page never mean all rows, and none books none': [
		[
			listOf(1),
			...[0, null].map((page): Act => [ANSWERS, { page }]),
			...['Other', ''].map((which) => ({ ...ANSWERS, 'Does a column': which })),
			...[['x'], []].map((ticks) => ({ ...ANSWERS, 'Book the rows': ticks })),
			ANSWERS,
			{ 'What now?': '' },
			[{}, { submittedAt: undefined }],
		],
	],
	'columns that may decide: first the one that most rows have, with its words in any case, and days':
		[[deciding]],
	'the country is asked for once for all tabs': [
		[
			twoTabs,
			{ Tab: 'Igabi' },
			OF_PHONES,
			'Choose another tab',
			{ Tab: 'Zaria' },
			OF_CELLS,
			'Book',
		],
		[twoTabs, 'Choose another tab', { Tab: 'Igabi' }],
	],
	'the country, again once a list without places names a new tractor': [
		[withTractors(1, 201, 202), OF_PHONES, 'Book'],
		[withTractors(11, 202, 203), {}, 'Book'],
		[withTractors(21, 203, 201)],
	],
	'the country, once if the column of the tractors is asked about, too': [
		[
			tractorsGiven(1),
			{ ...OF_PHONES, 'The place or the tractor': 'Tractor ID: Tractor given' },
			'Book',
		],
		[tractorsGiven(11)],
	],
	'the country, if it is in doubt, again only for places that are new': [
		[ofKenya(1, [10.52, 7.43], [10.48, 7.44]), { ...OF_PHONES, 'Phones without': 'Kenya' }, 'Book'],
		[ofKenya(11, [10.83, 7.41], [10.14, 6.98])],
		[ofKenya(21, [11.63, 7.4])],
	],
	'likely columns that need not be there: right': [
		[likely, { ...ANSWERS, 'Is this right?': 'Yes' }, 'Book'],
	],
	'likely columns that need not be there: wrong': [
		[likely, { ...ANSWERS, 'Is this right?': 'No', 'Farm Location is in': 'no column' }, 'Book'],
	],
	'columns that cannot be sent, and do not decide either': [
		[genders('F', 'F', 'M').map((row) => ({ ...row, 'Sex of spouse': row.Gender })), NO, 'Book'],
	],
	'a column of which some cells can be sent': [[genders('F', 1, 'M'), NO, 'Book']],
	'lines below the list': [[[...listOf(1), ...all(below, { Status: '' })], NO]],
	'a field that no column holds, and rows can do without': [
		[all(listOf(1), { Phone: undefined }), { ...NO, 'Farmer Phone is in': 'no column' }, 'Book'],
	],
	'a column that is not read, and that every row lacks': [
		[
			listOf(1, ['a', 'a', 'a']).map(({ Longitude, ...row }) => ({
				...row,
				Longtitude: Longitude,
			})),
			OF_PHONES,
		],
	],
	'dates that are long past in the other order': [
		[all(listOf(1, ['a', 'a', 'a']), { 'Service Date': '05/12/2026' }), OF_CELLS],
	],
	'another tab, with other answers; then those that are left, and none': [
		[
			months,
			ANSWERS,
			'Choose another tab',
			{ Tab: 'February' },
			{ ...ANSWERS, 'Book the rows': ['Pending'] },
			'Book',
		],
		[months, 'Book'],
		[{ ...months, March: listOf(21) }, 'Book'],
	],
	'tabs that are no list, and cannot be read': [
		[{ Cover: cover, List: listOf(1), Chart: [{ error: 'no cells' }] }],
	],
	'no tab has a list': [[cover]],
	'no workbook': [[[{ error: 'Unsupported ZIP file' }]]],
	'a first line that is a request': [[[request]]],
	'tables side by side': [[all(listOf(1), { 'Farmer Name_1': 'DALAO', 'Rice Area (Ha)': 127.43 })]],
	'the fields of a farmer, if a column tells them apart': [
		[withField, ANSWERS, { 'Does Field tell': 'Yes' }, 'Book'],
		[all([...listOf(9, ['Approved']), ...third], { Field: 'East' })],
	],
	'the fields of a farmer, if a column does not tell them apart': [
		[withField, ANSWERS, { 'Does Field tell': 'No' }],
	],
	'a word for a service that no tractor offers, with its column and the places of its rows': [
		[
			// However it is written, it is one word.
			words('job/kind').map(({ Latitude, Longitude, ...row }, at) => ({
				...{ ...row, 'Lat. of farm': Latitude, 'Long. of farm': Longitude },
				...(at === 3 && { 'job/kind': 'PLOWING\u200B' }),
			})),
			{ ...OF_CELLS, 'Is this right?': 'Yes', 'In job/kind, Plowing': 'Ploughing' },
			'Book',
		],
	],
	'a word for a service, in place of the choice that is ticked': [
		[
			words('job/services').map((row, at) => ({
				...{ ...row, 'job/services': at < 4 ? 'plough' : 'plough harrow' },
				...{ 'job/services/plough': 1, 'job/services/harrow': Number(at === 4) },
			})),
			{ ...OF_CELLS, 'In job/services, plough': 'Ridging' },
			'Book',
		],
	],
	'a word for a service, once, if its column is one that was chosen': [
		[
			words('job/kind'),
			{ ...OF_CELLS, 'Is this right?': 'No', 'Service Type is in': 'job/kind' },
			'Book',
		],
		[asItCame],
		[words('job/kind')],
	],
	'a word for a service, not if each row has its own in another column': [
		[words('Service').map((row, at) => (at === 1 ? { ...row, Service: 'Other' } : row)), OF_CELLS],
	],
	'a row that was sent and not booked, until its Plot says which field it is': [
		byPhone,
		failOnce,
		[[farmer], OF_CELLS, another, 'Book'],
		endClaims,
		[[farmer], 'Book'],
		[[{ ...farmer, Plot: 'North' }], another, 'Book'],
	],
	'a word for a service that is not to be booked': [
		[words('Service'), { ...OF_CELLS, 'In Service, Plowing': 'None of these' }, 'Book'],
		[words('Service')],
	],
	...Object.fromEntries(
		Object.entries(LACKING).map(([what, lacking]) => [
			`nothing of a sheet that lacks ${what}`,
			[
				[
					all(listOf(1, Array(5).fill('')), {
						...{ ...lacking, 'GPS N': 10.5, 'GPS E': 7.4, _parent_index: 1 },
						...{ _submission__uuid: 'x', _submission__validation_status: 'Approved' },
					}),
				],
			],
		]),
	),
	'phones that cannot be read, left in the list that came back, and in one of their own': [
		[contacts, { ...OF_CELLS, 'Is this right?': 'Yes' }, 'Book'],
		[(came) => came.filter(({ result }) => result === 'to fix')],
		[
			contacts.slice(3).map(({ Contact, ...row }) => ({ ...row, Reach: Contact, Note: 'rainy' })),
			{ ...OF_CELLS, 'Farmer Phone is in': 'Reach' },
		],
	],
	'the same job twice, which the sheet that came back takes back': [
		[twoFields, ANSWERS, { 'What is row 3': 'The same' }, 'Book'],
		[asItCame, ...change, plots, 'Book'],
		[twoFields],
	],
	'no column is chosen for the service': [
		[
			listOf(1).map(({ Service, ...row }) => ({ ...row, Kind: Service })),
			{ ...ANSWERS, 'Service Type is in': 'no column of this sheet' },
		],
	],
};

/** After a list was booked, something may happen, and another list comes. */
interface Next {
	meanwhile?: () => void;
	upload: Exclude<Upload, () => void>;
	/** What is done with the same list once more. */
	then?: Act[];
}
const AFTER_IT: Record<string, Next> = {
	"a second field, minutes after the first one's list": {
		upload: [elsewhere, { ...another, 'Which field is row 2': 'North' }, 'Book'],
	},
	'two other jobs, which are not one booking': {
		upload: [two, { ...ofFirst(2), ...ofFirst(3) }, ...change, { ...another, ...ofRow3 }, 'Book'],
	},
	'a booking that was declined, and is wanted again': {
		...{ meanwhile: decline, upload: [list, { 'What is row 2': 'Book it again' }, 'Book'] },
	},
	'a booking that its row names, and is of another day': { upload: [moved, another, 'Book'] },
	'the same, and it was declined': {
		...{ meanwhile: decline, upload: [moved, { 'What is row 2': 'Book it again' }, 'Book'] },
	},
	'a booking that its row denies, with all its cells': {
		upload: [denied, { ...another, 'Which field is row 2': 'North again' }, 'Book'],
	},
	'all rows at once if n8n has lost its memory': {
		...{
			meanwhile: forget,
			upload: [[...list, farmer], { 'Is each of these rows': 'Yes' }, 'Book'],
		},
		then: change,
	},
	'all rows at once if a cell of each was changed': {
		upload: [all(list, { Latitude: 10.62 }), { 'Is each of these rows': 'Yes' }, 'Finish'],
	},
	'two fields of a farmer, by their plots, which need two names': {
		upload: [twoFields, { ...plots, 'Which field is row 2': ' north' }, plots, 'Book'],
	},
	'the same job twice': { upload: [twoFields, { 'What is row 3': 'The same' }, 'Book'] },
	'a row that is left, until the answers are changed': {
		upload: [[farmer, larger, ...third], {}, ...change, ofRow3, ...change],
	},
	'the same one, and another one once the answer that was kept is changed': {
		upload: [[larger, ...third], ofFirst(2), 'Finish'],
		then: [...change, another, 'Book'],
	},
	'another job that is said to be the same field': {
		upload: [
			all(twoFields, { Plot: 'North' }),
			ofRow3,
			{ ...ofRow3, 'Which field is row 3': 'North 2' },
		],
	},
};

// `SHEETS=write npx jest spreadsheetForm` writes the page.
it.each(Object.entries(FLOWS))('%s', async (what, uploads) => page.tell(what, await play(uploads)));

it.each(Object.entries(AFTER_IT))(
	'asks about %s',
	async (what, { meanwhile, upload, then = [] }) => {
		const next: Upload[] = meanwhile ? [meanwhile, upload] : [upload];
		// Neither the list that came back asks again, nor the same list.
		page.tell(what, await play([booked, ...next, [asItCame], [upload[0], ...then]]));
	},
);

it('what is shown is known', () => page.judge());

it.each<[what: string, may: boolean, statuses: Array<string | number>]>([
	['words that rows share', true, ['Approved', 'Approved', 'Pending', 'Pending', 'Aproved']],
	['words and empty cells', true, ['yes', '', '', '', 'yes']],
	['two numbers', true, [1, 0, 1, 1, 0]],
	['few rows', true, ['Approved', 'Pending']],
	['few rows, each with a number', false, ['A-001', 'A-002']],
	['many numbers', false, [1, 2, 3, 3, 3]],
	['the same in all rows', false, ['yes', 'yes', 'yes', 'yes', 'yes']],
	['another in each row', false, ['a', 'b', 'c', 'd', 'e']],
])('a column may decide which rows to book, by %s: %p', async (_, may, statuses) => {
	const { drawn } = await SpreadsheetForm.upload({ List: listOf(1, statuses) });
	expect(shownOn(drawn).includes('Does a column say')).toBe(may);
});

it('asks about thirty rows in one upload, first about the others in the next, and keeps no name', async () => {
	const rowsFrom = (number: number, count: number) =>
		Array.from({ length: count }, (_, at) => `row ${number + at}`);
	const many = listOf(1, Array<string>(45).fill('Approved'));
	const kept: IDataObject[] = [];
	const begin = async (list: IDataObject[]) => {
		const { form, drawn } = await SpreadsheetForm.upload({ List: list }, kept);
		const rows =
			'asks' in drawn ? drawn.asks.flatMap(({ label }) => /row \d+/.exec(label) ?? []) : [];
		return { form, drawn, rows };
	};
	const first = await begin(many);
	await first.form.answer(OF_CELLS);
	await first.form.choose('Book');
	const moved = all(many, { 'Service Date': dayFromNow(25) });
	const { form, drawn, rows } = await begin(moved);
	expect(rows).toEqual(rowsFrom(2, 30));
	expect(shownOn(drawn)).toContain(' 15 more rows will');
	await form.answer({ 'What is row 2': 'Another' });
	const { lines } = (await form.choose('Book')) as unknown as { lines: IDataObject[] };
	// Those that were left, or not asked about, stay open.
	const results = lines.map(({ result }) => result);
	expect(results).toEqual(['created', ...Array<string>(44).fill('possible duplicate')]);
	expect(JSON.stringify(kept)).not.toMatch(/Farmer \d/);
	// The row that was answered comes last: the others are in the line before theirs.
	const next = await begin([...moved.slice(1), ...moved.slice(0, 1)]);
	expect(next.rows).toEqual([...rowsFrom(31, 15), ...rowsFrom(2, 15)]);
});

it('an empty line of a tab is no row', () => {
	const lines = [{ Name: 'Ada', '': 1 }, { Name: ' ', '': '' }, {}, { Name: 0 }];
	expect(lines.map((line, index) => numbered('List', line, index))).toEqual([
		{ tab: 'List', row: { Name: 'Ada', __EMPTY_0: 1, row_number: 2 } },
		...[{}, {}],
		{ tab: 'List', row: { Name: 0, row_number: 5 } },
	]);
});

it('names rows that are hidden or struck through, and cells that are merged over several rows', async () => {
	const looks = { hidden: [3, 4], struck: [2, 3], merged: ['D2:D4'] };
	const { form } = await SpreadsheetForm.upload({ List: listOf(1) }, [], looks);
	const preview = await form.answer({ ...ANSWERS, 'Book the rows': ['Approved'] });
	for (const said of [
		'1 hidden row will be booked, too (4).',
		'1 struck-through row will be booked, too (2).',
		'Merged cells (D2:D4) count for their first row only.',
	])
		expect(shownOn(preview)).toContain(said);
});
