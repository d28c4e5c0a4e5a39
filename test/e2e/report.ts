/** What came of a scenario. */
export interface Report {
	title: string;
	/** What was done, in plain words. */
	story: string;
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

/** The run as a Markdown page, for `docs/end-to-end.md`. */
export function toMarkdown(reports: readonly Report[], run: RunFacts): string {
	const passed = reports.filter(({ violations }) => violations.length === 0).length;
	const head = [
		'# End-to-end tests',
		'',
		'<!-- Written by `npm run test:e2e -- --write docs/end-to-end.md`. -->',
		'',
		"`npm run test:e2e` installs the packed package in a real n8n, as an operator would, lets it work on the sandbox, kills it with SIGKILL again and again, and then compares what the service and the SMS gateway have with what they must have. Each kill strikes at a random moment: in the middle of a request, of a poll, or of n8n's own saving.",
		'',
		`The last full run: ${run.startedAt.toISOString().slice(0, 10)}, n8n ${run.n8n} on Node.js ${run.node}, ${run.minutes.toFixed(0)} minutes. ${passed} of ${reports.length} scenarios passed.`,
	];
	const sections = reports.flatMap(({ title, story, facts, violations }) => [
		'',
		`## ${violations.length === 0 ? '✓' : '✗'} ${title}`,
		'',
		story,
		'',
		...facts.map((fact) => `- ${fact}`),
		...violations.map((violation) => `- ✗ ${violation}`),
	]);
	return [...head, ...sections, ''].join('\n');
}
