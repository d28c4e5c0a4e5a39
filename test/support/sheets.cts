import type { Worksheet } from 'exceljs';
import { Workbook } from 'exceljs';
import type { IDataObject } from 'n8n-workflow';

const DAY_MS = 86_400_000;

/** A day as Excel's number of it, counted from 1900. */
export function serialOf(date: Date): number {
	return date.getTime() / DAY_MS + 25_569;
}

/** The rows below the headings, by these, without the cells for which `read` gives nothing. */
function itemsOf(sheet: Worksheet, read: (cell: unknown) => unknown): IDataObject[] {
	const headings = sheet.getRow(1);
	const rows = sheet.getRows(2, sheet.rowCount - 1) ?? [];
	return rows.map((row) => {
		const item: IDataObject = {};
		row.eachCell((cell, column) => {
			const value = read(cell.value);
			if (value !== undefined) item[headings.getCell(column).text] = value;
		});
		return item;
	});
}

/** Reads the first sheet of an `.xlsx` as n8n's "Extract From File" does: empty cells are left out, dates are numbers. */
export async function readXlsx(file: Buffer | ArrayBuffer): Promise<IDataObject[]> {
	const opened = new Workbook();
	await opened.xlsx.load(file as ArrayBuffer);
	const [sheet] = opened.worksheets;
	if (!sheet) throw new Error('The file has no sheet');
	return itemsOf(sheet, (cell) => (cell instanceof Date ? serialOf(cell) : (cell ?? undefined)));
}
