/** A value of unknown type as text: identifiers and codes as they are, anything else as JSON. */
export function asText(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
		return String(value);
	return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Order of names in the editor, all ASCII. Comparing by language would cost n8n 7 ms at every start. */
export function inOrder(a: string, b: string): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}
