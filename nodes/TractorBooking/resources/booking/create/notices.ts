import { comparableDistance } from '../../../parse/distance';
import { listOf } from '../../../parse/issue';
import { groupBy } from '../../../utils/groupBy';
import { asText } from '../../../utils/text';
import { serviceQuestions } from './questions';
import { rowName, rowsIn, sentenceOf, type CheckedRow, type ReadyRow } from './row';
import type { ParsedSheet } from './rows';
import { columnList } from './sheetProblems';

/** What is said of a run as a whole; with Dry Run, it is in the first item, for a form to show. */
export type SheetSummary = {
	/** All of it in one text. */
	text: string;
	/** What is wrong with the sheet as a whole, the key or the service; empty if nothing is. */
	problem: string;
	/** What the user should know of the rows. */
	notices: string[];
} & Pick<ParsedSheet, 'columns' | 'otherColumns' | 'questions'>;

/** How many times the usual distance of a tractor is worth a look, in runs with at least `FEW_ROWS` rows. */
const FAR = 4;
const FEW_ROWS = 4;

/** The notes of rows that are or will not be sent, each once, with its rows. */
function ofNotes(rows: readonly CheckedRow[]): string[] {
	const noted = rows
		.filter((row) => row.kind === 'ready' || row.result === 'not sent')
		.flatMap((row) => (row.notes ?? []).map((note) => ({ row, note })));
	return [...groupBy(noted, ({ note }) => note)].map(
		([note, some]) => `${sentenceOf(rowsIn(some.map(({ row }) => row)))}: ${note}.`,
	);
}

/** Tractors that come from much farther away than those of the other rows: the coordinate may be wrong. */
function ofFarTractors(ready: readonly ReadyRow[]): string[] {
	const away = ready
		.map((row) => ({ row, distance: comparableDistance({ ...row.tractor }, 'distance') ?? NaN }))
		.filter(({ distance }) => distance >= 0)
		.sort((a, b) => a.distance - b.distance);
	const usual = away[Math.floor((away.length - 1) / 2)]?.distance ?? 0;
	const far = away.filter(({ distance }) => distance >= FAR * usual);
	if (away.length < FEW_ROWS || usual === 0 || far.length === 0) return [];
	const texts = far.map(({ row }) => `${rowName(row)}, distance ${asText(row.tractor?.distance)}`);
	return [
		`Tractors much farther away than the others (${usual}): ${listOf(texts)}. Check the coordinates.`,
	];
}

/** What is known of the columns, whatever else is to be said of the sheet. */
export const columnsOf = (
	{ columns = [], otherColumns = [], questions = [] }: Partial<ParsedSheet> = {},
	rows: readonly CheckedRow[] = [],
) => ({ columns, otherColumns, questions: [...questions, ...serviceQuestions(rows)] });

/**
 * What the user should know of a run although it is not an error: how the columns were read, what is noted of rows, and
 * tractors that are far away.
 *
 * @param rows the rows before they are sent
 */
export function summaryOf(rows: readonly CheckedRow[], sheet: ParsedSheet): SheetSummary {
	const ready = rows.filter((row) => row.kind === 'ready');
	const { otherColumns } = sheet;
	const notices = [...ofNotes(rows), ...ofFarTractors(ready)];
	const unread =
		otherColumns.length > 0
			? [
					`Not read: ${columnList(otherColumns)}. To use one, map it under Options > Column Mapping.`,
				]
			: [];
	return {
		text: [...unread, ...notices].join(' '),
		problem: '',
		notices,
		...columnsOf(sheet, rows),
	};
}
