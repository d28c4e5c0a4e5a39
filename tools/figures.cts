import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runCommand } from './command.cts';
import { SetupError } from './n8nHost/host.cts';

const PAGE = 'docs/developers/testing.md';
const TABLE = /(?<=<!-- figures -->\n)[^]*?(?=<!-- \/figures -->)/;
const HEAD = '| what | figure | at |\n|---|---|---|\n';

const number = (value: number) => value.toLocaleString('en-GB');

async function textOf(pattern: string): Promise<string> {
	const files = (await runCommand('git', ['ls-files', pattern])).split('\n');
	return files.map((file) => readFileSync(file, 'utf8')).join('');
}

const linesOf = async (pattern: string) => number((await textOf(pattern)).split('\n').length - 1);

type Env = Record<string, string>;

/** What a command prints, also if it fails: that is a figure, too. */
const output = async (command: string, env: Env) =>
	await runCommand('sh', ['-c', `${command} 2>&1 || true`], { env });

interface JestReport {
	numPassedTests: number;
	numFailedTests: number;
}

/** Runs suites. @returns what they came to, and how long they took */
async function tests(suites: string, env: Env = {}): Promise<string> {
	const report = join(mkdtempSync(join(tmpdir(), 'figures-')), 'report.json');
	const startedAt = Date.now();
	await output(`npx jest --silent --json --outputFile=${report} ${suites}`, env);
	const seconds = number(Math.round((Date.now() - startedAt) / 1_000));
	const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8')) as JestReport;
	return `${number(numPassedTests)} pass, ${number(numFailedTests)} fail; ${seconds} s`;
}

/** Lets workers meet. @returns in how many rounds a row was booked twice, or swallowed */
async function interleavings(): Promise<string> {
	const env = { LOADS: 'full', ROUNDS: '370' };
	const said = await output('npx jest interleavings', env);
	const rounds = [...said.matchAll(/of (\d+) rounds: doubled in (\d+).*; swallowed in (\d+)/g)];
	const sum = (at: number) => number(rounds.reduce((all, round) => all + Number(round[at]), 0));
	return `${sum(2)} of ${sum(1)} rounds with a row twice, ${sum(3)} with a row swallowed`;
}

/** Puts faults into a folder. @returns how many the suites noticed */
async function mutants(folder: string): Promise<string> {
	const said = await output('npm run test:mutation', { FOLDER: folder });
	const [, counts = ''] = /^All files *\|(.*)\|/m.exec(said) ?? [];
	const [, , killed = 0, timedOut = 0, survived = 0, unseen = 0] = counts.split('|').map(Number);
	return `${killed + timedOut} of ${killed + timedOut + survived + unseen} noticed`;
}

const CREATE = 'nodes/TractorBooking/resources/booking/create';

/** What `npm run figures` measures, by the name that asks for it. */
const FIGURES: Record<string, [what: string, measure: () => Promise<string>]> = {
	lines: [
		'lines of nodes/, create/ and test/',
		async () =>
			(await Promise.all(['nodes/*.ts', `${CREATE}/*.ts`, 'test/*.cts'].map(linesOf))).join(', '),
	],
	words: [
		'words of all Markdown files',
		async () => number((await textOf('*.md')).match(/\S+/g)?.length ?? 0),
	],
	tests: ['`npm test`', async () => await tests('')],
	faults: [
		'`npm run test:faults`',
		async () => await tests('test/faults/matrix', { FAULTS: 'all' }),
	],
	stories: ['2,000 random stories', async () => await tests('randomStories', { FC_RUNS: '2000' })],
	interleavings: ['six kinds of interleavings', interleavings],
	histories: [
		'2,000 histories of the trigger',
		async () => await tests('test/trigger/histories', { HISTORIES: '2000' }),
	],
	...Object.fromEntries(
		['parse', 'api', 'trigger', 'resources/booking/create'].map((folder) => [
			`mutants:${folder}`,
			[`mutants in 60 lines of ${folder}`, async () => await mutants(folder)],
		]),
	),
};

/** `npm run figures [-- name …]`: measures what is named, or all in some hours, at a commit, and writes it into the page. */
async function main(): Promise<void> {
	const commit = await runCommand('git', ['rev-parse', '--short', 'HEAD']);
	if (await runCommand('git', ['status', '--porcelain', '-uno', '--', ':!docs']))
		throw new SetupError('Commit first: figures are those of a commit.');
	const asked = process.argv.slice(2);
	for (const [name, [what, measure]] of Object.entries(FIGURES)) {
		if (asked.length > 0 && !asked.some((one) => name.startsWith(one))) continue;
		const row = `| ${what} | ${await measure()} | ${commit} |`;
		console.log(row);
		const page = readFileSync(PAGE, 'utf8');
		const rows = (TABLE.exec(page)?.[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
		const known = new Map(rows.slice(2).map((line) => [line.split(' | ')[0], line]));
		known.set(`| ${what}`, row);
		writeFileSync(
			PAGE,
			page.replace(TABLE, () => `${HEAD}${[...known.values()].join('\n')}\n`),
		);
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof SetupError ? error.message : error);
	process.exitCode = 1;
});
