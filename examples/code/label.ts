import { asText } from '../../nodes/TractorBooking/utils/text';

/** A text in one line. */
export const clean = (value: unknown): string => asText(value).replace(/\s+/g, ' ').trim();

/**
 * A text as n8n keeps it in a label or an option, where `<` would become `&lt;`, and spaces at the end are lost: answers
 * are found by their labels.
 */
export const plain = (text: string): string => clean(text).replace(/</g, '‹').replace(/>/g, '›');
