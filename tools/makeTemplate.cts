import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import writeXlsxFile, { type CellObject } from 'write-excel-file/node';

import type { ColumnField } from '../nodes/TractorBooking/resources/booking/create/row/fields';
import { labelOf, MAIN_FIELDS } from '../nodes/TractorBooking/resources/booking/create/row/fields';

/** The empty sheet that users fill in. */
export const TEMPLATE = join(__dirname, '..', 'examples', 'tractor-requests.xlsx');

/** Rows below the headings whose cells have a format: a phone that is not text loses its plus and zeros. */
const FORMATTED_ROWS = 500;

interface TemplateColumn {
	header: string;
	width: number;
	/** What its empty cells are. */
	cells?: CellObject;
}

/** What a person fills in. */
const FIELDS_TO_FILL: readonly ColumnField[] = [
	...MAIN_FIELDS,
	'crop',
	'plot',
	'farmLocation',
	'farmNote',
];

/** Columns of another width, and those whose cells have a format. */
const FORMATS: Partial<Record<ColumnField, Partial<TemplateColumn>>> = {
	farmerName: { width: 22 },
	farmerPhone: { width: 18, cells: { type: String, format: '@' } },
	serviceDate: { width: 14, cells: { type: Date, format: 'yyyy-mm-dd' } },
	crop: { width: 16 },
	farmLocation: { width: 20 },
	farmNote: { width: 30 },
};

/** What the workflows for Google Sheets go by, and write back. */
const WORKFLOW_COLUMNS: readonly TemplateColumn[] = [
	{ header: 'Ready', width: 8 },
	{ header: 'bookingID', width: 11 },
	{ header: 'possibleBookingIDs', width: 18 },
	{ header: 'result', width: 16 },
	{ header: 'reason', width: 40 },
	{ header: 'status', width: 14 },
];

const columns: readonly TemplateColumn[] = [
	...FIELDS_TO_FILL.map((field) => ({ header: labelOf(field), width: 13, ...FORMATS[field] })),
	...WORKFLOW_COLUMNS,
];

export const headings = columns.map(({ header }) => header);

/** The file from which a data table is made, whose columns have the names of the fields. */
const TABLE = join(__dirname, '..', 'examples', 'tractor-requests.csv');

/** The headings of that file, and a row that says which column is no text. */
function tableText(): string {
	const names = [...FIELDS_TO_FILL, ...WORKFLOW_COLUMNS.map(({ header }) => header)];
	const own = names.map((name) => (name === 'Ready' ? 'ready' : name));
	const types: Record<string, string> = {
		farmerName: 'Delete this row: it is there for the type of ready',
		ready: 'false',
	};
	return [own, own.map((name) => types[name] ?? '')].map((row) => `${row.join()}\n`).join('');
}

/** `node -r tsx/cjs tools/makeTemplate.cts` writes the empty sheet and the file for a data table in `examples/`. */
async function main(): Promise<void> {
	const first = columns.map(({ header }) => ({ value: header, fontWeight: 'bold' as const }));
	const empty = columns.map(({ cells }) => cells);
	const lines = [first, ...Array.from({ length: FORMATTED_ROWS }, () => empty)];
	const options = { sheet: 'Requests', columns: [...columns], stickyRowsCount: 1 };
	await writeXlsxFile(lines, options).toFile(TEMPLATE);
	await writeFile(TABLE, tableText());
	console.log(`Wrote ${TEMPLATE} and ${TABLE}`);
}

if (require.main === module) void main();
