import type { BookingKey, Status } from './bookings';

/** Events of polls within this time before a restart of n8n are emitted again. */
const REPLAY_WINDOW_MS = 15 * 60_000;

/**
 * The last event of a booking. n8n saves the state and starts the workflow in two steps, and does not resume a workflow
 * after a crash, so it may never have reached the workflow, or not its end.
 */
export interface Emitted {
	key: BookingKey;
	status: Status;
	/** Undefined if the booking was seen for the first time. */
	previous?: Status;
	/** Instant of the poll, in milliseconds. */
	atMs: number;
	/** Whether it is to be emitted again, as soon as the booking is seen. */
	isDue?: boolean;
}

/** The events of the last minutes, by their bookings. */
export class RecentEvents {
	private readonly events: Map<BookingKey, Emitted>;

	constructor(
		events: readonly Emitted[],
		private readonly nowMs: number,
	) {
		const kept = events.filter(
			({ atMs, isDue }) => isDue === true || nowMs - atMs <= REPLAY_WINDOW_MS,
		);
		this.events = new Map(kept.map((event) => [event.key, event]));
	}

	/** n8n was restarted: these events are emitted again, or never. */
	restart(isRepeated: boolean): void {
		for (const event of this.events.values()) {
			if (isRepeated) event.isDue = true;
			else if (!event.isDue) this.events.delete(event.key);
		}
	}

	/** The event of a booking that is to be emitted again. */
	due(key: BookingKey): Emitted | undefined {
		const event = this.events.get(key);
		return event?.isDue ? event : undefined;
	}

	/** The bookings whose events are to be emitted again. */
	dueKeys(): BookingKey[] {
		return this.all().flatMap(({ key, isDue }) => (isDue ? [key] : []));
	}

	/** Notes what becomes of a booking that was seen: an event that is emitted now, or none that is due any more. */
	note(key: BookingKey, event: Pick<Emitted, 'status' | 'previous'> | undefined): void {
		if (event) {
			const { status, previous } = event;
			this.events.set(key, { key, status, previous, atMs: this.nowMs });
		} else if (this.due(key)) this.events.delete(key);
	}

	/** What the next poll has to know. */
	all(): Emitted[] {
		return [...this.events.values()];
	}
}
