import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../nodes/TractorBooking/api/errors';
import type { BookingId } from '../../nodes/TractorBooking/api/records';
import { unwrapPage, type Page } from '../../nodes/TractorBooking/api/pages/fetch';
import type { Source } from '../../nodes/TractorBooking/trigger/scan/reader';

/** Date of bookings that are added: after the first poll of the tests. */
const NEW = '2026-02-01T12:01:00Z';

export interface ListStyle {
	first?: 0 | 1;
	/** Largest page; larger ones are cut to it. */
	cap?: number;
	/** Whether pages begin where uncut ones would, so that what was cut off is on no page of that size. */
	capLeavesGaps?: boolean;
	/** What the responses say about further pages: nothing, whether there are more, that and a count, or null and a count. */
	says?: 'nothing' | 'more' | 'count' | 'null';
	/** The count that it gives instead of the true one; like the true one, of no use if a page contradicts it. */
	count?: number;
	/** The response beyond the end: an empty page, no page, or the last page again. */
	beyondEnd?: 'empty' | 'absent' | 'again';
	/** Date that records show unless they were changed; weeks before the first poll of the tests by default. */
	made?: string;
}

/** Null in the place of a list: there is no such page. */
export const NO_PAGE = new ServiceError('notFound', 'No list');

type Fault = ServiceError | Page | 'absent' | undefined;

/** A list of bookings that lives in this process, so that a test can read millions of them in seconds. */
export class BookingList implements Source {
	requests = 0;

	/** Called before the response to each request; may change the list, or throw. */
	beforeRequest: () => void | Promise<void> = () => undefined;

	fault: (page: number, found: Page | undefined) => Fault = () => undefined;

	failure: (key: BookingId) => ServiceError | undefined = () => undefined;

	readonly serviceDates = new Map<BookingId, string>();
	private readonly statuses = new Map<BookingId, unknown>();
	private readonly touched = new Map<BookingId, string>();
	private readonly made = new Map<BookingId, string>();

	constructor(
		private readonly style: ListStyle = {},
		public order: BookingId[] = [],
	) {}

	get(key: BookingId): unknown {
		return this.statuses.get(key);
	}

	/** Sets a status; one that was not there is new, unless a date is given; a booking that is not in the list is added at its front or its end. */
	set(
		key: BookingId,
		status: unknown,
		place: 'front' | 'end' = 'front',
		updatedAt?: string,
		createdAt = NEW,
	): void {
		if (!this.statuses.has(key)) {
			if (place === 'front') this.order.unshift(key);
			else this.order.push(key);
			this.touched.set(key, NEW);
			if (!this.made.has(key)) this.made.set(key, createdAt);
		}
		this.statuses.set(key, status);
		if (updatedAt) this.touched.set(key, updatedAt);
	}

	fill(keys: BookingId[], status: (key: BookingId) => unknown): void {
		this.order = keys;
		this.statuses.clear();
		for (const key of keys) this.statuses.set(key, status(key));
	}

	delete(key: BookingId): void {
		this.statuses.delete(key);
		this.order = this.order.filter((other) => other !== key);
	}

	readonly readPage = async (page: number, size: number): Promise<Page> => {
		this.requests += 1;
		await this.beforeRequest();
		const found = this.pageAt(page - (this.style.first ?? 1), size);
		const fault = this.fault(page, found);
		if (fault instanceof ServiceError) throw fault;
		const given = fault ?? found;
		if (!given || given === 'absent') throw NO_PAGE;
		return given;
	};

	readonly readBooking = async (key: BookingId): Promise<IDataObject> => {
		this.requests += 1;
		await this.beforeRequest();
		const failure = this.failure(key);
		if (failure) throw failure;
		if (!this.statuses.has(key)) throw unknown(key);
		return this.record(key);
	};

	pageAt(place: number, size: number): Page | undefined {
		const {
			cap = Infinity,
			capLeavesGaps,
			says = 'count',
			count,
			beyondEnd = 'empty',
		} = this.style;
		if (place < 0) return undefined;
		const length = Math.min(size, cap);
		let from = place * (capLeavesGaps ? size : length);
		if (from >= this.order.length && from > 0) {
			if (beyondEnd === 'absent') return undefined;
			if (beyondEnd === 'again') from = Math.floor((this.order.length - 1) / length) * length;
		}
		const hasNext = beyondEnd === 'again' || from + length < this.order.length;
		const results = this.order.slice(from, from + length).map((key) => this.record(key));
		const body = {
			results,
			...(says === 'nothing' ? {} : { next: hasNext && says !== 'null' ? 'more' : null }),
			...(says === 'count' || says === 'null' ? { count: count ?? this.order.length } : {}),
		};
		return unwrapPage(body, 'bookings');
	}

	private record(key: BookingId): IDataObject {
		const { made = '2026-01-15T08:00:00Z' } = this.style;
		return {
			bookingID: key,
			bookingStatus: this.statuses.get(key) as IDataObject[string],
			createdAt: this.made.get(key) ?? made,
			updatedAt: this.touched.get(key) ?? made,
			serviceDate: this.serviceDates.get(key),
		};
	}
}

/** A list of the IDs 1 to `count`; the newest come first. */
export function listOf(
	count: number,
	status: number | ((id: number) => number) = 6,
	style: ListStyle = {},
	order: 'newest' | 'oldest' = 'newest',
): BookingList {
	const list = new BookingList(style);
	const ids = Array.from({ length: count }, (_, at) => (order === 'oldest' ? at + 1 : count - at));
	list.fill(ids, (id) => (typeof status === 'number' ? status : status(Number(id))));
	return list;
}

export function unknown(key: BookingId): ServiceError {
	return new ServiceError('notFound', `Booking ${key} is unknown`, { status: 404 });
}
