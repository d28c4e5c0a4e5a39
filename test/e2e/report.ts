/** What came of a scenario. */
export interface Report {
	title: string;
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
