import { DECLINED } from '../nodes/TractorBooking/api/status';
import { Random, SEED } from './random.cts';
import type { Store } from './store.cts';

/** Statuses from which a booking may be declined: until a tractor has confirmed. */
const DECLINABLE = new Set([0, 1]);

const MOVED_AT_ONCE = 3;

/** Moves bookings along the statuses: new, paired, confirmed, in progress, to completed, completed; some are declined. */
export class Clock {
	readonly #store: Store;
	#random = new Random(SEED);
	#timer: NodeJS.Timeout | undefined;

	constructor(store: Store) {
		this.#store = store;
	}

	get running(): boolean {
		return this.#timer !== undefined;
	}

	/** Moves some bookings that are not settled one step each; returns their ids. */
	tick(): number[] {
		const { bookings } = this.#store;
		const moving = [...bookings.moving('A'), ...bookings.moving('B')];
		const moved: number[] = [];
		while (moved.length < MOVED_AT_ONCE && moving.length > 0) {
			const [id] = moving.splice(this.#random.integer(moving.length), 1);
			if (id === undefined) break;
			const status = bookings.get(id)?.bookingStatus ?? 0;
			const declined = DECLINABLE.has(status) && this.#random.next() < 0.08;
			bookings.advance(id, declined ? DECLINED : undefined);
			moved.push(id);
		}
		return moved;
	}

	/** Ticks by itself until stopped. */
	start(intervalMs: number): void {
		this.stop();
		this.#timer = setInterval(() => this.tick(), intervalMs).unref();
	}

	stop(): void {
		clearInterval(this.#timer);
		this.#timer = undefined;
	}

	reset(): void {
		this.stop();
		this.#random = new Random(SEED);
	}
}
