import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CREDENTIAL_TYPES } from '../nodes/TractorBooking/api/client';
import { KEYS, type Sandbox } from '../sandbox/index.cts';
import { runCommand } from './command.cts';
import { credentialName } from './examples.cts';
import { prepareHost, type Host, type N8nVersion } from './n8nHost/host.cts';
import { installCommunityPackage, N8n } from './n8nHost/n8n.cts';
import { downloadReleased, packPackage } from './packPackage.cts';
import { step } from './progress.cts';

/** A publication that was under way when n8n died is taken up again after so many seconds instead of two minutes; one that takes longer fails. */
const afterKills = { N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '60' };

/** How a process of n8n is started. */
interface ProcessOptions {
	/** More of n8n's environment variables. */
	env?: Record<string, string>;
	/** The package to install, if not the one that was built here. */
	tarball?: string;
}

/** Where n8n is started with the package, and what has to be ended after it. */
export class Theatre {
	private readonly closers: Array<() => Promise<unknown>> = [];

	private constructor(
		readonly host: Host,
		/** What is started keeps its files here until the theatre closes. */
		readonly folder: string,
		private readonly tarball: string,
		/** Of n8n, its Node.js and this machine. */
		readonly versions: string,
	) {}

	/**
	 * Builds and packs the package, and prepares n8n, which takes minutes where it was never installed.
	 *
	 * @param version of n8n; default the usual one
	 */
	static async open(version?: N8nVersion): Promise<Theatre> {
		const folder = await mkdtemp(join(tmpdir(), 'tractor-booking-'));
		const tarball = await step('Packing the package', async () => await packPackage(folder));
		const host = await prepareHost(version);
		const node = (await runCommand(host.node, ['--version'])).replace('v', '');
		const versions = `n8n ${host.version} on Node.js ${node}`;
		console.log(`${versions}, ${process.platform}, in ${folder}`);
		return new Theatre(host, folder, tarball, versions);
	}

	/** Ends something that was started with what is played. */
	closeAtEnd<Started extends { close: () => Promise<unknown> }>(started: Started): Started {
		this.closers.push(async () => await started.close());
		return started;
	}

	/** Installs the package into a folder of n8n. @returns the folder */
	async install(name: string, tarball = this.tarball): Promise<string> {
		const userFolder = join(this.folder, name);
		await installCommunityPackage(userFolder, tarball);
		return userFolder;
	}

	/**
	 * Starts n8n on a fresh folder, with a credential for the sandbox.
	 *
	 * @param name of the folder
	 */
	async startN8n(
		name: string,
		sandbox: Pick<Sandbox, 'url'>,
		options?: ProcessOptions,
	): Promise<N8n> {
		return await step(`Starting n8n for "${name}"`, async () => {
			const n8n = await this.startProcess(name, 'start', options);
			await n8n.client.setUpOwner();
			const credential = { baseUrl: sandbox.url, apiKey: KEYS.full };
			await n8n.client.createCredential(credentialName, CREDENTIAL_TYPES.apiKey, credential);
			return n8n;
		});
	}

	/** Starts one process of n8n on a fresh folder in which the package is installed. */
	async startProcess(
		name: string,
		command: 'start' | 'worker',
		{ env, tarball }: ProcessOptions = {},
	): Promise<N8n> {
		const userFolder = await this.install(name, tarball);
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

	/** Kills an n8n, and starts it again. */
	async restart(n8n: N8n): Promise<void> {
		await n8n.kill();
		await this.startAgain(n8n);
	}

	/** Downloads the package as it was last released; gives the tarball, undefined if it never was. */
	async downloadReleased(): Promise<string | undefined> {
		return await downloadReleased(join(this.folder, 'released'));
	}

	/** Plays a scenario, and then ends every process and server that it started. */
	async play<Result>(scenario: (theatre: this) => Promise<Result>): Promise<Result> {
		try {
			return await scenario(this);
		} finally {
			await this.end();
		}
	}

	/** Ends everything, and removes the folder, unless it is to be kept for a look at n8n's logs. */
	async close(keep = false): Promise<void> {
		await this.end();
		// Windows holds the files of a process for a moment after its end.
		if (!keep) await rm(this.folder, { recursive: true, force: true, maxRetries: 10 });
	}

	/** Ends what was started, the last one first. */
	private async end(): Promise<void> {
		for (let close = this.closers.pop(); close; close = this.closers.pop()) await close();
	}
}
