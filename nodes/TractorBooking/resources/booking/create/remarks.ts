import type { IDataObject } from 'n8n-workflow';

import { isNumbering, isRowNumber } from '../../../parse/columnNames';
import { isBlank, isTotal } from '../../../parse/text';
import { asText } from '../../../utils/text';
import type { RawBooking } from './requestBuilder';

/** The cells of a row that say something of it: the number of the row does not. */
export function sayingCells(json: IDataObject): Array<[column: string, cell: unknown]> {
	return Object.entries(json).filter(
		([column, cell]) => !isBlank(cell) && !isRowNumber(column, cell),
	);
}

/** Whether a row names the farmer, by name or phone. */
export const namesFarmer = ({ farmerName, farmerPhone }: RawBooking): boolean =>
	!isBlank(farmerPhone) || !(isBlank(farmerName, 'farmerName') || isTotal(farmerName));

/** The first cell of a row that has nothing but sums: it has no number of its own. */
function sumIn(json: IDataObject): unknown {
	const typed = Object.entries(json).filter(
		([column, cell]) => column !== 'row_number' && !isBlank(cell),
	);
	const areSums = typed.every(
		([column, cell]) => !isNumbering(column) && /^[\d., ]+$/.test(asText(cell)),
	);
	return areSums ? typed[0]?.[1] : undefined;
}

/**
 * The cell of a row that is no request, but a remark below the table, the name of a section, or totals; undefined for
 * any other row.
 *
 * @param filled the fields of which the row has a cell
 */
export function remarkIn(json: IDataObject, raw: RawBooking, filled: readonly string[]): unknown {
	const cells = sayingCells(json);
	const hasOnly = (field: string) => filled.every((name) => name === field);
	// Without a farmer, the row has totals, whatever sums stand in its columns of numbers.
	const total = namesFarmer(raw) ? undefined : cells.find(([, cell]) => isTotal(cell))?.[1];
	const remark = hasOnly('farmNote') && cells.length === 1 ? cells[0]?.[1] : undefined;
	return total ?? remark ?? (hasOnly('landArea') ? sumIn(json) : undefined);
}
