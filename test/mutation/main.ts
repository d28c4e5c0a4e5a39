import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { InstrumentResult } from '@stryker-mutator/instrumenter';

import { SuiteRunner } from './runner';

/*
 * Mutation: small faults are put into the code one at a time, and the suites have to notice. Stryker's instrumenter
 * puts all of them into one build, each behind a switch; the workers try them one after the other.
 */

const NODES = 'nodes/TractorBooking';

/** The suites that have to notice a fault in a folder: its own first, then those that use it. */
const SUITES_OF: Record<string, readonly string[]> = {
	parse: ['test/parse', 'test/resources/create'],
	api: ['test/api', 'test/credentials', 'test/methods', 'test/resources', 'test/trigger'],
	trigger: ['test/trigger'],
	'resources/booking/create': ['test/resources/create', 'test/resources'],
};

/** Suites that need a process of their own, or more time than they would find out. */
const LEFT_OUT = /(loads|processes|longAnswers|linearTime|schemas|literalChoices)\.test/;

/** What the editor shows is text; test/description.test.ts and the lint look at it. */
const NO_CODE = /description\.ts$/;

const {
	FOLDER = Object.keys(SUITES_OF).join(),
	MUTANTS = '200',
	SEED = '1',
	WORKERS = '1',
} = process.env;

const root = process.cwd();

function filesIn(folder: string): string[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
		.sort()
		.map((file) => join(root, folder, file));
}

type Mutant = InstrumentResult['mutants'][number];

const quiet = () => undefined;
const logger = new Proxy({}, { get: () => quiet });

/** Puts the mutants into the files of a folder. */
async function instrument(files: readonly string[]) {
	const sources = files.map((name) => ({
		name,
		content: readFileSync(name, 'utf8'),
		mutate: true,
	}));
	const options = { plugins: null, excludedMutations: [], ignorers: [] };
	const { Instrumenter } = await import('@stryker-mutator/instrumenter');
	return await new Instrumenter(logger as never).instrument(sources, options);
}

const textOf = ({ fileName, location: { start, end } }: Mutant): string => {
	const lines = readFileSync(fileName, 'utf8')
		.split('\n')
		.slice(start.line, end.line + 1);
	const last = lines.length - 1;
	lines[last] = (lines[last] ?? '').slice(0, end.column);
	lines[0] = (lines[0] ?? '').slice(start.column);
	return lines.join(' ').replaceAll(/\s+/g, ' ');
};

/** A sample that stays the same where the code does. */
function sample(mutants: readonly Mutant[], count: number): Mutant[] {
	const rank = (mutant: Mutant) =>
		createHash('sha256')
			.update(
				[SEED, relative(root, mutant.fileName), textOf(mutant), mutant.replacement].join('\0'),
			)
			.digest('hex');
	return mutants
		.map((mutant) => ({ mutant, rank: rank(mutant) }))
		.sort((a, b) => (a.rank < b.rank ? -1 : 1))
		.slice(0, count)
		.map(({ mutant }) => mutant);
}

const place = (mutant: Mutant) =>
	`${relative(join(root, NODES), mutant.fileName)}:${mutant.location.start.line + 1}`;

function short(text: string): string {
	const line = text.replaceAll(/\s+/g, ' ');
	return line.length > 140 ? `${line.slice(0, 140)}…` : line;
}

const describe = (mutant: Mutant) =>
	`${place(mutant)}  ${mutant.mutatorName}: ${short(textOf(mutant))}  →  ${short(mutant.replacement)}`;

const print = (line: string) => process.stdout.write(`${line}\n`);

async function tryFolder(path: string): Promise<void> {
	const folder = Object.keys(SUITES_OF).find(
		(name) => path === name || path.startsWith(`${name}/`),
	);
	if (folder === undefined) throw new Error(`No suites are known for ${path}`);
	const files = (
		path.endsWith('.ts') ? [join(root, NODES, path)] : filesIn(join(NODES, path))
	).filter((file) => !NO_CODE.test(file));
	const { files: built, mutants } = await instrument(files);
	const mutated = Object.fromEntries(built.map(({ name, content }) => [name, content]));
	const scratch = mkdtempSync(join(tmpdir(), 'mutation-'));
	const mutatedFiles = join(scratch, 'mutated.json');
	writeFileSync(mutatedFiles, JSON.stringify(mutated));
	const seen = new Set<string>();
	const groups = (SUITES_OF[folder] ?? []).map((group) =>
		filesIn(group).filter(
			(file) =>
				file.endsWith('.test.ts') && !LEFT_OUT.test(file) && !seen.has(file) && seen.add(file),
		),
	);
	const chosen = sample(mutants, Number(MUTANTS));
	print(
		`\n${path}: ${chosen.length} of ${mutants.length} mutants, ${seen.size} suites, seed ${SEED}`,
	);

	const runners = Array.from({ length: Number(WORKERS) }, () => new SuiteRunner(mutatedFiles));
	const [first] = runners;
	if (!first) throw new Error('WORKERS has to be 1 or more');
	// What each suite runs past, and how long it takes.
	const known = new Map<string, { covered: Set<string>; ms: number }>();
	const learn = async (runner: SuiteRunner, suite: string) => {
		const verdict = await runner.run({ suite, timeoutMs: 600_000 });
		if (process.env.VERBOSE) print(`  ${relative(root, suite)}: ${Math.round(verdict.ms)} ms`);
		if (verdict.failure !== undefined)
			print(`left out: ${relative(root, suite)} fails without a mutant: ${short(verdict.failure)}`);
		const covered = verdict.failure === undefined ? verdict.covered : [];
		known.set(suite, { covered: new Set(covered), ms: verdict.ms });
	};
	const results = { killed: 0, timeout: 0 };
	/** Whether one of the suites notices the mutant. */
	const isKilled = async (runner: SuiteRunner, mutant: Mutant, group: readonly string[]) => {
		const ordered = group
			.map((suite) => ({ suite, ...(known.get(suite) ?? { covered: new Set<string>(), ms: 0 }) }))
			.filter(({ covered }) => covered.has(mutant.id))
			.sort((a, b) => a.ms - b.ms);
		if (ordered.length > 0) reached.add(mutant);
		for (const { suite, ms } of ordered) {
			const timeoutMs = 20_000 + 10 * ms;
			const { failure } = await runner.run({ mutant: mutant.id, suite, timeoutMs });
			if (failure === undefined) continue;
			const isTimeout = /Exceeded timeout|never ends/.test(failure);
			if (isTimeout) runner.restart();
			results[isTimeout ? 'timeout' : 'killed'] += 1;
			if (process.env.VERBOSE)
				print(
					`  ${isTimeout ? 'timeout' : 'killed'}  ${describe(mutant)}  by ${relative(root, suite)}: ${short(failure)}`,
				);
			return true;
		}
		return false;
	};
	const reached = new Set<Mutant>();
	let left = chosen;
	for (const group of groups) {
		if (left.length === 0) break;
		await inTurn(runners, group, async (runner, suite) => await learn(runner, suite));
		const survivors: Mutant[] = [];
		await inTurn(runners, left, async (runner, mutant) => {
			if (!(await isKilled(runner, mutant, group))) survivors.push(mutant);
		});
		left = survivors;
		print(`${path}: ${left.length} left after ${group.length} suites`);
		for (const mutant of left)
			print(`  ${reached.has(mutant) ? 'survived' : 'not covered'}  ${describe(mutant)}`);
	}
	for (const runner of runners) runner.stop();
	rmSync(scratch, { recursive: true });
	const percent = (100 * (chosen.length - left.length)) / chosen.length;
	print(
		`${path}: ${percent.toFixed(1)} % killed (${results.killed} by a test, ${results.timeout} by a timeout; ${left.length} survived)`,
	);
}

/** Shares work among the runners. */
async function inTurn<T>(
	runners: readonly SuiteRunner[],
	work: readonly T[],
	act: (runner: SuiteRunner, item: T) => Promise<void>,
): Promise<void> {
	const waiting = [...work];
	await Promise.all(
		runners.map(async (runner) => {
			for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
				await act(runner, next);
		}),
	);
}

async function main(): Promise<void> {
	for (const path of FOLDER.split(',')) await tryFolder(path);
}

void main();
