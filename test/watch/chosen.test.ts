import { BookingList } from './bookingList';
import { settings, Watcher } from './looking';

it('stops reading a settled booking also where a new first scan did not find it', async () => {
	const list = new BookingList();
	const chosen = { chosen: [1], dropSettled: true };
	list.fill([1], () => 3);
	const watcher = new Watcher(list, settings(chosen));
	await watcher.poll();
	list.delete(1);
	watcher.settings = settings({ ...chosen, watched: 'something else' });
	await watcher.poll();
	list.set(1, 3);
	await watcher.poll();
	const { requests } = list;
	expect(await watcher.poll()).toEqual([]);
	expect(list.requests).toBe(requests);
});
