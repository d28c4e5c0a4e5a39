import type { IDataObject } from 'n8n-workflow';

import type { Watch } from '../../nodes/TractorBooking/trigger/changes';
import type { PollResult } from '../../nodes/TractorBooking/trigger/pollOnce';
import type { Source } from '../../nodes/TractorBooking/trigger/scan/budgetedReader';
import { pollOnce } from '../../nodes/TractorBooking/trigger/pollOnce';
import type { Settings } from '../../nodes/TractorBooking/trigger/settings';

export const ANY_CHANGE: Watch = { event: 'bookingStatusChanged', from: new Set(), to: new Set() };

/** Settings that watch every change of every booking. */
export function settings(changes: Partial<Settings> = {}): Settings {
	return {
		watch: ANY_CHANGE,
		skipFinished: false,
		emitExisting: false,
		pageSize: 100,
		account: 'account',
		watched: 'watched',
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

	/** One poll; the memory goes through JSON, as it does in n8n. */
	async poll(requests = Infinity): Promise<IDataObject[]> {
		const found = await this.look(requests);
		if (found.memory) this.memory = JSON.parse(JSON.stringify(found.memory)) as IDataObject;
		return found.events;
	}

	async look(requests = Infinity, restarted = false): Promise<PollResult> {
		const budget = { until: Infinity, requests, now: () => this.nowMs };
		return await pollOnce(this.source, this.settings, this.memory, budget, restarted);
	}
}

/** Events shortened to `booking: previous > new`. */
export function brief(events: IDataObject[]): string[] {
	return events.map(
		({ bookingID, previousStatus, bookingStatus }) =>
			`${JSON.stringify(bookingID)}: ${JSON.stringify(previousStatus)} > ${JSON.stringify(bookingStatus)}`,
	);
}
