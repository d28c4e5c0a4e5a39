import { pause } from '../../../../api/abort';
import type { ServiceClient } from '../../../../api/client';
import { settle, ServiceError } from '../../../../api/errors';
import { knownBookingsOf } from '../match/knownBookings';

/** The newest end of the list is read again after so many milliseconds, or bookings: after one, two, four and so on. */
const REFRESH_MS = 3_000;
const MAX_BATCH = 5;

/** A list without an order that has more pages is not read again while rows are sent. */
const MAX_PAGES_TO_REFRESH = 10;

/** How long to leave it to another run that books the same rows: random, so that two runs do not go on in step. */
const MIN_YIELD_MS = 5_000;
const MAX_YIELD_MS = 15_000;

/**
 * Reads the bookings that appear while rows are sent: another process may book the same rows, which the
 * service cannot prevent. So rows are sent in batches, each of them followed by a refresh.
 */
export class ListRefresher {
	private sentSinceRefresh = 0;

	/** How many bookings may be sent until the next refresh. */
	private batch = 1;

	/** Once another run was met, the list is read before each booking. */
	private isMet = false;

	private current?: Promise<void>;

	/** @param refresh reads the list, and returns whether another run books the same rows */
	constructor(
		private readonly client: ServiceClient,
		private readonly refresh: () => Promise<boolean>,
		private readonly warn: (text: string) => void,
	) {}

	/** Before a row is sent: reads the list if it was last read some time ago, and waits while another run books the rows. */
	async beforeRow(): Promise<void> {
		this.current ??= this.refreshIfDue().finally(() => (this.current = undefined));
		await this.current;
	}

	/** Counts a row that is sent. */
	countSent(): void {
		this.sentSinceRefresh += 1;
	}

	private async refreshIfDue(): Promise<void> {
		const known = knownBookingsOf(this.client);
		const { signal } = this.client;
		const { order, firstPage = 1, lastPage = 1 } = known.shape ?? {};
		const isFresh = Math.abs(Date.now() - known.endReadAt) < REFRESH_MS;
		if (isFresh && this.sentSinceRefresh < this.batch) return;
		if (!order && lastPage - firstPage >= MAX_PAGES_TO_REFRESH) return;
		while (!signal?.aborted) {
			this.sentSinceRefresh = 0;
			const isOther = await settle(this.refresh());
			if (isOther instanceof ServiceError) {
				// The rows were compared once; that others book them meanwhile is rare.
				const problem = 'Whether another run books the same rows could not be seen';
				this.warn(`${problem}: ${isOther.message}`);
			}
			this.isMet ||= isOther === true;
			this.batch = this.isMet ? 1 : Math.min(2 * this.batch, MAX_BATCH);
			if (isOther !== true) return;
			await pause(MIN_YIELD_MS + Math.random() * (MAX_YIELD_MS - MIN_YIELD_MS), signal);
		}
	}
}
