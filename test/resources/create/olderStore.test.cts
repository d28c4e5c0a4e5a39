import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import { bookSheet, outcomeOf } from '../../support/bookings.cts';
import { processedData } from '../../support/engine.cts';
import { LateService } from '../../support/lateService.cts';
import { OutcomePage } from '../../support/page.cts';
import { virtualClockForTests } from '../../support/virtualClock.cts';
import { Worker } from '../../support/worker.cts';

// What n8n's store has of rows that a version before answers and plots booked is known: olderStore.json was written by it,
// when it booked the sheet below, and got no answer for its third and its last row.

const STORES = JSON.parse(readFileSync(join(__dirname, 'olderStore.json'), 'utf8')) as Record<
	'jobs' | 'rowIds',
	Record<string, string[]>
>;

const clock = virtualClockForTests();

const row = (No: string, farmer: number, Name: string, more: IDataObject = {}): IDataObject => ({
	...{ No, Name, Phone: `+23480312345${farmer}`, 'Service date': '2026-03-10', Service: 3 },
	...{ Tractor: 201, Area: '2 ha', Crop: 'Maize', ...more },
});

const amina = row('A', 10, 'Amina Bello');
const bala = row('B', 11, 'Bala Musa', { Service: 4, Area: '2.5 acres' });
const chika = row('C', 12, 'Chika Obi');
const dauda = row('D', 13, 'Dauda Sani');
const secondField = row('E', 13, 'Dauda Sani', { Area: '3 ha' });
const sheet = [amina, bala, chika, dauda, secondField];

const moved = { ...amina, 'Service date': '2026-03-12' };
const taken = { ...amina, No: 'Z', Service: 4, 'Booking ID': 5001 };

/** What comes of rows where n8n has the store of such a run, and the list its five bookings, or none. */
const CASES: Record<string, [rows: IDataObject[], isListEmpty?: boolean, rowIdColumn?: string]> = {
	'the same sheet': [sheet],
	'other cells': [[amina, { ...bala, Crop: 'Rice' }, chika]],
	'the booking of another row': [[taken]],
	'an empty list': [[amina, bala], true],
	'another key': [[{ ...amina, No: 'Z' }], true, ''],
	'a day and a name that were corrected': [[moved, { ...bala, Name: 'Bala Moses' }]],
};

/** What is said of each row, and its booking: `SHEETS=write npx jest olderStore` writes it. */
const page = new OutcomePage(join(__dirname, 'sheets/olderStore.txt'));

describe.each(['jobs', 'rowIds'] as const)('a store of %s', (store) => {
	it.each(Object.entries(CASES))('%s', async (what, [rows, isListEmpty = false, column = 'No']) => {
		clock.reset();
		jest.setSystemTime(Date.now() + 25 * 60_000);
		processedData.load(STORES[store]);
		const service = new LateService();
		for (const { Name: farmerName, Phone: farmerPhone, 'Service date': serviceDate } of sheet)
			service.add({ farmerName, farmerPhone, serviceDate });
		if (isListEmpty) service.bookings = [];
		// By the other key, Row IDs are asked for where there were none.
		const isByRowId = (store === 'rowIds') === (column !== '');
		const options = { otherColumns: 'ignore', ...(isByRowId && { rowIdColumn: 'No' }) };
		const { settings } = new Worker(service);
		const { table, ids } = await outcomeOf(bookSheet, service, rows, { options }, settings);
		const text = table.map((line, at) => `${line} ${ids[at]}`.trim()).join('\n');
		page.tell(`${store}: ${what}`, text);
	});
});

it('what is said of rows is known', () => page.judge());
