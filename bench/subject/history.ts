import type * as Core from 'n8n-core';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The parts of n8n's database and of its container for services that are used here. */
interface Database {
	ProcessedData: unknown;
	ProcessedDataRepository: new (source: DataSource) => object;
}

interface DataSource {
	initialize(): Promise<unknown>;
	query(sql: string): Promise<unknown>;
	destroy(): Promise<void>;
}

/** The table in which Remove Duplicates keeps what it saw. */
export interface History {
	/** Bytes of the table's texts. */
	bytes(): Promise<number>;
	remove(): Promise<void>;
}

/** Sets up n8n's own helper for removing duplicates, over its own table in a SQLite database on disk. */
export async function openHistory(require: NodeJS.Require): Promise<History> {
	const { DataSource: SourceOf } = require('@n8n/typeorm') as {
		DataSource: new (options: object) => DataSource;
	};
	const { ProcessedData, ProcessedDataRepository } = require('@n8n/db') as Database;
	const { Container } = require('@n8n/di') as {
		Container: { set: (type: unknown, service: object) => void };
	};
	const { DeduplicationHelper } = require('n8n/dist/deduplication/deduplication-helper') as {
		DeduplicationHelper: new () => Parameters<typeof Core.DataDeduplicationService.init>[0];
	};
	const { DataDeduplicationService } = require('n8n-core') as typeof Core;

	const folder = await mkdtemp(join(tmpdir(), 'tractor-booking-history-'));
	const source = new SourceOf({
		type: 'sqlite',
		database: join(folder, 'database.sqlite'),
		entities: [ProcessedData],
		synchronize: true,
		enableWAL: true,
	});
	await source.initialize();
	Container.set(ProcessedDataRepository, new ProcessedDataRepository(source));
	await DataDeduplicationService.init(new DeduplicationHelper());
	return {
		async bytes() {
			const sql = 'SELECT coalesce(sum(length(value)), 0) AS bytes FROM processed_data';
			const [{ bytes }] = (await source.query(sql)) as [{ bytes: number }];
			return bytes;
		},
		async remove() {
			await source.destroy();
			await rm(folder, { recursive: true });
		},
	};
}
