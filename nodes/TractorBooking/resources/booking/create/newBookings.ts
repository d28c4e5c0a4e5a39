import { pause } from '../../../api/abort';
import type { ServiceClient } from '../../../api/client';
import { settle, ServiceError } from '../../../api/errors';
import { ExistingBookings } from './existingBookings';
import type { KnownBookings } from './knownBookings';
import { knownBookingsOf } from './knownBookings';
import { matchRows } from './match';
import { readList } from './readBookings';
import type { FinishedRow, ReadyRow } from './row';
import { isCompared } from './row';

/** The newest end of the list is read again after so many milliseconds, or bookings: after one, two, four and so on. */
const LOOK_MS = 3_000;
const MAX_BATCH = 5;

/** A list without an order that has more pages is not read again while rows are sent. */
const MAX_PAGES_TO_LOOK = 10;

/** How long to leave it to another run that books the same rows: random, so that two runs do not go on in step. */
const MIN_YIELD_MS = 5_000;
const MAX_YIELD_MS = 15_000;

/** Where the bookings are found. */
export interface Surroundings {
	client: ServiceClient;
	/** IANA name of the workflow's timezone. */
	timezone: string;
	/** How many bookings were listed when the rows were compared with them, see `KnownBookings`. */
	comparedTo: number;
	warn: (text: string) => void;
}

/** The rows of a run, of which another run may book some meanwhile. */
interface RunRows {
	all: readonly ReadyRow[];
	/** Whether a row is not sent yet. */
	isWaiting: (row: ReadyRow) => boolean;
	/** Whether this run has booked a row. */
	isBooked: (row: ReadyRow) => boolean;
	/** Takes a row that another run has booked, or may have. */
	take: (row: ReadyRow, found: FinishedRow) => void;
	/** Takes the bookings of rows whose answers were lost. */
	takeLost: () => void;
}

/**
 * Looks at the bookings that appear while rows are sent: those of rows whose answers were lost, and those with which
 * another process books the same rows, which the service cannot prevent. So rows are sent in batches, each of them
 * followed by a look.
 */
export class NewBookings {
	private readonly known: KnownBookings;

	/** How many bookings were listed when the rows were last compared. */
	private comparedTo: number;

	private sinceLook = 0;

	/** How many bookings may be sent until the next look. */
	private batch = 1;

	/** Once another run was met, there is a look before each booking. */
	private isMet = false;

	private current?: Promise<void>;

	constructor(
		private readonly rows: RunRows,
		private readonly options: Surroundings,
	) {
		this.known = knownBookingsOf(options.client);
		this.comparedTo = options.comparedTo;
	}

	/** Before a row is sent: looks if the last look is some time ago. */
	async look(): Promise<void> {
		if (!this.rows.all.some(isCompared)) return;
		this.current ??= this.lookNow().finally(() => (this.current = undefined));
		await this.current;
	}

	/** Counts a row that is sent. */
	count(): void {
		this.sinceLook += 1;
	}

	private async lookNow(): Promise<void> {
		const { known } = this;
		const { client, warn } = this.options;
		const { order, firstPage = 1, lastPage = 1 } = known.shape ?? {};
		const isFresh = Math.abs(Date.now() - known.endReadAt) < LOOK_MS;
		if (isFresh && this.sinceLook < this.batch) return;
		if (!order && lastPage - firstPage >= MAX_PAGES_TO_LOOK) return;
		while (!client.signal?.aborted) {
			this.sinceLook = 0;
			const isOther = await settle(this.read(true));
			if (isOther instanceof ServiceError) {
				// The rows were compared once; that others book them meanwhile is rare.
				known.endReadAt = Date.now();
				warn(`Whether another run books the same rows could not be seen: ${isOther.message}`);
			}
			this.isMet ||= isOther === true;
			this.batch = this.isMet ? 1 : Math.min(2 * this.batch, MAX_BATCH);
			if (isOther !== true) return;
			const ms = MIN_YIELD_MS + Math.random() * (MAX_YIELD_MS - MIN_YIELD_MS);
			await pause(ms, client.signal);
		}
	}

	/**
	 * Compares the rows with the bookings that appeared; whether one of them is booked by another run.
	 *
	 * @param isQuick see `readEnd`
	 * @throws ServiceError
	 */
	async read(isQuick: boolean): Promise<boolean> {
		const { known } = this;
		const { client, timezone } = this.options;
		await readList(client, known, { isQuick });
		this.rows.takeLost();
		const arrived = known.arrivedSince(this.comparedTo);
		this.comparedTo = known.listed;
		if (arrived.length === 0) return false;
		const existing = new ExistingBookings(arrived, known.format.in(timezone));
		let isOther = false;
		for (const [index, found] of matchRows(this.rows.all, existing).entries()) {
			const row = this.rows.all[index];
			if (!row || found.kind !== 'finished' || found.earlier) continue;
			// A booking of a row that this run has booked itself tells of another run in step with it.
			if (!this.rows.isWaiting(row)) {
				isOther ||= found.booking !== undefined && this.rows.isBooked(row);
				continue;
			}
			const reason = `another run booked it meanwhile: ${found.reason}`;
			this.rows.take(row, found.failure ? found : { ...found, reason });
			isOther = true;
		}
		return isOther;
	}
}
