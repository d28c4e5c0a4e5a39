import { TractorBooking } from '../../nodes/TractorBooking/TractorBooking.node';
import { TractorBookingTrigger } from '../../nodes/TractorBooking/TractorBookingTrigger.node';
import { EVENTS } from '../../nodes/TractorBooking/trigger/events';
import { credentialsOf, OPERATIONS, perform } from '../support/action.cts';
import { ASKED, eachWithSandbox, startAfresh } from '../support/bookings.cts';
import { literalChoices } from '../support/choices.cts';
import { trigger } from '../support/engine.cts';

const sandbox = eachWithSandbox({ bookings: 8 });

/** A row that can be booked, as fields and as columns. */
const row = {
	...ASKED['booking:create'],
	...ASKED['tractor:findNearby'],
	...{ landArea: '2.5', areaType: 'ha', farmerName: 'Amina Bello' },
};

it.each(OPERATIONS)('%s runs with each of the literal choices of the editor', async (name) => {
	const [resource = '', operation = ''] = name.split(':');
	// A lower limit would make the test wait for a real minute.
	const typed = name === 'booking:create' ? row : ASKED[name];
	const farmer = { farmerName: 'Amina Bello', farmerPhone: '+2348000000001', tractorId: '201' };
	const texts = { phoneCountry: 'NG', ...farmer, ...typed };
	const all = literalChoices(new TractorBooking().description, { resource, operation }, texts);
	expect(all.length).toBeGreaterThan(1);
	for (const fields of all) {
		startAfresh(sandbox);
		const { filters } = fields as { filters?: object };
		// The nearest tractor is not that of a column.
		const rows = [fields.tractorSelection === 'nearest' ? { ...row, tractorId: '' } : row];
		const { items, error } = await perform(sandbox, name, fields, { rows });
		expect({ fields, error: error?.message }).toEqual({ fields, error: undefined });
		// A filter may leave nothing over.
		const isFiltered = Object.keys(filters ?? {}).length > 0;
		if (!isFiltered) expect({ fields, count: items.length > 0 }).toEqual({ fields, count: true });
		if (!name.startsWith('booking:create') || fields.dryRun === true) continue;
		expect({ fields, result: items[0]?.json.result }).toEqual({
			fields,
			result: 'created',
		});
	}
});

it('the trigger polls with each of the literal choices of the editor', async () => {
	const all = literalChoices(new TractorBookingTrigger().description, {}, {});
	expect(new Set(all.flatMap(({ events }) => events))).toEqual(new Set(Object.keys(EVENTS)));
	for (const parameters of all) {
		const credentials = credentialsOf({ baseUrl: sandbox.url });
		const polled = trigger({ parameters, credentials });
		const poll = polled.poll().then(
			() => undefined,
			(error: Error) => error.message,
		);
		expect({ parameters, error: await poll }).toEqual({ parameters, error: undefined });
		expect(polled.memory()).not.toEqual({});
	}
});
