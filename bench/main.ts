import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { runCommand } from '../tools/command';
import { step } from '../tools/progress';
import { measureGrowth } from './growth';
import type { Installation } from './installation';
import { install } from './installation';
import type { Load } from './loads';
import { loadsOf, PEERS } from './loads';
import type { Sample } from './measure';
import { measure } from './measure';
import { toSvg } from './picture';
import { measurePolls } from './polls';
import { toMarkdown } from './report';
import type { LoadResult, PartName, Parts, Results } from './parts';
import { hasAllParts, merge, PARTS } from './parts';
import { axiosStart, ourStart } from './start';
import { summarise } from './statistics';
import type { PeerName } from './task';

const START_ROUNDS = 15;

const folder = join(__dirname, 'results');

/** Measures the peers in turn, round after round, so that what else the machine does strikes all of them. */
async function runLoad(installation: Installation, load: Load): Promise<LoadResult> {
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
	return { load, summaries: [...samples].map(([peer, list]) => summarise(peer, list)) };
}

/** Runs the parts that are wanted, one after the other. */
async function run(
	installation: Installation,
	wanted: readonly PartName[],
	options: { rounds: number; isQuick: boolean },
): Promise<Partial<Parts>> {
	const { rounds, isQuick } = options;
	const scale = isQuick ? 0.2 : 1;
	const parts: Partial<Parts> = {};
	for (const load of loadsOf({ rounds, scale })) {
		if (wanted.includes(load.name)) parts[load.name] = await runLoad(installation, load);
	}
	if (wanted.includes('polls')) {
		parts.polls = await step('A poll', async (note) => {
			const watchings = await measurePolls(
				installation,
				{ rounds, scale: isQuick ? 0.05 : 1 },
				note,
			);
			note(`${watchings.length} lists`);
			return watchings;
		});
	}
	if (wanted.includes('start')) {
		parts.start = await step('Loading the package', async () => ({
			ours: await ourStart(installation, START_ROUNDS),
			axios: await axiosStart(installation, START_ROUNDS),
		}));
	}
	if (wanted.includes('growth')) {
		parts.growth = await step('How the cost grows', async (note) => {
			const points = await measureGrowth(installation, scale, note);
			note(`${points.length} points`);
			return points;
		});
	}
	return parts;
}

/** Keeps the results beside those of earlier runs; the pages are written when there are results of all parts. */
async function keep(now: Results): Promise<void> {
	const file = join(folder, 'results.json');
	const text = await readFile(file, 'utf8').catch(() => undefined);
	const results = merge(text === undefined ? undefined : (JSON.parse(text) as Results), now);
	await writeFile(file, JSON.stringify(results, undefined, '\t'));
	if (hasAllParts(results)) {
		await writeFile(join(folder, 'results.md'), toMarkdown(results));
		await writeFile(join(folder, 'bench.svg'), toSvg(results));
		console.log('Written to bench/results.');
	} else {
		const missing = PARTS.filter((part) => results.parts[part] === undefined).join(' ');
		console.log(
			`Kept. The pages in bench/results are written once these parts are run: ${missing}`,
		);
	}
}

function readArguments(): { wanted: readonly PartName[]; rounds: number; isQuick: boolean } {
	const { values, positionals } = parseArgs({
		options: {
			quick: { type: 'boolean', default: false },
			rounds: { type: 'string', default: '3' },
		},
		allowPositionals: true,
	});
	const wanted = PARTS.filter((part) => positionals.includes(part));
	if (wanted.length < new Set(positionals).size) {
		throw new Error(`The parts of the bench are: ${PARTS.join(' ')}`);
	}
	return {
		wanted: wanted.length > 0 ? wanted : PARTS,
		rounds: values.quick ? 1 : Number(values.rounds),
		isQuick: values.quick,
	};
}

/**
 * Compares our nodes with what users would take instead, side by side in a real n8n's engine, and writes
 * `bench/results/`. Names of parts run only these. `--quick` runs smaller loads once, to see that everything
 * works, and writes nothing.
 */
async function main(): Promise<void> {
	const { wanted, rounds, isQuick } = readArguments();
	const installation = await install();
	try {
		const node = (await runCommand(installation.node, ['--version'])).replace('v', '');
		const machine = { n8n: installation.version, node, cores: availableParallelism() };
		const parts = await run(installation, wanted, { rounds, isQuick });
		const results: Results = { machine, parts };
		console.log(`\n${toMarkdown(results)}`);
		if (!isQuick) await keep(results);
	} finally {
		await installation.remove();
	}
}

main().catch((error: unknown) => {
	console.error(`\n${error instanceof Error ? error.message : String(error)}`);
	process.exitCode = 1;
});
