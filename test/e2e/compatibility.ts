import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { n8nVersions } from '../../tools/n8nHost/host';
import type { FlowResult } from './flows';
import { playFlows } from './flows';
import type { Report } from './report';
import { Theatre } from './stage';

interface Column {
	n8n: string;
	node: string;
	results: FlowResult[];
}

const problemsOf = ({ n8n, results }: Column): string[] =>
	results.flatMap(({ name, problem }) => (problem ? [`n8n ${n8n}, ${name}: ${problem}`] : []));

/** The page: a table of flows and versions, and below it what did not work. */
function toPage(columns: Column[]): string {
	const flows = columns[0]?.results.map(({ name }) => name) ?? [];
	const resultOf = ({ results }: Column, flow: string) => results.find(({ name }) => name === flow);
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	const works = columns.filter(({ results }) => results.every(({ problem }) => !problem));
	const problems = columns.flatMap((column) => problemsOf(column)).map((text) => `- ${text}`);
	const seen = columns[0]?.results.flatMap(({ name, seen }) =>
		seen ? [`- ${name}: ${seen}.`] : [],
	);
	return [
		'# Compatibility',
		'',
		'<!-- `npm run test:e2e -- compatibility` writes this page. -->',
		'',
		`What users do first, in real n8n installations, on ${new Date().toISOString().slice(0, 10)}. The oldest n8n in which all of it was seen to work is ${works.at(-1)?.n8n ?? 'none of these'}; older ones were not tried.`,
		'',
		line(['', ...columns.map(({ n8n }) => `n8n ${n8n}`)]),
		line(['---', ...columns.map(() => '---')]),
		...flows.map((flow) =>
			line([flow, ...columns.map((column) => (resultOf(column, flow)?.problem ? '✗' : '✓'))]),
		),
		line(['Node.js that ran it', ...columns.map(({ node }) => node)]),
		'',
		...(problems.length > 0 ? ['What did not work:', '', ...problems, ''] : []),
		`What ✓ means, as seen in n8n ${columns[0]?.n8n}:`,
		'',
		...(seen ?? []),
		'',
		'The package is installed with npm in `.n8n/nodes`, and everything goes over HTTP, as a browser and a webhook do. [end-to-end.md](end-to-end.md) is about crashes and queue mode, which are tried in the newest of these versions only.',
		'',
		'n8n 3.0 refuses unverified community packages unless `N8N_UNVERIFIED_PACKAGES_ENABLED=true`. It could not be tried here: it is a Docker image only. n8n 2.41.3 cannot be installed: it needs `@n8n/agents` 0.26.2, which was not on the registry on 2026-11-22.',
		'',
	].join('\n');
}

/** Plays the flows on each supported n8n, and writes docs/developers/compatibility.md. */
export async function compatibility(): Promise<Report> {
	const columns: Column[] = [];
	for (const version of n8nVersions) {
		const theatre = await Theatre.open(version);
		try {
			columns.push({ ...theatre.versions, results: await theatre.play(playFlows) });
		} finally {
			await theatre.close();
		}
	}
	await writeFile(
		join(__dirname, '..', '..', 'docs', 'developers', 'compatibility.md'),
		toPage(columns),
	);
	return {
		title: 'What users do first, on each supported n8n',
		story: 'The scenario of the flows is played on the newest, an older and the oldest n8n.',
		expected: 'Each flow works on each of them.',
		facts: columns.map(({ n8n, results }) => `n8n ${n8n}: ${results.length} flows`),
		violations: columns.flatMap((column) => problemsOf(column)),
	};
}
