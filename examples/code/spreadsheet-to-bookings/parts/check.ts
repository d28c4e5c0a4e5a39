import {
	answersOf,
	columnsChosen,
	decidingColumn,
	isColumns,
	textOf,
	type Answers,
	type Value,
} from './answers';
import { wordIn } from '../../../../nodes/TractorBooking/utils/text';
import { clean } from '../../label';
import type { Mode, Row, Settings, State } from './step';

/** Why the answers leave a row out: `Status is Pending`; undefined if they do not. */
export function whyOut(row: Row, answers: Answers): string | undefined {
	const which = decidingColumn(answers);
	const ticked = (answers[`values ${which}`] ?? []).map(wordIn);
	return which === '' || ticked.includes(wordIn(row[which]))
		? undefined
		: `${which} is ${clean(row[which]) || 'empty'}`;
}

function settingsOf({ answers, ignored }: State): Settings {
	const columns = Object.fromEntries(columnsChosen(answers));
	const taken = Object.values(columns);
	const unread = ignored.filter((name) => !taken.includes(name));
	const setting = (value: Value | undefined) => (isColumns(value) ? '' : value);
	return {
		columns,
		notInSheet: answersOf(answers, 'column').flatMap(([field, value]) =>
			value === '' ? [field] : [],
		),
		ignored: unread.map((name) => name.replace(/\s+/g, ' ')).join('\n'),
		serviceNames: answersOf(answers, 'service')
			.flatMap(([name, value]) => (value === '' ? [] : [`${name} = ${textOf(value)}`]))
			.join('\n'),
		dateOrder: setting(answers.dateOrder),
		areaUnit: setting(answers.areaUnit),
		phoneCountry: setting(answers.phoneCountry),
	};
}

/** What the node gets next: the rows, and its settings. */
export function checkOf(
	mode: Mode,
	sheet: readonly Row[],
	state: State,
): { rows: Row[]; set: Settings } {
	if (mode === 'learn') return { rows: [...sheet], set: {} };
	const rows = sheet.filter((row) => whyOut(row, state.answers) === undefined);
	return { rows, set: settingsOf(state) };
}
