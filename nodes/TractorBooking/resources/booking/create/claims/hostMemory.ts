import { randomUUID } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { pause } from '../../../../api/abort';
import type { Mutex } from '../../../../api/mutex';

/** n8n's memory of a node, in its database: what Remove Duplicates is built on. Older hosts have none. */
export type Helpers = Pick<
	IExecuteFunctions['helpers'],
	'checkProcessedAndRecord' | 'removeProcessed'
>;

/** What n8n gives a workflow for an ID that was never saved. */
const UNSAVED = '__EMPTY__';

/** Entries that n8n keeps for a node; the oldest are dropped. */
export const MAX_ENTRIES = 42_000;

/**
 * n8n reads its memory, and then writes it whole, without a lock. After this many milliseconds, whatever another worker had
 * read before a write of ours has overwritten it.
 */
export const settling = { ms: 1_000 };

/** A worker that takes longer than this many milliseconds may have overwritten what others claimed meanwhile. */
const SLOW_MS = 1_000;

/** Entries that are looked up at once: n8n takes up to a millisecond to remove each, and does nothing else meanwhile. */
const MAX_LOOKED = 300;

/** By then, those others have recorded it again: a run does with each claim. In milliseconds. */
export const REPAIR_MS = 10_000;

/** A worker that takes longer was stopped meanwhile, and the others may be done: it must not go on. In milliseconds. */
const MAX_USE_MS = 10_000;

/** n8n could not remember something. */
export class MemoryError extends Error {
	readonly description = 'Run the rows again; if it persists, check the database of n8n.';

	constructor(why: string) {
		super(`n8n could not record the rows in its database: ${why}`);
		this.name = 'MemoryError';
	}

	static of(thrown: unknown): MemoryError {
		return new MemoryError(thrown instanceof Error ? thrown.message : String(thrown));
	}
}

/** The entries that n8n keeps for a node: other workers see them, and they outlive a restart. */
export class HostMemory {
	/** Marks that have done their work, to be removed with the next entries. */
	private oldMarks: string[] = [];

	/** @param helpers undefined if n8n has no memory for this node */
	constructor(
		private readonly helpers: Helpers | undefined,
		private readonly oneAtATime: Mutex,
	) {}

	/**
	 * Records entries, and removes those again that are new and not to be kept: n8n cannot look without recording.
	 *
	 * @param keep says which of the new ones are kept
	 * @param isForGood whether the oldest entries may be dropped for them
	 * @returns the new ones, and whether it was quick enough to overwrite nothing
	 * @throws MemoryError
	 */
	async record(
		entries: readonly string[],
		keep: (fresh: ReadonlySet<string>) => ReadonlySet<string> = () => new Set(),
		isForGood = false,
	): Promise<{ fresh: ReadonlySet<string>; isQuick: boolean }> {
		let fresh = new Set(entries);
		if (!this.helpers) keep(fresh);
		if (!this.helpers || entries.length === 0) return { fresh, isQuick: true };
		const isQuick = await this.use(async (helpers) => {
			const options = { mode: 'entries', maxEntries: isForGood ? MAX_ENTRIES : undefined } as const;
			const record = async () =>
				await helpers.checkProcessedAndRecord([...entries], 'node', options);
			// Two workers may make a node's first entries at the same time: then one of them fails.
			const output = await record().catch(record);
			fresh = new Set(output.new.map(String));
			const kept = keep(fresh);
			const rest = [...fresh].filter((entry) => !kept.has(entry));
			return rest.length > 0 ? [...rest, ...this.oldMarks.splice(0)] : [];
		});
		return { fresh, isQuick };
	}

	/** The entries that are new; leaves none of them. @throws MemoryError */
	async look(entries: readonly string[]): Promise<ReadonlySet<string>> {
		const fresh = new Set<string>();
		let areQuick = true;
		for (let at = 0; at < entries.length; at += MAX_LOOKED) {
			const part = await this.record(entries.slice(at, at + MAX_LOOKED));
			for (const entry of part.fresh) fresh.add(entry);
			areQuick &&= part.isQuick;
		}
		if (!areQuick) await this.letOthersRepair();
		return fresh;
	}

	/** Records entries to stay, and waits if that may have overwritten what others recorded. @throws MemoryError */
	async keep(entries: readonly string[]): Promise<void> {
		const { isQuick } = await this.record(entries, (fresh) => fresh, true);
		if (!isQuick) await this.letOthersRepair();
	}

	/**
	 * Records entries as {@link record} does, with a mark, and looks for it a moment later.
	 *
	 * @returns `overwritten` if it is gone: another worker may have recorded the same; `slow` if ours may have overwritten
	 * what others recorded
	 * @throws MemoryError
	 */
	async recordForSure(
		entries: readonly string[],
		keep: (fresh: ReadonlySet<string>) => ReadonlySet<string>,
	): Promise<'kept' | 'overwritten' | 'slow'> {
		const mark = `mark ${randomUUID()}`;
		let isAnyKept = false;
		const keepWithMark = (fresh: ReadonlySet<string>) => {
			const kept = keep(fresh);
			isAnyKept = kept.size > 0;
			return isAnyKept ? new Set([...kept, mark]) : kept;
		};
		const first = await this.record([...entries, mark], keepWithMark, true);
		if (!first.isQuick) return 'slow';
		if (!this.helpers || !isAnyKept) return 'kept';
		await pause(settling.ms, undefined);
		const { fresh, isQuick } = await this.record([mark]);
		if (!isQuick) return 'slow';
		if (fresh.has(mark)) return 'overwritten';
		this.oldMarks.push(mark);
		return 'kept';
	}

	/** Waits until others have recorded again what a slow write of ours may have overwritten. */
	async letOthersRepair(): Promise<void> {
		await pause(REPAIR_MS, undefined);
	}

	/** Removes entries. @throws MemoryError */
	async remove(entries: readonly string[]): Promise<void> {
		const removed = [...entries, ...this.oldMarks.splice(0)];
		if (removed.length === 0) return;
		await this.use(async () => await Promise.resolve(removed));
	}

	/**
	 * @param work returns the entries that are to be removed
	 * @returns whether it was quick enough to overwrite nothing
	 */
	private async use(work: (helpers: Helpers) => Promise<readonly string[]>): Promise<boolean> {
		const { helpers } = this;
		if (!helpers) return true;
		const ms = await this.oneAtATime.runExclusive(async () => {
			const begun = performance.now();
			try {
				const removed = await work(helpers);
				if (removed.length > 0)
					await helpers.removeProcessed([...removed], 'node', { mode: 'entries' });
			} catch (thrown) {
				throw MemoryError.of(thrown);
			}
			return performance.now() - begun;
		});
		if (ms > MAX_USE_MS)
			throw new MemoryError(
				`it took ${Math.round(ms / 1_000)} s, and another run may have sent them meanwhile`,
			);
		return ms <= SLOW_MS;
	}
}

/** n8n's memory of a node; undefined if the host is too old, or if the workflow was never saved. */
export function helpersOf(context: IExecuteFunctions): Helpers | undefined {
	const { helpers } = context;
	const { id } = context.getWorkflow();
	const isThere = 'checkProcessedAndRecord' in helpers && 'removeProcessed' in helpers;
	const isSaved = id !== undefined && id !== '' && id !== UNSAVED;
	return isThere && isSaved ? helpers : undefined;
}
