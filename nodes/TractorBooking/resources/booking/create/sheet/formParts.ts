import type { IDataObject } from 'n8n-workflow';

import { isBlank } from '../../../../parse/text';
import { asText } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import { cellOf } from './cells';

/** Columns that the export of a form (KoBoToolbox, ODK, Ona) adds to those of its questions. */
export interface FormParts {
	/** The question of each such column. */
	questionOf: ReadonlyMap<string, string>;
	/** The choices of a question with several answers, each with its column. */
	ticksOf: ReadonlyMap<string, ReadonlyArray<readonly [choice: string, column: string]>>;
	/** Columns of choices, also if the export has none for their question. */
	ticks: ReadonlySet<string>;
}

/** What is added to a place. */
const OF_PLACE = /^(.*[/.])?_(.+)_(?:latitude|longitude|altitude|precision)$/s;

/** Ona and old exports of KoBoToolbox have words in place of 1 and 0. */
export const isTicked = (cell: unknown): boolean => /^\s*(?:1|true)\s*$/i.test(asText(cell));

const isTick = (cell: unknown) => isTicked(cell) || /^\s*(?:0|false)\s*$/i.test(asText(cell));

export async function formPartsIn(
	names: readonly string[],
	rows: ReadonlyArray<Readonly<{ json: IDataObject }>>,
): Promise<FormParts> {
	const all = new Set(names);
	const questionOf = new Map<string, string>();
	const ticksOf = new Map<string, Array<readonly [string, string]>>();
	const ticks = new Set<string>();
	await inTurns(names, (name) => {
		const [, group = '', place = ''] = OF_PLACE.exec(name) ?? [];
		if (place !== '' && all.has(group + place)) questionOf.set(name, group + place);
		const isEmptyOrTick = ({ json }: { json: IDataObject }) =>
			isBlank(cellOf(json, name)) || isTick(cellOf(json, name));
		if (!name.includes('/') || !rows.every(isEmptyOrTick)) return;
		ticks.add(name);
		const parts = name.split('/');
		// A choice may have a slash.
		const questions = parts
			.map((_, at) => parts.slice(0, at).join('/'))
			.filter((one) => all.has(one));
		const question = questions.at(-1);
		if (question === undefined) return;
		questionOf.set(name, question);
		const choice = name.slice(question.length + 1);
		ticksOf.set(question, [...(ticksOf.get(question) ?? []), [choice, name]]);
	});
	return { questionOf, ticksOf, ticks };
}
