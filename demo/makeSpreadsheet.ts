import { Workbook } from 'exceljs';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { farmerRequests, type FarmerRequest } from './farmerRequests';

const day = 86_400_000;

/** The media type of what {@link makeSpreadsheet} makes. */
export const spreadsheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const columns: Array<{ header: string; width: number; cell: (row: FarmerRequest, today: Date) => unknown }> = [
	{ header: 'Farmer name', width: 22, cell: (row) => row.farmer },
	{ header: 'Phone', width: 16, cell: (row) => row.phone },
	{ header: 'Tractor', width: 9, cell: (row) => row.tractor },
	{ header: 'Service type', width: 12, cell: (row) => row.service },
	{ header: 'Service date', width: 13, cell: (row, today) => new Date(today.getTime() + row.inDays * day) },
	{ header: 'Land area', width: 10, cell: (row) => row.area },
	{ header: 'Unit', width: 7, cell: (row) => row.unit },
	{ header: 'Crop', width: 10, cell: (row) => row.crop },
	{ header: 'Latitude', width: 10, cell: (row) => row.latitude },
	{ header: 'Longitude', width: 10, cell: (row) => row.longitude },
	{ header: 'Location', width: 22, cell: (row) => row.location },
	{ header: 'Note', width: 40, cell: (row) => row.note },
];

/**
 * Makes the demo's spreadsheet, an Excel workbook with one sheet. It is made anew for each run, since a booking's
 * date must not be in the past.
 * @param now the dates in the sheet are counted from this day, in this machine's timezone
 */
export async function makeSpreadsheet(now = new Date()): Promise<Buffer> {
	// Excel's dates know no timezone; the library writes a date's UTC day.
	const today = new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()));
	const workbook = new Workbook();
	const sheet = workbook.addWorksheet('Requests', { views: [{ state: 'frozen', ySplit: 1 }] });
	sheet.columns = columns.map(({ header, width }) => ({ header, width }));
	for (const request of farmerRequests) sheet.addRow(columns.map(({ cell }) => cell(request, today)));
	sheet.getRow(1).font = { bold: true };
	sheet.getColumn(columns.findIndex(({ header }) => header === 'Service date') + 1).numFmt = 'yyyy-mm-dd';
	return Buffer.from(await workbook.xlsx.writeBuffer());
}

/** `npx tsx demo/makeSpreadsheet.ts [file]` writes one to look at or to upload. */
async function main(): Promise<void> {
	const file = resolve(process.argv[2] ?? 'farmer-requests.xlsx');
	await writeFile(file, await makeSpreadsheet());
	console.log(`Wrote ${file}`);
}

if (require.main === module) void main();
