import { areaUnitOf } from '../../../../parse/areaUnits';
import { fold } from '../../../../utils/text';
import { COLUMN_FIELDS, fieldOf, headingsOf, type ColumnField } from '../row/fields';

/** No heading is longer, whatever a file holds. */
const MAX_LENGTH = 200;

/** Letters and digits alone: case, accents, punctuation and spaces do not count. */
const plain = (heading: string) => fold(heading).replace(/[^\p{L}\p{N}]/gu, '');

const KEYS = new Map<string, ColumnField>(
	COLUMN_FIELDS.flatMap((field) =>
		[...headingsOf(field), fieldOf(field).label, field].map(
			(text) => [plain(text), field] as const,
		),
	),
);

/** A heading, and what it has in parentheses at its end. */
const inParentheses = (heading: string) =>
	/^(.*\S)\s*[([]([^()[\]]*)[)\]]\W*$/s.exec(heading.slice(0, MAX_LENGTH))?.slice(1) ?? [];

/** A heading, and its last word. */
const lastWordOf = (heading: string) =>
	/^(.*[^\s_])[\s_]+([^\s_]+)$/s.exec(heading.slice(0, MAX_LENGTH))?.slice(1) ?? [];

/** What may say how its cells are meant: what a heading has in parentheses at its end, else its last or only word. */
export function endOf(heading: string) {
	const [, inside] = inParentheses(heading);
	return { isInside: inside !== undefined, end: inside ?? lastWordOf(heading)[1] ?? heading };
}

function fieldFor(heading: string): ColumnField | undefined {
	// A nested value is no heading: the ID of a linked record (`Tractor.Id`) is not that of a tractor.
	const known = /[^\s.]\.[\p{L}_]/u.test(heading) ? undefined : KEYS.get(plain(heading));
	if (known) return known;
	for (const [before = '', after = ''] of [inParentheses(heading), lastWordOf(heading)]) {
		const main = KEYS.get(plain(before));
		if (main && fieldOf(main).mayFollow?.(after)) return main;
	}
	return undefined;
}

/** Airtable and NocoDB have their columns in an object of this name. */
const withoutWrapper = (column: string) => column.slice(0, MAX_LENGTH).replace(/^fields\./, '');

/** The groups of a question in a form, and its name or label: what follows the last slash or point before a parenthesis. */
const pathOf = (column: string) =>
	/^(.*[\p{L}\p{N})_])[/.](?=[\p{L}_])([^()[\]]+(?:[([].*)?)$/su
		.exec(withoutWrapper(column))
		?.slice(1) ?? [];

/** A heading without the groups of its form. @param inForm see {@link parseHeading} */
export const questionIn = (column: string, inForm: boolean): string =>
	(inForm ? pathOf(column)[1] : undefined) ?? withoutWrapper(column);

/** Whether the headings of a sheet are paths in a form: two questions are in one group. */
export function arePaths(names: readonly string[]): boolean {
	const groups = names.flatMap((name) => pathOf(name)[0] ?? []);
	return new Set(groups).size < groups.length;
}

const OWNERS = {
	farm: /farm|plot|parcelle/i,
	farmer: /farmer|agriculteur|paysan|producteur/i,
	tractor: /tract/i,
};

/** Whether a heading says whose the field is; undefined if it need not: the officer has no area. */
export function saysWhose(field: ColumnField, column: string): boolean | undefined {
	const { isOf } = fieldOf(field);
	return isOf && OWNERS[isOf].test(column);
}

/** @param inForm whether the headings of its sheet are paths: then each is read by its last part, too */
export function parseHeading(column: string, inForm = false): ColumnField | undefined {
	const whole = fieldFor(withoutWrapper(column));
	const [, question] = pathOf(column);
	// `Price/Acres` is no area.
	if (whole || !inForm || question === undefined || areaUnitOf(question)) return whole;
	const field = fieldFor(question);
	return field && saysWhose(field, column) !== false ? field : undefined;
}
