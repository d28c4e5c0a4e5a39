import type { IDataObject } from 'n8n-workflow';

import { asText } from '../../../nodes/TractorBooking/utils/text';
import { dayFromNow, bookSheet, farmers, outcomeOf } from '../../support/bookings.cts';
import type { LateService } from '../../support/lateService.cts';
import { lateServiceForTests, Worker } from '../../support/worker.cts';

// What an operator does who follows the messages to the letter.

const begin = lateServiceForTests();
let service: LateService;
let worker: Worker;
beforeEach(() => void ({ service, worker } = begin()));

const [row = {}] = farmers(1, { name: 'Amina Bello' });

/** Runs the row as it is by now, half an hour after the last run. @returns what became of it */
async function run(cells: IDataObject = {}): Promise<IDataObject> {
	jest.setSystemTime(Date.now() + 1_800_000);
	const { records } = await outcomeOf(
		bookSheet,
		service,
		[{ ...row, ...cells }],
		{},
		worker.settings,
	);
	return records[0] ?? {};
}

const idOf = ({ bookingID }: IDataObject) => asText(bookingID);

/** Gives a booking a status: 4 is declined, 5 unpaired. */
const change = (id: string, bookingStatus: number) =>
	Object.assign(service.bookings.find(({ bookingID }) => asText(bookingID) === id) ?? {}, {
		bookingStatus,
	});

it('a row with its ID may have its name and its area corrected', async () => {
	const id = idOf(await run());
	const corrected = { name: 'Amina Belo', area: '3 ha', 'Booking ID': id };
	expect(await run(corrected)).toMatchObject({ result: 'already booked', bookingID: Number(id) });
	// Another farmer's name in that line is no correction.
	expect(await run({ ...corrected, name: 'Musa Sani' })).toMatchObject({ result: 'to fix' });
});

it('a job is booked again each time that its booking is declined', async () => {
	const first = idOf(await run());
	change(first, 4);
	const declined = await run();
	expect(declined.toDo).toBe(
		`To book the row again, write not ${first} in the column "bookingID".`,
	);
	const second = idOf(await run({ bookingID: `not ${first}` }));
	change(second, 4);
	expect((await run({ bookingID: second })).toDo).toContain(`write not ${second} in`);
	const asked = await run({ bookingID: `not ${second}` });
	expect(asked.toDo).toMatch(
		new RegExp(`^If it is not to be booked again, .*; if it is, .*write not ${first}, ${second};`),
	);
	expect(await run({ bookingID: `not ${first}, ${second}` })).toMatchObject({ result: 'created' });
});

it('an unpaired booking may get another tractor', async () => {
	change(idOf(await run()), 5);
	expect((await run()).toDo).toMatch(/^It may get another tractor: ask the operator/);
});

it('a row that was moved is booked for its day once its booking is declined', async () => {
	const id = idOf(await run());
	const moved = { date: dayFromNow(12), 'Booking ID': id };
	change(id, 4);
	expect((await run(moved)).toDo).toContain(`write not ${id} in this cell`);
	expect(await run({ ...moved, 'Booking ID': `not ${id}` })).toMatchObject({ result: 'created' });
	expect(service.bookings.at(-1)).toMatchObject({ serviceDate: dayFromNow(12) });
});
