import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asText } from '../../../nodes/TractorBooking/utils/text';
import { ORGANISATION_SHEETS, type OrganisationSheet } from './sheets/organisations.cts';
import { stopOf } from '../../support/action.cts';
import { simulateDate } from '../../support/virtualClock.cts';
import { bookSheet, eachWithSandbox, mapping, sentTo } from '../../support/bookings.cts';

// Sheets as organisations keep them, and how often their owners run the node. An owner does only what a message tells.

beforeAll(() => simulateDate(new Date('2035-03-01T12:00:00Z')));
const sandbox = eachWithSandbox();
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
	settings: INodeParameters;
}

/** Does what a message asks for. */
function act(said: string, { sheet, owner, reader }: OrganisationSheet, done: Done): void {
	const { filter = {}, map = {}, settings = {}, replace = {}, deleteAbove, cover } = owner;
	if (done.sheet === cover && said.includes('Sheet Name')) done.sheet = sheet.trim();
	if (deleteAbove && /delete the rows above/i.test(said))
		done.sheet = sheet.trim().split('\n').slice(deleteAbove).join('\n');
	const headings = Object.keys(itemsOf(done.sheet, reader)[0] ?? {});
	done.filters.push(
		...Object.keys(filter).filter((name) => said.includes(name) && !done.filters.includes(name)),
	);
	for (const [column, field] of Object.entries(map))
		if (said.includes(column)) done.columns[column] = field;
	for (const [label, setting] of Object.entries(settings))
		if (said.includes(label)) Object.assign(done.settings, setting);
	for (const [column, values] of Object.entries(replace))
		for (const [value, better] of Object.entries(values)) {
			const lines = done.sheet.split('\n').map((line) => line.split('|'));
			const isToldOf = (cells: string[]) =>
				cells.includes(value) && cells.some((cell) => cell.length > 5 && said.includes(cell));
			if (!said.includes(column) || !lines.some(isToldOf)) continue;
			const replaced = lines.map((cells) => cells.map((cell) => (cell === value ? better : cell)));
			done.sheet = replaced.map((cells) => cells.join('|')).join('\n');
		}
	// Pasted; where that is not offered, all are ignored once for all.
	const [, pasted] = /\n(?:[^\n]*paste[^\n]*):\n([^]*)$/.exec(said) ?? [];
	const lines = pasted?.split('\n').filter((line) => headings.includes(line)) ?? [];
	if (lines.length > 0) done.settings.ignoredColumns = lines.join('\n');
	else if (/columns that are not read/.test(said) && !pasted) done.settings.otherColumns = 'ignore';
}

/** The rounds of the owner of a sheet, until its rows are booked. */
async function roundsOf(sheet: OrganisationSheet) {
	const { reader, country } = sheet;
	const { cover = sheet.sheet.trim(), filter = {} } = sheet.owner;
	const done: Done = { sheet: cover, filters: [], columns: {}, settings: {} };
	const messages: string[] = [];
	while (messages.length < 8) {
		const rows = itemsOf(done.sheet, reader).filter((row) =>
			done.filters.every((column) => filter[column]?.includes(asText(row[column]))),
		);
		const { dateOrder = 'refuse', ...options } = done.settings;
		const result = await bookSheet(sandbox, rows, {
			phoneCountry: country,
			dateOrder,
			options: { ...options, ...mapping(done.columns) },
		});
		if (!result.error) return { messages, runs: messages.length + 1 };
		const { said } = stopOf(result);
		messages.push(said);
		const before = JSON.stringify(done);
		act(said, sheet, done);
		if (JSON.stringify(done) === before)
			throw new Error(`The message does not say what to do: ${said}`);
	}
	throw new Error(`It never ends: ${messages.join('\n\n')}`);
}

function inShort(request: unknown): string {
	const sent = request as IDataObject;
	const area = sent.landArea === undefined ? [] : [sent.landArea, sent.areaType];
	return [sent.farmerName, sent.serviceDate, ...area, sent.serviceType].map(asText).join(' ');
}

it.each(ORGANISATION_SHEETS)('$what', async (sheet) => {
	const { messages, runs } = await roundsOf(sheet);
	expect(sentTo(sandbox).map(inShort)).toEqual(sheet.booked);
	expect(new Set(messages).size).toBe(messages.length);
	expect(runs).toBe(sheet.owner.deleteAbove ? 3 : 2);
});
