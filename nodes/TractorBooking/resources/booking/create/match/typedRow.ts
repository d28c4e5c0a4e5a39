import { isSamePhone, phoneTail } from '../../../../parse/phones';
import { groupBy } from '../../../../utils/groupBy';
import { asText, fold } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import type { BookingRequest } from '../fields';
import type { SheetRow } from '../row';
import type { CreateSettings } from '../settings';
import { farmerOf } from './likeness';

/** A row as it was typed: its service is a number in the request, or a name. */
export interface TypedRow extends Pick<SheetRow, 'unused' | 'rowId'> {
	request: BookingRequest;
	serviceName?: string;
	serviceNumber?: number;
	wantsNearest?: boolean;
}

type Cells = ReadonlyMap<string, string>;

/** The service of a row as it can be compared best. */
const serviceOf = ({ request, serviceName, serviceNumber }: TypedRow) =>
	request.serviceType ?? serviceNumber ?? serviceName;

/** The cells of a row by what they are compared as; those that are empty are left out. Note and gender never count. */
function typedCells(row: TypedRow, service: unknown = serviceOf(row)): Cells {
	const { request, wantsNearest } = row;
	const { tractorId, ...cells } = request;
	const typed = {
		...cells,
		farmNote: undefined,
		gender: undefined,
		serviceType: service,
		// A tractor that was chosen was not typed.
		tractorId: wantsNearest ? undefined : tractorId,
		farmerPhone: cells.farmerPhone && phoneTail(cells.farmerPhone),
		farmerName: farmerOf(request).farmerName,
	};
	const filled = Object.entries(typed).filter(([, value]) => value !== undefined);
	return new Map(filled.map(([field, value]) => [field, fold(asText(value))]));
}

/**
 * What tells rows apart, but no bookings: the cells of columns that are not read, the Row ID, the note, which may name a plot,
 * and the order of the words of the name, in which father and son may differ.
 */
function cellsBeside({ unused, rowId, request: { farmNote, farmerName } }: TypedRow): Cells {
	const own = { rowId, farmNote, farmerName };
	const cells = Object.entries(own).map(([field, value]) => [field, fold(asText(value))] as const);
	return new Map([...(unused ?? []), ...cells].filter(([, cell]) => cell !== ''));
}

const keyOf = (cells: Cells) =>
	[...cells]
		.map((entry) => JSON.stringify(entry))
		.sort()
		.join();

/** All that a row holds but note and gender: equal for rows that are typed in the same way. */
export function typedKey(row: TypedRow): string {
	// The number of a name is not known each time.
	const cells = keyOf(typedCells(row, row.serviceName ?? row.request.serviceType));
	return `${cells} ${asText(row.request.farmerPhone)}`;
}

/** All that tells a row from another one, see {@link cellsBeside}. */
export function contentKey(row: TypedRow): string {
	return `${typedKey(row)} ${keyOf(cellsBeside(row))}`;
}

/** The values of a row in its match fields: equal for rows that are the same in these, and for few others. */
export function matchKey(
	row: TypedRow & { settings: Pick<CreateSettings, 'matchFields'> },
): string {
	const cells = typedCells(row);
	return keyOf(new Map(row.settings.matchFields.map((field) => [field, cells.get(field) ?? ''])));
}

/** Whether two rows are equal in their cells. @param isEmptyEqual whether an empty cell is equal to any */
function areEqual(one: Cells, other: Cells, isEmptyEqual: boolean): boolean {
	return [...new Set([...one.keys(), ...other.keys()])].every(
		(key) => one.get(key) === other.get(key) || (isEmptyEqual && !(one.has(key) && other.has(key))),
	);
}

/** The fields in which the cell of one row contradicts that of another. */
export function contradictions(one: TypedRow, other: TypedRow): string[] {
	// The number of a service and its name cannot be compared.
	const hasNumber = ({ request, serviceNumber }: TypedRow) =>
		(request.serviceType ?? serviceNumber) !== undefined;
	const areComparable = hasNumber(one) === hasNumber(other);
	const theirs = typedCells(other);
	return [...typedCells(one)]
		.filter(([field, cell]) => (theirs.get(field) ?? cell) !== cell)
		.map(([field]) => field)
		.filter((field) => areComparable || field !== 'serviceType');
}

/** Whether two rows may be one job. */
export function mayBeSameJob(one: TypedRow, other: TypedRow): boolean {
	return contradictions(one, other).length === 0;
}

/** A row that repeats an earlier one. */
export interface Repeated<Row> {
	earlier: Row;
	/** Whether the two are one row typed twice; else they may be two jobs. */
	isSame: boolean;
}

/**
 * Rule 8: the rows that repeat an earlier one: equal in all that is compared, or except for cells that one of them leaves empty.
 * They are the same if they are also equal in what {@link cellsBeside} gives.
 */
export async function repeatedRows<Row extends TypedRow>(
	rows: readonly Row[],
): Promise<Map<Row, Repeated<Row>>> {
	const all = await inTurns(rows, (row) => ({
		row,
		cells: typedCells(row),
		beside: cellsBeside(row),
	}));
	// No two rows that differ in one of these are compared: a sheet has thousands.
	const groups = groupBy(all, ({ cells }) =>
		['farmerPhone', 'serviceDate', 'serviceType'].map((field) => cells.get(field)).join(),
	);
	const repeated = new Map<Row, Repeated<Row>>();
	const isSamePerson = (one: Row, other: Row) =>
		isSamePhone(asText(one.request.farmerPhone), asText(other.request.farmerPhone));
	await inTurns([...groups.values()], (group) => {
		for (const [at, { row, cells, beside }] of group.entries()) {
			const alike = group
				.slice(0, at)
				.filter((other) => areEqual(cells, other.cells, true) && isSamePerson(row, other.row));
			const same = alike.find(
				(other) => areEqual(cells, other.cells, false) && areEqual(beside, other.beside, true),
			);
			const earlier = same ?? alike[0];
			if (earlier) repeated.set(row, { earlier: earlier.row, isSame: same !== undefined });
		}
	});
	return repeated;
}
