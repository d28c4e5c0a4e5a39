/** Why a cell was refused. Both texts are phrases: "is not a date", "write it as YYYY-MM-DD". */
export interface Invalid {
	problem: string;
	fix: string;
}

/** What reading a cell gives: its value, or why not. Readers return it and never throw. */
export type ParseResult<T> = { ok: true; value: T } | ({ ok: false } & Invalid);

/** A refusal with its place. The row is named by whoever knows it. */
export interface Issue extends Invalid {
	/** Field of the interface, or its label. */
	field: string;
	/** The input column that the value came from. */
	column?: string;
	/** The value as it was given; undefined where there was none. */
	value: unknown;
}

/** A cell that was read. */
export function ok<T>(value: T): ParseResult<T> {
	return { ok: true, value };
}

/** A cell that was refused. Both texts are phrases, see {@link Invalid}. */
export function invalid(problem: string, fix: string): { ok: false } & Invalid {
	return { ok: false, problem, fix };
}

/** Adds to a refusal where it happened. */
export function issueAt(
	field: string,
	value: unknown,
	{ problem, fix }: Invalid,
	column?: string,
): Issue {
	return { field, ...(column === undefined ? {} : { column }), value, problem, fix };
}

/**
 * A complaint as one sentence for people, for example
 * `serviceDate (column "Date"): "31/02/2026" is not a day of the calendar; write it as 2026-12-31.`
 */
export function issueText({ field, column, value, problem, fix }: Issue): string {
	const place = column === undefined || column === field ? field : `${field} (column "${column}")`;
	const subject = value === undefined ? place : `${place}: ${formatValue(value)}`;
	return `${subject} ${problem}; ${fix}.`;
}

const MAX_SHOWN_CHARACTERS = 60;

/** Any value as short text: texts in quotes, objects as JSON, cut after 60 characters. */
export function formatValue(value: unknown): string {
	const text = valueText(value);
	if (text.length <= MAX_SHOWN_CHARACTERS) return text;
	return `${text.slice(0, MAX_SHOWN_CHARACTERS - 1)}…`;
}

function valueText(value: unknown): string {
	switch (typeof value) {
		case 'string':
			return `"${value.replace(/\s+/g, ' ')}"`;
		case 'object':
			try {
				return JSON.stringify(value) ?? 'an object';
			} catch {
				return 'an object'; // circular, or a toJSON that throws
			}
		case 'function':
			return 'a function';
		default:
			return String(value);
	}
}

/** Input that cannot be right, so that nothing was sent. The message is made of all complaints. */
export class InvalidInputError extends Error {
	constructor(readonly issues: readonly Issue[]) {
		super(issues.map(issueText).join(' '));
		this.name = 'InvalidInputError';
	}
}

/**
 * The value of a cell that was read from a field of the node.
 *
 * @param label name of the field in the editor
 * @throws InvalidInputError
 */
export function unwrap<T>(parsed: ParseResult<T>, label: string, value: unknown): T {
	if (parsed.ok) return parsed.value;
	throw new InvalidInputError([issueAt(label, value, parsed)]);
}
