import type { IDataObject } from 'n8n-workflow';

import { isBlank } from '../../../../parse/text';
import { isTick, isTicked } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import type { ColumnField } from '../row/fields';
import { cellOf } from './cells';
import { parseHeading } from './headings';

/** The columns that KoBoToolbox adds for a place, whose own heading may lack the group. */
const OF_PLACE = /^(.*[/.])?_(.+)_(?:latitude|longitude|altitude|precision)$/s;

/** Whether several choices may be ticked for a field: then its cell is a list. */
export const hasChoices = (field?: ColumnField): boolean =>
	field === 'serviceType' || field === 'crop' || field === 'crops';

/**
 * Finds the columns that the export of a form (KoBoToolbox, ODK, Ona) adds to those of its questions.
 *
 * @returns also the questions that were exported by their choices alone, and the rows with these as if they had a column. They
 * may be decisions, too, so their choices stay columns of their own until such a question is read.
 */
export async function readForm(
	headings: readonly string[],
	rows: ReadonlyArray<Readonly<{ json: IDataObject }>>,
) {
	const all = new Set(headings);
	const parts = new Set<string>();
	const ticks = new Set<string>();
	/** The choices of each question with several answers. */
	const choices = new Map<string, Array<readonly [choice: string, column: string]>>();
	await inTurns(headings, (name) => {
		const [, group = '', place = ''] = OF_PLACE.exec(name) ?? [];
		if (place !== '' && (all.has(group + place) || all.has(place))) parts.add(name);
		// So ODK Central has them, beside the latitude.
		const latitude = name.replace(/-(?:Altitude|Accuracy)$/, '-Latitude');
		if (latitude !== name && all.has(latitude)) parts.add(name);
		const cells = rows.map(({ json }) => cellOf(json, name));
		if (cells.every((cell) => isBlank(cell) || isTick(cell))) ticks.add(name);
	});
	const isQuestion = (one: string) => {
		if (all.has(one)) return true;
		// A group has other questions, too.
		const inside = headings.filter((name) => name.startsWith(`${one}/`));
		return (
			inside.length > 1 && inside.every((name) => ticks.has(name) && !parseHeading(name, true))
		);
	};
	for (const name of ticks) {
		// A choice may have a slash.
		const [first = '', ...words] = name.split('/');
		const before = words.map((_, at) => [first, ...words.slice(0, at)].join('/'));
		const question = before.findLast(isQuestion);
		if (question === undefined) continue;
		if (all.has(question)) parts.add(name);
		const choice = name.slice(question.length + 1);
		choices.set(question, [...(choices.get(question) ?? []), [choice, name]]);
	}
	const questions = [...choices.keys()].filter((name) => !all.has(name));
	const items = await inTurns(rows, ({ json }) => {
		const ticked = (name: string) => tickedIn(json, choices.get(name)).join(' ');
		const cells = Object.fromEntries(questions.map((name) => [name, ticked(name)]));
		return { json: { ...json, ...cells } };
	});
	return { names: headings, questions, items, parts, choices };
}

export type Form = Awaited<ReturnType<typeof readForm>>;

/** The choices of a question that are ticked in a row. */
export const tickedIn = (
	row: IDataObject,
	choices: ReadonlyArray<readonly [choice: string, column: string]> = [],
): string[] =>
	choices.filter(([, column]) => isTicked(cellOf(row, column))).map(([choice]) => choice);
