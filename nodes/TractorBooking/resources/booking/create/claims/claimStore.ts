import type { IExecuteFunctions } from 'n8n-workflow';

import { now } from '../../../../api/abort';
import type { ServiceClient } from '../../../../api/client';
import { Mutex } from '../../../../api/mutex';
import { DOUBT_MS } from '../match/bookingIndex';

/** A claim is of the five minutes in which it is made, and holds to the end of the fourth: for 15 to 20 minutes. */
const WINDOW_MS = 300_000;
const WINDOWS = 4;

/** Entries that n8n keeps for a node; the oldest are dropped. */
const MAX_ENTRIES = 20_000;

/** n8n's memory of a node, in its database: what Remove Duplicates is built on. Older hosts have none. */
type Helpers = Pick<IExecuteFunctions['helpers'], 'checkProcessedAndRecord' | 'removeProcessed'>;

/** What n8n gives a workflow for an ID that was never saved. */
const UNSAVED = '__EMPTY__';

/** n8n reads and then writes its memory, so that only one at a time may do so, as far as this process can see to it. */
const oneAtATime = new Mutex();

interface Held {
	/** As `now()` gives it: the clock of the machine may be set. */
	until: number;
	window: number;
}

/** What a process itself remembers of one key. */
class ProcessMemory {
	readonly held = new Map<string, Held>();

	/** Entries that do not end. */
	readonly recorded = new Set<string>();
}

const memoryOfAccount = new WeakMap<object, ProcessMemory>();

/**
 * What was claimed lately, by name: in the memory of this process, and in that of n8n, which other workers share and which
 * outlives a restart.
 */
export class ClaimStore {
	private readonly memory: ProcessMemory;

	/** @param helpers undefined if n8n has no memory for this node */
	constructor(
		client: ServiceClient,
		private readonly helpers: Helpers | undefined,
	) {
		this.memory = memoryOfAccount.get(client.account) ?? new ProcessMemory();
		memoryOfAccount.set(client.account, this.memory);
	}

	/**
	 * Claims names, unless they are claimed already.
	 *
	 * @returns until when those are claimed that were before, in milliseconds since 1970
	 */
	async take(names: readonly string[]): Promise<Map<string, number>> {
		return await this.check(names, true);
	}

	/** Looks up names without claiming them; see {@link take}. */
	async look(names: readonly string[]): Promise<Map<string, number>> {
		return await this.check(names, false);
	}

	/** Gives names back that were claimed by this run. */
	async giveBack(names: readonly string[]): Promise<void> {
		const items = names.flatMap((name) => {
			const { window } = this.memory.held.get(name) ?? {};
			this.memory.held.delete(name);
			return window === undefined ? [] : [itemOf(name, window)];
		});
		await this.remove(items);
	}

	/** Removes claims that have ended from n8n's memory, so that they take no room there. */
	async removeEnded(): Promise<void> {
		const window = currentWindow();
		const ended = [...this.memory.held].filter(([, held]) => held.window + WINDOWS <= window);
		await this.giveBack(ended.filter(([, { until }]) => until <= now()).map(([name]) => name));
	}

	/** Records entries that do not end. */
	async record(entries: readonly string[]): Promise<void> {
		const { recorded } = this.memory;
		for (const entry of entries) recorded.add(entry);
		for (const oldest of recorded) {
			if (recorded.size <= MAX_ENTRIES) break;
			recorded.delete(oldest);
		}
		await this.update(entries, (fresh) => fresh, MAX_ENTRIES);
	}

	/** Which of the entries were recorded; leaves nothing behind. */
	async recorded(entries: readonly string[]): Promise<Set<string>> {
		const fresh = await this.update(entries, () => new Set());
		return new Set(entries.filter((entry) => !fresh.has(entry) || this.memory.recorded.has(entry)));
	}

	private async check(names: readonly string[], isTaken: boolean): Promise<Map<string, number>> {
		const window = currentWindow();
		const items = names.flatMap((name) =>
			Array.from({ length: WINDOWS }, (_, age) => ({ name, item: itemOf(name, window - age) })),
		);
		const until = new Map<string, number>();
		const keep = (fresh: ReadonlySet<string>) => {
			for (const [at, { name, item }] of items.entries()) {
				// The latest of its windows comes first.
				const end = (window - (at % WINDOWS) + WINDOWS) * WINDOW_MS;
				if (!fresh.has(item) && !until.has(name)) until.set(name, end);
			}
			for (const name of names) {
				const rest = (this.memory.held.get(name)?.until ?? 0) - now();
				if (rest > 0 && !until.has(name)) until.set(name, Date.now() + rest);
			}
			const taken = isTaken ? names.filter((name) => !until.has(name)) : [];
			for (const name of taken) this.memory.held.set(name, { until: now() + DOUBT_MS, window });
			return new Set(taken.map((name) => itemOf(name, window)));
		};
		// What is only looked up must not push anything out.
		const maxEntries = isTaken ? MAX_ENTRIES : undefined;
		await this.update(
			items.map(({ item }) => item),
			keep,
			maxEntries,
		);
		return until;
	}

	/**
	 * Records items, and removes those again that are not to be kept.
	 *
	 * @param keep says which of the new ones are
	 * @returns those that were not there; without n8n's memory, all of them
	 */
	private async update(
		items: readonly string[],
		keep: (fresh: ReadonlySet<string>) => ReadonlySet<string>,
		maxEntries?: number,
	): Promise<Set<string>> {
		const { helpers } = this;
		if (!helpers || items.length === 0) {
			keep(new Set(items));
			return new Set(items);
		}
		return await oneAtATime.runExclusive(async () => {
			const options = { mode: 'entries', maxEntries } as const;
			const record = async () => await helpers.checkProcessedAndRecord([...items], 'node', options);
			// Two workers may make a node's first entries at the same time: then one of them fails.
			const output = await record().catch(record);
			const fresh = new Set(output.new.map(String));
			const kept = keep(fresh);
			const rest = [...fresh].filter((item) => !kept.has(item));
			if (rest.length > 0) await helpers.removeProcessed(rest, 'node', { mode: 'entries' });
			return fresh;
		});
	}

	private async remove(items: readonly string[]): Promise<void> {
		const { helpers } = this;
		if (!helpers || items.length === 0) return;
		await oneAtATime.runExclusive(
			async () => await helpers.removeProcessed([...items], 'node', { mode: 'entries' }),
		);
	}
}

const currentWindow = () => Math.floor(Date.now() / WINDOW_MS);

/** When a claim that is made now ends, in milliseconds since 1970. */
export const claimEnd = () => (currentWindow() + WINDOWS) * WINDOW_MS;

const itemOf = (name: string, window: number) => `${name} ${window}`;

/** The claims of a node. Without n8n's memory, or in a workflow that was never saved, the process alone remembers them. */
export function claimStoreFor(context: IExecuteFunctions, client: ServiceClient): ClaimStore {
	const { helpers } = context;
	const { id } = context.getWorkflow();
	const isThere = 'checkProcessedAndRecord' in helpers && 'removeProcessed' in helpers;
	const isSaved = id !== undefined && id !== '' && id !== UNSAVED;
	return new ClaimStore(client, isThere && isSaved ? helpers : undefined);
}
