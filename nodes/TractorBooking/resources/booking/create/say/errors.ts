import type { IExecuteFunctions } from 'n8n-workflow';

import { ServiceError, toNodeError, toPlainError } from '../../../../api/errors';
import {
	formatValue,
	InvalidInputError,
	issueReason,
	listOf,
	MAX_NAMED,
	toDoOf,
	type Said,
} from '../../../../parse/issue';
import { groupBy } from '../../../../utils/groupBy';
import { asText, capitalized, cleanText } from '../../../../utils/text';
import { rowName, rowsIn } from '../row/inputRow';
import { isFailure, type Row } from '../row/row';
import type { ParsedSheet } from '../sheet/rows';

/** Problems of rows that one message lists, and the values that each names: less than a screen. */
const [MAX_PROBLEMS, MAX_VALUES] = [8, 3];

export function textOf(failure: unknown): string {
	const { message, description } = toPlainError(failure);
	return description ? `${message.replace(/\.$/, '')}. ${description}` : message;
}

/** What is wrong with a row, or to be looked at. */
export function saidOf({ failure, caveat }: Partial<Row>): readonly Said[] {
	if (failure instanceof InvalidInputError && failure.issues.length > 0) return failure.issues;
	if (!failure) return caveat ? [caveat] : [];
	const { message: problem, description: fix } = toPlainError(failure);
	return [{ code: failure instanceof ServiceError ? failure.kind : failure.name, problem, fix }];
}

/** A phrase as a sentence; some fixes are sentences already. */
const sentence = (text: string): string => capitalized(text).replace(/[^.]$/, '$&.');

/** Why a row has its result, and what to do about it. @param shown its value as text, if it has one issue */
export function textsOf(said: readonly Said[], shown?: string): { reason: string; toDo: string } {
	const areSeveral = said.some(({ field }) => field !== said[0]?.field);
	const reasons = said.map((one) => issueReason(one, shown));
	const fixes = said.map((one) => (areSeveral ? `${one.field}: ` : '') + toDoOf(one));
	return { reason: reasons.join('; '), toDo: sentence(fixes.join('; ')) };
}

/** Whether a row failed for the API key, the service or the way to it, not for what it holds: then it needs no correction. */
export const isOfService = ({ failure, result }: Partial<Row>): boolean =>
	failure instanceof ServiceError &&
	!['validation', 'notFound'].includes(failure.kind) &&
	result !== 'unknown';

type Fault = Readonly<{ row: Row; said: Said }>;

/** Faults with the same key are one problem, perhaps with different values. */
function problemOf({ said }: Fault): string {
	const { field, column, value, problem, fix } = said;
	// What is wrong with a row as a whole names other rows and bookings, which differ.
	return JSON.stringify([field, column, fix, value === undefined && problem]);
}

/** One problem of several rows. A text that differs with the value is that of the first one. */
function textOfAll(some: readonly Fault[]): string {
	const [first] = some.map(({ said }) => said);
	const same = some.filter(({ said }) => said.problem === first?.problem);
	const values = [...new Set(same.map(({ said }) => formatValue(said.value)))];
	const examples = `e.g. ${values.slice(0, MAX_VALUES).join(' or ')}`;
	const areSeveral = values.length > 1 || same.length < some.length;
	const { reason, toDo } = textsOf(first ? [first] : [], areSeveral ? examples : undefined);
	return [sentence(reason), toDo].filter(Boolean).join(' ');
}

/** What is wrong with rows, each thing once: first what most of them have. Questions come last, and each is of one row. */
function linesOf(faulty: readonly Row[], count: number): string[] {
	const isAsked = ({ row }: Fault) => row.result === 'possible duplicate';
	const faults = faulty.flatMap((row) => saidOf(row).map((said): Fault => ({ row, said })));
	const groups = [...groupBy(faults, problemOf).values()]
		.sort((one, other) => other.length - one.length)
		.map((some) => {
			const rows = some.map(({ row }) => row);
			const isLong = rows.length > MAX_NAMED;
			const who = isLong
				? `${rows.length} of ${count} rows, such as ${rowsIn(rows.slice(0, 1))}`
				: capitalized(rowsIn(rows));
			return { line: `${who}: ${textOfAll(some)}`, isAsked: some.every(isAsked), isLong };
		});
	const problems = groups.filter((one) => !one.isAsked).slice(0, MAX_PROBLEMS);
	const questions = groups.filter((one) => one.isAsked).slice(0, MAX_NAMED);
	const shown = [...problems, ...questions].map(({ line }) => line);
	const more = groups.length - shown.length;
	if (more > 0) shown.push(`More problems: ${more}.`);
	const areAllNamed = groups.every(({ isLong }) => !isLong) && more === 0;
	return areAllNamed ? shown : [...shown, 'Turn on Dry Run to see each row.'];
}

const TO_PASTE =
	'To ignore these columns and stop at any other, paste the lines below into Options > Ignored Columns:';

/** The lines with which other columns are ignored, after those already listed. */
function linesToPaste({ issues, otherColumns, settings }: ParsedSheet): string[] {
	const headings = otherColumns.map(({ column }) => cleanText(column)).filter(Boolean);
	const areNamed = issues.some(({ code }) => code === 'otherColumns') && headings.length > 0;
	if (settings.otherColumns === 'ignore' || !areNamed) return [];
	return [TO_PASTE, ...new Set([...settings.ignoredColumns, ...headings])];
}

/** The error of a sheet that cannot be booked as it is, with all that is known to be wrong with its rows. */
export function sheetError(sheet: ParsedSheet, rows: readonly Row[]): InvalidInputError {
	const { issues, rows: all } = sheet;
	const faulty = rows.filter(({ failure }) => failure);
	const texts = issues.map((one) => textsOf([one]));
	const lines = [
		...texts.flatMap(({ reason, toDo }) => [`${reason}.`, toDo]),
		...linesOf(faulty, all.length),
		...linesToPaste(sheet),
	];
	return new InvalidInputError(issues, lines.join('\n'), lines[0]);
}

/** The error of a row. n8n logs the message, so the row has its number there, and its cells are in the description. */
function errorOf(context: IExecuteFunctions, row: Row) {
	const error = toNodeError(context.getNode(), row.failure, row.itemIndex);
	if (row.headings && !isOfService(row)) error.message = `Row ${row.sheetRow}: ${error.message}`;
	return error;
}

const ONCE_FIXED =
	'Run the rows again once the errors are fixed, or set On Error to Continue (using error output) to book the other rows.';

/** The error of rows that are wrong. What is wrong with the API key or the service is said alone: no row can be corrected. */
export function rejection(context: IExecuteFunctions, rows: readonly Row[]): Error | undefined {
	const faulty = rows.filter(isFailure);
	if (faulty.length === 0) return undefined;
	const single = faulty.find(isOfService) ?? (rows.length === 1 ? faulty[0] : undefined);
	if (single) {
		const error = errorOf(context, single);
		error.description = [error.description, 'This run booked nothing.'].filter(Boolean).join(' ');
		return error;
	}
	const errors = faulty.length === 1 ? 'has errors' : 'have errors';
	const headline = `${faulty.length} of ${rows.length} rows ${errors}. This run booked nothing.`;
	const lines = [headline, ...linesOf(faulty, rows.length), ONCE_FIXED];
	const error = new InvalidInputError([], lines.join('\n'), headline);
	return toNodeError(context.getNode(), error, faulty[0]?.itemIndex);
}

/** The error of the row at which the node stops while it sends, with what it asks of others, and has booked before. */
export function stopError(context: IExecuteFunctions, row: Row, results: readonly Row[]): Error {
	const error = errorOf(context, row);
	const made = results.filter(({ result }) => result === 'created');
	const asked = results.filter((one) => one !== row && one.result === 'possible duplicate');
	const names = made.map((one) => `${rowName(one)} as ${asText(one.booking?.bookingID)}`);
	const booked = `This run booked ${listOf(names)}. When you run the rows again, those already booked are skipped.`;
	// More would end with *Turn on Dry Run*, where these rows are booked already.
	const others = linesOf(asked.slice(0, MAX_NAMED), results.length);
	const lines = [error.description, ...others, made.length > 0 && booked];
	error.description = lines.filter(Boolean).join('\n');
	return error;
}
