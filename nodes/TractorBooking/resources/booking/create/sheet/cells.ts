import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../../utils/text';
import { isResultColumn } from '../row/results';

export type Item = Readonly<{ json: IDataObject }>;

/** Whether a value is an object of JSON, and not a date. */
const isPlain = (value: unknown): value is IDataObject =>
	isRecord(value) && typeof value.toJSON !== 'function';

/** A cell; of a list of one, its entry. */
export function onlyIn<Cell>(cell: Cell | Cell[]): Cell | Cell[] | undefined {
	const [only, ...others] = Array.isArray(cell) ? cell : [cell];
	return others.length > 0 ? cell : only;
}

/**
 * A row in which the parts of nested objects are columns, named by their path. A choice `{id, value}` is its value, and a list
 * of one its entry; points, and what the node has written, stay as they are.
 */
export function flatRow(row: IDataObject): IDataObject {
	if (!Object.values(row).some((cell) => typeof cell === 'object' && cell !== null)) return row;
	const cells = Object.entries(row).flatMap(
		([name, cell]): Array<[string, IDataObject[string]]> => {
			const one = onlyIn(cell);
			if (!isPlain(one) || isResultColumn(name) || one.type === 'Point') return [[name, one]];
			if (one.id !== undefined && one.value !== undefined) return [[name, one.value]];
			return Object.entries(flatRow(one)).map(([part, value]) => [`${name}.${part}`, value]);
		},
	);
	return Object.fromEntries(cells);
}

/** A cell of a row, which may lack a column that is named like something of every object: `constructor`. */
export const cellOf = (row: IDataObject, column: string): unknown =>
	Object.hasOwn(row, column) ? row[column] : undefined;
