import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runCommand } from '../tools/command';
import { prepareHost } from '../tools/n8nHost/host';
import { packPackage } from '../tools/packPackage';

/** A real n8n with our package beside it. */
export interface Installation {
	/** The Node.js of that n8n. */
	node: string;
	/** Version of n8n. */
	version: string;
	/** Its `node_modules`. */
	modules: string;
	/** Our package as it is published. */
	packageFolder: string;
	remove(): Promise<void>;
}

/**
 * Builds and packs the package and unpacks it as an installation of it.
 *
 * @throws CommandError, SetupError
 */
export async function install(): Promise<Installation> {
	const { node, version, n8n } = await prepareHost();
	const folder = await mkdtemp(join(tmpdir(), 'tractor-booking-bench-'));
	const packageFolder = join(folder, 'node_modules', 'n8n-nodes-tractor-booking');
	await mkdir(packageFolder, { recursive: true });
	const tarball = await packPackage(folder);
	await runCommand('tar', ['-xzf', tarball, '-C', packageFolder, '--strip-components=1']);
	return {
		node,
		version,
		modules: join(n8n, '..', '..', '..'),
		packageFolder,
		remove: async () => await rm(folder, { recursive: true, force: true }),
	};
}
