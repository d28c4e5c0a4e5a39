import { checkOf } from '../../examples/code/spreadsheet-to-bookings/parts/check';
import type {
	Ask,
	Page,
	Sent,
	State,
} from '../../examples/code/spreadsheet-to-bookings/parts/step';
import { takeAnswers } from '../../examples/code/spreadsheet-to-bookings/parts/takeAnswers';

const which: Ask = {
	key: 'which',
	label: 'Does a column say which rows to book?',
	options: [
		{ text: 'Status', value: 'Status' },
		{ text: 'No: book all rows', value: '' },
	],
};
const ticks: Ask = {
	key: 'values Status',
	label: 'Book the rows whose Status is',
	...{ many: true },
	of: { key: 'which', value: 'Status' },
	options: ['Approved', 'Pending'].map((value) => ({ text: `${value} (1)`, value })),
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

/** What an answer comes to. @param answers those from before */
const taken = (answer: Sent, page: Partial<Page> = {}, answers: State['answers'] = {}) =>
	takeAnswers({
		...{ lines: sheet.map((row) => ({ tab: 'List', row })), kept: [], workflowId: 'w1' },
		drawn: {
			...{ route: 'page', mode: 'learn', number: 5, page: {}, asks: [which, ticks] },
			state: { tab: 'List', answers, before: {}, note: '', ignored: ['Status', 'Farm\nnote'] },
			...page,
		},
		sent: answer,
	});

/** A question about a column of a field. */
const columnAsk = (field: string, ...columns: string[]): Ask => ({
	...{ key: `column ${field}`, label: field },
	options: [
		...columns.map((column) => ({ text: column, value: { [field]: column } })),
		{ text: 'no column of this sheet', value: '' },
	],
});

it('leaves out the rows whose value was not ticked', () => {
	const { mode, rows, set, answers } = taken(sent);
	expect(mode).toBe('look');
	expect(rows).toEqual(sheet.slice(0, 1));
	expect(set).toMatchObject({ ignored: 'Status\nFarm note' });
	expect(answers).toMatchObject({
		'values Status': ['Approved'],
		'seen values Status': ['"Approved"', '"Pending"'],
	});
	expect(answers.said).toEqual({ 'values Status': 'Book the rows whose Status is Approved (1)' });
});

it.each<[string, Sent, RegExp]>([
	['of an earlier page', { ...sent, page: '3' }, /came from an earlier page/],
	['without the number of its page', { ...sent, page: null }, /came from an earlier page/],
	['that is in no list', { ...sent, [which.label]: 'Other' }, /^Answer again: Does a column/],
	['that was left empty', { ...sent, [which.label]: '' }, /^Answer again: Does a column/],
	['with a tick that is in no list', { ...sent, [ticks.label]: ['x'] }, /^Answer again: Book the/],
	['without a tick', { ...sent, [ticks.label]: [] }, /^Tick which values of Status/],
])('an answer %s asks again, and never means all rows', (_, answer, note) => {
	const step = taken(answer);
	expect([step.mode, step.note]).toEqual(['learn', expect.stringMatching(note)]);
});

it('an answer that gives one column for two fields asks again', () => {
	const asks = [columnAsk('landArea', 'Land'), columnAsk('areaType', 'Land')];
	const first = Object.fromEntries(asks.map(({ label, options }) => [label, options[0]?.text]));
	const { mode, note } = taken({ ...sent, ...first }, { asks });
	expect([mode, note]).toEqual(['learn', expect.stringMatching(/^Land is chosen for two/)]);
});

it('an answer that never came ends it, whatever page it was', () => {
	for (const mode of ['learn', 'preview', 'tab'] as const)
		expect(taken({}, { mode })).toMatchObject({ mode: 'stop', toCheck: false });
});

it('books only if Book was chosen on the preview', () => {
	const choice: Ask = {
		...{ key: 'choice', label: 'What now?' },
		options: ['book', 'change', 'stop'].map((value) => ({ text: value, value })),
	};
	const modes = ['book', 'change', 'stop', 'Book', ''].map((text) => {
		const { mode, isOver } = taken(
			{ ...sent, 'What now?': text },
			{ mode: 'preview', asks: [choice] },
		);
		return isOver ? 'over' : mode;
	});
	expect(modes).toEqual(['book', 'learn', 'over', 'look', 'look']);
});

it('books no row if no value of the column that decides is ticked', () => {
	const answers = { which: 'Status', 'values Status': [] };
	expect(checkOf('look', sheet, { answers, before: {}, ignored: [], note: '' }).rows).toEqual([]);
});

it('sets the node by the answers', () => {
	const asks = [columnAsk('farmerName', 'Farmer', 'Chief'), columnAsk('farmerPhone', 'Phone')];
	const answer = { ...sent, farmerName: 'Farmer', farmerPhone: 'no column of this sheet' };
	const before: State['answers'] = {
		...{ dateOrder: 'dayFirst', areaUnit: { areaType: 'Unit' }, phoneCountry: 'NG' },
		...{ 'optional Sex': 'Sex', 'optional Age': '' },
	};
	expect(taken(answer, { asks }, before).set).toEqual({
		columns: { farmerName: 'Farmer', areaType: 'Unit' },
		notInSheet: ['farmerPhone'],
		ignored: 'Status\nFarm note\nSex\n',
		...{ dateOrder: 'dayFirst', areaUnit: '', phoneCountry: 'NG' },
	});
});
