import type { BookingKey } from '../api/identifiers';
import { DAY_MS } from '../utils/time';
import type { Emitted } from './state';
import type { Change } from './toEvent';

/** Events that are remembered. */
const MAX_EMITTED = 1_000;

/** Events of polls within this time before a restart of n8n are emitted again. */
const REPEATED_MS = 15 * 60_000;

/** The last events, which may have to be emitted again after a restart. Empty without the option. */
export class Repeats {
	private entries: Emitted[];

	/** @param isFirstSinceStart whether this is the first poll since n8n started */
	constructor(
		stored: Emitted[],
		private readonly isOn: boolean,
		private readonly nowMs: number,
		isFirstSinceStart: boolean,
	) {
		const isOver = ({ atMs, isDue }: Emitted) => nowMs - atMs > (isDue ? DAY_MS : REPEATED_MS);
		this.entries = (isOn ? stored : [])
			.filter((entry) => !isOver(entry))
			.map((entry) => (isFirstSinceStart ? { ...entry, isDue: true } : entry));
	}

	/** The bookings whose events are to be emitted again. */
	get dueKeys(): BookingKey[] {
		return this.entries.filter(({ isDue }) => isDue).map(({ key }) => key);
	}

	/** Takes the events of a booking that are to be emitted again: it was met, and they have had their turn. */
	take(key: BookingKey): Emitted[] {
		const isTaken = (entry: Emitted) => entry.isDue === true && entry.key === key;
		const taken = this.entries.filter(isTaken);
		if (taken.length > 0) this.entries = this.entries.filter((entry) => !isTaken(entry));
		return taken;
	}

	/** Notes that events are emitted; of each event of a booking, the last one may have to be emitted again. */
	note(changes: Change[]): void {
		if (!this.isOn) return;
		const nameOf = (key: BookingKey, event: string) => JSON.stringify([key, event]);
		const names = new Set(changes.map(({ key, watch }) => nameOf(key, watch.event)));
		this.entries = [
			...this.entries.filter(({ key, event }) => !names.has(nameOf(key, event))),
			...changes.map(({ key, watch: { event }, id, previous }): Emitted => ({
				key,
				event,
				id,
				previous,
				atMs: this.nowMs,
			})),
		];
	}

	toStored(): Emitted[] {
		return this.entries.slice(-MAX_EMITTED);
	}
}
