import type { IExecuteFunctions } from 'n8n-workflow';

import { toKey } from '../../../api/identifiers';
import { findSwapped } from '../../../parse/coordinates';
import { plainId } from '../../../parse/ids';
import { listedValue } from '../../../parse/issue';
import { SheetDates } from '../../../parse/serviceDates';
import { isBlank, unusable } from '../../../parse/text';
import { asText, cleanText, fold } from '../../../utils/text';
import { inTurns } from '../../../utils/turns';
import { getParameter } from '../../operation';
import { parseBooking, type RowSource } from './bookingRequest';
import { ADDITIONAL_FIELDS, CORE_FIELDS, issueOf, OPEN_FIELDS } from './fields';
import type { FinishedRow, IdentifiedRow, InputItem, ParsedRow, SheetRow } from './row';
import { finished, fixById, issueIn, rejected, rejectedFor, rowName, sheetRowOf } from './row';
import { getCreateSettings } from './settings';
import { cellOf, matchColumns, rawOf, type RawBooking, type SheetColumns } from './sheetColumns';
import { contentOf, isRequest, requireBookable } from './sheetProblems';

/** A row after the first stage. */
export type RowToMatch = FinishedRow | IdentifiedRow | ParsedRow;

/** The input as it was understood. */
export interface ParsedSheet {
	rows: RowToMatch[];
	/** Columns with cells that hold no field and are not set to None (Ignore), with up to three of their values. */
	otherColumns: Array<{ column: string; values: string[] }>;
}

/** Whether the fields of a booking are those of the node, or the columns of the input. */
export type FieldSource = 'fields' | 'columns';

/** An item and its cells by field. */
interface InputRow extends InputItem {
	raw: RawBooking;
}

/**
 * Parses all rows, without any request. Many rows are parsed in turns, between which n8n does other work.
 *
 * @throws InvalidInputError if something is wrong with the sheet as a whole
 */
export async function parseRows(
	context: IExecuteFunctions,
	fieldSource: FieldSource,
	now: Date,
): Promise<ParsedSheet> {
	const settingsOf = settingsReader(context, now);
	const items = await inTurns(context.getInputData(), ({ json }, itemIndex): InputItem => ({
		json,
		itemIndex,
		settings: settingsOf({ json, itemIndex }),
	}));
	if (fieldSource === 'columns') return await parseSheet(items);
	const rows = await inTurns(items, (item) =>
		parseRow({ ...item, raw: fieldsOf(context, item.itemIndex) }),
	);
	return { rows: await withoutSwapped(rows), otherColumns: [] };
}

/** Reads the settings of an item: once for all if the node has no expressions. */
function settingsReader(context: IExecuteFunctions, now: Date) {
	const hasExpressions = /[:[,]"=/.test(JSON.stringify(context.getNode().parameters));
	const first = hasExpressions ? undefined : getCreateSettings(context, 0, now);
	return (item: Pick<InputItem, 'json' | 'itemIndex'>) => {
		const place = `${rowName({ sheetRow: sheetRowOf(item) })}: `;
		return first ?? getCreateSettings(context, item.itemIndex, now, place);
	};
}

/** The fields of an item from the parameters of the node. */
function fieldsOf(context: IExecuteFunctions, itemIndex: number): RawBooking {
	const additional = context.getNodeParameter('additionalFields', itemIndex, {});
	const raw: RawBooking = {};
	for (const field of OPEN_FIELDS) raw[field] = getParameter(context, field, itemIndex);
	for (const field of ADDITIONAL_FIELDS) if (field in additional) raw[field] = additional[field];
	return raw;
}

/** What all rows together say of each. */
interface Sheet {
	columns: SheetColumns;
	dates: Pick<SheetDates, 'areExchanged' | 'isOrderDoubted'>;
}

/** @throws InvalidInputError */
async function parseSheet(items: readonly InputItem[]): Promise<ParsedSheet> {
	const { columnMapping, rowIdColumn, rules } = items[0]?.settings ?? {};
	const names = new Set<string>();
	await inTurns(items, ({ json }) => {
		for (const name in json) names.add(name);
	});
	// A tractor that the sheet names would be passed over in silence.
	const isNearest = items.every(({ settings }) => settings.tractorSelection === 'nearest');
	const notAskedFor = isNearest ? 'tractorId' : undefined;
	const columns = matchColumns([...names], columnMapping, rowIdColumn, notAskedFor);
	const { dateOrder = rules?.dateOrder } = columns;
	const dates = new SheetDates({ timezone: 'UTC', ...rules, dateOrder });
	const rows = await inTurns(items, (item): InputRow => {
		const raw = rawOf(columns, item.json);
		dates.add(raw.serviceDate, item.itemIndex);
		return { ...item, raw };
	});
	const content = await contentOf(rows, columns, [...names]);
	const others = columns.others.filter((name) => content.values.has(name));
	const settings = new Set(items.map((item) => item.settings));
	requireBookable({ ...columns, others }, content, [...settings]);
	const sheet: Sheet = { columns, dates };
	const parsed = await withoutSwapped(await inTurns(rows, (row) => parseRow(row, sheet)));
	return {
		rows: await withUnread(parsed, items, columns.unread),
		otherColumns: others.map((column) => ({
			column,
			values: [...new Set(content.values.get(column)?.map(listedValue))],
		})),
	};
}

const ADD_COLUMN =
	'add one and fill it in, or map the one that holds it under Options > Column Mapping';

/** The reason of a row that asks for nothing. */
export const NO_REQUEST =
	'the row is not a request: its phone, service, service date and Booking ID are all empty';

/** @param sheet undefined in Booking > Create */
function parseRow(inputRow: InputRow, sheet?: Sheet): RowToMatch {
	const { json, itemIndex, settings, raw } = inputRow;
	const { rowIdColumn, rules, areaUnit: defaultUnit } = settings;
	const { columns, dates } = sheet ?? {};
	const { headings, areaUnit } = columns ?? {};
	const rowId = columns && rowIdColumn !== undefined ? rowIdIn(json[rowIdColumn]) : undefined;
	const farmer = cleanText(asText(raw.farmerName)) || undefined;
	const sheetRow = sheetRowOf(inputRow);
	const place = { itemIndex, settings, sheetRow, columns: headings };
	const row: SheetRow = { ...place, farmer, rowId };
	if (sheet && !isRequest(raw)) return finished(row, { result: 'not sent', reason: NO_REQUEST });
	// If the heading and the option differ, the run has stopped before.
	const dateOrder = columns?.dateOrder ?? rules.dateOrder;
	const { areExchanged: isExchanged, isOrderDoubted } = dates ?? {};
	const ownRules = { ...rules, dateOrder, isExchanged, isOrderDoubted };
	const source: RowSource = { rules: ownRules, headings, areaUnit, defaultUnit };
	const idCells = (columns?.columns.get('bookingID') ?? []).map((column) => cellOf(json, column));
	const ids = (columns ? idCells : [raw.bookingID]).filter((cell) => !isBlank(cell));
	return ids.length > 0
		? identified(row, ids, parseRequest(row, raw, source, false))
		: parseRequest(row, raw, source, true);
}

/** Spreadsheets make 1 or `1.0` of the Row ID `001`. */
const rowIdIn = (cell: unknown) =>
	isBlank(cell) ? undefined : asText(toKey(plainId(cleanText(asText(cell)))));

/** The row as one that has the booking which its cells name; whatever else is wrong with it does not matter. */
function identified(row: SheetRow, cells: readonly unknown[], parsed: FinishedRow | ParsedRow) {
	const [bookingID = '', other] = new Set(cells.map((cell) => plainId(cleanText(asText(cell)))));
	if (other !== undefined) {
		const both = cells.map(asText).join(' / ');
		const fix = "keep only the ID of this row's booking";
		return rejectedFor(row, 'bookingID', both, 'are two different bookings', fix);
	}
	if (!/^[\w-]{1,99}$/.test(bookingID)) {
		const fix = 'write the ID of one booking, or leave it empty';
		return rejectedFor(row, 'bookingID', cells[0], 'is not the ID of a booking', fix);
	}
	// With neither name nor phone, it may be the row of any booking.
	const isOfFarmer =
		parsed.kind === 'parsed' && Boolean(parsed.request.farmerPhone ?? parsed.request.farmerName);
	return {
		...row,
		kind: 'identified',
		bookingID,
		parsed: isOfFarmer ? parsed : undefined,
		position: parsed.position,
	} as const;
}

/** The name of a service in a cell, undefined if it holds a number. The number is in the details of the tractors. */
function serviceNameIn(cell: unknown): string | undefined {
	if (typeof cell !== 'string' || isBlank(cell) || unusable(cell)) return undefined;
	const text = cleanText(cell);
	return /\p{L}/u.test(text) ? text : undefined;
}

/** @param isWhole whether the row must have all that a booking needs */
function parseRequest(
	row: SheetRow,
	raw: RawBooking,
	source: RowSource,
	isWhole: boolean,
): FinishedRow | ParsedRow {
	const { tractorSelection, notInSheet } = row.settings;
	const wantsNearest =
		tractorSelection === 'nearest' ||
		(tractorSelection === 'idOrNearest' && isBlank(raw.tractorId));
	const serviceName = serviceNameIn(raw.serviceType);
	const cells = { ...raw };
	if (wantsNearest) delete cells.tractorId;
	if (serviceName !== undefined) delete cells.serviceType;
	const { issues, ...parsed } = parseBooking(cells, source);
	const { latitude, longitude } = parsed.request;
	const placed = { ...row, position: { latitude, longitude } };
	const hasFault = () => issues.some((issue) => issue !== parsed.pastDate);
	const isMissing = (field: string, problem: string, fix: string) =>
		issues.push(issueIn(row, field, undefined, problem, fix));
	for (const field of isWhole ? CORE_FIELDS : []) {
		if (!isBlank(raw[field]) || notInSheet.has(field)) continue;
		// A reader may leave out a column that is empty in all rows.
		if (!row.columns || row.columns.has(field)) isMissing(field, 'is empty', 'fill it in');
		else isMissing(field, 'has no column', ADD_COLUMN);
	}
	if (wantsNearest && isWhole && !hasFault() && parsed.request.latitude === undefined) {
		const problem = 'are empty, but the nearest tractor is to be chosen';
		const fix = `fill in both, or ${fixById(row)}`;
		issues.push(issueOf('coordinates', undefined, { problem, fix }));
	}
	// A booking needs a tractor (interface: "with a chosen tractor").
	if (!wantsNearest && isWhole && isBlank(raw.tractorId)) {
		const fix = 'fill it in, or set Choose Tractor to take the nearest one';
		isMissing('tractorId', 'is empty, but the tractor is chosen by ID', fix);
	}
	return hasFault()
		? rejected(placed, issues)
		: { ...placed, kind: 'parsed', ...parsed, wantsNearest, serviceName };
}

/** Rejects the rows whose latitude and longitude seem to be swapped, compared with the other rows. */
async function withoutSwapped(rows: readonly RowToMatch[]): Promise<RowToMatch[]> {
	const swapped = findSwapped(rows.map(({ position = {} }) => position));
	return await inTurns(rows, (row, at) => {
		if (row.kind !== 'parsed' || !swapped[at]) return row;
		const { latitude, longitude } = row.request;
		const problem =
			'is far from the farms of the other rows, and near them with latitude and longitude exchanged';
		const fix = 'exchange the two, or book this row alone if they are right';
		return rejectedFor(row, 'coordinates', `${latitude}, ${longitude}`, problem, fix);
	});
}

/** What a row asks for, or asked for when it was booked; undefined if it is wrong, or not of one farmer. */
function requestOf(row: RowToMatch) {
	const parsed = row.kind === 'identified' ? row.parsed : row;
	return parsed?.kind === 'parsed' ? parsed.request : undefined;
}

/** Adds the cells that are not read to the rows that have their day in common with others: they may tell them apart. */
async function withUnread(
	rows: readonly RowToMatch[],
	items: readonly InputItem[],
	unread: readonly string[],
): Promise<RowToMatch[]> {
	const counts = new Map<string, number>();
	const keys = await inTurns(rows, (row) => {
		const { serviceDate = '', farmerPhone = '' } = requestOf(row) ?? {};
		const key = `${serviceDate} ${farmerPhone.slice(-6)}`;
		counts.set(key, (counts.get(key) ?? 0) + 1);
		return key;
	});
	return await inTurns(rows, (row, at) => {
		if (!requestOf(row) || (counts.get(keys[at] ?? '') ?? 0) < 2) return row;
		const { json = {} } = items[at] ?? {};
		const cells = unread.map((column) => [column, fold(asText(json[column]))] as const);
		return { ...row, unused: new Map(cells) };
	});
}
