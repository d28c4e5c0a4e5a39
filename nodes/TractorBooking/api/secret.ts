import { asText } from '../utils/text';

/**
 * The key or token of a credential as it is sent: without blanks, also invisible ones, around it, and without the words
 * of the header, which people copy along (interface, "Authentication").
 */
export function parseSecret(typed: unknown): string {
	return asText(typed)
		.replace(/[\u200b-\u200d\u2060\ufeff]/g, '')
		.trim()
		.replace(/^(?:authorization:\s*)?(?:api-key|bearer)\s+/i, '');
}
