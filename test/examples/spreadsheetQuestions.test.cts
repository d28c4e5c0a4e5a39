import { pageOf } from '../../examples/code/spreadsheet-to-bookings/parts/form';
import {
	asksOf,
	settle,
	withAnswer,
} from '../../examples/code/spreadsheet-to-bookings/parts/questions';
import type { Ask, State, Summary } from '../../examples/code/spreadsheet-to-bookings/parts/step';
import { nothingKnown } from '../../examples/code/spreadsheet-to-bookings/parts/takeAnswers';
import type { Question } from '../../nodes/TractorBooking/resources/booking/create/preview/questions';

const question = (about: Question['about'], more: Partial<Question> = {}): Question => ({
	...{ about, column: '', value: '', answers: [], ...more },
});
const state = nothingKnown();

/** The rows of a column, and what the node says of it. */
function columnOf(column: string, ...values: string[]) {
	const counts = [...new Set(values)].map((value) => ({
		value,
		count: values.filter((one) => one === value).length,
	}));
	const other = { column, values: counts, distinct: counts.length };
	return { other, rows: values.map((value, at) => ({ row_number: at + 2, [column]: value })) };
}

it('a column that was chosen for both is asked about: else nobody could tick its values', () => {
	const { other, rows } = columnOf('Kind', 'Ploughing', 'Ploughing', 'Ridging');
	const answers = { 'column serviceType': { serviceType: 'Kind' } };
	const keysOf = (more: State['answers']) =>
		asksOf([], [other], rows, { ...state, answers: { ...answers, ...more } }).map(({ key }) => key);
	expect(keysOf({})).toEqual([]);
	expect(keysOf({ which: 'Kind' })).toEqual(['which', 'values Kind']);
});

describe('an answer from before', () => {
	const { other, rows } = columnOf('Status', 'Approved', 'Pending', 'Pending');
	const countries = [
		{ text: 'Nigeria', value: 'NG' },
		{ text: 'Kenya', value: 'KE' },
	];
	const country = question('phoneCountry', { answers: countries });
	const likely = { ...country, suggested: 'KE' };
	interface Case {
		questions?: Question[];
		others?: Summary['otherColumns'];
		before: State['before'];
		open?: string[];
		news?: string[];
	}

	const [phoneCountry, both] = [['phoneCountry'], ['which', 'values Status']];
	it.each<[string, Case]>([
		['holds', { questions: [country], before: { phoneCountry: 'NG' } }],
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
			'does not if nothing in the list tells',
			{ questions: [{ ...country, says: [] }], before: { phoneCountry: 'NG' }, open: phoneCountry },
		],
		[
			'does not if another column may decide',
			{ others: [other], before: { which: '' }, open: both, news: ['Status (Approved, Pending)'] },
		],
	])('%s', (_, { questions = [], others = [], before, open = [], news = [] }) => {
		const own = { ...state, before };
		const settled = settle(asksOf(questions, others, rows, own), own);
		expect(settled.open.map(({ key }) => key)).toEqual(open);
		expect(settled.open.flatMap((ask) => ask.news ?? [])).toEqual(news);
	});

	it('is asked about again if a list suggests what one before the last did', () => {
		const ofNigeria = { ...country, suggested: 'NG' };
		const [first] = asksOf([ofNigeria], [], [], state);
		const [second] = asksOf([likely], [], [], state);
		if (!first || !second) throw new Error('There is no question.');
		const before = withAnswer(withAnswer({}, {}, first, ['NG']), {}, second, ['KE']);
		const own = { ...state, before };
		const { open } = settle(asksOf([ofNigeria], [], [], own), own);
		expect(open.map((ask) => ask.news)).toEqual([['Nigeria']]);
	});
});

it('an answer holds for the tractors of all lists that it was given for, until there is another', () => {
	const asksFor = (...says: string[]) =>
		asksOf([question('phoneCountry', { answers: [], says })], [], [], state);
	const newsAfter = (...lists: Array<[tractor: string, country: string]>) => {
		let before: State['before'] = {};
		for (const [tractor, country] of lists)
			for (const ask of asksFor(tractor)) before = withAnswer({}, before, ask, [country]);
		const { open } = settle(asksFor('201', '202'), { ...state, before });
		return open.flatMap((ask) => ask.news);
	};
	expect(newsAfter(['201', 'NG'])).toEqual(['202']);
	expect(newsAfter(['201', 'NG'], ['202', 'NG'])).toEqual([]);
	expect(newsAfter(['201', 'NG'], ['202', 'KE'])).toEqual(['201']);
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
});
