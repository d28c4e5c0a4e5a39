import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/index.cts';
import { logOfSuite, stopOf } from '../../support/action.cts';
import { answer, bookSheet, farmers, eachWithSandbox } from '../../support/bookings.cts';

let sandbox: Sandbox;
eachWithSandbox({}, (started) => (sandbox = started));

const [farmer = {}] = farmers(1, { name: 'Amina Bello', phone: '+2348031234567' });
const body = { error: 'Amina Bello (+2348031234567) is unknown' };

/** The service quotes what it was sent. */
const refuse = () => answer(sandbox, { endpoint: 'create' }, 400, body);

// That no cell is in the log is checked by `perform()`, here and in all other suites.
// prettier-ignore
it.each<[string, IDataObject[], log: RegExp, shown: RegExp, before?: () => unknown]>([
	['a quoted cell', [{ ...farmer, area: '5 baskets' }], /Row 2: Land Area .* has to be checked/, /has "baskets" after/],
	['no field', [{ ...farmer, spouse: 'Yusuf Bello' }], /Not read: 1 column\./, /^spouse \(Yusuf Bello\)/],
	['a refusal', [farmer], /Row 2: The service refused to create/, /says: Amina Bello \(\+2348031234567\) is/, refuse],
])(
	"n8n's log tells of %s, and the description shows it",
	async (_what, rows, log, shown, before = () => undefined) => {
		await before();
		const logged = logOfSuite().length;
		const { message, description } = stopOf(await bookSheet(sandbox, rows));
		expect(message).toMatch(log);
		expect(logOfSuite().slice(logged)).toMatch(log);
		expect(description).toMatch(shown);
	},
);
