import { Type, type Static } from '@sinclair/typebox';
import { COMPLETED, TO_COMPLETED } from '../nodes/TractorBooking/api/status';
import { hash, Random, SEED } from './random';
import { CROPS, NAMES, TOWNS } from './seedData';
import { near, type Tractor } from './tractors';

export type Organisation = 'A' | 'B';

/** Body of a booking (interface, "Booking create request"). Which fields are required is not documented: a setting. */
export const BookingBody = Type.Object({
	tractorId: Type.Optional(Type.Integer()),
	serviceType: Type.Optional(Type.Integer()),
	serviceDate: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
	landArea: Type.Optional(Type.Number({ minimum: 0 })),
	areaType: Type.Optional(Type.Unsafe<'ha' | 'ac'>({ enum: ['ha', 'ac'] })),
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
export type BookingRequest = Static<typeof BookingBody> & {
	tractorId: number;
	serviceType: number;
	/** YYYY-MM-DD. */
	serviceDate: string;
};

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
export interface BatchOptions {
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

/** Statuses of a hundred seeded bookings. */
const STATUS_SHARES: ReadonlyArray<readonly [status: number, share: number]> = [
	[3, 45],
	[0, 10],
	[1, 8],
	[2, 10],
	[6, 7],
	[4, 6],
	[20, 5],
	[5, 3],
	[7, 3],
	[10, 3],
];

const FIRST_BOOKING_ID = 100_001;
const FIRST_CLUSTER_ID = 1_001;
const CODE = { A: 1, B: 2 } as const;
const DAY = 86_400_000;
const HECTARES_PER_ACRE = 0.404686;

/**
 * The bookings of both organisations. Made for a million: a booking that was not created over HTTP is
 * computed from its id whenever it is read, and only its status, its times and what was changed are kept.
 */
export class Bookings {
	readonly #now: () => number;
	readonly #tractors: ReadonlyMap<number, Tractor>;

	// Columns, by bookingID - FIRST_BOOKING_ID. An organisation of 0 is a booking that does not exist.
	#organisation = new Uint8Array(1024);
	#status = new Int32Array(1024);
	#createdAt = new Float64Array(1024);
	#updatedAt = new Float64Array(1024);
	#end = 0;

	/** Bodies of the bookings created over HTTP. */
	readonly #requests = new Map<number, BookingRequest>();
	/** Fields changed by `update`. */
	readonly #changes = new Map<number, Record<string, unknown>>();
	/** Ids of the bookings that exist, the oldest first. */
	readonly #ids: Record<Organisation, number[]> = { A: [], B: [] };
	readonly #moving = new Set<number>();

	constructor(now: () => number, tractors: ReadonlyMap<number, Tractor>) {
		this.#now = now;
		this.#tractors = tractors;
	}

	/** Adds so many believable bookings, created over the last weeks; returns the first one's id. */
	addMany(count: number, { organisation = 'A', status }: BatchOptions = {}): number {
		const now = this.#now();
		const first = FIRST_BOOKING_ID + this.#end;
		const span = Math.min(60 * DAY, count * 0.2 * DAY);
		for (let index = 0; index < count; index++) {
			const id = first + index;
			const code =
				typeof status === 'function' ? status(index) : (status ?? this.#believableStatus(id));
			const createdAt = Math.floor(now - (span * (count - index)) / count);
			const age = NEXT_STATUS.has(code) ? 0.8 : 0.5;
			const updatedAt = Math.floor(createdAt + (now - createdAt) * age * (hash(id, 77) / 2 ** 32));
			this.#append(organisation, code, createdAt, updatedAt);
		}
		return first;
	}

	/** Adds one booking as a caller made it, with status new. */
	create(organisation: Organisation, request: BookingRequest): Booking {
		const now = this.#now();
		const id = this.#append(organisation, 0, now, now);
		this.#requests.set(id, request);
		return this.#read(id);
	}

	/** The booking with this id, as a number or as text; ids changed by `update` are found too. */
	get(bookingID: number | string): Booking | undefined {
		const id = this.#resolve(bookingID);
		return id === undefined ? undefined : this.#read(id);
	}

	organisationOf(bookingID: number | string): Organisation | undefined {
		const id = this.#resolve(bookingID);
		return id === undefined ? undefined : this.#organisationAt(id);
	}

	/**
	 * Changes any fields, also to values of the wrong type, for tests of hostile responses. Sets `updatedAt`
	 * to now unless it is given.
	 */
	update(bookingID: number | string, change: Record<string, unknown>): Booking {
		const id = this.#known(bookingID);
		const { bookingStatus, updatedAt, ...rest } = change;
		const changes = { ...this.#changes.get(id), ...rest };
		if (Number.isInteger(bookingStatus)) {
			delete changes.bookingStatus;
			this.#setStatus(id, Number(bookingStatus));
		} else if (bookingStatus !== undefined) {
			changes.bookingStatus = bookingStatus;
		}
		this.#updatedAt[id - FIRST_BOOKING_ID] =
			typeof updatedAt === 'string' ? Date.parse(updatedAt) : this.#now();
		if (Object.keys(changes).length > 0) this.#changes.set(id, changes);
		return this.#read(id);
	}

	/** The status to which `advance` would move a booking; undefined for a settled one. */
	nextStatus(bookingID: number | string): number | undefined {
		return NEXT_STATUS.get(this.#status[this.#known(bookingID) - FIRST_BOOKING_ID] ?? NaN);
	}

	/** Moves a booking to a status, by default one step on a believable path; a settled one stays. */
	advance(bookingID: number | string, status?: number): Booking {
		const id = this.#known(bookingID);
		const next = status ?? this.nextStatus(id);
		return next === undefined ? this.#read(id) : this.update(id, { bookingStatus: next });
	}

	delete(bookingID: number | string): void {
		const id = this.#known(bookingID);
		const ids = this.#ids[this.#organisationAt(id) ?? 'A'];
		ids.splice(ids.indexOf(id), 1);
		this.#organisation[id - FIRST_BOOKING_ID] = 0;
		this.#requests.delete(id);
		this.#changes.delete(id);
		this.#moving.delete(id);
	}

	count(organisation: Organisation): number {
		return this.#ids[organisation].length;
	}

	/** Ids, the oldest first. */
	ids(organisation: Organisation): number[] {
		return [...this.#ids[organisation]];
	}

	/** Ids of an organisation's bookings that are not settled. */
	moving(organisation: Organisation = 'A'): number[] {
		return [...this.#moving].filter((id) => this.#organisationAt(id) === organisation);
	}

	/** A page of an organisation's bookings, the newest first. */
	page(organisation: Organisation, offset: number, size: number): Booking[] {
		const ids = this.#ids[organisation];
		const end = Math.max(0, ids.length - offset);
		const page = ids.slice(Math.max(0, end - size), end).reverse();
		return page.map((id) => this.#read(id));
	}

	/** The identifier of the next booking. */
	get nextID(): number {
		return FIRST_BOOKING_ID + this.#end;
	}

	/** Leaves identifiers unused that bookings had before `clear()`. */
	skipTo(nextID: number): void {
		this.#end = nextID - FIRST_BOOKING_ID;
	}

	/** Forgets everything. */
	clear(): void {
		this.#organisation.fill(0);
		this.#end = 0;
		this.#requests.clear();
		this.#changes.clear();
		this.#moving.clear();
		this.#ids.A = [];
		this.#ids.B = [];
	}

	#append(
		organisation: Organisation,
		status: number,
		createdAt: number,
		updatedAt: number,
	): number {
		const index = this.#end++;
		if (index >= this.#organisation.length) this.#grow();
		const id = FIRST_BOOKING_ID + index;
		this.#organisation[index] = CODE[organisation];
		this.#createdAt[index] = createdAt;
		this.#updatedAt[index] = updatedAt;
		this.#ids[organisation].push(id);
		this.#setStatus(id, status);
		return id;
	}

	#grow(): void {
		const capacity = 2 * this.#organisation.length;
		const copy = <T extends Uint8Array | Int32Array | Float64Array>(larger: T, column: T): T => {
			larger.set(column);
			return larger;
		};
		this.#organisation = copy(new Uint8Array(capacity), this.#organisation);
		this.#status = copy(new Int32Array(capacity), this.#status);
		this.#createdAt = copy(new Float64Array(capacity), this.#createdAt);
		this.#updatedAt = copy(new Float64Array(capacity), this.#updatedAt);
	}

	#setStatus(id: number, status: number): void {
		this.#status[id - FIRST_BOOKING_ID] = status;
		if (NEXT_STATUS.has(status)) this.#moving.add(id);
		else this.#moving.delete(id);
	}

	#resolve(bookingID: number | string): number | undefined {
		const id = Number(bookingID);
		if (this.#organisationAt(id)) return id;
		for (const [changed, change] of this.#changes) {
			if (String(change.bookingID) === String(bookingID)) return changed;
		}
		return undefined;
	}

	#known(bookingID: number | string): number {
		const id = this.#resolve(bookingID);
		if (id === undefined) throw new Error(`There is no booking ${bookingID}`);
		return id;
	}

	#organisationAt(id: number): Organisation | undefined {
		const code = this.#organisation[id - FIRST_BOOKING_ID];
		return code === CODE.A ? 'A' : code === CODE.B ? 'B' : undefined;
	}

	#read(id: number): Booking {
		const index = id - FIRST_BOOKING_ID;
		const createdAt = this.#createdAt[index] ?? 0;
		const booking = this.#compose(
			id,
			this.#status[index] ?? 0,
			new Date(createdAt).toISOString(),
			new Date(this.#updatedAt[index] ?? 0).toISOString(),
			this.#requests.get(id) ?? this.#generate(id, createdAt),
		);
		return Object.assign(booking, this.#changes.get(id));
	}

	/** A record: the request, and what the service adds to it. Written out, since copying costs most of a page's time. */
	#compose(
		id: number,
		status: number,
		createdAt: string,
		updatedAt: string,
		request: BookingRequest,
	): Booking {
		return {
			bookingID: id,
			bookingStatus: status,
			tractorPairedTo: UNPAIRED.has(status) ? null : request.tractorId,
			serviceDate: request.serviceDate,
			hectaresServiced: hectaresServiced(status, request),
			farmerName: request.farmerName,
			farmerPhone: request.farmerPhone,
			createdAt,
			updatedAt,
			clusterID: this.#cluster(request),
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

	/** Bookings around the same town are one cluster. */
	#cluster(request: BookingRequest): number {
		const tractor = this.#tractors.get(request.tractorId);
		const { latitude = 0, longitude = 0 } = { ...tractor, ...request };
		let nearest = 0;
		let least = Infinity;
		TOWNS.forEach((town, index) => {
			// Near the equator a degree is as long in both directions; only the order counts here.
			const distance = (town.latitude - latitude) ** 2 + (town.longitude - longitude) ** 2;
			if (distance < least) [nearest, least] = [index, distance];
		});
		return FIRST_CLUSTER_ID + nearest;
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

	#believableStatus(id: number): number {
		let rest = hash(id, SEED + 1) % 100;
		for (const [status, share] of STATUS_SHARES) {
			if (rest < share) return status;
			rest -= share;
		}
		return COMPLETED;
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
