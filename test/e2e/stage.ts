import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { runCommand } from '../../tools/command';
import { credentialName } from '../../tools/examples';
import type { Host, N8nVersion } from '../../tools/n8nHost/host';
import { prepareHost } from '../../tools/n8nHost/host';
import { installCommunityPackage, N8n } from '../../tools/n8nHost/n8n';
import { downloadReleased, packPackage } from '../../tools/packPackage';
import { step } from '../../tools/progress';
import { CREDENTIAL_TYPES } from '../../nodes/TractorBooking/api/client';
import type { Sandbox } from '../../sandbox';
import { KEYS } from '../../sandbox';
import { databaseOf, startPostgres, startRedis } from './servers';

/** A publication that was under way when n8n died is taken up again after so many seconds instead of two minutes. */
const afterKills = { N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '20' };

/** How many executions a worker runs at a time. */
const WORKER_CONCURRENCY = '5';

/** n8n in queue mode: the process with the editor and the triggers, and the workers that run the workflows. */
export interface Cluster {
	main: N8n;
	workers: N8n[];
}

/** What all scenarios share, and what has to be closed after each of them. */
export class Theatre {
	private readonly closers: Array<() => Promise<unknown>> = [];

	private constructor(
		readonly host: Host,
		private readonly folder: string,
		private readonly tarball: string,
	) {}

	/**
	 * Builds and packs the package, and prepares n8n, which takes minutes where it was never installed.
	 *
	 * @param version of n8n; default the usual one
	 */
	static async open(version?: N8nVersion): Promise<Theatre> {
		const folder = await mkdtemp(join(tmpdir(), 'tractor-booking-e2e-'));
		const tarball = await step('Packing the package', async () => await packPackage(folder));
		const host = await prepareHost(version);
		const node = (await runCommand(host.node, ['--version'])).replace('v', '');
		console.log(`n8n ${host.version} on Node.js ${node}, ${process.platform}, in ${folder}`);
		return new Theatre(host, folder, tarball);
	}

	/** Ends something that was started with the scenario. */
	closeAtEnd<Started extends { close: () => Promise<unknown> }>(started: Started): Started {
		this.closers.push(async () => await started.close());
		return started;
	}

	/**
	 * Starts n8n on a fresh folder, with a credential for the sandbox.
	 *
	 * @param name of the folder; its files stay until the theatre closes
	 * @param env more of n8n's environment variables
	 * @param tarball the package to install, if not the one that was built here
	 */
	async startN8n(
		name: string,
		sandbox: Pick<Sandbox, 'url'>,
		env?: Record<string, string>,
		tarball?: string,
	): Promise<N8n> {
		return await step(`Starting n8n for "${name}"`, async () => {
			const n8n = await this.startProcess(name, 'start', env, tarball);
			await n8n.client.setUpOwner();
			const credential = { baseUrl: sandbox.url, apiKey: KEYS.full };
			await n8n.client.createCredential(credentialName, CREDENTIAL_TYPES.apiKey, credential);
			return n8n;
		});
	}

	/**
	 * Starts n8n in queue mode, with a Redis and a PostgreSQL of its own.
	 *
	 * @param concurrency how many executions a worker runs at a time
	 * @throws SetupError where this machine has none
	 */
	async startCluster(
		name: string,
		sandbox: Pick<Sandbox, 'url'>,
		workers: number,
		concurrency = WORKER_CONCURRENCY,
	): Promise<Cluster> {
		const redis = this.closeAtEnd(await startRedis());
		const postgres = this.closeAtEnd(await step('Starting PostgreSQL', startPostgres));
		const env = {
			...databaseOf(postgres),
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			N8N_ENCRYPTION_KEY: 'the same for all processes',
			N8N_CONCURRENCY_PRODUCTION_LIMIT: concurrency,
			// The end of a worker is noticed after so many milliseconds instead of a minute.
			QUEUE_WORKER_LOCK_DURATION: '10000',
			QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
			QUEUE_WORKER_STALLED_INTERVAL: '3000',
		};
		const main = await this.startN8n(name, sandbox, env);
		const starting = Array.from(
			{ length: workers },
			async (_, index) => await this.startProcess(`${name}-worker${index + 1}`, 'worker', env),
		);
		const all = async () => await Promise.all(starting);
		return { main, workers: await step(`Starting ${workers} workers`, all) };
	}

	/** Starts one process of n8n on a fresh folder in which the package is installed. */
	private async startProcess(
		name: string,
		command: 'start' | 'worker',
		env?: Record<string, string>,
		tarball = this.tarball,
	): Promise<N8n> {
		const userFolder = join(this.folder, name);
		await installCommunityPackage(userFolder, tarball);
		const options = { host: this.host, userFolder, command, env: { ...afterKills, ...env } };
		const n8n = await N8n.start(options);
		this.closers.push(async () => await n8n.kill());
		return n8n;
	}

	/** Starts an n8n again that was killed, without the ten seconds for which it waits after a crash. */
	async startAgain(n8n: N8n): Promise<void> {
		await rm(join(dirname(n8n.logFile), '.n8n', 'crash.journal'), { force: true });
		await n8n.start();
	}

	/** Downloads the package as it was last released; gives the tarball, undefined if it never was. */
	async downloadReleased(): Promise<string | undefined> {
		return await downloadReleased(join(this.folder, 'released'));
	}

	/** Replaces the package of an n8n that is stopped with the one that was built here. */
	async update(n8n: N8n): Promise<void> {
		await installCommunityPackage(dirname(n8n.logFile), this.tarball);
	}

	/** Plays a scenario, and then ends every process and server that it started. */
	async play<Result>(scenario: (theatre: this) => Promise<Result>): Promise<Result> {
		const { closers } = this;
		try {
			return await scenario(this);
		} finally {
			for (let close = closers.pop(); close; close = closers.pop()) await close();
		}
	}

	/** Removes the folder, unless it is to be kept for a look at n8n's logs. */
	async close(keep = false): Promise<void> {
		if (!keep) await rm(this.folder, { recursive: true, force: true });
	}
}
