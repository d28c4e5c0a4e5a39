import type { IDataObject } from 'n8n-workflow';

import type { BookingKey } from '../../nodes/TractorBooking/api/identifiers';
import type { Status } from '../../nodes/TractorBooking/trigger/bookings';
import { watchFor } from '../../nodes/TractorBooking/trigger/events';
import { pollOnce } from '../../nodes/TractorBooking/trigger/pollOnce';
import type { Budget, Source } from '../../nodes/TractorBooking/trigger/scan/reader';
import type { Settings } from '../../nodes/TractorBooking/trigger/settings';
import { scopeOf } from '../../nodes/TractorBooking/trigger/settings';

/** What a trigger watches, as a user sets it. */
export type Watched =
	| { event: 'newBooking' }
	| { event: 'bookingCompleted'; treatToCompletedAsCompleted: boolean }
	| { event: 'bookingOverdue'; overdueDays: number; treatToCompletedAsCompleted: boolean }
	| {
			event: 'bookingStatusChanged';
			from: ReadonlySet<Status | undefined>;
			to: ReadonlySet<Status>;
	  };

export const ANY_CHANGE: Watched = {
	event: 'bookingStatusChanged',
	from: new Set(),
	to: new Set(),
};

/** Settings of the trigger, and what they came from. */
export interface TestSettings extends Settings {
	watched: readonly Watched[];
}

/** What a test sets. */
export interface Chosen {
	watch?: Watched | readonly Watched[];
	chosen?: readonly BookingKey[];
	skipFinished?: boolean;
	emitExisting?: boolean;
	repeatsAfterRestart?: boolean;
	pageSize?: number;
	account?: string;
	key?: string;
}

/** Settings that watch every change of every booking, and emit again after a restart. */
export function settings({
	watch = ANY_CHANGE,
	account,
	key,
	...changes
}: Chosen = {}): TestSettings {
	const watched = [watch].flat();
	const fieldOf = (one: Watched) => (name: string) => {
		const value: unknown = Reflect.get(one, name);
		if (!(value instanceof Set)) return value;
		return [...(value as Set<unknown>)].map((status) => status ?? 'firstSeen');
	};
	const watches = watched.map((one) => {
		const field = fieldOf(one);
		const options = { treatToCompletedAsCompleted: field('treatToCompletedAsCompleted') === true };
		return watchFor(one.event, { field, options, timezone: 'UTC' });
	});
	return {
		watched,
		watches,
		identity: {
			account: account ?? 'account',
			key: key ?? 'key',
			scope: scopeOf(changes.chosen),
			events: watched.map(({ event }) => event),
		},
		timezone: 'UTC',
		skipFinished: false,
		emitExisting: false,
		repeatsAfterRestart: true,
		pageSize: 100,
		...changes,
	};
}

/** A trigger without n8n around it: polls again and again, with the state of the last poll. */
export class Watcher {
	memory?: IDataObject;

	/** The service's time, in milliseconds since 1970. */
	nowMs = Date.parse('2026-02-01T12:00:00Z');

	constructor(
		private readonly source: Source,
		public settings: Settings,
	) {}

	/** One poll, with the state of which the next one goes on. */
	async poll(requests = Infinity, restarted = false): Promise<IDataObject[]> {
		const { events, memory } = await this.pollOnce(requests, restarted);
		this.memory = memory;
		return events;
	}

	/** One poll of which nothing is kept, with the texts of its warnings. */
	async pollOnce(requests = Infinity, restarted = false) {
		const now = () => this.nowMs;
		const budget: Budget = { until: Infinity, requests, now };
		const { events, text, warnings } = await pollOnce(
			this.source,
			this.settings,
			this.memory,
			budget,
			restarted,
		);
		return { events, memory: { text }, warnings };
	}
}

/** Events shortened to `booking: previous > new`. */
export function brief(events: IDataObject[]): string[] {
	return events.map(
		({ bookingID, previousStatus, bookingStatus }) =>
			`${JSON.stringify(bookingID)}: ${JSON.stringify(previousStatus)} > ${JSON.stringify(bookingStatus)}`,
	);
}
