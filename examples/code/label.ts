import { asText } from '../../nodes/TractorBooking/utils/text';

/**
 * A text as n8n keeps it in a label or an option, where `<` would become `&lt;`, and spaces at the end are lost: answers
 * are found by their labels.
 */
export const plain = (value: unknown): string =>
	asText(value).replace(/</g, '‹').replace(/>/g, '›').replace(/\s+/g, ' ').trim();
