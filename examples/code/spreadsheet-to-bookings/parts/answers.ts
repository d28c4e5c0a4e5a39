import type { Question } from '../../../../nodes/TractorBooking/resources/booking/create/preview/questions';
import { asText, wordIn } from '../../../../nodes/TractorBooking/utils/text';

/** An answer: what a setting is set to, or which column holds which field. */
export type Value = Question['answers'][number]['value'];

/** The answers so far, as they are kept. */
export interface Answers {
	/** The column that decides which rows are booked; '' if all are. */
	which?: Value;
	areaUnit?: Value;
	dateOrder?: Value;
	phoneCountry?: Value;
	/** Whether all answers that are likely are right. */
	likely?: Value;
	/** Which column has a field; '' if none. What a word for a service means. */
	[about: `column ${string}` | `service ${string}`]: Value | undefined;
	/** What rows are that are asked about all at once. */
	rows?: Value;
	/** What a row is, and its plot. */
	[about: `row ${string}` | `plot ${string}`]: Value | undefined;
	/** Values of the column that decides: those to be booked. What a list has said on a question, as JSON. */
	[about: `values ${string}` | `seen ${string}`]: string[] | undefined;
	/** The answers in words, by question. */
	said?: Record<string, string>;
}

/** A cell as the node tells the values of a column. */
export const valueIn = (cell: unknown): string => asText(cell).trim();

/** What the answer about a word for a service is kept under. */
export const serviceKey = (word: string) => `service ${wordIn(word)}` as const;

export const isColumns = (value: Value | undefined): value is Exclude<Value, string> =>
	typeof value === 'object';

/** An answer that says nothing of columns. */
export const textOf = (value: Value = ''): string => (isColumns(value) ? '' : value);

/** The column that decides which rows are booked, or ''. */
export const decidingColumn = ({ which }: Answers): string => textOf(which);

type Kind = 'column' | 'service';

/** The answers of a kind, each with what it is about. */
export function answersOf(answers: Answers, kind: Kind): Array<[about: string, value: Value]> {
	return Object.keys(answers)
		.filter((key) => key.startsWith(`${kind} `))
		.flatMap((key) => {
			const about = key.slice(kind.length + 1);
			const value = answers[`${kind} ${about}`];
			return value === undefined ? [] : [[about, value]];
		});
}

/** The columns that were chosen for fields: each field with its column. */
export function columnsChosen(answers: Answers): Array<[field: string, column: string]> {
	const values = answersOf(answers, 'column').map(([, value]) => value);
	return [...values, answers.areaUnit].filter(isColumns).flatMap((value) => Object.entries(value));
}
