import axios from 'axios';
import { Workbook } from 'exceljs';
import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/index.cts';
import { serialOf } from '../../sandbox/sheet/dateStyles.cts';
import { farmerRequests } from '../../sandbox/sheet/farmerRequests.cts';
import { makeSpreadsheet } from '../../sandbox/sheet/makeSpreadsheet.cts';
import { countBy } from '../../tools/tally.cts';
import { fieldOf, perform } from '../support/action.cts';
import { eachWithSandbox } from '../support/bookings.cts';

let sandbox: Sandbox;
eachWithSandbox({}, (started) => (sandbox = started));

/** The rows of an `.xlsx` as n8n's "Extract From File" reads them: empty cells are left out, dates are numbers. */
async function readXlsx(file: Buffer | ArrayBuffer): Promise<IDataObject[]> {
	const opened = new Workbook();
	await opened.xlsx.load(file as ArrayBuffer);
	const [sheet] = opened.worksheets;
	const [headings, ...rows] = sheet?.getRows(1, sheet.rowCount) ?? [];
	return rows.map((row) => {
		const item: IDataObject = {};
		row.eachCell(({ value }, column) => {
			const heading = headings?.getCell(column).text ?? '';
			if (value !== null) item[heading] = value instanceof Date ? serialOf(value) : value;
		});
		return item;
	});
}

/** Books a sheet of the page as its text says. */
async function bookSheet(query: string) {
	const url = `${sandbox.url}/sandbox/farmer-requests.xlsx${query}`;
	const { data, headers } = await axios.get<Buffer>(url, { responseType: 'arraybuffer' });
	const name = query === '' ? 'farmer-requests' : 'farmer-requests-with-mistakes';
	expect(headers['content-disposition']).toContain(`"${name}.xlsx"`);
	return await book(data);
}

/** Books a sheet by the spreadsheet workflow's settings. */
async function book(sheet: Buffer) {
	const rows = await readXlsx(sheet);
	const options = { otherColumns: 'ignore' };
	const fields = { phoneCountry: 'NG', tractorSelection: 'idOrNearest', options };
	const settings = { rows, onError: 'continueRegularOutput' as const };
	const { items } = await perform(sandbox, 'booking:createFromSpreadsheet', fields, settings);
	return fieldOf(items, 'result');
}

/** How many rows have each result. */
const countsOf = (results: unknown[]) => Object.fromEntries(countBy(results, String));

const all = farmerRequests.length;
const good = farmerRequests.filter(({ faults }) => !faults).length;

// Two rows are written down twice.
it.each([
	['', { created: good - 2, 'already booked': 2 }],
	['?mistakes=true', { created: good - 2, 'already booked': 2, 'to fix': all - good }],
])('the sheet to try%s books its right rows once', async (query, counts) => {
	expect(countsOf(await bookSheet(query))).toEqual(counts);
});

it('the sheets to try are of other people than the sheet of the demo', async () => {
	const before = await book(await makeSpreadsheet());
	expect(countsOf(before).created).toBe(good - 2);
	const results = await bookSheet('?mistakes=true');
	expect(results).toEqual(before);
});
