import { listOf, ok, unwrap, type ParseResult } from './issue';
import { invalid } from './sentences';

export function parseSwitch(value: unknown): ParseResult<boolean> {
	return typeof value === 'boolean' ? ok(value) : invalid('switch');
}

/** The value of a switch of the node. @param label its name in the editor @throws InvalidInputError */
export const switchOf = (value: unknown, label: string): boolean =>
	unwrap(parseSwitch(value), label, value);

/** Parses the value of a dropdown: an expression may have returned none of its choices. */
export function parseChoice<T extends string>(
	value: unknown,
	choices: readonly T[],
): ParseResult<T> {
	const chosen = choices.find((choice) => choice === value);
	const names = listOf(choices.filter(Boolean), 'or');
	return chosen === undefined ? invalid('choice', names) : ok(chosen);
}

/** The values of a multi-select field; an expression may return one value, or comma-separated text. */
export function valuesOf(value: unknown): unknown[] {
	if (typeof value === 'string') return value.split(',').filter((part) => part.trim() !== '');
	return [value ?? []].flat();
}
