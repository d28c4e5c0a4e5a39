import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KEYS, type Sandbox } from '../sandbox';
import { runCommand } from '../tools/command';
import { prepareHost } from '../tools/n8nHost/host';
import { packPackage } from '../tools/packPackage';
import type { Environment, PollTask, WorkTask } from './task';

/** A real n8n, and our package as it is published. */
export interface Installation {
	/** n8n's version. */
	version: string;
	/** The Node.js that runs it. */
	node: string;
	/** Its `node_modules`. */
	modules: string;
	packageFolder: string;
	remove(): Promise<void>;
}

/** @throws CommandError if the build fails. @throws SetupError if the machine lacks something. */
export async function install(): Promise<Installation> {
	const { node, version, n8n } = await prepareHost();
	const folder = await mkdtemp(join(tmpdir(), 'tractor-booking-bench-'));
	const packageFolder = join(folder, 'node_modules', 'n8n-nodes-tractor-booking');
	await mkdir(packageFolder, { recursive: true });
	const tarball = await packPackage(folder);
	await runCommand('tar', ['-xzf', tarball, '-C', packageFolder, '--strip-components=1']);
	return {
		version,
		node,
		modules: join(n8n, '..', '..', '..'),
		packageFolder,
		remove: async () => await rm(folder, { recursive: true, force: true }),
	};
}

/**
 * Carries out a task in a process of its own, with the modules of the installed n8n.
 * @returns what `subject/main.ts` prints.
 */
export async function runTask(
	{ node, modules, packageFolder }: Installation,
	sandbox: Sandbox,
	task: Omit<WorkTask, keyof Environment> | Omit<PollTask, keyof Environment>,
): Promise<unknown> {
	const environment: Environment = { url: sandbox.url, apiKey: KEYS.full, modules, packageFolder };
	const script = join(__dirname, 'subject', 'main.ts');
	const printed = await runCommand(
		node,
		['--require', 'tsx/cjs', script, JSON.stringify({ ...environment, ...task })],
		{ cwd: join(__dirname, '..'), env: { NODE_PATH: modules, N8N_LOG_LEVEL: 'silent' } },
	);
	return JSON.parse(printed.split('\n').at(-1) ?? '');
}
