import { comparableDistance } from '../../../parse/distance';
import { listOf } from '../../../parse/issue';
import { groupBy } from '../../../utils/groupBy';
import { asText } from '../../../utils/text';
import { serviceQuestions } from './questions';
import { rowName, rowsIn, sentenceOf, type CheckedRow, type ReadyRow } from './row';
import { NO_REQUEST, type ParsedSheet } from './rows';
import { columnList } from './sheetProblems';

/** What is said of a run as a whole; with Dry Run, it is in the first item, for a form to show. */
export type SheetSummary = {
	/** All of it in one text. */
	text: string;
	/** What is wrong with the sheet as a whole, the key or the service; empty if nothing is. */
	problem: string;
	/** What the user should know of the rows. */
	notices: string[];
} & Pick<ParsedSheet, 'columns' | 'otherColumns' | 'missing' | 'questions'>;

/** How many times the usual distance of a tractor is worth a look, in runs with at least `FEW_ROWS` rows. */
const FAR = 4;
const FEW_ROWS = 4;

/** The notes of all rows, each once, with its rows. */
function ofNotes(ready: readonly ReadyRow[]): string[] {
	const noted = ready.flatMap((row) => (row.notes ?? []).map((note) => ({ row, note })));
	return [...groupBy(noted, ({ note }) => note)].map(
		([note, some]) => `${sentenceOf(rowsIn(some.map(({ row }) => row)))}: ${note}.`,
	);
}

/** Days on which one tractor was chosen for several farms. */
function ofSharedTractors(ready: readonly ReadyRow[]): string[] {
	const days = groupBy(
		ready.filter(({ tractor }) => tractor),
		({ request }) => `tractor ${request.tractorId} on ${request.serviceDate}`,
	);
	const texts = [...days].flatMap(([day, some]) => {
		const farms = some.map(({ request }) => `${request.latitude} ${request.longitude}`);
		return new Set(farms).size > 1 ? `${day} has ${rowsIn(some)}` : [];
	});
	if (texts.length === 0) return [];
	return [
		`Several farms on one day: ${listOf(texts)}. To limit them, set Options > Bookings per Tractor and Day.`,
	];
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
	{ columns = [], otherColumns = [], missing = [], questions = [] }: Partial<ParsedSheet> = {},
	rows: readonly CheckedRow[] = [],
) => ({ columns, otherColumns, missing, questions: [...questions, ...serviceQuestions(rows)] });

/** How many other farms must be on the other side of the equator, or of Greenwich, for one whose sign is in doubt. */
const OTHERS_A_FARM = 4;

/** Farms that are alone on their side of the equator or of Greenwich. */
function ofOtherHemisphere(rows: readonly CheckedRow[]): string[] {
	const texts = (['latitude', 'longitude'] as const).flatMap((axis) => {
		const degreesOf = ({ position }: CheckedRow) => position?.[axis] ?? 0;
		const [few = [], many = []] = [-1, 1]
			.map((sign) => rows.filter((row) => sign * degreesOf(row) > 0))
			.sort((one, other) => one.length - other.length);
		if (few.length * OTHERS_A_FARM > many.length) return [];
		return few
			.filter(({ kind }) => kind === 'ready')
			.map((row) => `${rowName(row)}, ${axis} ${degreesOf(row)}`);
	});
	if (texts.length === 0) return [];
	return [
		`Coordinates with another sign than those of the other farms: ${listOf(texts)}. Check the minus.`,
	];
}

/**
 * What the user should know of a run although it is not an error: how the columns were read, rows and cells that were not
 * used, phones that may take no SMS, tractors that are shared or far away, and farms whose sign is in doubt.
 *
 * @param rows the rows before they are sent
 */
export function summaryOf(rows: readonly CheckedRow[], sheet: ParsedSheet): SheetSummary {
	const ready = rows.filter((row) => row.kind === 'ready');
	const { otherColumns } = sheet;
	const asked = rows.filter((row) => row.kind === 'finished' && row.reason === NO_REQUEST);
	const notices = [
		...(asked.length > 0 ? [`No requests: ${rowsIn(asked)}.`] : []),
		...ofNotes(ready),
		...ofSharedTractors(ready),
		...ofFarTractors(ready),
		...ofOtherHemisphere(rows),
	];
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
