import { pageOf } from '../../examples/code/spreadsheet-to-bookings/parts/form';
import { questionsPage } from '../../examples/code/spreadsheet-to-bookings/parts/questionPages';
import {
	asksOf,
	settle,
	withAnswer,
	withLikely,
} from '../../examples/code/spreadsheet-to-bookings/parts/questions';
import type {
	Ask,
	Page,
	State,
	Summary,
} from '../../examples/code/spreadsheet-to-bookings/parts/step';
import { takeAnswers } from '../../examples/code/spreadsheet-to-bookings/parts/takeAnswers';
import { isList } from '../../examples/code/spreadsheet-to-bookings/parts/tabs';
import { tabNames } from '../../examples/code/spreadsheet-to-bookings/parts/workbook';
import type { Question } from '../../nodes/TractorBooking/resources/booking/create/preview/questions';

const question = (about: Question['about'], more: Partial<Question> = {}): Question => ({
	...{ about, column: '', value: '', rows: 1, answers: [], ...more },
});
const state: State = { answers: {}, before: {}, ignored: [], note: '' };

/** The rows of a column, and what the node says of it. */
function columnOf(column: string, ...values: Array<string | number>) {
	const counts = [...new Set(values.filter((value) => value !== ''))].map((value) => ({
		value: String(value),
		count: values.filter((one) => one === value).length,
	}));
	const other = { column, values: counts, distinct: counts.length };
	return { other, rows: values.map((value, at) => ({ row_number: at + 2, [column]: value })) };
}

describe('a question', () => {
	const either = [
		{ text: 'T', value: { tractorId: 'T' } },
		{ text: 'no column of this sheet', value: '' },
	];

	const place = { field: 'coordinates' } as const;
	const sex = { column: 'Sex', value: 'M', rows: 2 };

	it.each<[string, string, ...Parameters<typeof question>]>([
		['A column is in', 'column crop', 'columnMapping', { field: 'crop', value: 'A column' }],
		['The place is in', 'column coordinates', 'columnMapping', place],
		[
			'The place or the tractor is in',
			'column coordinates',
			'columnMapping',
			{ ...place, answers: either },
		],
		['A date such as 1/5/2027 is', 'dateOrder', 'dateOrder', { value: '1/5/2027' }],
		['A without a unit, such as 2, is in', 'areaUnit', 'areaUnit', { column: 'A', value: '2' }],
		['A land area without a unit is in', 'areaUnit', 'areaUnit'],
		['Phones without a country code are from', 'phoneCountry', 'phoneCountry'],
		['Values of Sex such as M cannot be sent (2 rows):', 'optional Sex', 'ignoredColumns', sex],
		[
			'In A, Plowing (which no tractor of these rows offers) means',
			'service Plowing',
			'serviceType',
			{ column: 'A', value: 'Plowing' },
		],
	])('is "%s"', (label, key, ...asked) => {
		expect(asksOf([question(...asked)], [], [], state)).toMatchObject([{ label, key }]);
	});
});

describe('answers that are likely', () => {
	const likelyFor = (field: string, column: string, ...others: string[]) => {
		const answers = [column, ...others].map((one) => ({ text: one, value: { [field]: one } }));
		return question('columnMapping', {
			...{ field, value: field, suggested: answers[0]?.value },
			answers: [...answers, { text: 'no column of this sheet', value: '' }],
		});
	};
	const phone = likelyFor('farmerPhone', 'Contact', 'Other contact');
	const day = likelyFor('serviceDate', 'Day');
	const service = question('columnMapping', { field: 'serviceType', value: 'serviceType' });
	const shown = (...questions: Question[]) =>
		questionsPage(state, 'learn', asksOf(questions, [], [], state), [], [], 1);

	it('are asked about all at once', () => {
		const { page, asks } = shown(phone, service, day);
		const fields = page.fields as Array<Record<string, unknown>>;
		expect(fields[1]?.html).toMatch(/farmerPhone is in <b>Contact<.*serviceDate is in <b>Day</);
		expect(fields[2]).toMatchObject({
			fieldLabel: 'Is this right?',
			defaultValue: '',
		});
		expect(asks.filter(({ of }) => !of).map(({ key }) => key)).toEqual([
			'likely',
			'column serviceType',
		]);
	});

	it('are not those that somebody has answered before, or wants to change', () => {
		const before = { 'column farmerPhone': { farmerPhone: 'Other contact' } } as const;
		const asks = asksOf([phone, day], [], [], state);
		expect(withLikely(asks, { ...state, before })).toEqual(asks);
		expect(withLikely(asks, { ...state, areMarks: true })).toEqual(asks);
	});

	it('decide which rows to book only if they are answered so', () => {
		const { other, rows } = columnOf('Day', 'Monday', 'Monday', 'Friday');
		const keysWith = (answers: State['answers']) =>
			asksOf([phone, day], [other], rows, { ...state, answers }).map(({ key }) => key);
		expect(keysWith({})).not.toContain('which');
		expect(keysWith({ which: 'Day' })).toContain('which');
	});

	it.each([
		['Yes', 'Contact', { farmerPhone: 'Contact', serviceDate: 'Day' }],
		['No: I choose each', 'Other contact', { farmerPhone: 'Other contact', serviceDate: 'Day' }],
	])('%s: the answers are those that were shown', (all, other, columns) => {
		const { page, asks } = shown(phone, day);
		const drawn: Page = { route: 'page', mode: 'learn', number: 1, state, page, asks };
		const sent = {
			...{ page: '1', submittedAt: '2026-11-28', 'Is this right?': all },
			...{ 'farmerPhone is in': other, 'serviceDate is in': 'Day' },
		};
		// What is hidden was chosen before it was hidden.
		const lines = [
			{ tab: 'List', row: { row_number: 2, Contact: '1', Day: '2', 'Other contact': '3' } },
		];
		const step = takeAnswers({ lines, kept: [], workflowId: 'w1', drawn, sent });
		expect([step.mode, step.set.columns]).toEqual(['look', columns]);
		expect(step.answers.said).toMatchObject({ 'column serviceDate': 'serviceDate is in Day' });
	});

	it('are asked about one by one if there is but one, or one for two fields', () => {
		for (const asked of [
			[phone, service],
			[phone, likelyFor('serviceDate', 'Contact')],
		]) {
			const { asks } = shown(...asked);
			expect(asks.map(({ key, of }) => [key, of])).toEqual(
				asked.map(({ field }) => [`column ${field}`, undefined]),
			);
		}
	});
});

describe('a column may decide which rows to book', () => {
	it.each<[string, boolean, Array<string | number>]>([
		['words that rows share', true, ['Approved', 'Approved', 'Pending', 'Pending', 'Aproved']],
		['words and empty cells', true, ['yes', '', '', '', 'yes']],
		['two numbers', true, [1, 0, 1, 1, 0]],
		['few rows', true, ['Approved', 'Pending']],
		['few rows, each with a number', false, ['A-001', 'A-002']],
		['many numbers', false, [1, 2, 3, 3, 3]],
		['the same in all rows', false, ['yes', 'yes', 'yes', 'yes', 'yes']],
		['another in each row', false, ['a', 'b', 'c', 'd', 'e']],
	])('%s: %s', (_, may, values) => {
		const { other, rows } = columnOf('Status', ...values);
		expect(asksOf([], [other], rows, state).some(({ key }) => key === 'which')).toBe(may);
	});

	it('first the one that most rows have', () => {
		const remarks = columnOf('Remarks', '', '', 'wait', '');
		const status = columnOf('Status', 'Approved', 'Pending', 'Approved', 'Approved');
		const both = remarks.rows.map((row, at) => ({ ...row, ...status.rows[at] }));
		const [which] = asksOf([], [remarks.other, status.other], both, state);
		expect(which?.options.map(({ value }) => value)).toEqual(['Status', 'Remarks', '']);
	});

	it('not if an answer says what it holds', () => {
		const { other, rows } = columnOf('Kind', 'Ploughing', 'Ploughing', 'Ridging');
		const answers = { 'column serviceType': { serviceType: 'Kind' } };
		expect(asksOf([], [other], rows, { ...state, answers })).toEqual([]);
	});

	it('still, if it was chosen for both: else nobody could tick its values, or choose another', () => {
		const { other, rows } = columnOf('Kind', 'Ploughing', 'Ploughing', 'Ridging');
		const answers = { 'column serviceType': { serviceType: 'Kind' }, which: 'Kind' };
		const asks = asksOf([], [other], rows, { ...state, answers });
		expect(asks.map(({ key }) => key)).toEqual(['which', 'values Kind']);
	});

	it('not if the node does not tell all its values', () => {
		const { other, rows } = columnOf('Status', 'a', 'a', 'b', 'b', 'c');
		expect(asksOf([], [{ ...other, distinct: 21 }], rows, state)).toEqual([]);
	});

	it('with days, and not their numbers in Excel', () => {
		const { other, rows } = columnOf('Visit Date', 46371, 46371, 46372);
		const [which, ticks] = asksOf([], [other], rows, state);
		expect(which?.options[0]?.text).toBe('Visit Date (2026-12-15, 2026-12-16)');
		expect(ticks?.options[0]?.text).toBe('2026-12-15 (2)');
	});

	it('by each of its values, with their rows, and by empty cells', () => {
		const values = ['Approved', '', 'approved', 'Pending', ' PENDING'];
		const { other, rows } = columnOf('Status', ...values);
		const ticks = asksOf([], [other], rows, state).find(({ many }) => many);
		expect(ticks?.options).toEqual([
			{ text: 'Approved (2)', value: 'approved' },
			{ text: 'Pending (2)', value: 'pending' },
			{ text: '(empty) (1)', value: '' },
		]);
	});
});

describe('an answer from before', () => {
	const { other, rows } = columnOf('Status', 'Approved', 'Pending', 'Pending');
	const countries = [
		{ text: 'Nigeria', value: 'NG' },
		{ text: 'Kenya', value: 'KE' },
	];
	const country = question('phoneCountry', { answers: countries });
	const likely = { ...country, suggested: 'KE' };
	const status = { which: 'Status', 'values Status': ['approved'] };
	interface Case {
		questions?: Question[];
		others?: Summary['otherColumns'];
		before: State['before'];
		open?: string[];
		news?: string[];
	}

	const seen = { 'seen values Status': ['"approved"', '"pending"'] };
	const [phoneCountry, both] = [['phoneCountry'], ['which', 'values Status']];
	it.each<[string, Case]>([
		['holds', { questions: [country], before: { phoneCountry: 'NG' } }],
		['does not if there is none', { questions: [country], before: {}, open: phoneCountry }],
		[
			'does not if it is not offered',
			{ questions: [country], before: { phoneCountry: 'X' }, open: phoneCountry },
		],
		['holds if it is the likely one', { questions: [likely], before: { phoneCountry: 'KE' } }],
		[
			'does not if another is',
			{ questions: [likely], before: { phoneCountry: 'NG' }, open: phoneCountry, news: ['Kenya'] },
		],
		[
			'holds if that was so before',
			{ questions: [likely], before: { phoneCountry: 'NG', 'seen phoneCountry': ['"KE"'] } },
		],
		[
			'does not if the list suggests several',
			{
				questions: [{ ...country, areSeveral: true }],
				before: { phoneCountry: 'NG' },
				open: phoneCountry,
			},
		],
		['holds for the same values', { others: [other], before: { ...status, ...seen } }],
		[
			'does not for other values',
			{ others: [other], before: status, open: both, news: ['Pending (2)'] },
		],
		[
			'does not if another column may decide',
			{ others: [other], before: { which: '' }, open: both, news: ['Status (Approved, Pending)'] },
		],
		['holds for a column that no longer may', { before: { ...status, ...seen } }],
	])('%s', (_, { questions = [], others = [], before, open = [], news = [] }) => {
		const own = { ...state, before };
		const settled = settle(asksOf(questions, others, rows, own), own);
		expect(settled.open.map(({ key }) => key)).toEqual(open);
		expect(settled.news).toEqual(news);
	});

	it('is asked about again if a list suggests what one before the last did', () => {
		const ofNigeria = { ...country, suggested: 'NG' };
		const [first] = asksOf([ofNigeria], [], [], state);
		const [second] = asksOf([likely], [], [], state);
		if (!first || !second) throw new Error('There is no question.');
		const before = withAnswer(withAnswer({}, {}, first, ['NG']), {}, second, ['KE']);
		const own = { ...state, before };
		expect(settle(asksOf([ofNigeria], [], [], own), own).news).toEqual(['Nigeria']);
	});

	it('is only marked if it is to be changed', () => {
		const own = { ...state, before: { phoneCountry: 'NG' }, areMarks: true };
		const { open, news } = settle(asksOf([country], [], [], own), own);
		expect(news).toEqual([]);
		expect(questionsPage(own, 'learn', open, news, [], 1).page).toMatchObject({
			title: 'Your answers about this sheet',
			fields: [{}, { defaultValue: 'Nigeria' }],
		});
	});
});

describe('a page of the form', () => {
	const ask = (key: Ask['key'], options: string[], more = {}) =>
		({
			...{ key, label: 'Which?', options: options.map((text) => ({ text, value: text })) },
			...more,
		}) as Ask;
	const fieldsOf = (asks: Ask[], answers = {}) =>
		pageOf({ title: '', text: '', button: '', wait: '' }, asks, answers, 7);

	it('has its number, and labels and options that n8n can tell apart', () => {
		const long = 'x'.repeat(199);
		const texts = ['a  b', 'a b', '<x>', `${long} y`];
		const { page, asks } = fieldsOf([ask('which', texts), ask('tab', ['x'])]);
		const number = { fieldType: 'hiddenField', fieldName: 'page', fieldValue: '7' };
		expect(page.fields[0]).toEqual(number);
		expect(asks.map(({ label }) => label)).toEqual(['Which?', 'Which? ·']);
		expect(asks[0]?.options.map(({ text }) => text)).toEqual(['a b', 'a b ·', '‹x›', long]);
	});

	it('has what was answered before, and never an option that was not', () => {
		const which = ask('which', ['Status', 'Sex']);
		const ticks = ask('values Status', ['a, b', 'c', ''], { many: true });
		const answers = { which: 'Gone', 'values Status': ['a, b', 'c', 'd'] };
		// In place of the comma, at which n8n would split it, stands a sign that looks the same.
		expect(fieldsOf([which, ticks], answers).page.fields.slice(1)).toMatchObject([
			{ fieldType: 'radio', requiredField: true, defaultValue: '' },
			{ fieldType: 'checkbox', requiredField: false, defaultValue: 'a‚ b,c' },
		]);
	});

	it('requires no answer to what may be hidden', () => {
		const word = ask('service x', ['a'], { of: { key: 'likely', value: 'each' } });
		expect(fieldsOf([word]).page.fields[1]).toMatchObject({ requiredField: false });
	});

	it.each([
		['radio', 5, '#option1_field-1:checked'],
		['dropdown', 6, '#field-1 option:nth-of-type(3):checked'],
	])('hides what is asked of an option of a %s until it is chosen', (fieldType, count, chosen) => {
		const options = Array.from({ length: count }, (_, at) => `c${at}`);
		const ticks = ask('values c1', ['a'], { many: true, of: { key: 'which', value: 'c1' } });
		const { page } = fieldsOf([ask('which', options), ticks]);
		expect(page.fields[1]).toMatchObject({ fieldType });
		expect(page.css).toContain(
			`.inputs-wrapper:not(:has(${chosen})) > div:has(#field-2) { display: none; }`,
		);
	});
});

describe('the tabs of a workbook', () => {
	it('are those that are not hidden, by their names', () => {
		const xml =
			'<workbook><sheets><sheet name="A &amp; &quot;B&quot; &#233;&#x41;" sheetId="1"/><x:sheet name="C" state="visible"/><sheet name="D" state="hidden"/><sheet name="E" state="veryHidden"/></sheets></workbook>';
		expect(tabNames(xml)).toEqual(['A & "B" éA', 'C']);
	});

	it.each<[string, boolean, Record<string, unknown>]>([
		['three columns with a heading', true, { Name: 'A', Phone: 1, Area: 2 }],
		['two', false, { Name: 'A', Phone: 1 }],
		['two, and one that is empty', false, { Name: 'A', Phone: 1, Area: ' ' }],
		['a title above the headings', false, { Title: 'A', __EMPTY: 1, __EMPTY_1: 2 }],
		['three, and one without', true, { Name: 'A', Phone: 1, Area: 2, __EMPTY: 1, __EMPTY_1: 2 }],
	])('%s is a list: %s', (_, is, cells) => {
		expect(isList({ tab: 'T', rows: [{ row_number: 2, ...cells }] })).toBe(is);
	});
});
