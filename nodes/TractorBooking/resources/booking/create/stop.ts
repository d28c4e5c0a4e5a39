import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { toNodeError } from '../../../api/errors';
import { formatValue, InvalidInputError, issueText, listOf } from '../../../parse/issue';
import { groupBy } from '../../../utils/groupBy';
import { asText } from '../../../utils/text';
import { isOfService, textOf } from './report';
import type { FinishedRow, SheetRow } from './row';
import { rowName, rowsIn } from './row';

/** Problems that one message lists: less than a screen. */
const MAX_PROBLEMS = 6;

/** The error of a row. n8n logs the message, so the row has its number there, and the farmer is in the description. */
function errorOf(context: IExecuteFunctions, row: FinishedRow) {
	const error = toNodeError(context.getNode(), row.failure, row.itemIndex);
	if (row.columns && !isOfService(row)) error.message = `Row ${row.sheetRow}: ${error.message}`;
	return error;
}

const linesOf = (...lines: readonly string[]): string => lines.filter(Boolean).join('\n');

/** What is wrong with a row, with a key: problems of one key differ in the value alone. */
function problemsIn({ failure }: FinishedRow): Array<{ key: string; text: string; value: string }> {
	if (!(failure instanceof InvalidInputError)) {
		const text = failure ? textOf(failure) : '';
		return [{ key: text, text, value: '' }];
	}
	return failure.issues.map((issue) => {
		const { field, column, value, problem, fix } = issue;
		// What is wrong with a row as a whole names other rows and bookings, which differ.
		const key = JSON.stringify([field, column, fix, value === undefined && problem]);
		return { key, text: issueText(issue), value: formatValue(value) };
	});
}

/** What is wrong with the rows, each problem once. */
function problemsOf(faulty: readonly FinishedRow[]): string[] {
	const all = faulty.flatMap((row) => problemsIn(row).map((problem) => ({ row, ...problem })));
	return [...groupBy(all, ({ key }) => key).values()].map((some) => {
		const [{ text, value: example } = { text: '', value: '' }] = some;
		const isVaried = some.some(({ value }) => value !== example);
		const shown = isVaried ? text.replace(example, () => `e.g. ${example}`) : text;
		return `${rowsIn(some.map(({ row }) => row)).replace('row', 'Row')}: ${shown}`;
	});
}

/**
 * One error with the problems of all rows, for a node that does not continue on fail. What is wrong with the key or the
 * service is said alone: no row can be corrected for it.
 */
export function rejectAll(
	context: IExecuteFunctions,
	rows: readonly SheetRow[],
	faulty: readonly FinishedRow[],
): Error {
	const single = faulty.find(isOfService) ?? (rows.length === 1 ? faulty[0] : undefined);
	if (single) {
		const error = errorOf(context, single);
		error.description = [error.description, 'This run booked nothing.'].filter(Boolean).join(' ');
		return error;
	}
	const problems = problemsOf(faulty);
	const more = problems.length - MAX_PROBLEMS;
	const unknown = faulty.filter(({ result }) => result === 'unknown');
	const count = `${faulty.length} of ${rows.length} rows ${faulty.length === 1 ? 'has errors' : 'have errors'}`;
	return new NodeOperationError(context.getNode(), `${count}. This run booked nothing.`, {
		itemIndex: faulty[0]?.itemIndex,
		description: linesOf(
			...problems.slice(0, MAX_PROBLEMS),
			more > 0
				? `And ${more} more ${more === 1 ? 'problem' : 'problems'}. Turn on Dry Run to see each row.`
				: '',
			// Whoever edits a row that may be booked books it twice.
			unknown.length > 0
				? `Do not change ${rowsIn(unknown)}: ${unknown.length > 1 ? 'they' : 'it'} may be booked.`
				: '',
			`${unknown.length < faulty.length ? 'Run the rows again once the errors are fixed, or set' : 'Set'} On Error to Continue (using error output) to book the other rows.`,
		),
	});
}

/** The rows of each result with their bookings: `created: row 2 (Amina Bello) with booking 100200`. */
function resultLines(rows: readonly FinishedRow[]): string[] {
	const nameOf = (row: FinishedRow) => {
		const booking = row.booking ? ` with booking ${asText(row.booking.bookingID)}` : '';
		return rowName(row).replace('R', 'r') + booking;
	};
	return [...groupBy(rows, ({ result }) => result)].map(
		([result, some]) => `${result}: ${listOf(some.map(nameOf))}.`,
	);
}

/**
 * The error of the row at which the node stops, with what became of every row.
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
	error.description = linesOf(
		error.description ?? '',
		...resultLines(finished),
		left.length > 0 ? `not sent: ${rowsIn(left)}.` : '',
		areSkipped ? again : 'Remove the rows already booked before you run the others again.',
	);
	return error;
}
