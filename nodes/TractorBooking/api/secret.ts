import { asText } from '../utils/text';

const withoutQuotes = (text: string) => text.trim().replace(/^["'“](.*)["'”]$/, '$1');

/**
 * The key or token of a credential as it is sent: without blanks, also invisible ones, and quotes around it, and without
 * the words of the header, which people copy along (interface, "Authentication").
 */
export function parseSecret(typed: unknown): string {
	const visible = asText(typed).replace(/[\u200b-\u200d\u2060\ufeff]/g, '');
	const words = /^(?:authorization:\s*)?(?:api-key|bearer)\s+/i;
	return withoutQuotes(withoutQuotes(visible).replace(words, ''));
}
