import { farmerRequests, requestsToTry } from '../../sandbox/sheet/farmerRequests.cts';
import { rowOf } from '../../sandbox/sheet/makeSpreadsheet.cts';
import { countBy } from '../../tools/tally.cts';
import { eachWithSandbox, outcomeOf, bookSheet } from '../support/bookings.cts';

const sandbox = eachWithSandbox();

const now = new Date();

/** What comes of each row of a sheet, by the spreadsheet workflow's settings. */
async function resultsOf(requests: typeof farmerRequests) {
	const rows = requests.map((request) => rowOf(request, now));
	const options = { otherColumns: 'ignore' };
	const fields = { phoneCountry: 'NG', tractorSelection: 'idOrNearest', options };
	return (await outcomeOf(bookSheet, sandbox, rows, fields)).results;
}

it('the sheets of the demo and of the page are booked row by row as meant, and are of other people', async () => {
	const results = await resultsOf(farmerRequests);
	const faulty = farmerRequests.filter(({ faults }) => faults).length;
	expect(countBy(results, String)).toEqual(
		new Map([
			['created', farmerRequests.length - faulty - 2],
			['to fix', faulty],
			// Two rows are written down twice.
			['already booked', 2],
		]),
	);
	expect(await resultsOf(requestsToTry)).toEqual(results);
});
