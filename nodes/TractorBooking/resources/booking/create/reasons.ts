import type { IDataObject } from 'n8n-workflow';

import { isState, unitOf } from '../../../parse/columnNames';
import { columnsRead, type ColumnMatch } from '../../../parse/columns';
import { parseDate } from '../../../parse/dates';
import { formatValue, issueAt, type Issue } from '../../../parse/issue';
import { isBlank, isCancelled, isNo, isYes } from '../../../parse/text';
import { asText, cleanText, fold } from '../../../utils/text';
import type { SheetRow } from './row';
import type { CreateSettings } from './settings';
import { isOwnColumn, type InputRow } from './sheetColumns';
import { withoutService } from './sheetServices';

/** What the sheet says of all its rows. */
export interface SheetStates {
	/** A sheet may have no services at all. */
	isServiceNeeded: boolean;
	/** See {@link statesOf}. */
	states: readonly string[];
}

/** What a cell says of the state of its request; one day is as good as another. */
function stateIn(cell: unknown, { rules }: CreateSettings): string {
	if (isBlank(cell) || asText(cell) === '{}') return '';
	return parseDate(cell, rules).ok ? 'a day' : fold(asText(cell));
}

/** The columns that say how far requests have come, and not the same of all. */
export function statesOf(columns: readonly string[], requests: readonly InputRow[]): string[] {
	return columns.filter(isState).filter((column) => {
		const states = requests.map(({ json, settings }) => stateIn(json[column], settings));
		return new Set(states).size > 1;
	});
}

/** Headings below which a yes means that the row is to be booked. KoBo's `_validation_status` is empty until somebody looks. */
const ASKS_FOR_YES =
	/approu?v|elig|select|valid(?!ation)|confirm|interes|consent|agree|need|be book|book(?!ed|ing)/i;
/** Headings below which a no means that nothing was done yet. */
const ASKS_FOR_NO =
	/^(?!.*\b(?:to|be|still)\b).*(?:done|booked|served|serviced|complet|finish|plou?ghed|effectu|termin|kamilik)/i;

const NOT_BEGUN =
	/^(?:new|open|pending|requested|waiting|nouveau|nouvelle|en attente|mpya|inasubiri|bado)$/i;

/** Whether a cell leaves no doubt that its row is to be booked. */
function isToBook(cell: unknown, column: string, settings: CreateSettings): boolean {
	if (ASKS_FOR_YES.test(column)) return isYes(cell);
	if (ASKS_FOR_NO.test(column) && isNo(cell)) return true;
	return stateIn(cell, settings) === '' || NOT_BEGUN.test(cleanText(asText(cell)));
}

/**
 * Why a row is not to be sent, unless it is booked already: it is called off, may be done or not meant to be booked, has
 * two values of a field, or lacks the service that it needs.
 */
export function reasonsNotToSend(
	{ json, settings, match, raw }: InputRow,
	row: SheetRow,
	{ isServiceNeeded, states }: SheetStates,
): Issue[] {
	const isOfUser = (column: string) =>
		!isOwnColumn(column) && settings.columnMapping.get(column) !== 'ignore';
	const cells = Object.entries<unknown>(match ? json : raw);
	const calledOff = 'says that it is called off, or put off';
	// A rescheduled date that is read is that of the service.
	const read = new Set(match ? columnsRead(match) : []);
	const reasons = cells
		.filter(([column]) => isOfUser(column))
		.filter(([column, cell]) => isCancelled(cell, read.has(column) ? '' : column))
		.map(([column, cell]) => notToBook(cell, calledOff, match && column));
	if (match) reasons.push(...contradictions(json, match));
	const unclear = 'is not the same in every row, so this one may not be meant to be booked';
	for (const column of states)
		if (!isCancelled(json[column], column) && !isToBook(json[column], column, settings))
			reasons.push(notToBook(json[column], unclear, column));
	if (isServiceNeeded && isBlank(raw.serviceType)) reasons.push(withoutService(row));
	return reasons;
}

/** Fields of which every value has a digit: "same" is no other day, and a column `Area` may hold a place. */
const WITH_DIGITS: ReadonlySet<string> = new Set([
	'farmerPhone',
	'landArea',
	'serviceDate',
	'tractorId',
]);

/** The issues of columns that hold another value of a field than its first one. */
function contradictions(json: IDataObject, { sources }: ColumnMatch): Issue[] {
	const textOf = (name: string) => fold(asText(json[name]));
	return [...sources].flatMap(([field, { names, joiner }]) => {
		const filled = names.filter((name) => !isBlank(json[name]));
		const [first = '', ...others] = joiner === undefined ? filled : [];
		const isOtherUnit = (name: string) =>
			field === 'landArea' && new Set([name, first].flatMap((one) => unitOf(one) ?? [])).size > 1;
		const different = others
			.filter((name) => textOf(name) !== textOf(first) || isOtherUnit(name))
			.filter((name) => !WITH_DIGITS.has(field) || /\d/.test(textOf(name)));
		return different.map((name) => {
			const problem = `is ${formatValue(json[name])} in the column "${name}"`;
			const fix =
				'leave only the right one, or ignore one of the columns under Options > Column Mapping';
			return issueAt(field, json[first], { problem, fix }, first);
		});
	});
}

/** The issue of a cell that says, or may say, not to book its row. */
function notToBook(value: unknown, problem: string, column?: string): Issue {
	const fix = `delete the row or clear the cell${column ? ', or leave rows out with a Filter node before this one, and ignore the column under Options > Column Mapping' : ''}`;
	return issueAt('row', value, { problem, fix }, column);
}
