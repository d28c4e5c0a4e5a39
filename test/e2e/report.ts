/** A scenario in plain words. */
export interface ScenarioText {
	title: string;
	/** What is done. */
	story: string;
	/** What must hold at the end. */
	expected: string;
}

/** What came of a scenario. */
export interface Report extends ScenarioText {
	/** What happened, in numbers, for the summary at the end. */
	facts: string[];
	/** What must not happen and did. */
	violations: string[];
}

/** How many times each key occurs. */
export function countBy<Item, Key>(
	items: Iterable<Item>,
	keyOf: (item: Item) => Key,
): Map<Key, number> {
	const counts = new Map<Key, number>();
	for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
	return counts;
}

/** How many items there are of each kind: `3 created, 2 unknown`. */
export function tally<Item>(items: Iterable<Item>, kindOf: (item: Item) => string): string {
	const counts = countBy(items, kindOf);
	return [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
}

/** A few of many, for a message. */
export function some(items: readonly unknown[], most = 10): string {
	const more = items.length > most ? ` and ${items.length - most} more` : '';
	return items.slice(0, most).join(', ') + more;
}

/** What a run was made with, and when. */
export interface RunFacts {
	/** Version of n8n, and of the Node.js that ran it. */
	n8n: string;
	node: string;
	startedAt: Date;
	minutes: number;
}

const isPassed = ({ violations }: Report) => violations.length === 0;

/** The run as a Markdown page, for `docs/developers/end-to-end.md`: what must hold first, its numbers last. */
export function toMarkdown(reports: readonly Report[], run: RunFacts): string {
	const passed = reports.filter(isPassed).length;
	const head = [
		'# End-to-end tests: n8n is killed while it works',
		'',
		'<!-- Written by `npm run test:e2e -- --write docs/developers/end-to-end.md`. -->',
		'',
		'Are bookings or messages lost or doubled if n8n dies in the middle of its work? `npm run test:e2e` installs the package in a real n8n as an operator would, kills n8n (SIGKILL) at random moments, starts it again, and compares what the service and the SMS gateway have with what they must have. The service and the gateway are the sandbox. Some scenarios kill nothing: `-- flows` does what users do first ([compatibility.md](compatibility.md)), `-- examples` runs each example workflow, and `-- editor` uses the editor in a browser as a person does.',
		'',
		`The last full run: ${run.startedAt.toISOString().slice(0, 10)}, n8n ${run.n8n} on Node.js ${run.node}, ${run.minutes.toFixed(0)} minutes. ${passed} of ${reports.length} scenarios passed.`,
		'',
		'| scenario | what must hold | passed |',
		'|---|---|---|',
		...reports.map(
			(report) => `| ${report.title} | ${report.expected} | ${isPassed(report) ? '✓' : '✗'} |`,
		),
	];
	const sections = reports.flatMap(({ title, story, facts, violations }, index) => [
		'',
		`## ${title}`,
		'',
		...(story === reports[index - 1]?.story ? [] : [story, '']),
		...facts.map((fact) => `- ${fact}`),
		...violations.map((violation) => `- ✗ ${violation}`),
	]);
	return [...head, ...sections, ''].join('\n');
}
