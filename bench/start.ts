import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { median } from 'simple-statistics';
import { runCommand } from '../tools/command';
import type { Installation } from './installation';

/** What the package costs n8n at every start. */
export interface StartCost {
	/** To load its files in a new process that has loaded n8n's own modules. */
	milliseconds: number;
	/** Unpacked. */
	bytes: number;
}

const script = join(__dirname, 'subject', 'start.cjs');

export async function measureStart(
	{ node, modules, packageFolder }: Installation,
	rounds: number,
): Promise<StartCost> {
	const manifest = await readFile(join(packageFolder, 'package.json'), 'utf8');
	const { n8n } = JSON.parse(manifest) as { n8n: { nodes: string[]; credentials: string[] } };
	const files = [...n8n.credentials, ...n8n.nodes].map((file) => join(packageFolder, file));
	// n8n makes its modules known to community packages in the same way.
	const env = { NODE_PATH: modules };
	const load = async () => Number(await runCommand(node, [script, modules, ...files], { env }));
	// The first time reads the files from disk.
	await load();
	const times: number[] = [];
	while (times.length < rounds) times.push(await load());
	let bytes = 0;
	for (const entry of await readdir(packageFolder, { recursive: true })) {
		const found = await stat(join(packageFolder, entry));
		if (found.isFile()) bytes += found.size;
	}
	return { milliseconds: median(times), bytes };
}
