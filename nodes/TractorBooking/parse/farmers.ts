import { asText, wordsOf } from '../utils/text';
import { parsePhone } from './phones';

// A farmer as it is compared: undefined is what a record does not show, or what cannot be read.

/** The words of a name in order: `BELLO, Amina` and `Amina Bello` are one name. Some services mask names. */
export function comparableName(value: unknown): string | undefined {
	const name = asText(value);
	return (!name.includes('**') && wordsOf(name).sort().join(' ')) || undefined;
}

export function comparablePhone(value: unknown): string | undefined {
	const phone = parsePhone(value);
	return phone.ok ? phone.value : undefined;
}
