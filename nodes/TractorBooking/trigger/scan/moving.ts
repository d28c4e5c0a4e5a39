import type { IDataObject } from 'n8n-workflow';

import { settle, ServiceError } from '../../api/errors';
import { pageOrUndefined } from '../../api/pages/request';
import type { BookingKey } from '../bookings';
import type { Memory } from '../memory';
import { lowerBound } from '../memory';
import type { Progress } from './progress';
import type { ListScan, Pages } from './scan';
import { keysOf } from './scan';

/** Pages on which one booking is looked for before it is read by its id. */
const TRIES = 2;

/** Requests without which the reading of the moving bookings would never get on: by page, and by id. */
export const MIN_REQUESTS = TRIES + 1;

/** Bookings in a row that cannot be read by their ids before the others are left to the next poll. */
const MAX_FAILED_IN_A_ROW = 3;

/** Where bookings are in a sorted list: a place follows from how many known ids come before it. */
class Places {
	/** By how many places bookings lie further back than the memory says, where it was last looked. */
	private drift = 0;

	private readonly ids: Float64Array;

	constructor(
		memory: Memory,
		private readonly progress: Progress,
	) {
		this.ids = memory.ids();
	}

	pageOf(id: number): number {
		const { origin = 1, pageSize } = this.progress;
		const place = Math.max(0, this.placeOf(id) + this.drift);
		return origin + Math.floor(place / Math.max(pageSize, 1));
	}

	/** Learns from a page that was read. */
	learn(number: number, items: IDataObject[]): void {
		const { origin = 1, pageSize } = this.progress;
		const first = keysOf(items).find((key) => typeof key === 'number');
		if (first !== undefined) this.drift = (number - origin) * pageSize - this.placeOf(first);
	}

	private placeOf(id: number): number {
		const lower = lowerBound(this.ids, id);
		return this.progress.order === 'oldestFirst' ? lower : this.ids.length - 1 - lower;
	}
}

/** The pages of the bookings that may still change, from the one on at which the last poll stopped. */
export async function* moving(scan: ListScan): Pages {
	const { reader, memory, progress, isMet, today, wanted } = scan;
	const numbers = wanted.filter((key) => typeof key === 'number');
	const ids = [...new Set([...numbers, ...memory.movingIds(today)])].sort((a, b) => a - b);
	if (progress.order === 'newestFirst') ids.reverse();
	const start = Math.max(ids.indexOf(progress.movingFrom ?? -1), 0);
	const places = new Places(memory, progress);
	const pagesRead = new Set<number>();
	const missing: BookingKey[] = [];
	let failures = 0;
	for (let turn = 0; turn < ids.length && failures < MAX_FAILED_IN_A_ROW; turn++) {
		const id = ids[(start + turn) % ids.length] ?? 0;
		if (isMet(id)) continue;
		progress.movingFrom = id;
		for (let tries = 0; tries < TRIES && !isMet(id); tries++) {
			const number = places.pageOf(id);
			if (pagesRead.has(number)) break;
			pagesRead.add(number);
			const page = await settle(pageOrUndefined(reader.page(number, progress.pageSize)));
			// The booking had its turn: a poll that ends here goes on with the next one.
			progress.movingFrom = ids[(start + turn + 1) % ids.length];
			if (!page || page instanceof ServiceError) break;
			yield page.items;
			places.learn(number, page.items);
		}
		if (isMet(id)) continue;
		const booking = await reader.booking(id);
		failures = booking instanceof ServiceError && booking.kind !== 'notFound' ? failures + 1 : 0;
		if (!(booking instanceof ServiceError)) {
			yield [booking];
		} else if (booking.kind === 'notFound') {
			const known = memory.get(id);
			// Gone at two polls in a row: left to the sweep.
			if (known && progress.missing.includes(id)) memory.set(id, { ...known, active: 0 });
			else missing.push(id);
		}
	}
	progress.movingFrom = undefined;
	progress.missing = missing;
}
