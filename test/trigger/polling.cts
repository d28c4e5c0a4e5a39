import type { IDataObject } from 'n8n-workflow';

import { watchFor, type EventName } from '../../nodes/TractorBooking/trigger/events';
import type { Source } from '../../nodes/TractorBooking/trigger/scan/reader';
import { pollScheduled, type PollRegistry } from '../../nodes/TractorBooking/trigger/scheduledPoll';
import type { Settings } from '../../nodes/TractorBooking/trigger/settings';
import { asText } from '../../nodes/TractorBooking/utils/text';

export const START = Date.parse('2026-02-01T12:00:00Z');

/** An event that a trigger watches, with the fields and options that it depends on. */
export interface Watched {
	event: EventName;
	from?: readonly number[];
	to?: readonly number[];
	overdueDays?: number;
	treatToCompletedAsCompleted?: boolean;
}

export const ANY_CHANGE: Watched = { event: 'bookingStatusChanged' };

export interface TestSettings extends Settings {
	watched: readonly Watched[];
}

export interface Chosen {
	watch?: Watched | readonly Watched[];
	repeatsAfterRestart?: boolean;
	pageSize?: number;
	account?: string;
	key?: string;
}

/** Settings that watch every change of every booking, and emit again after a restart. */
export function settings({
	watch = ANY_CHANGE,
	account = 'account',
	key = 'key',
	...changes
}: Chosen = {}): TestSettings {
	const watched = [watch].flat();
	return {
		watched,
		watches: watched.map(({ event, treatToCompletedAsCompleted, ...set }) => {
			const fields = set as IDataObject;
			return watchFor(event, {
				field: (name) => fields[name],
				countsToCompleted: treatToCompletedAsCompleted === true,
				timezone: 'UTC',
			});
		}),
		identity: { account, key },
		isSimplified: true,
		timezone: 'UTC',
		repeatsAfterRestart: true,
		pageSize: 100,
		...changes,
	};
}

export class Watcher {
	kept: IDataObject = {};
	nowMs = START;
	pollMs = Infinity;
	warnings: string[] = [];
	private registry: PollRegistry = new Map();

	constructor(
		private readonly source: Source,
		private chosen: Chosen = {},
	) {}

	republish(changes: Chosen): void {
		this.chosen = { ...this.chosen, ...changes };
	}

	async poll(requests = Infinity): Promise<IDataObject[]> {
		this.warnings = [];
		const events = await pollScheduled(this.registry, {
			id: 'trigger',
			staticData: this.kept,
			source: this.source,
			settings: settings(this.chosen),
			budget: {
				until: this.nowMs + this.pollMs,
				requests,
				now: () => this.nowMs,
			},
			logger: { debug: () => undefined, warn: (text) => void this.warnings.push(text) },
		});
		if (!events) throw new Error('The poll was left out');
		// No two polls of one trigger begin in the same millisecond.
		this.nowMs += 1;
		return events;
	}

	async changes(requests?: number): Promise<string[]> {
		return brief(await this.poll(requests));
	}

	async changesOf(polls: number, requests?: number): Promise<string[]> {
		const events: string[] = [];
		for (let poll = 0; poll < polls; poll++) events.push(...(await this.changes(requests)));
		return events;
	}

	restart(): void {
		this.registry = new Map();
	}

	get text(): string {
		return asText((this.kept.memory as IDataObject | undefined)?.text);
	}
}

/** A trigger after its first polls, which only note what there is. */
export async function published(source: Source, chosen: Chosen = {}, polls = 1): Promise<Watcher> {
	const watcher = new Watcher(source, chosen);
	expect(await watcher.changesOf(polls)).toEqual([]);
	return watcher;
}

export function idsOf(events: IDataObject[]): unknown[] {
	return events.map(({ eventId }) => eventId);
}

/** Events shortened to `booking: previous > new`. */
export function brief(events: IDataObject[]): string[] {
	return events.map(
		({ bookingID, previousStatus, bookingStatus }) =>
			`${JSON.stringify(bookingID)}: ${JSON.stringify(previousStatus)} > ${JSON.stringify(bookingStatus)}`,
	);
}
