import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { ServiceError, toNodeError, type ServiceErrorKind } from '../../../api/errors';
import { formatValue, InvalidInputError, issueText, listOf } from '../../../parse/issue';
import { groupBy } from '../../../utils/groupBy';
import { asText } from '../../../utils/text';
import type { CheckedRow, FinishedRow, SheetRow } from './row';
import { isFailure, rowName, rowsIn, sentenceOf } from './row';

/**
 * What is wrong with the sheet as a whole, or with rows, each thing once. The first error, the error of a row, the hint
 * above the output and the summary of Dry Run are made from it.
 */
export interface Problem {
	/** What is wrong, without any cell: n8n logs it. */
	headline: string;
	/** What comes after it: cells, and what to do. */
	text: string;
	/** The rows that it is about; none if it is about the sheet as a whole. */
	rows: readonly FinishedRow[];
}

/** A problem of the sheet as a whole. @param parts what comes after the headline, sentence by sentence */
export const ofSheet = (headline: string, ...parts: readonly string[]): Problem => ({
	headline,
	text: parts.filter(Boolean).join(' '),
	rows: [],
});

/** A problem in one text. */
const wholeOf = ({ headline, text }: Problem) => [headline, text].filter(Boolean).join(' ');

/** Problems of rows that one message lists: less than a screen. */
const MAX_PROBLEMS = 8;

/** Rows that a problem names; of more it says how many they are. */
const MAX_NAMED = 12;

/** Values that a problem shows. */
const MAX_VALUES = 3;

/** What went wrong, and what to do about it. */
export function textOf(failure: Error): string {
	const description = 'description' in failure ? asText(failure.description) : '';
	return description ? failure.message.replace(/\.?$/, `. ${description}`) : failure.message;
}

/** Kinds of failures that may be due to what a row holds. */
const OF_ROW: ReadonlySet<ServiceErrorKind> = new Set(['validation', 'notFound']);

/** Whether a row failed for the key, the service or the way to it: then it needs no correction. */
export const isOfService = ({ failure, result }: Partial<FinishedRow>): boolean =>
	failure instanceof ServiceError && !OF_ROW.has(failure.kind) && result !== 'unknown';

/** Something that is wrong with one row; what has the same key is the same problem, perhaps of another value. */
interface Fault {
	row: FinishedRow;
	key: string;
	/** The sentence, with the value as it is to be shown. */
	text: (shown?: string) => string;
	value?: string;
	problem?: string;
}

function faultsOf(row: FinishedRow): Fault[] {
	const { failure } = row;
	if (!failure) return [];
	const text = textOf(failure);
	if (!(failure instanceof InvalidInputError)) return [{ row, key: text, text: () => text }];
	return failure.issues.map((issue) => {
		const { field, column, value, problem, fix } = issue;
		// What is wrong with a row as a whole names other rows and bookings, which differ.
		const key = JSON.stringify([field, column, fix, value === undefined && problem]);
		const shown = value === undefined ? undefined : formatValue(value);
		return {
			row,
			key,
			text: (other) => issueText({ ...issue, shown: other ?? shown }),
			value: shown,
			problem,
		};
	});
}

/** What is wrong with rows, each thing once. @param count of all rows */
export function problemsOf(faulty: readonly FinishedRow[], count: number): Problem[] {
	const groups = [...groupBy(faulty.flatMap(faultsOf), ({ key }) => key).values()];
	return groups.map((some): Problem => {
		const [first] = some;
		const rows = some.map(({ row }) => row);
		const who =
			rows.length > MAX_NAMED ? `${rows.length} of ${count} rows` : sentenceOf(rowsIn(rows));
		// A problem that differs with the value is that of the first one.
		const same = some.filter(({ problem }) => problem === first?.problem);
		const values = [...new Set(same.map(({ value }) => value))].slice(0, MAX_VALUES);
		const isVaried = some.some(({ value }) => value !== first?.value);
		const shown = isVaried ? `e.g. ${values.join(' or ')}` : undefined;
		return { headline: `${who}:`, text: first?.text(shown) ?? '', rows };
	});
}

/** The lines of problems, as many as fit: first what most rows have. */
function linesOf(problems: readonly Problem[]): string[] {
	const more = problems.length - MAX_PROBLEMS;
	const rest = `And ${more} more ${more === 1 ? 'problem' : 'problems'}. Turn on Dry Run to see each row.`;
	const sorted = [...problems].sort((a, b) => b.rows.length - a.rows.length);
	return [...sorted.slice(0, MAX_PROBLEMS).map(wholeOf), ...(more > 0 ? [rest] : [])];
}

/**
 * The error of a sheet that cannot be read as it is, with all that is known to be wrong with its rows.
 *
 * @param last what comes after everything else
 */
export function sheetError(
	problems: readonly Problem[],
	rows: readonly FinishedRow[],
	count: number,
	last: readonly string[],
): InvalidInputError {
	const [first, ...others] = problems;
	const lines = [
		// The headline becomes the title of n8n's error, and the other lines what is below it.
		...(first ? [first.headline, first.text].filter(Boolean) : []),
		...others.map(wholeOf),
		...linesOf(problemsOf(rows, count)),
		...last,
	];
	return new InvalidInputError([], lines.join('\n'), first?.headline);
}

/** The error of a row. n8n logs the message, so the row has its number there, and the farmer is in the description. */
function errorOf(context: IExecuteFunctions, row: FinishedRow) {
	const error = toNodeError(context.getNode(), row.failure, row.itemIndex);
	if (row.columns && !isOfService(row)) error.message = `Row ${row.sheetRow}: ${error.message}`;
	return error;
}

const joined = (lines: readonly string[]): string => lines.filter(Boolean).join('\n');

/**
 * The error of rows that are wrong, if the node does not continue on fail; undefined if none is. What is wrong with the
 * key or the service is said alone: no row can be corrected for it.
 */
export function rejection(
	context: IExecuteFunctions,
	rows: readonly CheckedRow[],
): Error | undefined {
	const faulty = rows.filter((row) => row.kind === 'finished').filter(isFailure);
	if (faulty.length === 0) return undefined;
	const single = faulty.find(isOfService) ?? (rows.length === 1 ? faulty[0] : undefined);
	if (single) {
		const error = errorOf(context, single);
		error.description = [error.description, 'This run booked nothing.'].filter(Boolean).join(' ');
		return error;
	}
	const errors = faulty.length === 1 ? 'has errors' : 'have errors';
	return new NodeOperationError(
		context.getNode(),
		`${faulty.length} of ${rows.length} rows ${errors}. This run booked nothing.`,
		{
			itemIndex: faulty[0]?.itemIndex,
			description: joined([
				...linesOf(problemsOf(faulty, rows.length)),
				'Run the rows again once the errors are fixed, or set On Error to Continue (using error output) to book the other rows.',
			]),
		},
	);
}

/** The rows of each result with their bookings: `created: row 2 (Amina Bello) with booking 100200`. */
function resultLines(rows: readonly FinishedRow[]): string[] {
	const nameOf = (row: FinishedRow) => {
		const booking = row.booking ? ` with booking ${asText(row.booking.bookingID)}` : '';
		return rowName(row) + booking;
	};
	return [...groupBy(rows, ({ result }) => result)].map(
		([result, some]) => `${result}: ${listOf(some.map(nameOf))}.`,
	);
}

/**
 * The error of the row at which the node stops while it sends, with what became of every row.
 *
 * @param finished the rows whose result is known
 * @param rows all rows
 */
export function stopError(
	context: IExecuteFunctions,
	row: FinishedRow,
	finished: readonly FinishedRow[],
	rows: readonly SheetRow[],
): Error {
	const error = errorOf(context, row);
	if (rows.length === 1) return error;
	const known = new Set(finished.map((row) => row.itemIndex));
	const left = rows.filter((row) => !known.has(row.itemIndex));
	const areSkipped = rows.every(({ settings }) => settings.ifAlreadyBooked !== 'create');
	// The failure of an unknown row says itself when to run the rows again.
	const again =
		row.result === 'unknown' ? '' : 'Then run the rows again: rows already booked are skipped.';
	error.description = joined([
		error.description ?? '',
		...resultLines(finished),
		left.length > 0 ? `not sent: ${rowsIn(left)}.` : '',
		areSkipped ? again : 'Remove the rows already booked before you run the others again.',
	]);
	return error;
}
