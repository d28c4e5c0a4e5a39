import { farmerRequests } from '../../sandbox/sheet/farmerRequests';
import { makeSpreadsheet } from '../../sandbox/sheet/makeSpreadsheet';
import { fieldOf, perform } from '../support/action';
import { readXlsx } from '../support/sheets';
import { startAfresh } from '../support/bookings';
import { sandboxForTests } from './client';

const test = sandboxForTests({ rateLimits: { create: null, details: null, nearby: null } });
beforeEach(() => startAfresh(test.sandbox));

/** Books a sheet of the page as its text says. */
async function bookSheet(query: string) {
	const { data, headers } = await test.client(null).get(`/sandbox/farmer-requests.xlsx${query}`, {
		responseType: 'arraybuffer',
	});
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
	const { items } = await perform(test.sandbox, 'booking:createFromSpreadsheet', fields, settings);
	return fieldOf(items, 'result');
}

const count = (results: unknown[], wanted: string) =>
	results.filter((result) => result === wanted).length;

const good = farmerRequests.filter(({ faults }) => !faults).length;

it('the sheet to try books against the sandbox, but for the rows that are written down twice', async () => {
	const results = await bookSheet('');
	expect(results).toHaveLength(good);
	expect(count(results, 'created')).toBe(good - 2);
	expect(count(results, 'already booked')).toBe(2);
});

it('the sheet with mistakes books the other rows', async () => {
	const results = await bookSheet('?mistakes=true');
	expect(results).toHaveLength(farmerRequests.length);
	expect(count(results, 'to fix')).toBe(farmerRequests.length - good);
	expect(count(results, 'created')).toBe(good - 2);
});

it('the sheets to try are of other people than the sheet of the demo', async () => {
	const before = await book(await makeSpreadsheet());
	expect(count(before, 'created')).toBe(good - 2);
	const results = await bookSheet('?mistakes=true');
	expect(results).toEqual(before);
});
