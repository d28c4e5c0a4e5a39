import type { IDataObject } from 'n8n-workflow';

import { listedValue, listOf } from '../../../../parse/issue';

/** Which row of the input it is, as messages name it. */
export interface InputRow {
	itemIndex: number;
	/** Number of the row in its sheet: `row_number` of the item, else counted with the header as row 1. */
	sheetRow: number;
	/** Whether the item has that number itself: readers drop empty lines, and a Filter node leaves rows out. */
	isNumbered?: boolean;
	/** The farmer's name as typed, for messages. */
	farmer?: string;
}

export function inputRowOf({ row_number: rowNumber }: IDataObject, itemIndex: number): InputRow {
	const isNumbered = typeof rowNumber === 'number' && Number.isInteger(rowNumber);
	return { itemIndex, sheetRow: isNumbered ? rowNumber : itemIndex + 2, isNumbered };
}

/** How messages name a row: `row 7 (Amina Bello)`, or `Amina Bello (row 7)` if the number was only counted. */
export function rowName({ sheetRow, isNumbered, farmer = '' }: InputRow): string {
	const [row, name] = [`row ${sheetRow}`, listedValue(farmer)];
	if (!name) return row;
	return isNumbered ? `${row} (${name})` : `${name} (${row})`;
}

export const rowsIn = (rows: readonly InputRow[]): string => listOf(rows.map(rowName));
