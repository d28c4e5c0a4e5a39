/**
 * The function, which is called once for each different argument. It must not return undefined; a promise is shared.
 *
 * @param idOf what arguments are compared by; `JSON.stringify` if they are lists or objects
 */
export function memoize<K, V>(
	compute: (key: K) => V,
	idOf: (key: K) => unknown = (key) => key,
): (key: K) => V {
	const known = new Map<unknown, V>();
	return (key) => {
		const id = idOf(key);
		const value = known.get(id) ?? compute(key);
		known.set(id, value);
		return value;
	};
}
