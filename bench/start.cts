import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { median } from 'simple-statistics';
import { runCommand } from '../tools/command.cts';
import { measureInTurn, type Bench } from './bench.cts';
import { combine, tableOf, type Sample } from './table.cts';

/** n8n has loaded n8n-workflow long before it looks for nodes. */
const LOAD = `
	require('n8n-workflow');
	const start = performance.now();
	for (const file of process.argv.slice(1)) require(file);
	console.log(performance.now() - start);
`;

/** How long n8n takes at every start to load the package's files, in a new process. */
export async function measureStart(bench: Bench): Promise<string[]> {
	const { node, modules, packageFolder } = bench.installation;
	const manifest = await readFile(join(packageFolder, 'package.json'), 'utf8');
	const { n8n } = JSON.parse(manifest) as { n8n: { nodes: string[]; credentials: string[] } };
	const files = [...n8n.credentials, ...n8n.nodes].map((file) => join(packageFolder, file));
	const load = async (): Promise<Sample> => {
		// n8n makes its modules known to community packages in the same way.
		const options = { cwd: packageFolder, env: { NODE_PATH: modules } };
		return { 'ms to load': Number(await runCommand(node, ['-e', LOAD, ...files], options)) };
	};
	// The first time reads the files from disk.
	await load();
	const measured = await measureInTurn(bench, ['Tractor Booking'], 15, load);
	const rows = measured.map(([name, samples]) => ({ '': name, ...combine(samples, median) }));
	return ['## Loading the package', tableOf(rows)];
}
