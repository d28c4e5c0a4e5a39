import { Workbook, type Column } from 'exceljs';
import { join } from 'node:path';

/** The empty sheet that users fill in. */
export const TEMPLATE = join(__dirname, '..', 'examples', 'tractor-requests.xlsx');

/** Rows below the headings whose cells have a format: a phone that is not text loses its plus and zeros. */
const FORMATTED_ROWS = 500;

/** What a person writes, then, from `Ready` on, what the workflows for Google Sheets go by and write back. */
const columns: Array<Partial<Column> & { header: string }> = [
	{ header: 'Farmer name', width: 22 },
	{ header: 'Phone', width: 18, numFmt: '@' },
	{ header: 'Tractor', width: 9 },
	{ header: 'Service', width: 14 },
	{ header: 'Service date', width: 14, numFmt: 'yyyy-mm-dd' },
	{ header: 'Land area', width: 11 },
	{ header: 'Unit', width: 7 },
	{ header: 'Crop', width: 16 },
	{ header: 'Latitude', width: 11 },
	{ header: 'Longitude', width: 11 },
	{ header: 'Village', width: 20 },
	{ header: 'Note', width: 30 },
	{ header: 'Ready', width: 8 },
	{ header: 'bookingID', width: 11 },
	{ header: 'result', width: 16 },
	{ header: 'reason', width: 40 },
	{ header: 'status', width: 14 },
];

export const headings = columns.map(({ header }) => header);

/** `npx tsx tools/makeTemplate.ts` writes the empty sheet in `examples/`. */
async function main(): Promise<void> {
	const workbook = new Workbook();
	// A fixed date, so that the same headings make the same file.
	workbook.created = workbook.modified = new Date(0);
	const sheet = workbook.addWorksheet('Requests', { views: [{ state: 'frozen', ySplit: 1 }] });
	sheet.columns = columns.map(({ header, width }) => ({ header, width }));
	for (const [index, { numFmt }] of columns.entries()) {
		if (!numFmt) continue;
		for (let row = 2; row <= FORMATTED_ROWS; row++) sheet.getCell(row, index + 1).numFmt = numFmt;
	}
	sheet.getRow(1).font = { bold: true };
	await workbook.xlsx.writeFile(TEMPLATE);
	console.log(`Wrote ${TEMPLATE}`);
}

if (require.main === module) void main();
