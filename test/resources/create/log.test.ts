import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { logOfSuite, stopOf } from '../../support/action';
import { bookSheet, farmers, eachWithSandbox } from '../../support/bookings';

let sandbox: Sandbox;
eachWithSandbox({}, (started) => (sandbox = started));

const [farmer = {}] = farmers(1, { name: 'Amina Bello', phone: '+2348031234567' });
const refusal = {
	match: { endpoint: 'create' },
	fault: {
		kind: 'status',
		status: 400,
		body: { error: 'Amina Bello (+2348031234567) is unknown' },
	},
} as const;

const refuse = () => void sandbox.faults.add(refusal);

/** What n8n is to log, and what only the operator is to see. */
const cases: Record<
	string,
	[rows: IDataObject[], log: RegExp, shown: RegExp, before?: () => unknown]
> = {
	'a wrong cell': [
		[{ ...farmer, date: '31/02/2027' }],
		/Row 2: Service Date \(column "date"\) is not a day of the calendar/,
		/"31\/02\/2027" is not a day of the calendar; write it as/,
	],
	'a day in the past': [
		[{ ...farmer, date: '2020-01-02' }],
		/Row 2: Service Date \(column "date"\) is in the past/,
		/"2020-01-02" is in the past; choose today \(/,
	],
	'a cell that its problem quotes': [
		[{ ...farmer, area: '5 baskets' }],
		/Row 2: Land Area \(column "area"\) has to be checked/,
		/has "baskets" after the number/,
	],
	'several wrong rows': [
		[{ ...farmer, date: 'soon' }, farmer, { ...farmer, phone: '0803' }],
		/2 of 3 rows have errors\. This run booked nothing\./,
		/Row 2 \(Amina Bello\): Service Date .*"soon" is not a date/,
	],
	'columns of one field': [
		[{ ...farmer, mobile: '+2348039999999' }],
		/Several columns hold Farmer Phone: phone and mobile\./,
		/phone \(\+2348031234567\) and mobile \(\+2348039999999\)/,
	],
	'a column that holds no field': [
		[{ ...farmer, spouse: 'Yusuf Bello' }],
		/Not read: spouse\./,
		/Not read: spouse \(Yusuf Bello\)/,
	],
	'a row that may be booked already': [
		[{ ...farmer, name: 'Grace Otieno' }],
		/Row 2: The row has to be checked/,
		/its Farmer Name is "Amina Bello"/,
		async () => await bookSheet(sandbox, [farmer]),
	],
	'what the service quotes': [
		[farmer],
		/Row 2: The service refused to create the booking/,
		/The service says: Amina Bello \(\+2348031234567\) is unknown\./,
		refuse,
	],
};

// That no cell is in it is checked by `perform()`, here and in all other suites.
it.each(Object.entries(cases))(
	"n8n's log tells of %s, and the description shows it",
	async (_, [rows, log, shown, before]) => {
		await before?.();
		const logged = logOfSuite().length;
		const { message, description } = stopOf(await bookSheet(sandbox, rows));
		expect(message).toMatch(log);
		expect(logOfSuite().slice(logged)).toMatch(log);
		expect(description).toMatch(shown);
	},
);
