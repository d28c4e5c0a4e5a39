import { BookingList } from './bookingList';
import { brief, settings, Watcher } from './looking';

it('misses no booking that moved to the page before while the first scan was waiting for the next poll', async () => {
	const list = new BookingList({ tells: 'nothing' });
	list.fill([9, 8, 7, 6, 5, 4, 3, 2, 1], () => 6);
	const watcher = new Watcher(list, settings({ pageSize: 3 }));
	await watcher.poll(2);
	list.delete(9);
	// Number 3, which was the first one of the third page, is now the last one of the second.
	for (let polls = 0; polls < 3; polls++) expect(brief(await watcher.poll())).toEqual([]);
});
