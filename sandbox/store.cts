import { Bookings } from './bookings.cts';
import { hash, Random, SEED } from './random.cts';
import { NAMES, TOWNS } from './seedData.cts';
import { FIRST_TRACTOR_ID, makeTractor, type Tractor } from './tractors.cts';

/** A pay-as-you-go contract. The interface shows the list and none of its fields, so these are the sandbox's own. */
export interface Contract {
	contract_id: number;
	customer_name: string;
	tractor_id: string;
	status: 'active' | 'completed' | 'defaulted';
}

/** A message that the SMS gateway took. */
interface SmsMessage {
	sid: string;
	to: string;
	body: string;
	reference?: string;
	/** ISO 8601, UTC. */
	createdAt: string;
}

/** How much a fresh sandbox holds. */
export interface SeedSizes {
	/** Bookings of organisation A. */
	bookings: number;
	/** Bookings of organisation B. */
	otherBookings: number;
	tractors: number;
	contracts: number;
}

/** Everything that the sandbox's service remembers. */
export class Store {
	readonly bookings: Bookings;
	readonly tractors = new Map<number, Tractor>();
	readonly contracts: Contract[] = [];
	readonly outbox: SmsMessage[] = [];
	readonly #sizes: SeedSizes;

	constructor(sizes: SeedSizes, now: () => number) {
		this.#sizes = sizes;
		this.bookings = new Bookings(now, this.tractors);
		this.reset();
	}

	/** Puts back what a fresh sandbox holds. */
	reset(): void {
		this.bookings.clear();
		this.tractors.clear();
		this.contracts.length = 0;
		this.outbox.length = 0;
		for (let index = 0; index < this.#sizes.tractors; index++) {
			const tractor = makeTractor(FIRST_TRACTOR_ID + index);
			this.tractors.set(tractor.id, tractor);
		}
		this.bookings.addMany(this.#sizes.bookings, { organisation: 'A' });
		this.bookings.addMany(this.#sizes.otherBookings, { organisation: 'B' });
		for (let index = 0; index < this.#sizes.contracts; index++) {
			this.contracts.push(this.#makeContract(index));
		}
	}

	/** A contract made from its place in the list. */
	#makeContract(index: number): Contract {
		const random = new Random(hash(index + 1, SEED + 2));
		const names = NAMES[random.pick(TOWNS).country];
		return {
			contract_id: 5001 + index,
			customer_name: `${random.pick(names.given)} ${random.pick(names.family)}`,
			tractor_id: String(FIRST_TRACTOR_ID + random.integer(Math.max(1, this.#sizes.tractors))),
			status: random.pick(['active', 'completed', 'defaulted'] as const),
		};
	}
}
