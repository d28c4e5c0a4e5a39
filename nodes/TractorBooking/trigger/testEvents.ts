import type { IDataObject } from 'n8n-workflow';

import { settle, ServiceError } from '../api/errors';
import type { PagedList } from '../api/pages/list';
import { readPages } from '../api/pages/pages';
import type { Change, Watch } from './changes';
import { isWatched, observe } from './changes';
import type { Status } from './bookings';
import { bookingKey } from './bookings';
import type { Source } from './scan/budgetedReader';
import { Memory } from './memory';
import type { Settings } from './settings';

/** Max number of pages, or of specific bookings, that are read for test events. */
const SAMPLE_PAGES = 3;
const SAMPLE_IDS = 20;

/** Max number of test events. */
const SAMPLE_SIZE = 10;

async function* pagesToSample(
	{ readPage, readBooking }: Source,
	settings: Settings,
): AsyncGenerator<IDataObject[]> {
	if (settings.chosen) {
		for (const key of settings.chosen.slice(0, SAMPLE_IDS)) {
			const booking = await settle(readBooking(key));
			if (!(booking instanceof ServiceError)) yield [booking];
			else if (booking.kind !== 'notFound') throw booking;
		}
		return;
	}
	const list: PagedList = {
		what: 'bookings',
		name: '',
		keyOf: bookingKey,
		async fetchPage(page, size = settings.pageSize) {
			const answer = await settle(readPage(page, size));
			if (!(answer instanceof ServiceError)) return answer;
			// Some services fail for a page that does not exist; a sample does not need it.
			if (page <= 1) throw answer;
			return undefined;
		},
		smallerSizes: [],
	};
	let pages = 0;
	for await (const page of readPages(list, { size: settings.pageSize })) {
		yield page.items;
		if (page.number > 0) pages += 1;
		if (pages === SAMPLE_PAGES) return;
	}
}

/** A previous status that passes the filter; sampled bookings have none. */
function previousFor(watch: Watch, status: Status): Status | undefined {
	if (watch.event !== 'bookingStatusChanged' || watch.from.size === 0) return undefined;
	return [...watch.from].find((from) => from !== status);
}

/**
 * Existing bookings that match what is watched, as changes: as if they were seen for the first time or, if From Statuses
 * is set, as if they came from the first of those statuses.
 *
 * @param today day of the poll, counted from 1970
 * @returns the changes, and the number of bookings read
 */
export async function testEventChanges(
	source: Source,
	settings: Settings,
	today: number,
): Promise<{ changes: Change[]; read: number }> {
	const memory = Memory.empty();
	const changes: Change[] = [];
	const { watch } = settings;
	for await (const bookings of pagesToSample(source, settings)) {
		for (const booking of bookings) {
			const change = observe(memory, booking, false, today);
			if (!change) continue;
			const previous = previousFor(watch, change.status);
			const candidate = { ...change, previous };
			if (isWatched(watch, candidate)) changes.push(candidate);
			if (changes.length === SAMPLE_SIZE) return { changes, read: memory.size };
		}
	}
	return { changes, read: memory.size };
}
