import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '../tools/command';
import { step } from '../tools/progress';
import { install, type Installation } from './installation';
import { measurePolls } from './polls';
import { toMarkdown, type Results } from './report';
import { measureStart } from './start';
import { measureWork, worksOf } from './works';

const WORKS = ['returnAll', 'create', 'createOne', 'createSlow'] as const;
const PARTS = [...WORKS, 'polls', 'start'] as const;
const START_ROUNDS = 15;

async function run(
	installation: Installation,
	parts: readonly string[],
	rounds: number,
	isQuick: boolean,
): Promise<Results> {
	const node = (await runCommand(installation.node, ['--version'])).replace('v', '');
	const machine = { n8n: installation.version, node, cores: availableParallelism() };
	const results: Results = { machine, works: [] };
	const works = worksOf(rounds, isQuick ? 0.2 : 1);
	for (const name of WORKS) {
		if (!parts.includes(name)) continue;
		const summary = await step(
			works[name].title,
			async (note) => await measureWork(installation, works[name], note),
		);
		results.works.push(summary);
	}
	if (parts.includes('polls')) {
		results.polls = await step(
			'Polls',
			async (note) => await measurePolls(installation, rounds, isQuick ? 0.05 : 1, note),
		);
	}
	if (parts.includes('start')) {
		results.start = await step(
			'Loading the package',
			async () => await measureStart(installation, START_ROUNDS),
		);
	}
	return results;
}

/**
 * Compares our nodes with what users would take instead, in the engine of a real n8n, and writes
 * `bench/results/results.md`. With names of parts it runs only these, and with `--quick` smaller works once, to
 * see that everything works; both only print.
 */
async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		options: {
			quick: { type: 'boolean', default: false },
			rounds: { type: 'string', default: '3' },
		},
		allowPositionals: true,
	});
	const isPart = (name: string) => PARTS.some((part) => part === name);
	if (!positionals.every(isPart)) throw new Error(`The parts are: ${PARTS.join(' ')}`);
	const parts = positionals.length > 0 ? positionals : PARTS;
	const rounds = values.quick ? 1 : Number(values.rounds);
	const installation = await install();
	try {
		const markdown = toMarkdown(await run(installation, parts, rounds, values.quick));
		console.log(`\n${markdown}`);
		const isComplete = parts === PARTS && !values.quick;
		if (isComplete) await writeFile(join(__dirname, 'results', 'results.md'), markdown);
	} finally {
		await installation.remove();
	}
}

main().catch((error: unknown) => {
	console.error(`\n${error instanceof Error ? error.message : String(error)}`);
	process.exitCode = 1;
});
