import { Readable } from 'node:stream';
import type { Cell, CellValue, Worksheet } from 'exceljs';
import { ValueType, Workbook } from 'exceljs';
import type { IDataObject } from 'n8n-workflow';

const DAY_MS = 86_400_000;

/** A day as Excel's number of it, counted from 1900. */
export function serialOf(date: Date): number {
	return date.getTime() / DAY_MS + 25_569;
}

/** The plain value of a cell, as n8n reads it: dates as numbers, formulas by their result. */
function plain(value: CellValue | undefined, type: ValueType): unknown {
	if (value instanceof Date) return serialOf(value);
	if (typeof value !== 'object' || value === null) return value;
	switch (type) {
		case ValueType.RichText:
			return 'richText' in value ? value.richText.map(({ text }) => text).join('') : undefined;
		case ValueType.Hyperlink:
			return 'text' in value ? value.text : undefined;
		case ValueType.Formula:
			return 'result' in value ? plain(value.result, ValueType.Null) : undefined;
		default:
			return undefined; // an error of the spreadsheet
	}
}

function itemsOf(sheet: Worksheet, read: (cell: Cell) => unknown): IDataObject[] {
	const headings = new Map<number, string>();
	for (let column = 1; column <= sheet.columnCount; column += 1) {
		// As a merged cell, or none at all, leaves it.
		const unnamed = [...headings.values()].filter((heading) =>
			heading.startsWith('__EMPTY'),
		).length;
		const name = sheet.getRow(1).getCell(column).text;
		headings.set(column, name || `__EMPTY${unnamed ? `_${unnamed}` : ''}`);
	}
	const items: IDataObject[] = [];
	sheet.eachRow((row, number) => {
		if (number === 1) return;
		const item: IDataObject = {};
		row.eachCell((cell, column) => {
			const heading = headings.get(column);
			const value = read(cell);
			if (heading !== undefined && value !== undefined && value !== null) {
				item[heading] = value;
			}
		});
		items.push(item);
	});
	return items;
}

/**
 * Writes a real `.xlsx` and reads it as n8n's "Extract From File" does: empty cells and empty rows are left
 * out, dates are serial numbers.
 */
export async function throughXlsx(fill: (sheet: Worksheet) => void): Promise<IDataObject[]> {
	const written = new Workbook();
	fill(written.addWorksheet('Requests'));
	return await readXlsx(await written.xlsx.writeBuffer());
}

/** Reads the first sheet of an `.xlsx` as n8n's "Extract From File" does. */
export async function readXlsx(file: Buffer | ArrayBuffer): Promise<IDataObject[]> {
	const opened = new Workbook();
	await opened.xlsx.load(file as ArrayBuffer);
	const [sheet] = opened.worksheets;
	if (!sheet) throw new Error('The file has no sheet');
	return itemsOf(sheet, (cell) => plain(cell.value, cell.type));
}

/** Reads `.csv` text as n8n's "Extract From File" does: every cell is a text, also an empty one. */
export async function throughCsv(text: string, delimiter = ','): Promise<IDataObject[]> {
	const workbook = new Workbook();
	const sheet = await workbook.csv.read(Readable.from([text]), {
		map: (value: unknown) => value,
		parserOptions: { delimiter },
	});
	return itemsOf(sheet, (cell) => cell.value ?? '');
}

/** The items that n8n's Google Sheets node gives: with the number of the row, and `''` for empty cells. */
export function throughGoogleSheets(headings: string[], rows: unknown[][]): IDataObject[] {
	return rows.flatMap((row, index) => {
		if (row.every((cell) => cell === '')) return [];
		const cells = headings.map((heading, column): [string, unknown] => [
			heading,
			row[column] ?? '',
		]);
		return [{ row_number: index + 2, ...Object.fromEntries(cells) }];
	});
}
