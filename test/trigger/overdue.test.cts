import { BookingList } from './bookingList.cts';
import { Watcher } from './polling.cts';

const DAY_MS = 86_400_000;
const OLD = '2026-01-10T08:00:00Z';

/** Of some bookings, service date and status; the first poll is on 2026-02-01. */
type Bookings = Array<[id: number, serviceDate: string | undefined, status?: number]>;

/** A trigger for what is overdue two days after its service date. */
function overdue(bookings: Bookings) {
	const list = new BookingList();
	const set = (id: number, serviceDate?: string, status = 6, createdAt = OLD) => {
		if (serviceDate !== undefined) list.serviceDates.set(id, serviceDate);
		list.set(id, status, 'end', undefined, createdAt);
	};
	for (const [id, serviceDate, status] of bookings) set(id, serviceDate, status);
	const watcher = new Watcher(list, { watch: { event: 'bookingOverdue', overdueDays: 2 } });
	const days = async (count: number) => {
		const events: unknown[][] = [];
		for (let day = 0; day < count; day++) {
			watcher.nowMs += DAY_MS;
			events.push((await watcher.poll()).map(({ bookingID }) => bookingID));
		}
		return events;
	};
	return { watcher, days, set };
}

it('emits a booking once, so many days after its service date', async () => {
	const { watcher, days, set } = overdue([[1, '2026-02-01']]);
	expect(await watcher.poll()).toEqual([]);
	expect(await days(3)).toEqual([[], [1], []]);
	// It is moved, and overdue again.
	set(1, '2026-02-05', 7);
	expect(await days(4)).toEqual([[], [], [], []]);
});

it.each([
	['may be day/month or month/day', '05/02/2026'],
	['is no date', 'soon'],
	['is not there', undefined],
])('warns of open bookings whose service date %s', async (_name, date) => {
	const { watcher, days } = overdue([
		[1, '2026-02-01'],
		[2, date],
		[3, date],
		[4, date, 3],
	]);
	await watcher.poll();
	expect(watcher.warnings).toEqual([
		expect.stringMatching(/serviceDate of 2 open bookings.*booking 2/),
	]);
	expect(await days(3)).toEqual([[], [1], []]);
});
