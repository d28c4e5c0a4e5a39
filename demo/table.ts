/** Lays rows of text out in columns; the first row holds the headings. */
export function table(rows: string[][]): string {
	const widths = (rows[0] ?? []).map((_, column) =>
		Math.max(...rows.map((row) => row[column]?.length ?? 0)),
	);
	const line = (cells: string[]) =>
		cells
			.map((cell, column) => cell.padEnd(widths[column] ?? 0))
			.join('  ')
			.trimEnd();
	const [headings = [], ...rest] = rows;
	return [line(headings), line(widths.map((width) => '─'.repeat(width))), ...rest.map(line)].join(
		'\n',
	);
}
