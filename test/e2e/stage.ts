import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { credentialName } from '../../demo/examples';
import type { Host } from '../../demo/host';
import { prepareHost } from '../../demo/host';
import { installCommunityPackage, N8n } from '../../demo/n8n';
import type { Owner } from '../../demo/n8nClient';
import { packPackage } from '../../demo/pack';
import { step } from '../../demo/progress';
import type { Sandbox, SandboxOptions } from '../../sandbox';
import { KEYS, startSandbox } from '../../sandbox';

const owner: Owner = {
	email: 'e2e@example.com',
	firstName: 'End',
	lastName: 'Toend',
	password: 'Tractor1EndToEnd',
};

/** A publication that was under way when n8n died is taken up again after so many seconds instead of two minutes. */
const afterKills = { N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '6' };

/** What all scenarios share, and what has to be closed after each of them. */
export class Theatre {
	private readonly closers: Array<() => Promise<void>> = [];

	private constructor(
		private readonly host: Host,
		private readonly folder: string,
		private readonly tarball: string,
	) {}

	/** Builds and packs the package, and prepares n8n, which takes minutes where it was never installed. */
	static async open(): Promise<Theatre> {
		const folder = await mkdtemp(join(tmpdir(), 'tractor-booking-e2e-'));
		const tarball = await step('Packing the package', async () => await packPackage(folder));
		const host = await prepareHost();
		console.log(`n8n ${host.version} on ${process.platform}, in ${folder}`);
		return new Theatre(host, folder, tarball);
	}

	/** Starts a sandbox that ends with the scenario. */
	async startSandbox(options: SandboxOptions): Promise<Sandbox> {
		const sandbox = await startSandbox(options);
		this.closers.push(async () => await sandbox.close());
		return sandbox;
	}

	/**
	 * Starts n8n on a fresh folder, with a credential for the sandbox.
	 *
	 * @param name of the folder; its files stay until the theatre closes
	 * @param env more of n8n's environment variables
	 */
	async startN8n(name: string, sandbox: Sandbox, env?: Record<string, string>): Promise<N8n> {
		const userFolder = join(this.folder, name);
		return await step(`Starting n8n for "${name}"`, async () => {
			await installCommunityPackage(userFolder, this.tarball);
			const n8n = await N8n.start({ host: this.host, userFolder, env: { ...afterKills, ...env } });
			this.closers.push(async () => await n8n.kill());
			await n8n.client.setUpOwner(owner);
			const credential = { baseUrl: sandbox.url, apiKey: KEYS.full };
			await n8n.client.createCredential(credentialName, 'tractorBookingApiKeyApi', credential);
			return n8n;
		});
	}

	/** Starts an n8n again that was killed, without the ten seconds for which it waits after a crash. */
	async startAgain(n8n: N8n): Promise<void> {
		await rm(join(dirname(n8n.logFile), '.n8n', 'crash.journal'), { force: true });
		await n8n.start();
	}

	/** Ends every n8n and sandbox of the scenario. */
	async clear(): Promise<void> {
		for (let close = this.closers.pop(); close; close = this.closers.pop()) await close();
	}

	/** Ends everything and removes the folder, unless it is to be kept for a look at n8n's logs. */
	async close(keep = false): Promise<void> {
		await this.clear();
		if (!keep) await rm(this.folder, { recursive: true, force: true });
	}
}
