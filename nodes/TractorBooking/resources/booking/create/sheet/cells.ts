import type { IDataObject } from 'n8n-workflow';

/** A cell of a row, which may lack a column that is named like something of every object: `constructor`. */
export const cellOf = (row: IDataObject, column: string): unknown =>
	Object.hasOwn(row, column) ? row[column] : undefined;
