import type { IExecuteFunctions } from 'n8n-workflow';

import { ServiceError, toNodeError, type ServiceErrorKind } from '../../../api/errors';
import {
	formatValue,
	InvalidInputError,
	issueText,
	listOf,
	type Issue,
} from '../../../parse/issue';
import { groupBy } from '../../../utils/groupBy';
import { asText } from '../../../utils/text';
import type { CheckedRow, FinishedRow, SheetRow } from './row';
import { isFailure, rowName, rowsIn, sentenceOf } from './row';

/** What is wrong with a sheet: a sentence without any cell, since n8n logs it, then cells, and what to do. */
export type Problem = readonly string[];

/** Problems of rows that one message lists, and the rows and values that each names: less than a screen. */
const [MAX_PROBLEMS, MAX_NAMED, MAX_VALUES] = [8, 12, 3];

export function textOf(failure: Error): string {
	const description = 'description' in failure ? asText(failure.description) : '';
	return description ? failure.message.replace(/\.?$/, `. ${description}`) : failure.message;
}

/** Kinds of failures that may be due to what a row holds. */
const OF_ROW: ReadonlySet<ServiceErrorKind> = new Set(['validation', 'notFound']);

/** Whether a row failed for the key, the service or the way to it: then it needs no correction. */
export const isOfService = ({ failure, result }: Partial<FinishedRow>): boolean =>
	failure instanceof ServiceError && !OF_ROW.has(failure.kind) && result !== 'unknown';

/** Something that is wrong with one row: an issue, or a failure that has none. */
type Fault = { row: FinishedRow; issue?: Issue; text: string };

function faultsOf(row: FinishedRow): Fault[] {
	const { failure } = row;
	if (failure instanceof InvalidInputError)
		return failure.issues.map((issue) => ({ row, issue, text: issueText(issue) }));
	return failure ? [{ row, text: textOf(failure) }] : [];
}

/** Equal for what is the same problem, perhaps with another value. */
function keyOf({ issue, text }: Fault): string {
	if (!issue) return text;
	const { field, column, value, problem, fix } = issue;
	// What is wrong with a row as a whole names other rows and bookings, which differ.
	return JSON.stringify([field, column, fix, value === undefined && problem]);
}

/** One problem of several rows. A text that differs with the value is that of the first one. */
function textOfAll(some: readonly Fault[]): string {
	const [{ issue, text } = { text: '' }] = some;
	const same = some.filter((other) => other.issue?.problem === issue?.problem);
	const values = [...new Set(same.map((other) => formatValue(other.issue?.value)))];
	return issue && values.length > 1
		? issueText(issue, `e.g. ${values.slice(0, MAX_VALUES).join(' or ')}`)
		: text;
}

/** What is wrong with rows, each thing once: first what most of them have. @param count of all rows */
function linesOf(faulty: readonly FinishedRow[], count: number): string[] {
	const groups = [...groupBy(faulty.flatMap(faultsOf), keyOf).values()];
	const lines = groups
		.sort((one, other) => other.length - one.length)
		.map((some) => {
			const rows = rowsIn(some.map(({ row }) => row));
			const who = some.length > MAX_NAMED ? `${some.length} of ${count} rows` : sentenceOf(rows);
			return `${who}: ${textOfAll(some)}`;
		});
	const more = lines.length - MAX_PROBLEMS;
	const rest = `More problems: ${more}. Turn on Dry Run to see each row.`;
	return more > 0 ? [...lines.slice(0, MAX_PROBLEMS), rest] : lines;
}

/** The error of a sheet that is not booked as it is, with all that is known to be wrong with its rows. */
export function sheetError(
	problems: readonly Problem[],
	rows: readonly FinishedRow[],
	count: number,
	last: readonly string[],
): InvalidInputError {
	const lines = problems.flatMap(([headline, ...parts]) => [headline, parts.join(' ')]);
	// The first line becomes the title of n8n's error, and the other lines what is below it.
	return new InvalidInputError([], joined([...lines, ...linesOf(rows, count), ...last]), lines[0]);
}

/** The error of a row. n8n logs the message, so the row has its number there, and the farmer is in the description. */
function errorOf(context: IExecuteFunctions, row: FinishedRow) {
	const error = toNodeError(context.getNode(), row.failure, row.itemIndex);
	if (row.columns && !isOfService(row)) error.message = `Row ${row.sheetRow}: ${error.message}`;
	return error;
}

const joined = (lines: ReadonlyArray<string | null | undefined>): string =>
	lines.filter(Boolean).join('\n');

/** The error of rows that are wrong. What is wrong with the key or the service is said alone: no row can be corrected. */
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
	const headline = `${faulty.length} of ${rows.length} rows ${errors}. This run booked nothing.`;
	const error = sheetError([[headline]], faulty, rows.length, [
		'Run the rows again once the errors are fixed, or set On Error to Continue (using error output) to book the other rows.',
	]);
	return toNodeError(context.getNode(), error, faulty[0]?.itemIndex);
}

/** The error of the row at which the node stops while it sends, with what became of all rows. */
export function stopError(
	context: IExecuteFunctions,
	row: FinishedRow,
	finished: readonly FinishedRow[],
	rows: readonly SheetRow[],
): Error {
	const error = errorOf(context, row);
	if (rows.length === 1) return error;
	const known = new Set(finished.map(({ itemIndex }) => itemIndex));
	const left = rows.filter(({ itemIndex }) => !known.has(itemIndex));
	const nameOf = ({ booking, ...one }: FinishedRow) =>
		rowName(one) + (booking ? ` with booking ${asText(booking.bookingID)}` : '');
	const areSkipped = rows.every(({ settings }) => settings.ifAlreadyBooked !== 'create');
	// The failure of an unknown row says itself when to run the rows again.
	const again =
		row.result === 'unknown' ? '' : 'Then run the rows again: rows already booked are skipped.';
	error.description = joined([
		error.description,
		...[...groupBy(finished, ({ result }) => result)].map(
			([result, some]) => `${result}: ${listOf(some.map(nameOf))}.`,
		),
		left.length > 0 ? `not sent: ${rowsIn(left)}.` : '',
		areSkipped ? again : 'Remove the rows already booked before you run the others again.',
	]);
	return error;
}
