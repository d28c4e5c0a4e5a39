/** Numbers by the headings of their columns. */
export type Sample = Record<string, number>;

/** Combines the numbers of each column, e.g. to their median. */
export function combine(samples: Sample[], statistic: (numbers: number[]) => number): Sample {
	const columns = Object.keys(samples[0] ?? {});
	return Object.fromEntries(
		columns.map((column) => [column, statistic(samples.map((sample) => sample[column] ?? NaN))]),
	);
}

/** A Markdown table of rows that have the same columns. */
export function tableOf(rows: Array<Record<string, string | number>>): string {
	const head = Object.keys(rows[0] ?? {});
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [
		line(head),
		`|${'---|'.repeat(head.length)}`,
		...rows.map((row) => line(Object.values(row).map(format))),
	].join('\n');
}

function format(value: string | number): string {
	if (typeof value === 'string') return value;
	const maximumFractionDigits = value < 10 ? 2 : value < 1_000 ? 1 : 0;
	return value.toLocaleString('en-GB', { maximumFractionDigits });
}
