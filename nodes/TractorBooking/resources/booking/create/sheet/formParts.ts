import type { IDataObject } from 'n8n-workflow';

import { isBlank } from '../../../../parse/text';
import { isTick, isTicked } from '../../../../utils/text';
import type { ColumnField } from '../row/fields';
import { cellOf, type Item } from './cells';

/** The columns that KoBoToolbox adds for a place, whose own heading may lack the group. */
const OF_PLACE = /^(.*[/.])?_(.+)_(?:latitude|longitude|altitude|precision)$/s;

/** Whether several choices may be ticked for a field: then its cell is a list. */
export const hasChoices = (field: ColumnField): boolean =>
	field === 'serviceType' || field === 'crop' || field === 'crops';

/** Finds the columns that the export of a form (KoBoToolbox, ODK, Ona) adds to those of its questions. */
export function readForm(names: readonly string[], items: readonly Item[]) {
	const all = new Set(names);
	const parts = new Set<string>();
	/** The choices of each question with several answers. */
	const choices = new Map<string, Array<readonly [choice: string, column: string]>>();
	for (const name of names) {
		const [, group = '', place = ''] = OF_PLACE.exec(name) ?? [];
		if (place !== '' && (all.has(group + place) || all.has(place))) parts.add(name);
		// So ODK Central has them, beside the latitude.
		const latitude = name.replace(/-(?:Altitude|Accuracy)$/, '-Latitude');
		if (latitude !== name && all.has(latitude)) parts.add(name);
		// A choice may have a slash.
		const [first = '', ...words] = name.split('/');
		const before = words.map((_, at) => [first, ...words.slice(0, at)].join('/'));
		const question = before.findLast((one) => all.has(one));
		if (question === undefined) continue;
		const cells = items.map(({ json }) => cellOf(json, name));
		if (!cells.every((cell) => isBlank(cell) || isTick(cell))) continue;
		parts.add(name);
		const choice = name.slice(question.length + 1);
		choices.set(question, [...(choices.get(question) ?? []), [choice, name]]);
	}
	return { parts, choices };
}

/** The choices of a question that are ticked in a row. */
export const tickedIn = (
	row: IDataObject,
	choices: ReadonlyArray<readonly [choice: string, column: string]> = [],
): string[] =>
	choices.filter(([, column]) => isTicked(cellOf(row, column))).map(([choice]) => choice);
