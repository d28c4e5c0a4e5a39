/** What one list names at most. */
const MAX_NAMED = 12;

/** `a, b and c`, or `a, b and 7 more`. */
export function listOf(texts: readonly string[], and = 'and'): string {
	const shown = texts.slice(0, texts.length > MAX_NAMED ? MAX_NAMED - 1 : -1);
	const last = texts.length > MAX_NAMED ? `${texts.length - shown.length} more` : texts.at(-1);
	return [shown.join(', '), last].filter(Boolean).join(` ${and} `);
}
