import type * as Core from 'n8n-core';
import { join } from 'node:path';

/** The parts of n8n's database and of its container for services that are used here. */
interface Database {
	ProcessedData: unknown;
	ProcessedDataRepository: new (source: DataSource) => object;
}

interface DataSource {
	initialize(): Promise<unknown>;
	query(sql: string): Promise<unknown>;
}

/**
 * Gives nodes n8n's own memory, over its own table in a SQLite database on disk.
 *
 * @param require gives n8n's modules
 * @returns says how many bytes the table's texts have
 */
export async function openStore(
	require: NodeJS.Require,
	folder: string,
): Promise<() => Promise<number>> {
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

	const source = new SourceOf({
		type: 'sqlite',
		database: join(folder, `store-${process.pid}.sqlite`),
		entities: [ProcessedData],
		synchronize: true,
		enableWAL: true,
	});
	await source.initialize();
	Container.set(ProcessedDataRepository, new ProcessedDataRepository(source));
	await DataDeduplicationService.init(new DeduplicationHelper());
	return async () => {
		const sql = 'SELECT coalesce(sum(length(value)), 0) AS bytes FROM processed_data';
		const [{ bytes }] = (await source.query(sql)) as [{ bytes: number }];
		return bytes;
	};
}
