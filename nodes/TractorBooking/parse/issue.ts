import { asText, isEmpty } from '../utils/text';

/** Why a value is invalid. Both texts are phrases: "is not a date", "write it as YYYY-MM-DD". */
export interface Invalid {
	problem: string;
	fix: string;
}

/** The value of a cell, or why the cell is invalid. Parsers return this and never throw. */
export type ParseResult<T> = { ok: true; value: T } | ({ ok: false } & Invalid);

/** Why a value is invalid, and in which field. The caller adds the row. */
export interface Issue extends Invalid {
	field: string;
	column?: string;
	/** The original value; undefined if there was none. */
	value?: unknown;
	/** What may be written instead, of a service that no tractor offers. */
	choices?: readonly string[];
}

export function ok<T>(value: T): ParseResult<T> {
	return { ok: true, value };
}

export function invalid(problem: string, fix: string): { ok: false } & Invalid {
	return { ok: false, problem, fix };
}

/**
 * The issue as one sentence for the user, for example
 * `Service Date (column "Date"): "31/02/2026" is not a day of the calendar; write it as 2026-12-31.`
 *
 * @param shown the value as text
 */
export function issueText(issue: Issue, shown = formatValue(issue.value)): string {
	const { value, problem, fix } = issue;
	const subject = value === undefined ? placeOf(issue) : `${placeOf(issue)}: ${shown}`;
	return `${subject} ${problem}; ${fix}.`;
}

const placeOf = ({ field, column = field }: Issue) =>
	column === field ? field : `${field} (column "${column}")`;

/** What is wrong, without any value: a problem that has a digit or a quotation may be about one. */
const headlineOf = (issue: Issue) =>
	`${placeOf(issue)} ${/["\d]/.test(issue.problem) ? 'has to be checked' : issue.problem}`;

const cut = (text: string, length: number, end = '…') =>
	text.length > length ? text.slice(0, length - end.length) + end : text;

/** A value among others in a list: without quotes, cut to 24 characters. */
export const listedValue = (value: unknown): string =>
	cut(formatValue(value).replace(/^"|"$/g, ''), 24);

/** Any value as short text: strings in quotes, objects as JSON, cut to 60 characters. */
export const formatValue = (value: unknown): string =>
	cut(valueText(value), 60, typeof value === 'string' ? '…"' : '…');

function valueText(value: unknown): string {
	if (typeof value === 'string') return `"${value.replace(/\s+/g, ' ')}"`;
	try {
		return asText(value) || String(value);
	} catch {
		return 'an object'; // circular, or a toJSON that throws
	}
}

/** Thrown for invalid input, before anything is sent. The message lists all issues. */
export class InvalidInputError extends Error {
	/** @param headline the message without cells: it becomes that of the node's error, which n8n logs (`toNodeError`) */
	constructor(
		readonly issues: readonly Issue[],
		message = issues.map((issue) => issueText(issue)).join(' '),
		readonly headline = issues.map(headlineOf).join('; '),
	) {
		super(message);
		this.name = 'InvalidInputError';
	}
}

/** The parsed value of a field of the node. @param label its name in the editor @throws InvalidInputError */
export function unwrap<T>(parsed: ParseResult<T>, label: string, value: unknown): T {
	if (parsed.ok) return parsed.value;
	const { problem, fix } = parsed;
	const why = isEmpty(value) ? { problem: 'is empty', fix } : { value, problem, fix };
	throw new InvalidInputError([{ field: label, ...why }]);
}

const MAX_NAMED = 12;

/** `a, b and c`, or `a, b and 7 more`. */
export function listOf(texts: readonly string[], and = 'and'): string {
	const shown = texts.slice(0, texts.length > MAX_NAMED ? MAX_NAMED - 1 : -1);
	const last = texts.length > MAX_NAMED ? `${texts.length - shown.length} more` : texts.at(-1);
	return [shown.join(', '), last].filter(Boolean).join(` ${and} `);
}
