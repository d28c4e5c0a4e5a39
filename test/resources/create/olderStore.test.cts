import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { bookSheet, outcomeOf } from '../../support/bookings.cts';
import { processedData } from '../../support/engine.cts';
import { LateService } from '../../support/lateService.cts';
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

const [ALREADY, ASKED] = ['already booked', 'possible duplicate'];

let service: LateService;
const byRowId: INodeParameters = { rowIdColumn: 'No' };

/** Runs rows where n8n has the store of such a run, and the list its five bookings. */
async function run(store: keyof typeof STORES, rows: IDataObject[], more: INodeParameters = {}) {
	const options = { otherColumns: 'ignore', ...(store === 'rowIds' && byRowId), ...more };
	const { settings } = new Worker(service);
	return await outcomeOf(bookSheet, service, rows, { options }, settings);
}

describe.each(['jobs', 'rowIds'] as const)('a store of %s', (store) => {
	beforeEach(() => {
		clock.reset();
		jest.setSystemTime(Date.now() + 25 * 60_000);
		processedData.load(STORES[store]);
		service = new LateService();
		for (const { Name: farmerName, Phone: farmerPhone, 'Service date': serviceDate } of sheet)
			service.add({ farmerName, farmerPhone, serviceDate });
	});

	it('knows what was booked, what was sent, and of which farmer and day several rows were', async () => {
		const { results, ids, table } = await run(store, sheet);
		expect(results).toEqual([ALREADY, ALREADY, ALREADY, ALREADY, ASKED]);
		// That of a lost response is named as possible.
		expect(ids).toEqual(['5001', '5002', '', '5004', '']);
		expect(table[2]).toContain('found among the bookings');
		expect(service.counts.create).toBe(0);
	});

	it('knows whose bookings they are, and with which cells', async () => {
		const typed = [amina, { ...bala, Crop: 'Rice' }, chika];
		const { table } = await run(store, typed);
		expect(table[0]).toMatch(/already booked \(.* was booked before, as booking 5001 \(new\)\)$/);
		expect(table[1]).toMatch(/already booked .* some of its cells have changed since/);
		const taken = { ...amina, No: 'Z', Service: 4, 'Booking ID': 5001 };
		expect((await run(store, [taken])).table[0]).toMatch(
			/already booked \(.*booked it for a row with another Row ID or other cells/,
		);
		// The list need not show them.
		service.bookings = [];
		expect((await run(store, [amina, bala])).results).toEqual([ALREADY, ALREADY]);
	});

	it('knows the job by another key', async () => {
		service.bookings = [];
		const other = store === 'rowIds' ? 'jobs' : 'rowIds';
		const rows = [{ ...amina, No: 'Z' }];
		const options = { rowIdColumn: other === 'rowIds' ? 'No' : '' };
		const { table } = await run(store, rows, options);
		expect(table[0]).toMatch(
			/possible duplicate .*the same farmer, day, service and area were booked before/,
		);
	});
});

it('a store of rowIds knows the farmer and the day of each Row ID', async () => {
	clock.reset();
	processedData.load(STORES.rowIds);
	service = new LateService();
	const moved = { ...amina, 'Service date': '2026-03-12' };
	const { table } = await run('rowIds', [moved, { ...bala, Name: 'Bala Moses' }]);
	expect(table[0]).toMatch(/to fix .*another farmer or another day/);
	expect(table[1]).toMatch(/already booked .*not in the list/);
});
