import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { ServiceError, toNodeError } from '../../../api/errors';
import { formatValue, type Issue, issueText } from '../../../parse/issue';
import { listOf } from '../../../parse/labels';
import { asText } from '../../../utils/text';
import type { FinishedRow } from './report';
import { bookingOf, reportRows, resultOf, whyRejected } from './report';
import type { RejectedRow, SheetRow } from './rows';

/** Characters of the problems that one message lists: less than a screen. */
const MAX_LENGTH = 1_200;

/** n8n shows a description as HTML. */
function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** The first of the lines, as many as fill a screen; at least one. */
function firstLines(lines: readonly string[]): string[] {
	let length = 0;
	return lines.filter((line, at) => (length += line.length) <= MAX_LENGTH || at === 0);
}

/** `Row 4`, or `Rows 4, 9 and 17`. */
export function rowsName(rows: readonly SheetRow[]): string {
	const numbers = rows.map(({ sheetRow }) => String(sheetRow));
	return `${rows.length > 1 ? 'Rows' : 'Row'} ${listOf(numbers)}`;
}

/** Rows that have one problem, and the problem in words. */
interface Problem {
	rows: SheetRow[];
	text: string;
}

/** The rows of one issue; they may differ in the value. */
function problemOf(rows: readonly SheetRow[], issues: readonly Issue[]): Problem {
	const [first] = issues;
	const text = first ? issueText(first) : '';
	const values = new Set(issues.map(({ value }) => formatValue(value)));
	const [example = ''] = values;
	const isVaried = values.size > 1;
	return { rows: [...rows], text: isVaried ? text.replace(example, `e.g. ${example}`) : text };
}

/** What is wrong with the rows, each problem once: issues of a column with one fix are one problem. */
function problemsOf(rejected: readonly RejectedRow[]): Problem[] {
	const groups = new Map<string, { rows: SheetRow[]; issues: Issue[] }>();
	const failures = new Map<string, Problem>();
	for (const row of rejected) {
		if (row.why instanceof ServiceError) {
			const { message: text } = row.why;
			failures.set(text, { text, rows: [...(failures.get(text)?.rows ?? []), row] });
			continue;
		}
		for (const issue of row.why) {
			const { field, column, fix } = issue;
			// What is wrong with a row as a whole names other rows and bookings, which differ.
			const problem = issue.value === undefined ? issue.problem : undefined;
			const key = JSON.stringify([field, column, fix, problem]);
			const group = groups.get(key) ?? { rows: [], issues: [] };
			group.rows.push(row);
			group.issues.push(issue);
			groups.set(key, group);
		}
	}
	const ofIssues = [...groups.values()].map(({ rows, issues }) => problemOf(rows, issues));
	return [...ofIssues, ...failures.values()];
}

/** One error with the problems of all rows, for a node that does not continue on fail. */
export function rejectAll(
	context: IExecuteFunctions,
	rows: readonly SheetRow[],
	faulty: readonly RejectedRow[],
): Error {
	const itemIndex = faulty[0]?.itemIndex;
	const [only] = faulty;
	if (only && rows.length === 1) {
		const failure = only.why instanceof ServiceError ? only.why : whyRejected(only);
		if (typeof failure !== 'string') return toNodeError(context.getNode(), failure, itemIndex);
		return new NodeOperationError(context.getNode(), failure, {
			itemIndex,
			description: 'Nothing was sent.',
		});
	}
	const problems = problemsOf(faulty).map(
		({ rows: ofProblem, text }) => `${rowsName(ofProblem)}: ${text}`,
	);
	const shown = firstLines(problems);
	const more = problems.length - shown.length;
	const advice = [
		...shown,
		...(more > 0
			? [
					`And ${more} more ${more === 1 ? 'problem' : 'problems'}; turn on Validate Only to see each row.`,
				]
			: []),
		'Correct them and run again, or set On Error to Continue (using error output) to book the other rows.',
	];
	return new NodeOperationError(
		context.getNode(),
		`${faulty.length} of ${rows.length} rows cannot be booked; nothing was sent`,
		{ itemIndex, description: advice.map(escapeHtml).join('\n') },
	);
}

/** The rows of each result with their bookings: `created: row 2 (booking 100200), row 3 (booking 100201)`. */
function resultLines(context: IExecuteFunctions, finished: readonly FinishedRow[]): string[] {
	const items = context.getInputData().map(({ json }) => json);
	const lines = new Map<string, string[]>();
	for (const [index, result] of reportRows(finished, items).entries()) {
		const row = finished[index];
		if (!row) continue;
		const booking = bookingOf(row);
		const text = `row ${row.sheetRow}${booking ? ` (booking ${asText(booking.bookingID)})` : ''}`;
		lines.set(resultOf(result), [...(lines.get(resultOf(result)) ?? []), text]);
	}
	return [...lines].map(([result, rows]) => `${result}: ${listOf(rows)}.`);
}

/** Whether the node stops at a row, unless it continues on fail. */
export function isStop(row: FinishedRow): boolean {
	if (row.kind === 'rejected') return !row.settings.validateOnly;
	return row.kind === 'sent' && row.sent.result !== 'created';
}

/**
 * The error of the row at which the node stops, with what became of every row.
 *
 * @param finished the rows up to the last one that was sent
 */
export function stopError(
	context: IExecuteFunctions,
	row: FinishedRow,
	finished: readonly FinishedRow[],
	rows: readonly SheetRow[],
): Error {
	const [result] = reportRows([row], []);
	const error = toNodeError(context.getNode(), result?.failure, row.itemIndex);
	if (rows.length === 1) return error;
	const left = rows.filter(
		(other) => !finished.some(({ itemIndex }) => itemIndex === other.itemIndex),
	);
	const areRecognised = rows.every(({ settings }) => settings.ifAlreadyBooked !== 'create');
	error.description = [
		error.description ?? '',
		...resultLines(context, finished),
		left.length > 0 ? `not sent: ${rowsName(left)}.` : '',
		areRecognised
			? 'Run the rows again once this is fixed: rows that are booked already will be recognised.'
			: 'Remove the rows that are booked already before you run the others again.',
	]
		.filter(Boolean)
		.map(escapeHtml)
		.join('\n');
	return error;
}
