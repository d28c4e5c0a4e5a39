import type { IDataObject } from 'n8n-workflow';

/** A field with more different texts than this hardly repeats any, like the instant of an update. */
const MOST_TEXTS = 2_000;

/**
 * Holds equal texts of different records once. Names, places and crops come again from booking to booking,
 * and a parsed answer holds each of them anew.
 */
export class SharedTexts {
	/** The texts of each field. */
	private readonly fields = new Map<string, Map<string, string>>();

	/** Puts the texts that are known already in the place of those of the record. */
	shareIn(record: IDataObject): void {
		for (const field in record) {
			const text = record[field];
			if (typeof text !== 'string') continue;
			let texts = this.fields.get(field);
			if (!texts) this.fields.set(field, (texts = new Map<string, string>()));
			if (texts.size >= MOST_TEXTS) continue;
			const known = texts.get(text);
			if (known === undefined) texts.set(text, text);
			else record[field] = known;
		}
	}
}
