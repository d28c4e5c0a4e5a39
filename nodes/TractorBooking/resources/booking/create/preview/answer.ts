import type { ColumnField } from '../row/fields';

export interface Answer {
	text: string;
	/** What to set: of a service, what to write into its cells instead; of a column, what it holds. */
	value: string | Partial<Record<ColumnField, string>>;
}

/** For rows that differ: then each is corrected in the sheet. */
export const NONE_OF_THESE = 'None of these: do not book these rows';
