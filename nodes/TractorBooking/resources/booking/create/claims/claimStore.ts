import type { IExecuteFunctions } from 'n8n-workflow';

import { now } from '../../../../api/abort';
import type { ServiceClient } from '../../../../api/client';
import { Mutex } from '../../../../api/mutex';
import { DOUBT_MS } from '../match/bookingIndex';
import {
	type Helpers,
	helpersOf,
	HostMemory,
	MAX_ENTRIES,
	MemoryError,
	REPAIR_MS,
} from './hostMemory';

/** A claim is of the five minutes in which it is made, and holds to the end of the fourth: for 15 to 20 minutes. */
const WINDOW_MS = 300_000;
const WINDOWS = 4;

/** How often claims are recorded again while rows are sent: twice while another worker waits for it. In milliseconds. */
const RENEWAL_MS = REPAIR_MS / 2;

/** How often a claim is made that does not hold. */
const MAX_ATTEMPTS = 10;

/** What a process itself remembers of one key. */
class ProcessMemory {
	/** Claims by name. Until when they hold is as `now()` gives it: the clock of the machine may be set. */
	readonly held = new Map<string, { until: number; window: number }>();

	/** Entries that do not end. */
	readonly recorded = new Set<string>();

	/** For n8n's memory, which is read and then written. */
	readonly oneAtATime = new Mutex();
}

const memoryOfAccount = new WeakMap<object, ProcessMemory>();

const currentWindow = () => Math.floor(Date.now() / WINDOW_MS);

/** When a claim that is made in a window ends, in milliseconds since 1970. */
export const claimEnd = (window = currentWindow()) => (window + WINDOWS) * WINDOW_MS;

const entryOf = (name: string, window: number) => `${name} ${window}`;

/** A name in the windows in which its claim holds, the latest first: another worker's clock may be ahead by one. */
const entriesOf = (name: string, window: number) =>
	Array.from({ length: WINDOWS + 1 }, (_, at) => entryOf(name, window + 1 - at));

/**
 * What was claimed lately, by name: in the memory of this process, and in that of n8n, which other workers share and which
 * outlives a restart.
 */
export class ClaimStore {
	/** What this run has claimed. */
	private readonly own = new Set<string>();

	/** When that was recorded last, as `now()` gives it. */
	private renewedAt = now();

	private readonly process: ProcessMemory;

	private readonly host: HostMemory;

	/** @param helpers undefined if n8n has no memory for this node: then the process alone remembers */
	constructor({ account }: Pick<ServiceClient, 'account'>, helpers: Helpers | undefined) {
		this.process = memoryOfAccount.get(account) ?? new ProcessMemory();
		memoryOfAccount.set(account, this.process);
		this.host = new HostMemory(helpers, this.process.oneAtATime);
	}

	/**
	 * Claims names, unless they are claimed already.
	 *
	 * @param shared names that several rows of this run may claim
	 * @returns until when those are claimed that were before, in milliseconds since 1970
	 * @throws MemoryError
	 */
	async take(
		names: readonly string[],
		shared: readonly string[] = [],
	): Promise<Map<string, number>> {
		const until = new Map<string, number>();
		let free = [...names, ...new Set(shared.filter((name) => !this.own.has(name)))];
		for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
			const window = currentWindow();
			this.renewedAt = now();
			// Runs side by side may have overwritten what was claimed before.
			const before = this.entriesHeld([...this.own]);
			const looked = free.flatMap((name) => entriesOf(name, window));
			const outcome = await this.host.recordForSure([...looked, ...before], (fresh) => {
				for (const [name, end] of this.endsOf(free, window, fresh)) until.set(name, end);
				free = free.filter((name) => !until.has(name));
				for (const name of free) this.hold(name, window);
				return new Set([...before, ...free.map((name) => entryOf(name, window))]);
			});
			if (outcome === 'kept') return until;
			// What another worker has claimed of them shows in the next attempt, if none of ours is there.
			if (outcome === 'overwritten') this.release(free);
			else await this.giveBack(free).then(async () => await this.host.letOthersRepair());
		}
		throw new MemoryError('it is too slow, or other runs write to it all the time');
	}

	/** Records again what this run has claimed, if that was seconds ago: another worker may have overwritten it. @throws MemoryError */
	async renew(): Promise<void> {
		if (now() - this.renewedAt < RENEWAL_MS) return;
		this.renewedAt = now();
		await this.removeEnded();
		await this.host.keep(this.entriesHeld([...this.own]));
	}

	/** Looks up names without claiming them; see {@link take}. */
	async look(names: readonly string[]): Promise<Map<string, number>> {
		const window = currentWindow();
		const fresh = await this.host.look(names.flatMap((name) => entriesOf(name, window)));
		return this.endsOf(names, window, fresh);
	}

	/** Gives names back that were claimed by this run. @throws MemoryError */
	async giveBack(names: readonly string[]): Promise<void> {
		const entries = this.entriesHeld(names);
		this.release(names);
		await this.host.remove(entries);
	}

	/** Removes claims that have ended from n8n's memory, so that they take no room there. @throws MemoryError */
	async removeEnded(): Promise<void> {
		const isOver = ({ until, window }: { until: number; window: number }) =>
			window + WINDOWS <= currentWindow() && until <= now();
		const ended = [...this.process.held].filter(([, held]) => isOver(held));
		await this.giveBack(ended.map(([name]) => name));
	}

	/** Records entries that do not end. @throws MemoryError */
	async record(entries: readonly string[]): Promise<void> {
		const { recorded } = this.process;
		for (const entry of entries) recorded.add(entry);
		for (const oldest of recorded) {
			if (recorded.size <= MAX_ENTRIES) break;
			recorded.delete(oldest);
		}
		await this.host.keep(entries);
	}

	/** Which of the entries were recorded; leaves nothing in n8n's memory. @throws MemoryError */
	async recorded(entries: readonly string[]): Promise<Set<string>> {
		const fresh = await this.host.look(entries);
		const isKnown = (entry: string) => !fresh.has(entry) || this.process.recorded.has(entry);
		return new Set(entries.filter(isKnown));
	}

	/** Until when names are claimed, in this process or by those of their entries that are not new. */
	private endsOf(names: readonly string[], window: number, fresh: ReadonlySet<string>) {
		const until = new Map<string, number>();
		for (const name of names) {
			const at = entriesOf(name, window).findIndex((entry) => !fresh.has(entry));
			const rest = (this.process.held.get(name)?.until ?? 0) - now();
			if (at >= 0) until.set(name, claimEnd(window + 1 - at));
			else if (rest > 0) until.set(name, Date.now() + rest);
		}
		return until;
	}

	private hold(name: string, window: number): void {
		this.process.held.set(name, { until: now() + DOUBT_MS, window });
		this.own.add(name);
	}

	private release(names: readonly string[]): void {
		for (const name of names) {
			this.process.held.delete(name);
			this.own.delete(name);
		}
	}

	/** The entries of names that this process holds. */
	private entriesHeld(names: readonly string[]): string[] {
		return names.flatMap((name) => {
			const held = this.process.held.get(name);
			return held ? [entryOf(name, held.window)] : [];
		});
	}
}

/** The claims of a node. */
export function claimStoreFor(context: IExecuteFunctions, client: ServiceClient): ClaimStore {
	return new ClaimStore(client, helpersOf(context));
}
