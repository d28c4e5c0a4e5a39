const MOST_EMPTY_LINES = 100;

/**
 * The lines of a sheet with its empty lines, which n8n does not read, so that its numbers stay right.
 *
 * @param numbered the lines with their numbers in the sheet that was uploaded
 */
export function withEmptyLines<T extends object>(
	numbered: ReadonlyArray<{ number: number; line: T }>,
): Array<T | Record<string, never>> {
	return numbered.flatMap(({ number, line }, at) => {
		const gap = number - (numbered[at - 1]?.number ?? 1) - 1;
		const empty = Math.max(0, Math.min(gap, MOST_EMPTY_LINES));
		return [...Array.from({ length: empty }, () => ({})), line];
	});
}
