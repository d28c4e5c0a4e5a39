import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { toNodeError } from '../../../api/errors';
import { formatValue, InvalidInputError, issueText } from '../../../parse/issue';
import { listOf } from '../../../parse/labels';
import { groupBy } from '../../../utils/groupBy';
import { asText } from '../../../utils/text';
import { textOf } from './report';
import type { FinishedRow, SheetRow } from './row';

/** Problems that one message lists: less than a screen. */
const MAX_PROBLEMS = 6;

/** `Row 4`, or `Rows 4, 9 and 17`. */
export function rowsName(rows: readonly SheetRow[]): string {
	const numbers = rows.map(({ sheetRow }) => String(sheetRow));
	return `${rows.length > 1 ? 'Rows' : 'Row'} ${listOf(numbers)}`;
}

/** A problem of a row; those of one key differ in the value alone. */
interface Problem {
	row: SheetRow;
	key: string;
	text: string;
	value: string;
}

function problemsIn(row: FinishedRow): Problem[] {
	const { failure } = row;
	if (!(failure instanceof InvalidInputError)) {
		const text = failure ? textOf(failure) : '';
		return [{ row, key: text, text, value: '' }];
	}
	return failure.issues.map((issue) => {
		const { field, column, value, problem, fix } = issue;
		// What is wrong with a row as a whole names other rows and bookings, which differ.
		const key = JSON.stringify([field, column, fix, value === undefined && problem]);
		return { row, key, text: issueText(issue), value: formatValue(value) };
	});
}

/** What is wrong with the rows, each problem once: issues of a column with one fix are one problem. */
function problemsOf(faulty: readonly FinishedRow[]): string[] {
	const groups = groupBy(faulty.flatMap(problemsIn), ({ key }) => key);
	return [...groups.values()].map((problems) => {
		const [{ text, value: example } = { text: '', value: '' }] = problems;
		const isVaried = problems.some(({ value }) => value !== example);
		const shown = isVaried ? text.replace(example, `e.g. ${example}`) : text;
		return `${rowsName(problems.map(({ row }) => row))}: ${shown}`;
	});
}

/** What to do about the rows that stop the node. Whoever edits one that may be booked books it twice. */
function adviceFor(faulty: readonly FinishedRow[]): string {
	const unknown = faulty.filter(({ result }) => result === 'unknown');
	const keep =
		unknown.length > 0
			? `Do not change ${rowsName(unknown).toLowerCase()}, which may be booked. `
			: '';
	const when = unknown.length < faulty.length ? ' once the errors are fixed' : ' then';
	return `${keep}Run the rows again${when}, or set On Error to Continue (using error output) to book the other rows.`;
}

/** One error with the problems of all rows, for a node that does not continue on fail. */
export function rejectAll(
	context: IExecuteFunctions,
	rows: readonly SheetRow[],
	faulty: readonly FinishedRow[],
): Error {
	const node = context.getNode();
	const [{ failure, itemIndex } = {}] = faulty;
	if (rows.length === 1) {
		const error = toNodeError(node, failure, itemIndex);
		error.description ??= 'Nothing was sent.';
		return error;
	}
	const problems = problemsOf(faulty);
	const shown = problems.slice(0, MAX_PROBLEMS);
	const more = problems.length - shown.length;
	const rest = `And ${more} more ${more === 1 ? 'problem' : 'problems'}; turn on Dry Run to see each row.`;
	return new NodeOperationError(
		node,
		`${faulty.length} of ${rows.length} rows cannot be booked; nothing was sent this time`,
		{
			itemIndex,
			description: [...shown, ...(more > 0 ? [rest] : []), adviceFor(faulty)].join('\n'),
		},
	);
}

/** The rows of each result with their bookings: `created: row 2 (booking 100200), row 3 (booking 100201)`. */
function resultLines(rows: readonly FinishedRow[]): string[] {
	const nameOf = ({ sheetRow, booking }: FinishedRow) =>
		`row ${sheetRow}${booking ? ` (booking ${asText(booking.bookingID)})` : ''}`;
	return [...groupBy(rows, ({ result }) => result)].map(
		([result, some]) => `${result}: ${listOf(some.map(nameOf))}.`,
	);
}

/**
 * The error of the row at which the node stops, with what became of every row.
 *
 * @param finished the rows of which all is known
 * @param rows all rows
 */
export function stopError(
	context: IExecuteFunctions,
	{ failure, itemIndex, result }: FinishedRow,
	finished: readonly FinishedRow[],
	rows: readonly SheetRow[],
): Error {
	const error = toNodeError(context.getNode(), failure, itemIndex);
	if (rows.length === 1) return error;
	const known = new Set(finished.map((row) => row.itemIndex));
	const left = rows.filter((row) => !known.has(row.itemIndex));
	const areRecognised = rows.every(({ settings }) => settings.ifAlreadyBooked !== 'create');
	// The failure of an unknown row says itself when to run the rows again: there is nothing to fix.
	const again =
		result === 'unknown'
			? ''
			: 'Run the rows again once this is fixed: rows that are booked already will be recognised.';
	const lines = [
		error.description ?? '',
		...resultLines(finished),
		left.length > 0 ? `not sent: ${rowsName(left)}.` : '',
		areRecognised
			? again
			: 'Remove the rows that are booked already before you run the others again.',
	];
	error.description = lines.filter(Boolean).join('\n');
	return error;
}
