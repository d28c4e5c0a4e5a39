import { areaUnitOf } from '../../../parse/areaUnits';
import { fold } from '../../../utils/text';
import { COLUMN_FIELDS, fieldOf, type ColumnField } from './fields';

/** The field that a heading names. */
export interface Heading {
	field: ColumnField;
	/** Whether it is the name of the field in the interface, or its label. */
	isOwn: boolean;
	/** What follows in parentheses: a unit or a format. */
	inParentheses?: string;
}

/** No heading is longer, whatever a file holds. */
const MAX_LENGTH = 200;

/** Letters and digits alone: case, accents, punctuation and spaces do not count. */
const plain = (heading: string) => fold(heading).replace(/[^\p{L}\p{N}]/gu, '');

const KEYS = new Map<string, Heading>(
	COLUMN_FIELDS.flatMap((field) => {
		const { label, headings } = fieldOf(field);
		const entry = (isOwn: boolean) => (heading: string) =>
			[plain(heading), { field, isOwn }] as const;
		return [...headings.map(entry(false)), ...[field, label].map(entry(true))];
	}),
);

const IN_PARENTHESES = /^(.*\S)\s*[([]([^()[\]]*)[)\]]\W*$/;

/** The heading of a question in the export of a form: its groups, and its name after the last slash or point. */
const IN_GROUP = /^\S+[/.](\w+)$/;

/** What a heading has in parentheses at its end, whatever field it names; empty if it has nothing there. */
export const inParenthesesOf = (column: string): string =>
	IN_PARENTHESES.exec(column.slice(0, MAX_LENGTH))?.[2] ?? '';

/** The field that a heading names; undefined if it names none. */
export function parseHeading(column: string): Heading | undefined {
	const heading = column.slice(0, MAX_LENGTH);
	const known = KEYS.get(plain(heading));
	if (known) return known;
	const [, before = '', inside = ''] = IN_PARENTHESES.exec(heading) ?? [];
	const main = KEYS.get(plain(before));
	const isSaid = main && fieldOf(main.field).inParentheses?.(inside);
	// `Acres (ha)` says nothing.
	const units = new Set([before, inside].flatMap((text) => areaUnitOf(text) ?? []));
	if (isSaid && units.size < 2) return { ...main, inParentheses: inside };
	const [, last = ''] = IN_GROUP.exec(heading) ?? [];
	const own = KEYS.get(plain(last));
	// `farmer_phone` is the same in any group; `phone` may be that of an agent.
	return own?.isOwn ? { field: own.field, isOwn: false } : undefined;
}
