/** The function, which is called once for each different argument. It must not return undefined; a promise is shared. */
export function memoize<K, V>(compute: (key: K) => V): (key: K) => V {
	const known = new Map<K, V>();
	return (key) => {
		const value = known.get(key) ?? compute(key);
		known.set(key, value);
		return value;
	};
}
