import type { HostAnswer } from './internet.cts';

/** A range of the API: `Requests`, `Requests!A:Z` or `Requests!N5`. */
const CELL = /^(?<sheet>.+)!(?<column>[A-Z]+)(?<row>\d+)$/;

function columnIndex(letters = ''): number {
	return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

interface BatchUpdate {
	valueInputOption: string;
	data: Array<{ range: string; values: unknown[][] }>;
}

/** A document of Google Sheets with one sheet, as far as n8n's node uses the API. Values are kept as they came (`RAW`). */
export class SheetDocument {
	readonly rows: Array<Record<string, unknown>> = [];

	constructor(
		readonly id: string,
		readonly title: string,
		private readonly headings: readonly string[],
	) {}

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
			const lines = this.rows.map((row) => this.headings.map((heading) => row[heading] ?? ''));
			const values = [this.headings, ...lines].map((line) => (isText ? line.map(String) : line));
			return { body: { range: this.title, majorDimension: 'ROWS', values } };
		}
		if (method === 'POST' && rest === '/values:batchUpdate')
			return this.write(body as BatchUpdate) ? { body: {} } : { status: 400, body: {} };
		return { status: 501, body: { error: `${method} ${path}` } };
	};

	private write({ valueInputOption, data }: BatchUpdate): boolean {
		for (const { range, values } of data) {
			const { sheet, column, row } = CELL.exec(range)?.groups ?? {};
			const cells = this.rows[Number(row) - 2];
			const heading = this.headings[columnIndex(column)];
			if (sheet !== this.title || !heading || !cells || valueInputOption !== 'RAW') return false;
			cells[heading] = values[0]?.[0];
		}
		return true;
	}
}
