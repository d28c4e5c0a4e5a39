import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { step } from '../tools/progress.cts';
import { Theatre } from '../tools/theatre.cts';
import { install, type Bench } from './bench.cts';
import { measurePolls } from './polls.cts';
import { measureStart } from './start.cts';
import { measureWeek } from './week.cts';
import { create, createOne, createSlow, measureWork, returnAll } from './works.cts';

/** Each measures something in a real n8n, and returns a section of the results. */
const PARTS: Readonly<Record<string, (bench: Bench) => Promise<string[]>>> = {
	returnAll: async (bench) => await measureWork(bench, returnAll(bench.scale)),
	create: async (bench) => await measureWork(bench, create(bench.scale)),
	createOne: async (bench) => await measureWork(bench, createOne(bench.scale)),
	createSlow: async (bench) => await measureWork(bench, createSlow(bench.scale)),
	polls: measurePolls,
	start: measureStart,
};

/**
 * Compares our nodes with what users would take instead, in the engine of a real n8n, and writes
 * `bench/results/results.md`. With names of parts it runs only these, and with `--quick` smaller works once, to
 * see that everything works; both only print. So does `week`, a part that needs no n8n.
 */
async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		options: { quick: { type: 'boolean', default: false } },
		allowPositionals: true,
	});
	if (positionals.join() === 'week') {
		const scale = values.quick ? 0.1 : 1;
		console.log((await step('week', async (note) => await measureWeek(scale, note))).join('\n\n'));
		return;
	}
	const names = Object.keys(PARTS);
	const unknown = positionals.filter((name) => !names.includes(name));
	if (unknown.length > 0) throw new Error(`The parts are: ${names.join(' ')}, or week alone`);
	const chosen = positionals.length > 0 ? positionals : names;

	const theatre = await Theatre.open();
	try {
		const installation = await install(theatre);
		const paragraphs = [
			'# Results of the bench',
			`${installation.versions}, ${availableParallelism()} cores, the service and n8n on one machine. Medians; each measurement in a process of its own. \`npm run bench\` writes this file.`,
		];
		for (const [name, measure] of Object.entries(PARTS)) {
			if (!chosen.includes(name)) continue;
			const scale = values.quick ? 0.2 : 1;
			const section = await step(
				name,
				async (note) => await measure({ installation, scale, note }),
			);
			console.log(`\n${section.join('\n\n')}\n`);
			paragraphs.push(...section);
		}
		const markdown = `${paragraphs.join('\n\n')}\n`;
		const isComplete = chosen === names && !values.quick;
		if (isComplete) await writeFile(join(__dirname, 'results', 'results.md'), markdown);
	} finally {
		await theatre.close();
	}
}

main().catch((error: unknown) => {
	console.error(`\n${error instanceof Error ? error.message : String(error)}`);
	process.exitCode = 1;
});
