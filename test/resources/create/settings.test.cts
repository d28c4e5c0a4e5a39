import type { NodeParameterValueType } from 'n8n-workflow';

import { stopOf } from '../../support/action.cts';
import { book, bookSheet, eachWithSandbox, farmers } from '../../support/bookings.cts';

const sandbox = eachWithSandbox();
afterEach(() => expect(sandbox.store.bookings.ids('A')).toEqual([]));

const rows = farmers(2);

const ON_THE_PANEL = ['dryRun', 'phoneCountry', 'dateOrder', 'tractorSelection'];

const fieldsOf = (name: string, value: NodeParameterValueType) =>
	ON_THE_PANEL.includes(name) ? { [name]: value } : { options: { [name]: value } };

it.each<[string, NodeParameterValueType, string]>([
	['dryRun', '={{ "true" }}', 'Dry Run: "true" is neither on nor off'],
	['dryRun', '={{ $json.dryRun }}', 'Dry Run is empty'],
	['phoneCountry', '={{ $json.country }}', 'Phone Country is empty'],
	['phoneCountry', '={{ "Kenya" }}', 'Phone Country: "Kenya" is not the code of a country'],
	['dateOrder', '={{ "DMY" }}', 'Date Order: "DMY" is not one of its choices'],
	['tractorSelection', '={{ "Nearest" }}', 'Choose Tractor: "Nearest" is not one of its choices'],
	['compareWithBookings', '={{ "no" }}', 'Compare With Bookings: "no" is neither on nor off'],
	['areaUnit', '={{ "Acres" }}', 'Area Unit: "Acres" is not one of its choices'],
	['serviceNames', 'Labour', 'Service Names: "Labour" has a line that does not say what a name'],
	['serviceNames', 'Labour = 3', 'a line that does not say what a name means'],
	['serviceNames', 'A = B\na=C', 'two lines for one name'],
	['otherColumns', '={{ "Ignore" }}', 'Other Columns: "Ignore" is not one of its choices'],
	['notInSheet', '={{ "Area" }}', 'Fields Not in the Sheet: "Area" is not a list of its choices'],
	['acceptUnknownServices', '={{ 1 }}', 'Accept Tractors That Name No Services: 1 is neither'],
])('books nothing if %s is %p', async (name, value, problem) => {
	const fields = { tractorSelection: 'nearest', ...fieldsOf(name, value) };
	const { said } = stopOf(await bookSheet(sandbox, rows, fields));
	expect(said).toContain(problem);
	expect(said).toMatch(
		/let its expression return|write digits only|write one line for|remove it there/,
	);
});

it.each<[string, NodeParameterValueType, NodeParameterValueType, string]>([
	['compareWithBookings', true, false, 'Compare With Bookings: false'],
	['dryRun', true, false, 'Dry Run: false'],
	['phoneCountry', 'KE', 'NG', 'Phone Country: "NG"'],
])('names the row with another %s', async (name, first, second, said) => {
	const mixed = rows.map((row, at) => ({ ...row, own: at === 0 ? first : second }));
	const fields = fieldsOf(name, '={{ $json.own }}');
	const { description } = stopOf(await book(sandbox, mixed, fields));
	expect(description).toContain(`Row 3: ${said} must be the same for all rows`);
	const same = mixed.map((row) => ({ ...row, own: first }));
	const { error } = await book(sandbox, same, { dryRun: true, ...fields });
	expect(error).toBeUndefined();
});
