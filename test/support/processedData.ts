import { createHash } from 'node:crypto';
import type {
	DeduplicationItemTypes,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

/** What n8n keeps for a node: one row of JSON. */
interface ProcessedRow {
	mode: string;
	data: string[];
}

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
		const rows = [...this.rows.values()].map((text) => JSON.parse(text) as ProcessedRow);
		return rows.reduce((sum, { data }) => sum + data.length, 0);
	}

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		_scope: string,
		context: ICheckProcessedContextData,
		{ mode, maxEntries }: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		const { key, row } = await this.read(context, mode);
		const output: IDeduplicationOutput = { new: [], processed: [] };
		const known = new Set(row.data);
		for (const item of items) {
			const hash = hashOf(item);
			output[known.has(hash) ? 'processed' : 'new'].push(item);
			if (!known.has(hash)) row.data.push(hash);
			known.add(hash);
		}
		if (maxEntries) row.data.splice(0, Math.max(row.data.length - maxEntries, 0));
		await this.write(key, row, items);
		return output;
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		_scope: string,
		context: ICheckProcessedContextData,
		{ mode }: ICheckProcessedOptions,
	): Promise<void> {
		const { key, row } = await this.read(context, mode);
		const removed = new Set(items.map(hashOf));
		row.data = row.data.filter((hash) => !removed.has(hash));
		await this.write(key, row, items);
	}

	async clearAllProcessedItems(): Promise<void> {
		await Promise.resolve(this.rows.clear());
	}

	async getProcessedDataCount(): Promise<number> {
		return await Promise.resolve(this.size);
	}

	private async read({ workflow, node }: ICheckProcessedContextData, mode: string) {
		if (this.failure) throw this.failure;
		if (!workflow.id || !node) throw new Error('n8n asserts a workflow and a node');
		const key = `${workflow.id} ${node.id}`;
		await Promise.resolve();
		const row = JSON.parse(
			this.rows.get(key) ?? JSON.stringify({ mode, data: [] }),
		) as ProcessedRow;
		return { key, row };
	}

	private async write(
		key: string,
		row: ProcessedRow,
		items: DeduplicationItemTypes[],
	): Promise<void> {
		await this.beforeWrite(items);
		this.writes += 1;
		this.rows.set(key, JSON.stringify(row));
	}
}
