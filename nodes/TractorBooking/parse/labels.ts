const LABELS: Readonly<Record<string, string>> = {
	areaType: 'Area Unit',
	bookingID: 'Booking ID',
	coordinates: 'Latitude and Longitude',
	custom_crop: 'Custom Crop',
	headings: 'The headings',
	row: 'The row',
	tractorId: 'Tractor ID',
};

/** The label in the editor of a field of the interface: `Farmer Phone` of `farmerPhone`. A label stays as it is. */
export function labelOf(field: string): string {
	const words = field.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
	return LABELS[field] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** The labels as words: `Farmer Phone, Service Date and Farmer Name`. */
export function labelsOf(fields: readonly string[]): string {
	return listOf(fields.map(labelOf));
}

/** What one list names at most. */
const MAX_NAMED = 12;

/** `a, b and c`, or `a, b and 7 more`. */
export function listOf(texts: readonly string[], and = 'and'): string {
	const shown = texts.slice(0, texts.length > MAX_NAMED ? MAX_NAMED - 1 : -1);
	const last = texts.length > MAX_NAMED ? `${texts.length - shown.length} more` : texts.at(-1);
	return [shown.join(', '), last].filter(Boolean).join(` ${and} `);
}
