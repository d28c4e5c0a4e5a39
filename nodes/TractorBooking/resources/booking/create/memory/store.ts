import type { DeduplicationScope, IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../../../api/client';
import { monotonicNow, Mutex, pause } from '../../../../api/waits';
import { memoize } from '../../../../utils/memoize';
import { notRemembered } from '../row/sentences';
import { QUICK_MS, REPAIR_MS } from './timing';

/** n8n's deduplication store, in its database: what Remove Duplicates is built on. Older hosts have none. */
export type Helpers = Pick<
	IExecuteFunctions['helpers'],
	'checkProcessedAndRecord' | 'removeProcessed'
>;

/** What n8n gives a workflow for an ID that was never saved. */
const UNSAVED = '__EMPTY__';

/** Entries that n8n keeps in a row of its table, and the process for an account; the oldest are dropped. */
const MAX_ENTRIES = 42_000;

/** Entries that are looked up at once: n8n takes up to half a millisecond to remove each, and does nothing else meanwhile. */
const MAX_LOOKED = 250;

/** How often a look removes what it has recorded: a call of another worker that overlaps a removal may write it back. */
const REMOVALS = 3;

/** What a process itself remembers of one account: the same entries, for hosts without a store, and for other workflows. */
class ProcessMemory {
	readonly entries = new Set<string>();

	/** For n8n's store, which is read and then written. */
	readonly oneAtATime = new Mutex();

	/** For looks: one would take what another has recorded, and not removed yet, for a fact. */
	readonly oneLookAtATime = new Mutex();

	/** When a slow call ended last, as `monotonicNow()` gives it. */
	slowAt = -Infinity;

	/** Adds entries, the latest at the end. */
	add(entries: Iterable<string>): void {
		for (const entry of entries) {
			this.entries.delete(entry);
			this.entries.add(entry);
		}
		for (const oldest of this.entries) {
			if (this.entries.size <= MAX_ENTRIES) break;
			this.entries.delete(oldest);
		}
	}
}

/** What a process remembers, by scope and account. */
const processMemories: Record<DeduplicationScope, (account: object) => ProcessMemory> = {
	node: memoize(() => new ProcessMemory()),
	workflow: memoize(() => new ProcessMemory()),
};

/**
 * Entries that outlive a run: in a row of n8n's store, which other workers share, and in the process.
 *
 * n8n reads its store and then writes it whole, without a lock, and it cannot look without recording. So each call says
 * how long it took: a quick one cannot have overwritten what was there a second before.
 */
export class Store {
	/** As `monotonicNow()` gives it. */
	private readonly startedAt = monotonicNow();

	private readonly process: ProcessMemory;

	/**
	 * @param scope whose row it is: what is written to one cannot overwrite the other
	 * @param helpers undefined if n8n has no store for this node: then the process alone remembers
	 */
	constructor(
		private readonly client: ServiceClient,
		private readonly scope: DeduplicationScope,
		private readonly helpers: Helpers | undefined,
	) {
		this.process = processMemories[scope](client.account);
	}

	/** Whether other workers see what is recorded. */
	get isShared(): boolean {
		return this.helpers !== undefined;
	}

	/** Whether this process has recorded an entry. */
	has(entry: string): boolean {
		return this.process.entries.has(entry);
	}

	/**
	 * Records entries.
	 *
	 * @returns those that were recorded before
	 * @throws ServiceError
	 */
	async record(entries: Iterable<string>): Promise<Set<string>> {
		// n8n calls the same entry new twice, and stores it twice.
		const unique = [...new Set(entries)];
		const known = await this.check(unique);
		this.process.add(unique);
		return known;
	}

	/** Lets the process remember entries, also if n8n cannot record them. */
	remember(entries: Iterable<string>): void {
		this.process.add(entries);
	}

	/** Which of the entries were recorded; what is only looked up is removed at once. @throws ServiceError */
	async look(entries: Iterable<string>): Promise<Set<string>> {
		const unique = [...new Set(entries)];
		const found = new Set(unique.filter((entry) => this.has(entry)));
		// What the process knows is not recorded again: n8n may have lost what belongs to it.
		const unknown = unique.filter((entry) => !found.has(entry));
		for (let at = 0; at < unknown.length; at += MAX_LOOKED) {
			const part = unknown.slice(at, at + MAX_LOOKED);
			await this.process.oneLookAtATime.runExclusive(async () => {
				const known = await this.check(part);
				for (const entry of known) found.add(entry);
				const recorded = part.filter((entry) => !known.has(entry));
				for (let times = 0; times < REMOVALS; times++) await this.removeFromHost(recorded);
			});
		}
		return found;
	}

	/** Removes entries. @throws ServiceError */
	async remove(entries: Iterable<string>): Promise<void> {
		const unique = [...new Set(entries)];
		this.forget(unique);
		await this.removeFromHost(unique);
	}

	/** Lets the process forget entries, which n8n has lost. */
	forget(entries: Iterable<string>): void {
		for (const entry of entries) this.process.entries.delete(entry);
	}

	/** Whether a call of this process was so slow, during this run or right before, that other runs may have come and gone unseen. */
	get wasSlow(): boolean {
		return this.process.slowAt + REPAIR_MS >= this.startedAt;
	}

	/** Whether a call of this process was slow after a time, as `monotonicNow()` gives it. */
	wasSlowSince(begun: number): boolean {
		return this.process.slowAt > begun;
	}

	/**
	 * Waits until what a slow call of this process may have overwritten is in the list, or has been recorded again.
	 *
	 * @throws ServiceError if a tool has no time for that
	 */
	async repaired(): Promise<void> {
		const left = this.process.slowAt + REPAIR_MS - monotonicNow();
		if (left <= 0) return;
		if (!this.client.hasTimeFor(left)) throw notRemembered();
		await pause(left, undefined);
	}

	/** Records entries in n8n's store. @returns those that it or the process had */
	private async check(entries: readonly string[]): Promise<Set<string>> {
		const known = new Set(entries.filter((entry) => this.has(entry)));
		await this.use(entries, async (helpers) => {
			const options = { mode: 'entries', maxEntries: MAX_ENTRIES } as const;
			const record = async () =>
				await helpers.checkProcessedAndRecord([...entries], this.scope, options);
			// Two workers may make the first entries at the same time: then one of them fails.
			const { processed } = await record().catch(record);
			for (const entry of processed) known.add(String(entry));
		});
		return known;
	}

	private async removeFromHost(entries: readonly string[]): Promise<void> {
		await this.use(entries, async (helpers) => {
			await helpers.removeProcessed([...entries], this.scope, { mode: 'entries' });
		});
	}

	private async use(
		entries: readonly string[],
		call: (helpers: Helpers) => Promise<void>,
	): Promise<void> {
		const { helpers, process } = this;
		if (!helpers || entries.length === 0) return;
		await process.oneAtATime.runExclusive(async () => {
			const begun = monotonicNow();
			await call(helpers).catch((thrown: unknown) => {
				throw notRemembered(thrown);
			});
			if (monotonicNow() - begun > QUICK_MS) process.slowAt = monotonicNow();
		});
	}
}

/** n8n's store; undefined if the host is too old, or if the workflow was never saved. */
export function helpersOf(context: IExecuteFunctions): Helpers | undefined {
	const { helpers } = context;
	const { id } = context.getWorkflow();
	const isThere = 'checkProcessedAndRecord' in helpers && 'removeProcessed' in helpers;
	const isSaved = id !== undefined && id !== '' && id !== UNSAVED;
	return isThere && isSaved ? helpers : undefined;
}
