import { copyFile, cp, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { runCommand } from '../tools/command';
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

/** Median of the milliseconds to load files, which the machine has in its cache. */
async function load(installation: Installation, files: string[], rounds: number): Promise<number> {
	const script = join(__dirname, 'subject', 'start.cjs');
	const { node, modules } = installation;
	// n8n makes its modules known to community packages in the same way.
	const options = { env: { ...process.env, NODE_PATH: modules } };
	const once = async () => Number(await runCommand(node, [script, modules, ...files], options));
	await once();
	const times: number[] = [];
	for (let round = 0; round < rounds; round++) times.push(await once());
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

/** The cost of the smallest node that brings axios along, installed beside our package with what it needs. */
export async function axiosStart(installation: Installation, rounds: number): Promise<StartCost> {
	const folders = await withDependencies('axios', axiosNode);
	const target = join(dirname(installation.packageFolder), 'n8n-nodes-axios');
	await mkdir(target, { recursive: true });
	const file = join(target, 'AxiosNode.node.js');
	await copyFile(axiosNode, file);
	for (const [folder, name] of folders) {
		await cp(folder, join(target, 'node_modules', name), { recursive: true });
	}
	const sizes = await Promise.all([...folders.keys()].map(sizeOf));
	const own = (await stat(file)).size;
	return {
		milliseconds: await load(installation, [file], rounds),
		bytes: sizes.reduce((sum, size) => sum + size, own),
	};
}
