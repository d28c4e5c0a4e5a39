import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/index.cts';
import { asText } from '../../../nodes/TractorBooking/utils/text';
import { ORGANISATION_SHEETS, type OrganisationSheet } from './sheets/organisations.cts';
import { stopOf } from '../../support/action.cts';
import { bookSheet, sentTo, eachWithSandbox } from '../../support/bookings.cts';

// Sheets as organisations keep them, and the rounds that their owners take: how often they run the node, and how long what
// its messages ask for takes them. An owner does only what a message tells.

/** What takes how many seconds. */
const SECONDS = { run: 5, read: 15, map: 7, option: 6, filter: 30, cell: 10 };

/** The first message of each sheet. `SHEETS=write npx jest create/sheets` writes it. */
const PAGE = join(__dirname, 'sheets/firstMessages.txt');

let sandbox: Sandbox;

beforeAll(() => {
	// The date alone is simulated: sockets and timers are real.
	const sockets = ['nextTick', 'queueMicrotask', 'hrtime', 'performance'] as const;
	const timers = ['setTimeout', 'setInterval', 'setImmediate'] as const;
	const ends = ['clearTimeout', 'clearInterval', 'clearImmediate'] as const;
	const doNotFake = [...sockets, ...timers, ...ends];
	jest.useFakeTimers({ now: new Date('2035-03-01T12:00:00Z'), doNotFake });
});
eachWithSandbox({}, (started) => (sandbox = started));
afterAll(() => void jest.useRealTimers());

/** The rows of a sheet as n8n's readers give them. */
function itemsOf(sheet: string, reader: OrganisationSheet['reader']): IDataObject[] {
	const [headings = [], ...lines] = sheet.split('\n').map((line) => line.split('|'));
	let unnamed = 0;
	const names = headings.map((heading) => {
		if (heading || reader !== 'excel') return heading;
		unnamed += 1;
		return unnamed === 1 ? '__EMPTY' : `__EMPTY_${unnamed - 1}`;
	});
	const items = lines.map((cells, at): IDataObject => {
		const entries = names.map((name, column) => [name, cells[column] ?? ''] as const);
		if (reader !== 'excel')
			return { ...(reader === 'google' && { row_number: at + 2 }), ...Object.fromEntries(entries) };
		const filled = entries.filter(([, cell]) => cell !== '');
		const isNumber = (cell: string) => /^[1-9]\d*(?:\.\d+)?$/.test(cell);
		return Object.fromEntries(
			filled.map(([name, cell]) => [name, isNumber(cell) ? Number(cell) : cell]),
		);
	});
	// The reader of workbooks drops empty lines.
	return items.filter((item) => Object.keys(item).length > 0);
}

/** What the owner has done so far. */
interface Done {
	sheet: string;
	filters: string[];
	columns: Record<string, string>;
	ignored: string[];
	settings: INodeParameters;
}

const PANEL = ['dateOrder', 'tractorSelection'];

/** Does what a message asks for, and returns what that takes. */
function act(said: string, { owner, reader }: OrganisationSheet, done: Done): number {
	let seconds = 0;
	const { filter = {}, map = {}, leaveOut = [], settings = {}, replace = {} } = owner;
	if (owner.cover && said.includes('Sheet Name')) {
		delete owner.cover;
		return SECONDS.option;
	}
	if (owner.deleteAbove !== undefined && /delete the rows above/i.test(said)) {
		done.sheet = done.sheet.split('\n').slice(owner.deleteAbove).join('\n');
		delete owner.deleteAbove;
		seconds += SECONDS.cell;
	}
	const headings = Object.keys(itemsOf(done.sheet, reader)[0] ?? {});
	for (const column of Object.keys(filter)) {
		if (done.filters.includes(column) || !said.includes(column)) continue;
		done.filters.push(column);
		seconds += SECONDS.filter;
	}
	const mapped = [...Object.entries(map), ...leaveOut.map((column) => [column, 'ignore'] as const)];
	for (const [column, field] of mapped) {
		if (column in done.columns || !said.includes(column)) continue;
		done.columns[column] = field;
		seconds += SECONDS.map;
	}
	for (const [label, setting] of Object.entries(settings)) {
		const [[name = '', value] = []] = Object.entries(setting);
		if (!said.includes(label) || name in done.settings) continue;
		done.settings[name] = value;
		seconds += SECONDS.option;
	}
	for (const [column, values] of Object.entries(replace))
		for (const [value, better] of Object.entries(values)) {
			const lines = done.sheet.split('\n').map((line) => line.split('|'));
			const isToldOf = (cells: string[]) =>
				cells.includes(value) && cells.some((cell) => cell.length > 5 && said.includes(cell));
			if (!said.includes(column) || !lines.some(isToldOf)) continue;
			const replaced = lines.map((cells) => cells.map((cell) => (cell === value ? better : cell)));
			done.sheet = replaced.map((cells) => cells.join('|')).join('\n');
			seconds += SECONDS.cell;
		}
	if (!said.includes('Not read')) return seconds;
	// Pasted; where that is not offered, all are ignored once for all.
	const [, pasted] = /\n(?:[^\n]*paste[^\n]*):\n([^]*)$/.exec(said) ?? [];
	const lines = pasted?.split('\n').filter((line) => headings.includes(line)) ?? [];
	if (lines.length > 0) {
		seconds += SECONDS.option;
		done.settings.ignoredColumns = [...done.ignored, ...lines].join('\n');
		done.ignored.push(...lines);
	} else if (!said.includes('paste') && !done.settings.otherColumns) {
		done.settings.otherColumns = 'ignore';
		seconds += SECONDS.option;
	}
	return seconds;
}

/** The rounds of the owner of a sheet, until its rows are booked. */
async function roundsOf(given: OrganisationSheet) {
	const sheet = { ...given, owner: { ...given.owner } };
	const { reader, country, nearest } = sheet;
	const done: Done = {
		sheet: sheet.sheet.trim(),
		filters: [],
		columns: {},
		ignored: [],
		settings: {},
	};
	const messages: string[] = [];
	for (let seconds = 0; messages.length < 8;) {
		const { filter = {} } = sheet.owner;
		const rows = itemsOf(sheet.owner.cover ?? done.sheet, reader).filter((row) =>
			done.filters.every((column) => filter[column]?.includes(asText(row[column]))),
		);
		const settings = Object.entries(done.settings);
		const columns = Object.entries(done.columns).map(([column, field]) => ({ column, field }));
		const result = await bookSheet(sandbox, rows, {
			phoneCountry: country,
			tractorSelection: nearest ? 'nearest' : 'id',
			...Object.fromEntries(settings.filter(([name]) => PANEL.includes(name))),
			options: {
				...Object.fromEntries(settings.filter(([name]) => !PANEL.includes(name))),
				columnMapping: { columns },
			},
		});
		seconds += SECONDS.run;
		if (!result.error) return { messages, seconds, runs: messages.length + 1 };
		const { said } = stopOf(result);
		messages.push(said);
		const took = act(said, sheet, done);
		if (took === 0) throw new Error(`The message does not say what to do: ${said}`);
		seconds += SECONDS.read + took;
	}
	throw new Error(`It never ends: ${messages.join('\n\n')}`);
}

/** A booking that was sent, in short. */
function inShort(request: unknown): string {
	const sent = request as IDataObject;
	const area = sent.landArea === undefined ? [] : [sent.landArea, sent.areaType];
	return [sent.farmerName, sent.serviceDate, ...area, sent.serviceType].map(asText).join(' ');
}

function median(numbers: readonly number[]): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	const at = sorted.length / 2;
	return ((sorted[Math.ceil(at) - 1] ?? NaN) + (sorted[Math.floor(at)] ?? NaN)) / 2;
}

const told: Array<{ what: string; runs: number; seconds: number; first: string }> = [];

it.each(ORGANISATION_SHEETS)('$what', async (sheet) => {
	const { messages, runs, seconds } = await roundsOf(sheet);
	expect(sentTo(sandbox).map(inShort)).toEqual(sheet.booked);
	expect(new Set(messages).size).toBe(messages.length);
	told.push({ what: sheet.what, runs, seconds, first: messages[0] ?? 'All rows are booked.' });
});

it('most take two runs and a minute', () => {
	expect(told).toHaveLength(ORGANISATION_SHEETS.length);
	expect(median(told.map(({ runs }) => runs))).toBeLessThanOrEqual(2);
	expect(median(told.map(({ seconds }) => seconds))).toBeLessThanOrEqual(60);
});

it('the first message of each sheet is known', () => {
	const page = told.map(
		({ what, runs, seconds, first }) =>
			`# ${what}\n${runs === 1 ? 'One run' : `${runs} runs`}, ${seconds} s.\n\n${first}\n`,
	);
	if (process.env.SHEETS === 'write') writeFileSync(PAGE, page.join('\n'));
	expect(readFileSync(PAGE, 'utf8')).toBe(page.join('\n'));
});
