import { readdir, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { runCommand } from '../demo/command';
import type { Installation } from './installation';
import { median } from './statistics';

/** What it costs n8n to have a package installed. */
export interface StartCost {
	/** Milliseconds to load the package's files, in a new process that has loaded n8n's own modules. */
	milliseconds: number;
	/** Bytes unpacked, with what it depends on. */
	bytes: number;
}

const axiosNode = join(__dirname, 'subject', 'axiosNode.cjs');

async function load(installation: Installation, files: string[], rounds: number): Promise<number> {
	const script = join(__dirname, 'subject', 'start.cjs');
	const { node, modules } = installation;
	const times: number[] = [];
	for (let round = 0; round < rounds; round++) {
		const printed = await runCommand(node, [script, modules, ...files], {
			env: { ...process.env, NODE_PATH: modules },
		});
		times.push(Number(printed));
	}
	return median(times);
}

/** Bytes of a folder's files, without the packages inside it. */
async function sizeOf(folder: string): Promise<number> {
	let bytes = 0;
	for (const entry of await readdir(folder, { withFileTypes: true })) {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) bytes += entry.name === 'node_modules' ? 0 : await sizeOf(path);
		else bytes += (await stat(path)).size;
	}
	return bytes;
}

/** Folders of a package and of everything it depends on. */
async function withDependencies(
	name: string,
	from: string,
	found = new Map<string, string>(),
): Promise<Map<string, string>> {
	const paths = createRequire(from).resolve.paths(name) ?? [];
	for (const path of paths) {
		const manifest = join(path, name, 'package.json');
		const text = await readFile(manifest, 'utf8').catch(() => undefined);
		if (text === undefined) continue;
		if (found.has(dirname(manifest))) return found;
		found.set(dirname(manifest), name);
		const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> };
		for (const dependency of Object.keys(dependencies)) {
			await withDependencies(dependency, manifest, found);
		}
		return found;
	}
	throw new Error(`${name} is not installed`);
}

/** Our package's cost. */
export async function ourStart(installation: Installation, rounds: number): Promise<StartCost> {
	const { packageFolder } = installation;
	const manifest = await readFile(join(packageFolder, 'package.json'), 'utf8');
	const { n8n } = JSON.parse(manifest) as { n8n: { nodes: string[]; credentials: string[] } };
	const files = [...n8n.credentials, ...n8n.nodes].map((file) => join(packageFolder, file));
	return {
		milliseconds: await load(installation, files, rounds),
		bytes: await sizeOf(packageFolder),
	};
}

/** The cost of the smallest node that brings axios along. */
export async function axiosStart(installation: Installation, rounds: number): Promise<StartCost> {
	const folders = await withDependencies('axios', axiosNode);
	const sizes = await Promise.all([...folders.keys()].map(sizeOf));
	const own = (await stat(axiosNode)).size;
	return {
		milliseconds: await load(installation, [axiosNode], rounds),
		bytes: sizes.reduce((sum, size) => sum + size, own),
	};
}
