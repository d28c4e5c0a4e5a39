import type { BookingId } from '../../nodes/TractorBooking/api/records';
import { BookingList, type ListStyle } from './bookingList.cts';

const DAY_MS = 86_400_000;

export type Sorting = 'newest' | 'oldest' | 'updated' | 'none';

interface Spell {
	status: number;
	from: number;
	to: number;
}

/** A service whose bookings change, and that remembers when each had which status. */
export class World {
	readonly list: BookingList;
	private readonly spells = new Map<BookingId, Spell[]>();
	private readonly hidden = new Map<BookingId, number>();

	/** Tick of the last time that bookings may have slipped past a reader of pages. */
	private stirred = 0;
	private readonly dates = new Map<BookingId, string>();
	badPage?: number;

	/** How every third request for a single booking fails for a while. */
	badBookings?: 'server' | 'notFound';
	nowMs = 0;
	private nextId = 1;
	tick = 0;
	private readonly times: number[] = [];

	constructor(
		style: ListStyle,
		private readonly sorting: Sorting,
	) {
		this.list = new BookingList(style);
	}

	msAt(tick: number): number {
		return this.times[tick] ?? -Infinity;
	}

	/** Whether no booking can have slipped past a reader of pages since a tick. */
	isCalmSince(tick: number): boolean {
		return this.stirred <= tick;
	}

	keys(): BookingId[] {
		return this.list.order;
	}

	everyKey(): Iterable<BookingId> {
		return this.spells.keys();
	}

	statusOf(key: BookingId): number {
		return this.list.get(key) as number;
	}

	/** The statuses that a booking had in turn since a tick, the one that it had then included. */
	statusesSince(key: BookingId, tick: number): number[] {
		return this.spellsOf(key).flatMap(({ to, status }) => (to > tick ? [status] : []));
	}

	lastEntered(key: BookingId, status: unknown): number | undefined {
		return this.spellsOf(key).findLast((spell) => spell.status === status)?.from;
	}

	serviceDay(key: BookingId): number {
		return Date.parse(this.list.serviceDates.get(key) ?? '') / DAY_MS;
	}

	existedAt(key: BookingId, tick: number): boolean {
		return this.spellsOf(key).some(({ from, to }) => from <= tick && to > tick);
	}

	had(key: BookingId, status: unknown, tick: number): boolean {
		return this.spellsOf(key).some((spell) => spell.status === status && spell.from <= tick);
	}

	private spellsOf(key: BookingId): readonly Spell[] {
		return this.spells.get(key) ?? [];
	}

	create(status: number): void {
		const id = this.nextId++;
		const key = id % 3 === 0 ? textId(id) : id;
		this.note(key, status);
		// The day before, the same day, or the day after.
		const serviceMs = this.nowMs + ((id % 3) - 1) * DAY_MS;
		this.list.serviceDates.set(key, new Date(serviceMs).toISOString().slice(0, 10));
		this.place(key, status, id);
	}

	change(choice: number, status: number): void {
		const key = this.pick(choice);
		if (key === undefined || this.statusOf(key) === status) return;
		this.note(key, status);
		this.update(key, status);
	}

	touch(choice: number): void {
		const key = this.pick(choice);
		if (key === undefined) return;
		this.beginTick();
		this.date(key);
		this.update(key, this.statusOf(key));
	}

	private update(key: BookingId, status: number): void {
		this.list.set(key, status, 'front', this.dates.get(key));
		if (this.sorting !== 'updated') return;
		this.list.order = [key, ...this.keys().filter((other) => other !== key)];
		this.stir();
	}

	delete(choice: number): void {
		const key = this.pick(choice);
		if (key === undefined) return;
		this.list.delete(key);
		this.note(key, undefined);
		this.stir();
	}

	hide(choice: number): void {
		const key = this.pick(choice);
		if (key === undefined) return;
		this.hidden.set(key, this.statusOf(key));
		this.list.delete(key);
		this.stir();
	}

	showAll(): void {
		for (const [key, status] of this.hidden)
			this.place(key, status, Number(String(key).replace(/\D/g, '')));
		this.hidden.clear();
		this.stir();
	}

	cutTo(length: number): void {
		while (this.keys().length > length) this.hide(this.keys().length - 1);
	}

	reorder(choice: number): void {
		const keys = this.keys();
		const at = choice % Math.max(keys.length, 1);
		this.list.order = [...keys.slice(at), ...keys.slice(0, at)];
		this.stir();
	}

	private pick(choice: number): BookingId | undefined {
		return this.keys()[choice % Math.max(this.keys().length, 1)];
	}

	private place(key: BookingId, status: number, id: number): void {
		const place = this.sorting === 'oldest' ? 'end' : 'front';
		const date = this.dates.get(key);
		this.list.set(key, status, place, date, date);
		if (this.sorting === 'none') this.reorder(id * 7);
	}

	stir(): void {
		this.beginTick();
		this.stirred = this.tick;
	}

	private beginTick(): void {
		this.tick += 1;
		// No two things happen in one millisecond: their dates tell them apart.
		this.nowMs += 1;
		this.times[this.tick] = this.nowMs;
	}

	private note(key: BookingId, status: number | undefined): void {
		this.beginTick();
		const spells = this.spells.get(key) ?? [];
		const last = spells.at(-1);
		if (last) last.to = this.tick;
		if (status !== undefined) spells.push({ status, from: this.tick, to: Infinity });
		this.spells.set(key, spells);
		this.date(key);
	}

	private date(key: BookingId): void {
		this.dates.set(key, new Date(this.nowMs).toISOString());
	}
}

function textId(id: number): string {
	return id === 3 ? '__proto__' : `b-${id}`;
}
