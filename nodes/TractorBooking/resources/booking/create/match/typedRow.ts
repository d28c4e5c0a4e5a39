import type { BookingRequest } from '../fields';
import { isSamePhone, phoneTail } from '../../../../parse/phones';
import { asText, fold } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import { farmerOf, nameWords } from './likeness';
import type { SheetRow } from '../row';
import type { CreateSettings } from '../settings';

/** A row as it was typed: its service is a number in the request, or a name. */
interface TypedRow extends Pick<SheetRow, 'unused' | 'rowId'> {
	request: BookingRequest;
	serviceName?: string;
	serviceNumber?: number;
	wantsNearest?: boolean;
}

/** The cells of a row by what they are compared as; those that are empty are left out. Note and gender never count. */
function typedCells(row: TypedRow): Map<string, string> {
	const { request, serviceName, serviceNumber, wantsNearest } = row;
	const { tractorId, serviceType, ...cells } = request;
	const typed = {
		...cells,
		farmNote: undefined,
		gender: undefined,
		serviceType: serviceType ?? serviceNumber ?? serviceName,
		// A tractor that was chosen was not typed.
		tractorId: wantsNearest ? undefined : tractorId,
		farmerPhone: cells.farmerPhone && phoneTail(cells.farmerPhone),
		farmerName: farmerOf(request).farmerName,
	};
	const entries = Object.entries(typed)
		.filter(([, value]) => value !== undefined)
		.map(([field, value]): [string, string] => [field, fold(asText(value))]);
	return new Map(entries);
}

const keyOf = (cells: Map<string, string>) =>
	[...cells]
		.map((entry) => JSON.stringify(entry))
		.sort()
		.join();

/** The cells of columns that are not read, the Row ID and the titles before a name: these tell rows apart, but no bookings. */
function cellsBeside({
	request,
	unused = new Map<string, string>(),
	rowId = '',
}: TypedRow): Map<string, string> {
	const name = nameWords(request.farmerName ?? '').join(' ');
	const cells = [...unused, ['name', name] as const, ['row ID', rowId] as const];
	return new Map(cells.filter(([, cell]) => cell !== ''));
}

/** All that a row holds but note and gender, of its phone the last digits: equal for rows that are typed twice. */
export function typedKey(row: TypedRow): string {
	return keyOf(typedCells(row));
}

/** All that tells a row from another one, its Row ID and what stands in columns that are not read included. */
export function contentKey(row: TypedRow): string {
	return `${typedKey(row)} ${keyOf(cellsBeside(row))} ${asText(row.request.farmerPhone)}`;
}

/** The values of a row in its match fields: equal for rows that are the same in these, and for few others. */
export function matchKey(
	row: TypedRow & { settings: Pick<CreateSettings, 'matchFields'> },
): string {
	const cells = typedCells(row);
	return keyOf(new Map(row.settings.matchFields.map((field) => [field, cells.get(field) ?? ''])));
}

/** Whether no value of one contradicts the other's: where one has none, nothing differs. */
function agree(one: Map<string, string>, other: Map<string, string>, isEmptyEqual: boolean) {
	return [...new Set([...one.keys(), ...other.keys()])].every((key) => {
		const [own, theirs] = [one.get(key), other.get(key)];
		return own === theirs || (isEmptyEqual && (own ?? theirs) === (theirs ?? own));
	});
}

/** A row that repeats an earlier one. */
export interface Repeated<Row> {
	earlier: Row;
	/** Whether the two are one row typed twice; else they may be two jobs. */
	isSame: boolean;
}

/**
 * Rule 8: the rows that repeat an earlier one: equal in all that is compared, or but for cells that one of them leaves empty.
 * They are the same if they are equal in columns that are not read, too.
 */
export async function repeatedRows<Row extends TypedRow>(
	rows: readonly Row[],
): Promise<Map<Row, Repeated<Row>>> {
	const repeated = new Map<Row, Repeated<Row>>();
	const groups = new Map<string, Row[]>();
	const cells = new Map(await inTurns(rows, (row) => [row, typedCells(row)] as const));
	const cellsOf = (row: Row) => cells.get(row) ?? new Map<string, string>();
	const phoneOf = ({ request }: Row) => asText(request.farmerPhone);
	await inTurns(rows, (row) => {
		const own = cellsOf(row);
		const place = ['farmerPhone', 'serviceDate', 'serviceType'].map((field) => own.get(field));
		const group = groups.get(place.join()) ?? [];
		const alike = group.filter(
			(other) =>
				agree(own, cellsOf(other), true) &&
				(phoneOf(row) === phoneOf(other) || isSamePhone(phoneOf(row), phoneOf(other))),
		);
		group.push(row);
		groups.set(place.join(), group);
		const isSame = (other: Row) =>
			agree(own, cellsOf(other), false) && agree(cellsBeside(row), cellsBeside(other), true);
		const same = alike.find(isSame);
		const earlier = same ?? alike[0];
		if (earlier) repeated.set(row, { earlier, isSame: same !== undefined });
	});
	return repeated;
}
