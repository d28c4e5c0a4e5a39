import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { median } from 'simple-statistics';
import { runCommand } from '../tools/command.cts';
import { measureInTurn, type Bench } from './bench.cts';
import { combine, tableOf, type Sample } from './table.cts';

/** n8n has loaded n8n-workflow long before it looks for nodes. */
const LOAD = `
	require('n8n-workflow');
	const before = process.cpuUsage();
	for (const file of process.argv.slice(1)) require(file);
	const { user, system } = process.cpuUsage(before);
	console.log((user + system) / 1000);
`;

/** What n8n takes at every start to load the package's files, in a new process, and axios beside it for comparison. */
export async function measureStart(bench: Bench): Promise<string[]> {
	const { node, modules, packageFolder } = bench.installation;
	const manifest = await readFile(join(packageFolder, 'package.json'), 'utf8');
	const { n8n } = JSON.parse(manifest) as { n8n: { nodes: string[]; credentials: string[] } };
	const files = [...n8n.credentials, ...n8n.nodes].map((file) => join(packageFolder, file));
	const loaded: Readonly<Record<string, string[]>> = { 'Tractor Booking': files, axios: ['axios'] };
	const load = async (name: string): Promise<Sample> => {
		// n8n makes its modules known to community packages in the same way.
		const options = { cwd: packageFolder, env: { NODE_PATH: modules } };
		const output = await runCommand(node, ['-e', LOAD, ...(loaded[name] ?? [])], options);
		return { 'ms of processor time': Number(output) };
	};
	// The first time reads the files from disk.
	for (const name of Object.keys(loaded)) await load(name);
	const measured = await measureInTurn(bench, Object.keys(loaded), 15, load);
	const rows = measured.map(([name, samples]) => ({ '': name, ...combine(samples, median) }));
	return ['## Loading the package', tableOf(rows)];
}
