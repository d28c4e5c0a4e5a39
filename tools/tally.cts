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
