import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isNumbering } from '../../../parse/columnNames';
import { cellsOf, columnsRead, matchFor } from '../../../parse/columns';
import { findSwapped } from '../../../parse/coordinates';
import { hasExchanged } from '../../../parse/dates';
import { plainId } from '../../../parse/ids';
import { formatValue, issueAt, InvalidInputError } from '../../../parse/issue';
import { isBlank } from '../../../parse/text';
import { asText, cleanText, fold } from '../../../utils/text';
import { getParameter } from '../../operation';
import { parseBooking } from './bookingRequest';
import { isRequest } from './remarks';
import type { RawBooking, RowSource } from './requestBuilder';
import type { FinishedRow, IdentifiedRow, InputItem, ParsedRow, SheetRow } from './row';
import { finished, fixById, issueIn, rejected, rejectedFor, sheetRowOf } from './row';
import { getCreateSettings } from './settings';
import {
	holdsPhones,
	isOwnColumn,
	isDistinctive,
	matchSheet,
	unknownColumns,
	type InputRow,
} from './sheetColumns';
import { serviceNameIn } from './sheetServices';

/** A row after the first stage. */
export type RowToMatch = FinishedRow | IdentifiedRow | ParsedRow;

/** The input as it was understood. */
export interface ParsedSheet {
	rows: RowToMatch[];
	/** Columns with cells of which none was used. */
	unusedColumns: string[];
}

/** What all rows together say of each. */
interface Sheet {
	isExchanged: boolean;
	/** Columns that hold no field, but may distinguish a row from another one. */
	distinctive: readonly string[];
}

/** Whether the fields of a booking are those of the node, or the columns of the input. */
export type FieldSource = 'fields' | 'columns';

/**
 * Parses all rows, without any request.
 *
 * @throws InvalidInputError if the columns of the input cannot be mapped
 */
export function parseRows(
	context: IExecuteFunctions,
	fieldSource: FieldSource,
	now: Date,
): ParsedSheet {
	const isSheet = fieldSource === 'columns';
	const items = context.getInputData().map(({ json: own }, itemIndex): InputItem => {
		const json = isSheet ? plainCells(own) : own;
		return { json, itemIndex, settings: getCreateSettings(context, itemIndex, now) };
	});
	const match = isSheet ? matchSheet(items) : undefined;
	const rows = items.map((item): InputRow => {
		const own = match && matchFor(match, item.json);
		const raw = own ? cellsOf(own, item.json) : fromFields(context, item.itemIndex);
		return { ...item, match: own, raw };
	});
	const rowIdColumn = items[0]?.settings.rowIdColumn;
	const unused =
		match?.unmatched.filter((column) => !isOwnColumn(column) && column !== rowIdColumn) ?? [];
	const sheet = toSheet(rows, unused);
	return {
		rows: withoutSwapped(rows.map((row) => parseRow(row, sheet))),
		unusedColumns: unusedColumns(rows, unused),
	};
}

/** The cells of a row; a list with one element is that element (Airtable), an object with a label that (KoBo). */
function plainCells(json: IDataObject): IDataObject {
	const cells = Object.entries<unknown>(json).map(([column, cell]): [string, unknown] => {
		const one: unknown = Array.isArray(cell) && cell.length === 1 ? cell[0] : cell;
		return [column, (one as { label?: unknown } | null | undefined)?.label ?? one];
	});
	return Object.fromEntries(cells) as IDataObject;
}

const FIELDS = [
	'serviceType',
	'serviceDate',
	'landArea',
	'areaType',
	'farmerName',
	'farmerPhone',
	'latitude',
	'longitude',
	'tractorId',
] as const;

/** The fields of a row from the parameters of the node. */
function fromFields(context: IExecuteFunctions, itemIndex: number): RawBooking {
	const additional = context.getNodeParameter('additionalFields', itemIndex, {}) as RawBooking;
	const raw: RawBooking = { ...additional };
	for (const field of FIELDS) raw[field] = getParameter(context, field, itemIndex);
	// The unit always has a value in the editor, so ignore it without an area.
	if (isBlank(raw.landArea)) delete raw.areaType;
	return raw;
}

/** @throws InvalidInputError if the sheet lacks a column, or columns that are not known may hold what no row has */
function toSheet(rows: readonly InputRow[], unused: readonly string[]): Sheet {
	const requests = rows.filter(({ raw }) => isRequest(raw));
	const distinctive = unused.filter(isDistinctive);
	const { settings, match } = rows[0] ?? {};
	const issues = match ? [...match.issues, ...unknownColumns(match, unused, requests)] : [];
	if (issues.length > 0) throw new InvalidInputError(issues);
	const dates = rows.map(({ raw }) => raw.serviceDate);
	const isExchanged = settings !== undefined && hasExchanged(dates, settings.rules);
	return { isExchanged, distinctive };
}

/** The columns that hold something, but no field of any row. */
function unusedColumns(rows: readonly InputRow[], unmatched: readonly string[]): string[] {
	const read = new Set(rows.flatMap(({ match }) => (match ? columnsRead(match) : [])));
	return unmatched.filter(
		(column) =>
			!read.has(column) &&
			(!isNumbering(column) || holdsPhones(rows, column)) &&
			!rows.every(({ json }) => isBlank(json[column])),
	);
}

const NO_REQUEST =
	'the row is no request: its phone, service, service date and Booking ID are all empty';

function parseRow(inputRow: InputRow, sheet: Sheet): RowToMatch {
	const { json, itemIndex, settings, match, raw } = inputRow;
	const unused = new Map(sheet.distinctive.map((column) => [column, fold(asText(json[column]))]));
	const row: SheetRow = {
		itemIndex,
		settings,
		sheetRow: sheetRowOf(inputRow),
		farmer: cleanText(asText(raw.farmerName)) || undefined,
		rowId: match && rowIdOf(inputRow),
		columns: match?.columns,
		unused,
	};
	if (!isRequest(raw)) {
		const [cell] = match ? Object.values(json).filter((value) => !isBlank(value)) : [];
		const remark = cell === undefined ? undefined : formatValue(cell);
		return finished(row, { result: 'not sent', reason: NO_REQUEST, remark });
	}
	const source = { ...(match ?? { isAreaTypeDefault: true }), isExchanged: sheet.isExchanged };
	const parsed = parseRequest(row, raw, source);
	return isBlank(raw.bookingID) ? parsed : identified(row, raw.bookingID, parsed);
}

/** What the row has in the column of the option Row ID. */
function rowIdOf({ json, settings: { rowIdColumn } }: InputRow): string | undefined {
	const cell = rowIdColumn === undefined ? undefined : json[rowIdColumn];
	return isBlank(cell) ? undefined : cleanText(asText(cell));
}

/** The row as one that has the booking which its cell names; whatever else is wrong with it is no issue. */
function identified(row: SheetRow, cell: unknown, parsed: FinishedRow | ParsedRow) {
	const text = plainId(cleanText(asText(cell)));
	if (/^[\w-]{1,99}$/.test(text)) {
		const rest = parsed.kind === 'parsed' ? parsed : undefined;
		return { ...row, kind: 'identified', bookingID: text, parsed: rest } as const;
	}
	const fix = 'write the ID of one booking, or leave it empty';
	return rejectedFor(row, 'bookingID', cell, 'is not the ID of a booking', fix);
}

const namesNoTractor = (cell: unknown) =>
	isBlank(cell) ||
	/^(?:(?:the )?(?:any|nearest|closest)(?: tractor)?|le plus proche|iliyo karibu|mafi kusa)$/i.test(
		cleanText(asText(cell)),
	);

function parseRequest(row: SheetRow, raw: RawBooking, source: RowSource): FinishedRow | ParsedRow {
	const { tractorSelection, rules } = row.settings;
	const wantsNearest =
		tractorSelection === 'nearest' ||
		(tractorSelection === 'idOrNearest' && namesNoTractor(raw.tractorId));
	const serviceName = serviceNameIn(raw.serviceType);
	const cells = { ...raw };
	if (wantsNearest) delete cells.tractorId;
	if (serviceName !== undefined) delete cells.serviceType;
	const { issues, ...parsed } = parseBooking(cells, rules, source);
	const hasFault = () => issues.some((issue) => issue !== parsed.pastDate);
	if (wantsNearest && !hasFault() && parsed.request.latitude === undefined) {
		const problem = 'are empty, but the nearest tractor is to be chosen';
		const fix = `fill in both, or ${fixById(row)}`;
		issues.push(issueAt('coordinates', undefined, { problem, fix }));
	}
	// A booking needs a tractor (interface: "with a chosen tractor").
	if (!wantsNearest && isBlank(raw.tractorId)) {
		const problem = 'is empty, but the tractor is chosen by ID';
		const fix = 'fill it in, or set Choose Tractor to By ID, Else Nearest to the Farm';
		issues.push(issueIn(row, 'tractorId', undefined, problem, fix));
	}
	return hasFault()
		? rejected(row, issues)
		: { ...row, kind: 'parsed', ...parsed, wantsNearest, serviceName };
}

/** Rejects the rows whose latitude and longitude seem to be swapped, compared with the other rows. */
function withoutSwapped(rows: ParsedSheet['rows']): ParsedSheet['rows'] {
	const swapped = findSwapped(rows.map((row) => (row.kind === 'parsed' ? row.request : {})));
	return rows.map((row, at) => {
		if (row.kind !== 'parsed' || !swapped[at]) return row;
		const { latitude, longitude } = row.request;
		const problem =
			'is far from the farms of the other rows, and near them with latitude and longitude exchanged';
		const fix = 'exchange the two, or book this row alone if they are right';
		return rejectedFor(row, 'coordinates', `${latitude}, ${longitude}`, problem, fix);
	});
}
