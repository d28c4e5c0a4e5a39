import type { BookingField, BookingRequest } from '../fields';
import { labelOf } from '../fields';
import { isSamePhone, phoneTail } from '../../../../parse/phones';
import { asText, fold } from '../../../../utils/text';
import { nameKey, nameWords } from './likeness';
import type { SheetRow } from '../row';
import type { CreateSettings } from '../settings';

/** A row with a request; its service is a number in the request, or a name. */
interface Typed {
	request: BookingRequest;
	serviceName?: string;
	serviceNumber?: number;
	wantsNearest?: boolean;
	unused?: SheetRow['unused'];
}

/** How fields are compared that are not compared as they are, or as folded text. */
const KEYS: Readonly<Record<string, (text: string) => string>> = {
	farmerName: nameKey,
	farmerPhone: phoneTail,
};

/** The values of a row by field, as they are compared; those that are empty are left out. */
function comparedValues(values: Record<string, unknown>): Map<string, unknown> {
	const compared = ([field, value]: [string, unknown]): [string, unknown] => [
		field,
		typeof value === 'string' ? (KEYS[field] ?? fold)(value) : value,
	];
	const isTyped = ([, value]: [string, unknown]) => value !== undefined;
	return new Map(Object.entries(values).filter(isTyped).map(compared));
}

const keyOf = (values: Record<string, unknown>) =>
	[...comparedValues(values)]
		.map((entry) => JSON.stringify(entry))
		.sort()
		.join();

/** The values of a row that distinguish it from another one. */
function distinctiveValues({ request, serviceName, serviceNumber, wantsNearest }: Typed) {
	const { serviceType = serviceNumber ?? serviceName, ...others } = request;
	const values = { ...others, serviceType, farmNote: undefined, gender: undefined };
	// A tractor that is chosen is no part of what was typed.
	return wantsNearest ? { ...values, tractorId: undefined } : values;
}

/** The values of a row that distinguish it from another one; of its phone, the last digits only. */
const wholeKey = (row: Typed) => keyOf(distinctiveValues(row));

/** Whether a booking was made with all that a row holds, but for note and gender. */
export function isSameRequest(row: Typed, request: BookingRequest): boolean {
	return wholeKey(row) === wholeKey({ request, wantsNearest: row.wantsNearest });
}

/** The values of a row in its match fields: equal for rows that are the same in these, and for few others. */
export function matchKey(row: Typed & { settings: Pick<CreateSettings, 'matchFields'> }): string {
	const request: Record<string, unknown> = { serviceType: row.serviceName, ...row.request };
	return keyOf(
		Object.fromEntries(row.settings.matchFields.map((field) => [field, request[field]])),
	);
}

/**
 * The columns in which two rows differ that are equal in all that is compared: what is not used, and a title before the
 * name. An empty cell differs from none.
 */
export function differingBeside(row: Typed, other: Typed): string[] {
	const theirs = cellsBeside(other);
	const isOther = (cell: string, their = '') => cell !== '' && their !== '' && cell !== their;
	return [...cellsBeside(row)]
		.filter(([column, cell]) => isOther(cell, theirs.get(column)))
		.map(([column]) => column);
}

function cellsBeside({ request, unused }: Typed): Map<string, string> {
	const name = nameWords(request.farmerName ?? '').sort();
	return new Map([...(unused ?? []), [labelOf('farmerName'), name.join(' ')]]);
}

/** The fields that only one of two rows has. */
export function fieldsOfOne(row: Typed, other: Typed): BookingField[] {
	const own = comparedValues(distinctiveValues(row));
	const theirs = comparedValues(distinctiveValues(other));
	const fields = [...new Set([...own.keys(), ...theirs.keys()])] as BookingField[];
	return fields.filter((field) => !own.has(field) || !theirs.has(field));
}

/** What rows have to have in common before they are compared. */
function bucketOf(row: Typed, isLoose: boolean): string {
	const { farmerPhone, serviceDate, serviceType } = distinctiveValues(row);
	return isLoose && farmerPhone !== undefined
		? keyOf({ farmerPhone, serviceDate, serviceType })
		: wholeKey(row);
}

/**
 * For each row, the first of those that are equal to it in everything but note and gender: one row typed twice.
 *
 * @param isLoose whether what is not compared may differ, see {@link differingBeside}, and one of two cells be empty
 */
export function firstOfEqual<Row extends Typed>(
	rows: readonly Row[],
	isLoose = false,
): Map<Row, Row> {
	const firsts = new Map<string, Row[]>();
	const valuesOf = new Map(rows.map((row) => [row, comparedValues(distinctiveValues(row))]));
	const differ = (row: Row, other: Row) => {
		const theirs = valuesOf.get(other);
		return [...(valuesOf.get(row) ?? [])].some(
			([field, value]) => theirs?.has(field) && theirs.get(field) !== value,
		);
	};
	const isEqual = (row: Row, other: Row) =>
		isSamePhone(asText(row.request.farmerPhone), asText(other.request.farmerPhone)) &&
		(isLoose ? !differ(row, other) : differingBeside(row, other).length === 0);
	const firstOf = (row: Row) => {
		const key = bucketOf(row, isLoose);
		const others = firsts.get(key) ?? [];
		const first = others.find((other) => isEqual(row, other));
		if (!first) firsts.set(key, [...others, row]);
		return first ?? row;
	};
	return new Map(rows.map((row) => [row, firstOf(row)]));
}
