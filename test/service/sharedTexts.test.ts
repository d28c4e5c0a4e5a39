import type { IDataObject } from 'n8n-workflow';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { SharedTexts } from '../../nodes/TractorBooking/service/sharedTexts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bookings as they are parsed from an answer, with places of a thousand letters. */
function parsed(from: number): IDataObject[] {
	const records = Array.from({ length: 100 }, (_, index) => ({
		farmerName: `Farmer ${from + index}`,
		farmLocation: `${index % 20}`.padEnd(1_000, 'x'),
		landArea: index,
		details: { crop: 'maize' },
		tractorId: null,
	}));
	return JSON.parse(JSON.stringify(records)) as IDataObject[];
}

it('what comes again is held once, and no value changes', () => {
	const texts = new SharedTexts();
	const records: IDataObject[] = [];
	collectGarbage();
	const before = process.memoryUsage().heapUsed;
	for (let from = 0; from < 30_000; from += 100) {
		const page = parsed(from);
		page.forEach((record) => texts.shareIn(record));
		records.push(...page);
	}
	collectGarbage();
	// As parsed, the places alone are 30 MB.
	expect(process.memoryUsage().heapUsed - before).toBeLessThan(15_000_000);
	expect(records.slice(29_900)).toEqual(parsed(29_900));
});
