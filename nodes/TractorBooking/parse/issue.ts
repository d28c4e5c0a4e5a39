import { asText, isEmpty } from '../utils/text';

/** Why a value is invalid, and how to fix it. Both texts are phrases: "is not a date", "write it as YYYY-MM-DD". */
export interface Invalid {
	ok: false;
	/** The name of its sentence in the tables of `sentences.ts`. */
	code: string;
	problem: string;
	/** The problem without the values that it names. */
	headline: string;
	fix: string;
	/** What the owner of the workflow can do instead. */
	setting?: string;
}

/** The value of a cell, or why the cell is invalid. Parsers return this and never throw. */
export type ParseResult<T> = { ok: true; value: T } | Invalid;

/** Why a value is invalid, and in which field. The caller adds the row. */
export interface Issue extends Omit<Invalid, 'ok'> {
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

/** A phrase that names values, which n8n's log is not to have. */
interface Phrase {
	text: string;
	/** It without them. */
	headline: string;
}

/** A phrase with values in it: about`may mean ${one} or ${other}`. */
export const about = (words: TemplateStringsArray, ...values: unknown[]): Phrase => ({
	text: String.raw({ raw: words }, ...values),
	headline: words.join('…'),
});

type Sentence = readonly [problem: Phrase | string, fix: string, setting?: string];

/** Makes a function that says what is wrong by its code, and by the values that the sentence of that code names. */
export const sentencesOf =
	<Values extends Record<string, unknown[]>>(table: {
		readonly [Code in keyof Values]: (...values: Values[Code]) => Sentence;
	}) =>
	<Code extends keyof Values & string>(code: Code, ...values: Values[Code]): Invalid => {
		const [said, fix, setting] = table[code](...values);
		const { text: problem, headline } =
			typeof said === 'string' ? { text: said, headline: said } : said;
		return { ok: false, code, problem, headline, fix, setting };
	};

/**
 * The issue as one sentence for the user, for example
 * `Service Date (column "Date"): "31/02/2026" is not a day of the calendar; write it as 2026-12-31.`
 */
export const issueText = (issue: Issue): string => `${issueReason(issue)}; ${toDoOf(issue)}.`;

/** What is said of a value; without a field, of a row or a request as a whole. */
export type Said = Omit<Issue, 'field' | 'headline'> & Partial<Pick<Issue, 'field'>>;

/** The first half of that sentence: what is wrong. */
export function issueReason(said: Said, shown = formatValue(said.value)): string {
	const place = placeOf(said);
	return [said.value === undefined ? place : `${place}: ${shown}`, said.problem].join(' ').trim();
}

/** All that can be done about an issue, as a phrase. */
export const toDoOf = ({ fix, setting }: Pick<Invalid, 'fix' | 'setting'>): string =>
	[fix, setting].filter(Boolean).join(', or ');

const placeOf = ({ field = '', column = field }: Pick<Said, 'field' | 'column'>) =>
	column === field ? field : `${field} (column "${column}")`;

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
	return asText(value) || (value === null ? 'null' : typeof value);
}

/** Thrown for invalid input, before anything is sent. The message lists all issues. */
export class InvalidInputError extends Error {
	/** @param headline the message without cells: it becomes that of the node's error, which n8n logs (`toNodeError`) */
	constructor(
		readonly issues: readonly Issue[],
		message = issues.map((issue) => issueText(issue)).join(' '),
		readonly headline = issues.map((issue) => `${placeOf(issue)} ${issue.headline}`).join('; '),
	) {
		super(message);
		this.name = 'InvalidInputError';
	}
}

/** The parsed value of a field of the node. @param label its name in the editor @throws InvalidInputError */
export function unwrap<T>(parsed: ParseResult<T>, label: string, value: unknown): T {
	if (parsed.ok) return parsed.value;
	const { code, problem, headline, fix, setting } = parsed;
	const why = isEmpty(value)
		? { code: 'empty', problem: 'is empty', headline: 'is empty' }
		: { value, code, problem, headline };
	throw new InvalidInputError([{ field: label, ...why, fix, setting }]);
}

export const MAX_NAMED = 12;

/** `a, b and c`, or `a, b and 7 more`. */
export function listOf(texts: readonly string[], and = 'and'): string {
	const named = texts.slice(0, texts.length > MAX_NAMED ? MAX_NAMED - 1 : -1);
	const last = texts.length > MAX_NAMED ? `${texts.length - named.length} more` : texts.at(-1);
	return [named.join(', '), last].filter(Boolean).join(` ${and} `);
}
