import type { IDataObject } from 'n8n-workflow';

import { ListSoFar } from '../../nodes/TractorBooking/api/pages/collect';
import { collectGarbage } from '../support/garbage';

/** Bookings as they are parsed from an answer, with places of a thousand letters. */
function parsed(from: number): IDataObject[] {
	const records = Array.from({ length: 100 }, (_, index) => ({
		farmerName: `Farmer ${from + index}`,
		farmLocation: `${index % 20}`.padEnd(1_000, 'x'),
		landArea: from + index,
		details: { crop: 'maize' },
		tractorId: null,
	}));
	return JSON.parse(JSON.stringify(records)) as IDataObject[];
}

it('what comes again in a long list is held once, and no value changes', () => {
	const list = new ListSoFar({ what: 'bookings', keyOf: ({ landArea }) => landArea }, Infinity);
	collectGarbage();
	const before = process.memoryUsage().heapUsed;
	for (let from = 0; from < 40_000; from += 100) list.add({ items: parsed(from) });
	collectGarbage();
	// As parsed, the places alone are 40 MB; those of the first 10,000 records are left as they are.
	expect(process.memoryUsage().heapUsed - before).toBeLessThan(25_000_000);
	expect(list.finish().slice(39_900)).toEqual(parsed(39_900));
});
