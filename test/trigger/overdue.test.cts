import { BookingList } from './bookingList.cts';
import { Watcher } from './polling.cts';

const DAY_MS = 86_400_000;
const OLD = '2026-01-10T08:00:00Z';

it.each([
	['may be day/month or month/day', '05/02/2026'],
	['is no date', 'soon'],
	['is not there', undefined],
])('warns of open bookings whose service date %s', async (_name, date) => {
	const list = new BookingList();
	for (const [id, serviceDate, status] of [
		[1, '2026-02-01', 6],
		[2, date, 6],
		[3, date, 6],
		[4, date, 3],
	] as const) {
		if (serviceDate !== undefined) list.serviceDates.set(id, serviceDate);
		list.set(id, status, 'end', undefined, OLD);
	}
	const watcher = new Watcher(list, { watch: { event: 'bookingOverdue', overdueDays: 2 } });
	await watcher.poll();
	expect(watcher.warnings).toEqual([
		expect.stringMatching(/serviceDate of 2 open bookings.*booking 2/),
	]);
	const events: unknown[][] = [];
	for (let day = 0; day < 3; day++) {
		watcher.nowMs += DAY_MS;
		events.push((await watcher.poll()).map(({ bookingID }) => bookingID));
	}
	expect(events).toEqual([[], [1], []]);
});
