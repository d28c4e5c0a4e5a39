import { hash } from 'node:crypto';
import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

const hashOf = (item: DeduplicationItemTypes) => hash('md5', item.toString(), 'base64');

/** A row of n8n's table: entries by their hashes, the oldest first. */
interface Row {
	mode: string;
	data: string[];
}

/** A use of the store: entries are looked up and recorded (`check`), or removed. */
export interface StoreCall {
	kind: 'check' | 'remove';
	items: readonly DeduplicationItemTypes[];
}

type Hook = (call: StoreCall) => Promise<void>;

const unused = async () => await Promise.reject(new Error('No node of the package uses this.'));

const atOnce: Hook = async () => await Promise.resolve();

/**
 * n8n's memory of nodes, by the algorithm of its own `DeduplicationHelper`: a row of JSON for a workflow and node is found,
 * changed and written whole, without a lock or a transaction. So of two calls at the same time the later write erases what the
 * other one wrote; of two that make the row, the second fails; an item that is twice in a call is new twice, and recorded
 * twice; and a removal takes one of two equal entries away. Only the mode `entries` is there.
 */
export class ProcessedData implements IDataDeduplicator {
	private readonly rows = new Map<string, string>();
	writes = 0;

	/** Run as long as a database takes: until a call has read its row, until it has written it, and until it knows of that. */
	beforeRead = atOnce;
	beforeWrite = atOnce;
	afterWrite = atOnce;
	failure?: Error;

	/** Forgets all, and is as quick as it was in the beginning. */
	clear(): void {
		this.rows.clear();
		Object.assign(this, { writes: 0, failure: undefined });
		Object.assign(this, { beforeRead: atOnce, beforeWrite: atOnce, afterWrite: atOnce });
	}

	load(rows: Readonly<Record<string, readonly string[]>>): void {
		this.clear();
		for (const [key, data] of Object.entries(rows))
			this.rows.set(key, JSON.stringify({ mode: 'entries', data }));
	}

	/** Forgets the oldest entries of each row, as n8n does once a row is full. */
	dropOldest(entries: number): void {
		for (const [key, text] of this.rows) {
			const row = JSON.parse(text) as Row;
			this.rows.set(key, JSON.stringify({ ...row, data: row.data.slice(entries) }));
		}
	}

	get size(): number {
		return [...this.rows.values()].flatMap((text) => (JSON.parse(text) as Row).data).length;
	}

	readonly checkProcessedAndRecord: IDataDeduplicator['checkProcessedAndRecord'] = async (
		items,
		scope,
		context,
		{ mode, maxEntries },
	) => {
		const { call, key, row } = await this.open('check', items, keyOf(scope, context), mode);
		const hashes = items.map(hashOf);
		const isKnown = new Set(row?.data);
		const isNew = hashes.map((hash) => !isKnown.has(hash));
		const data = [...(row?.data ?? []), ...hashes.filter((_, at) => isNew[at])];
		if (maxEntries) data.splice(0, data.length - maxEntries);
		await this.write(key, { mode, data }, call, !row);
		const output: IDeduplicationOutput = { new: [], processed: [] };
		items.forEach((item, at) => output[isNew[at] ? 'new' : 'processed'].push(item));
		return output;
	};

	readonly removeProcessed: IDataDeduplicator['removeProcessed'] = async (
		items,
		scope,
		context,
		{ mode },
	) => {
		const { call, key, row } = await this.open('remove', items, keyOf(scope, context), mode);
		if (!row) return;
		for (const hash of items.map(hashOf)) {
			// n8n searches the whole array for each one, too.
			const at = row.data.indexOf(hash);
			if (at >= 0) row.data.splice(at, 1);
		}
		await this.write(key, row, call);
	};

	readonly clearAllProcessedItems = unused;
	readonly getProcessedDataCount = unused;

	private async open(
		kind: StoreCall['kind'],
		items: readonly DeduplicationItemTypes[],
		key: string,
		mode: string,
	) {
		if (this.failure) throw this.failure;
		const call: StoreCall = { kind, items };
		await this.beforeRead(call);
		const text = this.rows.get(key);
		const row = text === undefined ? undefined : (JSON.parse(text) as Row);
		if (row && kind === 'check' && row.mode !== mode)
			throw new Error('Deduplication data was originally saved with an incompatible setting');
		return { call, key, row };
	}

	/** @param isFirst whether the row is inserted: then it must not be there */
	private async write(key: string, row: Row, call: StoreCall, isFirst = false): Promise<void> {
		await this.beforeWrite(call);
		if (isFirst && this.rows.has(key))
			throw new Error('duplicate key value violates unique constraint "PK_processed_data"');
		this.writes += 1;
		// An UPDATE of a row that is gone changes nothing.
		if (isFirst || this.rows.has(key)) this.rows.set(key, JSON.stringify(row));
		await this.afterWrite(call);
	}
}

function keyOf(scope: DeduplicationScope, { workflow, node }: ICheckProcessedContextData): string {
	if (!workflow.id) throw new Error('n8n asserts a workflow');
	if (scope === 'node' && !node) throw new Error('n8n asserts a node');
	return `${workflow.id} ${scope === 'node' ? `n:${node?.id}` : ''}`;
}
