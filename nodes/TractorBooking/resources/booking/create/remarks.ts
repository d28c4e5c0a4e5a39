import type { IDataObject } from 'n8n-workflow';

import { isRowNumber } from '../../../parse/columnNames';
import { formatValue } from '../../../parse/issue';
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
	[farmerPhone, farmerName].some((cell) => !isBlank(cell) && !isTotal(cell));

/**
 * What a row has instead of a request: a remark below the table, the name of a section, totals, or nothing in the columns
 * that are used; undefined if it has a request, or is empty.
 *
 * @param filled the fields of which the row has a cell
 */
export function remarkIn(json: IDataObject, raw: RawBooking, filled: readonly string[]) {
	const cells = sayingCells(json);
	// Without a farmer, the row has totals, whatever sums stand in its columns of numbers.
	const total = namesFarmer(raw) ? undefined : cells.find(([, cell]) => isTotal(cell));
	const areSums =
		filled.every((field) => field === 'landArea') &&
		cells.every(([, cell]) => /^[\d., ]+$/.test(asText(cell)));
	const isAlone = cells.length === 1 && isBlank(raw.bookingID);
	const cell = total ?? (areSums || isAlone ? cells[0] : undefined);
	if (cell) return formatValue(cell[1]);
	return filled.length === 0 && cells.length > 0
		? 'nothing in the columns that are used'
		: undefined;
}
