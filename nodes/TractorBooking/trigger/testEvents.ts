import type { IDataObject } from 'n8n-workflow';

import { settle, ServiceError } from '../api/errors';
import type { Change, Watch } from './changes';
import { isWatched, observe } from './changes';
import type { Status } from './bookings';
import type { Source } from './scan/budgetedReader';
import { Memory } from './memory';
import type { Settings } from './settings';

/** Pages, or chosen bookings, that a test event reads at most. */
const SAMPLE_PAGES = 3;
const SAMPLE_IDS = 20;

/** Items of a test event at most. */
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
	// Some services fail where they have no page; for a sample, what else was read is enough.
	const fetchOrSkip = async (page: number) => {
		const answer = await settle(readPage(page, settings.pageSize));
		return answer instanceof ServiceError ? undefined : answer;
	};
	// A list whose pages count from 0 and that has one page only has no page 1.
	const first = await settle(readPage(1, settings.pageSize));
	const isAbsent = first instanceof ServiceError || !first?.items.length;
	let page = isAbsent ? await fetchOrSkip(0) : first;
	if (first instanceof ServiceError && !page) throw first;
	for (let number = 2; page && page.items.length > 0; number++) {
		yield page.items;
		if (isAbsent || page.hasMore === false || number > SAMPLE_PAGES) return;
		page = await fetchOrSkip(number);
	}
}

/** A previous status that lets the change pass the filter: a sample has none of its own. */
function previousFor(watch: Watch, status: Status): Status | undefined {
	if (watch.event !== 'bookingStatusChanged' || watch.from.size === 0) return undefined;
	return [...watch.from].find((from) => from !== status);
}

/**
 * Bookings that match what is watched, as changes: as if they had been met for the first time, or, where
 * certain previous statuses are asked for, as if they had come from the first one of those.
 *
 * @param today day counted from 1970
 * @returns the changes, and how many bookings were read for them
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
