import { BookingList } from './bookingList';
import { brief, settings, Watcher } from './polling';
import form6 from './storedForms/form6.json';

/** The list as it was when the forms were stored: 1 had just been completed. */
function storedList(): BookingList {
	const list = new BookingList();
	const statuses = new Map<string | number, number>([
		['__proto__', 6],
		[7, 6],
		[2, 3],
		[1, 3],
		[90, 20],
		[5, 2],
	]);
	list.fill([...statuses.keys()], (key) => statuses.get(key));
	return list;
}

const COMPLETED = { event: 'bookingCompleted', treatToCompletedAsCompleted: false } as const;

describe.each([['6', form6]])('a state in the form %s', (_form, stored) => {
	function updated(list: BookingList, once = false): Watcher {
		const watch = { ...COMPLETED, treatToCompletedAsCompleted: once };
		const watcher = new Watcher(list, settings({ watch }));
		watcher.memory = stored;
		return watcher;
	}

	it('is gone on with: what was completed meanwhile is emitted, with the ids as they were', async () => {
		const list = storedList();
		const watcher = updated(list);
		for (const key of ['__proto__', 7, 1, 2]) list.set(key, key === 2 ? 7 : 3);
		const { events, warnings, memory } = await watcher.pollOnce();
		expect(brief(events)).toEqual(['"__proto__": 6 > 3', '7: 6 > 3']);
		expect(warnings).toEqual([]);
		watcher.memory = memory;
		list.set(2, 3);
		list.set(91, 3);
		const ids = (await watcher.poll()).map(({ eventId }) => eventId);
		expect(ids).toEqual(['78879f13:91:completed:1', '78879f13:2:completed:2']);
	});

	it('knows what it emitted last, to emit it again after a restart', async () => {
		const { events } = await updated(storedList()).pollOnce(Infinity, true);
		expect(events).toMatchObject([{ eventId: '78879f13:1:completed:1', isRepeat: true }]);
	});

	it('knows which bookings were completed once', async () => {
		const list = storedList();
		const watcher = updated(list, true);
		for (const [key, status] of [
			[1, 7],
			[5, 20],
		] as const)
			list.set(key, status);
		expect(brief(await watcher.poll())).toEqual(['5: 2 > 20']);
		list.set(1, 3);
		expect(await watcher.poll()).toEqual([]);
	});
});

it('of a later version is replaced by a new one, with a warning', async () => {
	const list = storedList();
	const watcher = new Watcher(list, settings({ watch: COMPLETED }));
	watcher.memory = { ...form6, form: 99 };
	list.set(5, 3);
	const { events, warnings } = await watcher.pollOnce();
	expect(events).toEqual([]);
	expect(warnings).toEqual([expect.stringContaining('was written by a later version')]);
});
