import { listOf } from '../../../../parse/issue';
import type { SheetRow } from '../row';

/**
 * Warns of rows that count as booked although their bookings are of another day, service or area. It is also logged, without
 * names.
 *
 * @param fix how to book them, if they are new jobs
 */
export function warnOfOtherJobs(
	rows: readonly SheetRow[],
	fix: string,
	warn: (text: string) => void,
): void {
	if (rows.length === 0) return;
	const numbers = listOf(rows.map(({ sheetRow }) => String(sheetRow)));
	warn(
		`Booked with another day, service or area: ${rows.length > 1 ? 'rows' : 'row'} ${numbers}. Their bookings stay as they are. If new jobs were typed over these rows, ${fix} to book them.`,
	);
}
