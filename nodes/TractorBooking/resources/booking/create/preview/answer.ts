import type { ColumnField } from '../row/fields';

export interface Answer {
	text: string;
	/** Of a setting, its value; of a service, what to write into its cells; of fields, the column of each. Empty for none. */
	value: string | Partial<Record<ColumnField, string>>;
}

/** For rows that differ: then each is corrected in the sheet. */
export const NONE_OF_THESE = 'None of these: do not book these rows';
