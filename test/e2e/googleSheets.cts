import type { HostAnswer } from './internet.cts';

/** A range of the API: `Requests`, `Requests!A:Z` or `Requests!N5`. */
const CELL = /^(?<sheet>.+)!(?<column>[A-Z]+)(?<row>\d+)$/;

/** Index of a column from its letters: `A` is 0, `AA` 26. */
function columnIndex(letters: string): number {
	return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

interface BatchUpdate {
	valueInputOption: string;
	data: Array<{ range: string; values: unknown[][] }>;
}

/**
 * A document of Google Sheets with one sheet, as far as n8n's node uses the API: its sheets, the values of a sheet, and
 * values that are written to single cells. What is written is kept as it came (`RAW`).
 */
export class SheetDocument {
	/** Rows of cells, the headings first. */
	readonly rows: unknown[][];

	constructor(
		readonly id: string,
		readonly title: string,
		headings: readonly string[],
	) {
		this.rows = [[...headings]];
	}

	/** Adds a row of cells by heading. @returns the number of the row, counted from 1 */
	add(cells: Readonly<Record<string, unknown>>): number {
		const headings = (this.rows[0] ?? []).map(String);
		return this.rows.push(headings.map((heading) => cells[heading] ?? ''));
	}

	/** A cell by the number of its row and its heading. */
	cell(row: number, heading: string): unknown {
		return this.rows[row - 1]?.[(this.rows[0] ?? []).indexOf(heading)] ?? '';
	}

	set(row: number, heading: string, value: unknown): void {
		const cells = this.rows[row - 1];
		if (cells) cells[(this.rows[0] ?? []).indexOf(heading)] = value;
	}

	/** Answers as `sheets.googleapis.com`. */
	readonly answer: HostAnswer = ({ method, path, headers, body }) => {
		if (headers.authorization !== 'Bearer google-token') return { status: 401, body: {} };
		const url = new URL(path, 'https://sheets.googleapis.com');
		const [, id, rest = ''] =
			/^\/v4\/spreadsheets\/([^/:]+)(.*)$/.exec(decodeURIComponent(url.pathname)) ?? [];
		if (id !== this.id) return { status: 404, body: {} };
		if (method === 'GET' && rest === '')
			return { body: { sheets: [{ properties: { sheetId: 7, title: this.title } }] } };
		if (method === 'GET' && rest.startsWith('/values/')) {
			const isText = url.searchParams.get('valueRenderOption') === 'FORMATTED_VALUE';
			const values = isText ? this.rows.map((row) => row.map(String)) : this.rows;
			return { body: { range: this.title, majorDimension: 'ROWS', values } };
		}
		if (method === 'POST' && rest === '/values:batchUpdate')
			return this.write(body as BatchUpdate) ? { body: {} } : { status: 400, body: {} };
		return { status: 501, body: { error: `${method} ${path}` } };
	};

	private write({ valueInputOption, data }: BatchUpdate): boolean {
		for (const { range, values } of data) {
			const { sheet, column, row } = CELL.exec(range)?.groups ?? {};
			const cells = this.rows[Number(row) - 1];
			if (sheet !== this.title || !column || !cells || valueInputOption !== 'RAW') return false;
			cells[columnIndex(column)] = values[0]?.[0];
		}
		return true;
	}
}
