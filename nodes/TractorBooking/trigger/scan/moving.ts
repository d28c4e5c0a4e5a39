import { settle, ServiceError } from '../../api/errors';
import { pageOrUndefined } from '../../api/pages/list';
import type { BookingKey } from '../bookings';
import type { Pages } from './reader';
import type { ListScan } from './scan';
import { keysOf } from './scan';

/**
 * The bookings of a sorted list that may still change, from the one on at which the last poll stopped. The place of a
 * booking follows from how many known ids come before it; one that is not on that page is read by its id.
 */
export async function* moving(scan: ListScan): Pages {
	const { reader, memory, progress, isMet, today, wanted } = scan;
	const { origin = 1, pageSize, order } = progress;
	const known = memory.ids();
	const placeOf = (id: number) => {
		const at = known.indexOf(id);
		return order === 'oldestFirst' ? at : known.length - 1 - at;
	};
	const numbers = wanted.filter((key) => typeof key === 'number');
	const ids = [...new Set([...numbers, ...memory.movingIds(today)])].sort((a, b) =>
		order === 'oldestFirst' ? a - b : b - a,
	);
	const start = Math.max(ids.indexOf(progress.movingFrom ?? -1), 0);
	const pagesRead = new Set<number>();
	const missing: BookingKey[] = [];
	/** By how many places bookings lie further back than the memory says, where the list was last read. */
	let drift = order === 'newestFirst' ? scan.newcomers() : 0;
	for (let turn = 0; turn < ids.length; turn++) {
		const id = ids[(start + turn) % ids.length] ?? 0;
		if (isMet(id)) continue;
		progress.movingFrom = id;
		const number = origin + Math.floor(Math.max(placeOf(id) + drift, 0) / Math.max(pageSize, 1));
		if (!pagesRead.has(number)) {
			pagesRead.add(number);
			const page = await settle(pageOrUndefined(reader.page(number, pageSize)));
			// The booking had its turn: a poll that ends here goes on with the next one.
			progress.movingFrom = ids[(start + turn + 1) % ids.length];
			if (page && !(page instanceof ServiceError)) {
				const keys = keysOf(page.items);
				const at = keys.findIndex((key) => typeof key === 'number' && memory.get(key));
				if (at >= 0) drift = (number - origin) * pageSize + at - placeOf(Number(keys[at]));
				yield page.items;
			}
		}
		if (isMet(id)) continue;
		const booking = await reader.booking(id);
		if (!(booking instanceof ServiceError)) {
			yield [booking];
		} else if (booking.kind === 'notFound') {
			const state = memory.get(id);
			// Gone at two polls in a row: left to the sweep.
			if (state && progress.missing.includes(id)) memory.set(id, { ...state, active: 0 });
			else missing.push(id);
		}
	}
	progress.movingFrom = undefined;
	progress.missing = missing;
}
