import { Type, type Static } from '@sinclair/typebox';
import { COMPLETED, TO_COMPLETED } from '../nodes/TractorBooking/api/status';
import { hash, Random, SEED } from './random.cts';
import { CROPS, NAMES, TOWNS } from './seedData.cts';
import { near, type Tractor } from './tractors.cts';

export type Organisation = 'A' | 'B';

/** Body of a booking (interface, "Booking create request"). Which fields are required is not documented. */
export const BookingBody = Type.Object({
	tractorId: Type.Integer(),
	serviceType: Type.Integer(),
	serviceDate: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
	landArea: Type.Optional(Type.Number({ minimum: 0 })),
	areaType: Type.Optional(Type.Union([Type.Literal('ha'), Type.Literal('ac')])),
	farmerName: Type.Optional(Type.String()),
	farmerPhone: Type.Optional(Type.String()),
	gender: Type.Optional(Type.Integer()),
	latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
	longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
	farmLocation: Type.Optional(Type.String()),
	farmNote: Type.Optional(Type.String()),
	crop: Type.Optional(Type.String()),
	crops: Type.Optional(Type.Array(Type.String())),
	custom_crop: Type.Optional(Type.String()),
});

/** The fields with which a booking is made. */
export type BookingRequest = Static<typeof BookingBody>;

/** A booking's record: the fields of the interface ("Booking record"), and those with which it was made. */
export interface Booking extends BookingRequest {
	bookingID: number;
	bookingStatus: number;
	tractorPairedTo: number | null;
	hectaresServiced: number;
	/** ISO 8601, UTC. */
	createdAt: string;
	updatedAt: string;
	clusterID: number;
}

/** What `addMany` makes. */
interface BatchOptions {
	/** Default A. */
	organisation?: Organisation;
	/** One status for all, or one for each index; default a believable mix, most of them completed. */
	status?: number | ((index: number) => number);
}

/** Believable steps (transitions are not documented). A status that is not here is settled. */
const NEXT_STATUS: ReadonlyMap<number, number> = new Map([
	[0, 1],
	[1, 2],
	[2, 6],
	[6, TO_COMPLETED],
	[TO_COMPLETED, COMPLETED],
	[5, 1],
	[7, 6],
	[10, COMPLETED],
]);

/** Statuses in which no tractor is paired, in which one works, and in which its work is done. */
const UNPAIRED = new Set([0, 4, 5]);
const AT_WORK = new Set([6, 7]);
const DONE = new Set([COMPLETED, 10, TO_COMPLETED]);

/** Statuses of seeded bookings, as often as they occur. */
const SEEDED = [3, 3, 3, 3, 3, 3, 3, 3, 3, 0, 0, 1, 1, 2, 2, 6, 6, 4, 4, 20, 20, 5, 7, 10];

const FIRST_BOOKING_ID = 100_001;
const FIRST_CLUSTER_ID = 1_001;
const DAY = 86_400_000;
const HECTARES_PER_ACRE = 0.404686;

/** A booking as it is kept. */
interface Kept {
	id: number;
	organisation: Organisation;
	status: number;
	/** Milliseconds since 1970. */
	createdAt: number;
	updatedAt: number;
	/** With what it was created over HTTP. */
	request?: BookingRequest;
	/** Fields changed by `update`. */
	changes?: Record<string, unknown>;
}

/**
 * The bookings of both organisations. Made for a million: the request of a booking that was not created over HTTP is
 * computed from its id whenever it is read.
 */
export class Bookings {
	readonly #now: () => number;
	readonly #tractors: ReadonlyMap<number, Tractor>;
	readonly #kept = new Map<number, Kept>();
	/** The oldest first. */
	readonly #lists: Record<Organisation, Kept[]> = { A: [], B: [] };
	readonly #moving = new Set<Kept>();
	#nextID = FIRST_BOOKING_ID;

	constructor(now: () => number, tractors: ReadonlyMap<number, Tractor>) {
		this.#now = now;
		this.#tractors = tractors;
	}

	/** Adds so many believable bookings, created over the last weeks; returns the first one's id. */
	addMany(count: number, { organisation = 'A', status }: BatchOptions = {}): number {
		const now = this.#now();
		const first = this.#nextID;
		const span = Math.min(60 * DAY, count * 0.2 * DAY);
		for (let index = 0; index < count; index++) {
			const id = first + index;
			const seeded = SEEDED[hash(id, SEED + 1) % SEEDED.length] ?? COMPLETED;
			const code = typeof status === 'function' ? status(index) : (status ?? seeded);
			const createdAt = Math.floor(now - (span * (count - index)) / count);
			const age = NEXT_STATUS.has(code) ? 0.8 : 0.5;
			const updatedAt = Math.floor(createdAt + (now - createdAt) * age * (hash(id, 77) / 2 ** 32));
			this.#append({ organisation, status: code, createdAt, updatedAt });
		}
		return first;
	}

	/** Adds one booking as a caller made it, with status new. */
	create(organisation: Organisation, request: BookingRequest): Booking {
		const now = this.#now();
		const times = { createdAt: now, updatedAt: now };
		return this.#read(this.#append({ organisation, status: 0, ...times, request }));
	}

	/** The booking with this id, as a number or as text. */
	get(bookingID: number | string): Booking | undefined {
		const kept = this.#kept.get(Number(bookingID));
		return kept && this.#read(kept);
	}

	organisationOf(bookingID: number | string): Organisation | undefined {
		return this.#kept.get(Number(bookingID))?.organisation;
	}

	/**
	 * Changes any fields, also to values of the wrong type, for tests of hostile responses. Sets `updatedAt`
	 * to now unless it is given.
	 */
	update(bookingID: number | string, change: Record<string, unknown>): Booking {
		const kept = this.#known(bookingID);
		const { updatedAt, ...changes } = change;
		if (Number.isInteger(changes.bookingStatus)) {
			this.#setStatus(kept, Number(changes.bookingStatus));
			delete kept.changes?.bookingStatus;
			delete changes.bookingStatus;
		}
		kept.updatedAt = typeof updatedAt === 'string' ? Date.parse(updatedAt) : this.#now();
		kept.changes = { ...kept.changes, ...changes };
		return this.#read(kept);
	}

	/** The status to which `advance` would move a booking; undefined for a settled one. */
	nextStatus(bookingID: number | string): number | undefined {
		return NEXT_STATUS.get(this.#known(bookingID).status);
	}

	/** Moves a booking to a status, by default one step on a believable path; a settled one stays. */
	advance(bookingID: number | string, status = this.nextStatus(bookingID)): Booking {
		const kept = this.#known(bookingID);
		return status === undefined
			? this.#read(kept)
			: this.update(kept.id, { bookingStatus: status });
	}

	delete(bookingID: number | string): void {
		const kept = this.#known(bookingID);
		const list = this.#lists[kept.organisation];
		list.splice(list.indexOf(kept), 1);
		this.#kept.delete(kept.id);
		this.#moving.delete(kept);
	}

	count(organisation: Organisation): number {
		return this.#lists[organisation].length;
	}

	/** Ids, the oldest first. */
	ids(organisation: Organisation): number[] {
		return this.#lists[organisation].map(({ id }) => id);
	}

	/** Ids of an organisation's bookings that are not settled. */
	moving(organisation: Organisation = 'A'): number[] {
		return [...this.#moving]
			.filter((kept) => kept.organisation === organisation)
			.map(({ id }) => id);
	}

	/** A page of an organisation's bookings, the newest first. */
	page(organisation: Organisation, offset: number, size: number): Booking[] {
		const list = this.#lists[organisation];
		const end = Math.max(0, list.length - offset);
		const page = list.slice(Math.max(0, end - size), end).reverse();
		return page.map((kept) => this.#read(kept));
	}

	/** The identifier of the next booking. */
	get nextID(): number {
		return this.#nextID;
	}

	/** Leaves identifiers unused that bookings had before `clear()`. */
	skipTo(nextID: number): void {
		this.#nextID = nextID;
	}

	/** Forgets everything. */
	clear(): void {
		this.#nextID = FIRST_BOOKING_ID;
		this.#kept.clear();
		this.#moving.clear();
		Object.assign(this.#lists, { A: [], B: [] });
	}

	#append(booking: Omit<Kept, 'id'>): Kept {
		const kept = { id: this.#nextID++, ...booking };
		this.#kept.set(kept.id, kept);
		this.#lists[kept.organisation].push(kept);
		this.#setStatus(kept, kept.status);
		return kept;
	}

	#setStatus(kept: Kept, status: number): void {
		kept.status = status;
		if (NEXT_STATUS.has(status)) this.#moving.add(kept);
		else this.#moving.delete(kept);
	}

	#known(bookingID: number | string): Kept {
		const kept = this.#kept.get(Number(bookingID));
		if (!kept) throw new Error(`There is no booking ${bookingID}`);
		return kept;
	}

	#read(kept: Kept): Booking {
		const { request = this.#generate(kept.id, kept.createdAt), changes } = kept;
		return Object.assign(this.#compose(kept, request), changes);
	}

	/** A record: the request, and what the service adds to it. Written out, since copying costs most of a page's time. */
	#compose({ id, status, createdAt, updatedAt }: Kept, request: BookingRequest): Booking {
		return {
			bookingID: id,
			bookingStatus: status,
			tractorPairedTo: UNPAIRED.has(status) ? null : request.tractorId,
			serviceDate: request.serviceDate,
			hectaresServiced: hectaresServiced(status, request),
			farmerName: request.farmerName,
			farmerPhone: request.farmerPhone,
			createdAt: new Date(createdAt).toISOString(),
			updatedAt: new Date(updatedAt).toISOString(),
			clusterID: FIRST_CLUSTER_ID + this.#townOf(request),
			tractorId: request.tractorId,
			serviceType: request.serviceType,
			landArea: request.landArea,
			areaType: request.areaType,
			gender: request.gender,
			latitude: request.latitude,
			longitude: request.longitude,
			farmLocation: request.farmLocation,
			farmNote: request.farmNote,
			crop: request.crop,
			crops: request.crops,
			custom_crop: request.custom_crop,
		};
	}

	/** Bookings of the tractors of a town are one cluster. */
	#townOf({ tractorId }: BookingRequest): number {
		return TOWNS.findIndex((town) => town === this.#tractors.get(tractorId)?.town);
	}

	/** The request of a booking that was not made over HTTP: the same for the same id. */
	#generate(id: number, createdAt: number): BookingRequest {
		const random = new Random(hash(id, SEED));
		const tractorIds = [...this.#tractors.keys()];
		const tractorId = tractorIds[random.integer(tractorIds.length)] ?? 0;
		const tractor = this.#tractors.get(tractorId);
		const town = tractor?.town ?? random.pick(TOWNS);
		const names = NAMES[town.country];
		const service = tractor?.services[random.integer(tractor.services.length)];
		const acres = random.next() < 0.3;
		return {
			tractorId,
			serviceType: service?.id ?? 3,
			serviceDate: new Date(createdAt + random.integer(30) * DAY).toISOString().slice(0, 10),
			landArea: Math.round((0.5 + random.next() * (acres ? 20 : 8)) * 10) / 10,
			areaType: acres ? 'ac' : 'ha',
			farmerName: `${random.pick(names.given)} ${random.pick(names.family)}`,
			farmerPhone: fictionalPhone(id, town.country),
			gender: random.integer(2),
			latitude: near(town.latitude, random),
			longitude: near(town.longitude, random),
			farmLocation: `${town.city}, ${town.state}`,
			farmNote: '',
			crop: random.pick(CROPS),
		};
	}
}

/** The field's area once the work is done, half of it while it goes on. */
function hectaresServiced(status: number, { landArea = 1, areaType }: BookingRequest): number {
	const part = DONE.has(status) ? 1 : AT_WORK.has(status) ? 0.5 : 0;
	const hectares = landArea * (areaType === 'ac' ? HECTARES_PER_ACRE : 1);
	return Math.round(part * hectares * 100) / 100;
}

/** A mobile number that nobody has: no operator serves its range. */
function fictionalPhone(id: number, country: 'Nigeria' | 'Kenya'): string {
	return country === 'Nigeria'
		? `+234709${String(id % 10_000_000).padStart(7, '0')}`
		: `+254749${String(id % 1_000_000).padStart(6, '0')}`;
}
