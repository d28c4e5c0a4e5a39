import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { runCommand } from '../demo/command';
import { step } from '../demo/progress';
import { measureGrowth } from './growth';
import type { Installation } from './installation';
import { install } from './installation';
import type { Load } from './loads';
import { loadsOf, PEERS } from './loads';
import type { Sample } from './measure';
import { measure } from './measure';
import { toSvg } from './picture';
import type { Results } from './report';
import { toMarkdown } from './report';
import { axiosStart, ourStart } from './start';
import type { Summary } from './statistics';
import { summarise } from './statistics';
import type { PeerName } from './task';

const START_ROUNDS = 15;

/** Measures the peers in turn, round after round, so that what else the machine does strikes all of them. */
async function runLoad(installation: Installation, load: Load): Promise<Summary[]> {
	const samples = new Map<PeerName, Sample[]>(load.peers.map((peer) => [peer, []]));
	await step(load.title, async (note) => {
		for (let round = 1; round <= load.rounds; round++) {
			for (const [peer, list] of samples) {
				note(`round ${round} of ${load.rounds}: ${PEERS[peer]}`);
				list.push(await measure(installation, load, peer));
			}
		}
		note(`${load.rounds} rounds`);
	});
	return [...samples].map(([peer, list]) => summarise(peer, list));
}

async function runAll(installation: Installation, rounds: number, scale: number): Promise<Results> {
	const loads: Results['loads'] = [];
	for (const load of loadsOf({ rounds, scale })) {
		loads.push({ load, summaries: await runLoad(installation, load) });
	}
	const start = await step('Loading the package', async () => ({
		ours: await ourStart(installation, START_ROUNDS),
		axios: await axiosStart(installation, START_ROUNDS),
	}));
	const growth = await step('How the cost grows', async (note) => {
		const points = await measureGrowth(installation, scale, note);
		note(`${points.length} points`);
		return points;
	});
	const node = (await runCommand(installation.node, ['--version'])).replace('v', '');
	return { n8n: installation.version, node, cores: availableParallelism(), loads, start, growth };
}

/**
 * Compares our node with what users would take instead, side by side in a real n8n's engine, and writes
 * `bench/results/`. `--quick` runs smaller loads once, to see that everything works, and writes nothing.
 */
async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			quick: { type: 'boolean', default: false },
			rounds: { type: 'string', default: '3' },
		},
	});
	const rounds = values.quick ? 1 : Number(values.rounds);
	const installation = await install();
	try {
		const results = await runAll(installation, rounds, values.quick ? 0.2 : 1);
		const tables = toMarkdown(results);
		console.log(`\n${tables}`);
		if (values.quick) return;
		const folder = join(__dirname, 'results');
		await writeFile(join(folder, 'results.json'), JSON.stringify(results, undefined, '\t'));
		await writeFile(join(folder, 'results.md'), tables);
		await writeFile(join(folder, 'bench.svg'), toSvg(results));
		console.log('Written to bench/results.');
	} finally {
		await installation.remove();
	}
}

main().catch((error: unknown) => {
	console.error(`\n${error instanceof Error ? error.message : String(error)}`);
	process.exitCode = 1;
});
