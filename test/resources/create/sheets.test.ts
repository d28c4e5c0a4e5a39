import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { asText } from '../../../nodes/TractorBooking/utils/text';
import { stopOf } from '../../support/action';
import { bookSheet, sentTo, eachWithSandbox, outcomeOf } from '../../support/bookings';
import { throughCsv } from '../../support/sheets';

// Sheets as organisations keep them, what the operator does about each once, and what comes out.

interface OrganisationSheet {
	what: string;
	csv: string[];
	/** What the first run, without any settings, must say. */
	firstError: string[];
	operator: {
		/** Options > Column Mapping. */
		mapping: Record<string, string>;
		/** The rows that the Filter node before lets pass: those with one of the values in a column. */
		filter?: Record<string, string[]>;
		options?: INodeParameters;
		fields?: INodeParameters;
	};
	/** The result of each row that passes, by the cell of its first name column; `to fix` with the field to blame. */
	results: Record<string, string>;
	/** Parts of the bookings that are made, in order. */
	sent: IDataObject[];
}

const FOLDER = join(__dirname, 'sheets');
const sheets = readdirSync(FOLDER).map(
	(file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as OrganisationSheet,
);

let sandbox: Sandbox;

beforeAll(() => {
	// The sheets are of 2035. The date alone is simulated: sockets and timers are real.
	const sockets = ['nextTick', 'queueMicrotask', 'hrtime', 'performance'] as const;
	const timers = ['setTimeout', 'setInterval', 'setImmediate'] as const;
	const ends = ['clearTimeout', 'clearInterval', 'clearImmediate'] as const;
	const doNotFake = [...sockets, ...timers, ...ends];
	jest.useFakeTimers({ now: new Date('2035-03-01T12:00:00Z'), doNotFake });
});
eachWithSandbox({}, (started) => (sandbox = started));
afterAll(() => void jest.useRealTimers());

describe.each(sheets)('$what', ({ csv, firstError, operator, results, sent }) => {
	const { mapping, filter = {}, options = {}, fields = {} } = operator;
	const columns = Object.entries(mapping).map(([column, field]) => ({ column, field }));
	const settings = { ...fields, options: { ...options, columnMapping: { columns } } };
	const isLeftOut = (row: IDataObject) =>
		Object.entries(filter).some(([column, values]) => !values.includes(asText(row[column])));

	it('books nothing as it is, and says what to do', async () => {
		const { phoneCountry = 'none', tractorSelection = 'id' } = fields;
		const rows = await throughCsv(csv.join('\n'));
		const { said } = stopOf(await bookSheet(sandbox, rows, { phoneCountry, tractorSelection }));
		for (const part of firstError) expect(said).toContain(part);
		expect(said).toContain('put a Filter node before this one');
		expect(sandbox.requests.find()).toEqual([]);
	});

	it('is booked after what the operator does once, and never twice', async () => {
		const rows = (await throughCsv(csv.join('\n'))).filter((row) => !isLeftOut(row));
		const { records } = await outcomeOf(bookSheet, sandbox, rows, settings);
		const nameOf = (row: IDataObject) =>
			Object.entries(row).find(([column]) => /name|nom|prénom|farmer/i.test(column))?.[1] ?? '';
		const found = records.map((json, at) => [asText(nameOf(rows[at] ?? {})), json] as const);
		expect(found.map(([name, { result }]) => [name, result])).toEqual(
			Object.entries(results).map(([name, text]) => [name, text.replace(/:.*/, '')]),
		);
		for (const [name, { reason }] of found) {
			const [, blamed] = /^to fix: (.*)/.exec(results[name] ?? '') ?? [];
			if (blamed !== undefined) expect(asText(reason)).toMatch(new RegExp(`^${blamed}`));
		}
		expect(sentTo(sandbox)).toMatchObject(sent);
		const again = await outcomeOf(bookSheet, sandbox, rows, settings);
		expect(again.results).not.toContain('created');
		expect(sentTo(sandbox)).toHaveLength(sent.length);
	});
});
