/** The JSON of items. */
export const jsonOf = <T>(items: ReadonlyArray<CodeItem<T>>): T[] => items.map(({ json }) => json);

export const itemsOf = <T>(records: readonly T[]): Array<CodeItem<T>> =>
	records.map((json) => ({ json }));
