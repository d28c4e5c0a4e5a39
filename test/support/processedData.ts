import { createHash } from 'node:crypto';
import type {
	DeduplicationItemTypes,
	ICheckProcessedContextData,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

const hashOf = (item: DeduplicationItemTypes) =>
	createHash('md5').update(item.toString()).digest('base64');

/**
 * n8n's memory of nodes, as the CLI keeps it in the table `processed_data`: one row of JSON for a workflow and node, which
 * is read, changed and written without a transaction.
 */
export class ProcessedData implements IDataDeduplicator {
	private readonly rows = new Map<string, string>();

	/** How often a row was written. */
	writes = 0;

	/** Waits between reading and writing, as a database takes its time. @param items that are recorded or removed */
	beforeWrite: (items: DeduplicationItemTypes[]) => Promise<void> = async () =>
		await Promise.resolve();

	/** Set to make each use fail. */
	failure?: Error;

	clear(): void {
		this.rows.clear();
		this.writes = 0;
		this.failure = undefined;
		this.beforeWrite = async () => await Promise.resolve();
	}

	/** The number of entries of all nodes. */
	get size(): number {
		return [...this.rows.values()].flatMap((text) => JSON.parse(text) as string[]).length;
	}

	readonly checkProcessedAndRecord: IDataDeduplicator['checkProcessedAndRecord'] = async (
		items,
		_scope,
		context,
		{ maxEntries },
	) => {
		const { key, hashes } = await this.read(context);
		const output: IDeduplicationOutput = { new: [], processed: [] };
		const known = new Set(hashes);
		for (const item of items) {
			const hash = hashOf(item);
			output[known.has(hash) ? 'processed' : 'new'].push(item);
			known.add(hash);
		}
		await this.write(key, [...known].slice(-(maxEntries ?? known.size)), items);
		return output;
	};

	readonly removeProcessed: IDataDeduplicator['removeProcessed'] = async (
		items,
		_scope,
		context,
	) => {
		const { key, hashes } = await this.read(context);
		const removed = new Set(items.map(hashOf));
		const left = hashes.filter((hash) => !removed.has(hash));
		await this.write(key, left, items);
	};

	async clearAllProcessedItems(): Promise<void> {
		await Promise.resolve(this.rows.clear());
	}

	async getProcessedDataCount(): Promise<number> {
		return await Promise.resolve(this.size);
	}

	private async read({ workflow, node }: ICheckProcessedContextData) {
		if (this.failure) throw this.failure;
		if (!workflow.id || !node) throw new Error('n8n asserts a workflow and a node');
		const key = `${workflow.id} ${node.id}`;
		await Promise.resolve();
		return { key, hashes: JSON.parse(this.rows.get(key) ?? '[]') as string[] };
	}

	private async write(
		key: string,
		hashes: string[],
		items: DeduplicationItemTypes[],
	): Promise<void> {
		await this.beforeWrite(items);
		this.writes += 1;
		this.rows.set(key, JSON.stringify(hashes));
	}
}
