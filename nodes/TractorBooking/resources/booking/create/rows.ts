import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { toKey } from '../../../api/identifiers';
import { findSwapped } from '../../../parse/coordinates';
import { DATE_ORDERS, type DateOrder } from '../../../parse/dates';
import { plainId } from '../../../parse/ids';
import { listedValue } from '../../../parse/issue';
import { SheetDates } from '../../../parse/serviceDates';
import { isBlank, unusable } from '../../../parse/text';
import { asText, cleanText, fold } from '../../../utils/text';
import { inTurns } from '../../../utils/turns';
import { getParameter } from '../../operation';
import { parseBooking, type RowSource } from './bookingRequest';
import {
	ADDITIONAL_FIELDS,
	COLUMN_FIELDS,
	CORE_FIELDS,
	issueOf,
	labelOf,
	labelsOf,
	OPEN_FIELDS,
	type ColumnField,
	type Rules,
} from './fields';
import { jobKey } from './job';
import { ofSheet, type Problem } from './problems';
import type { FinishedRow, IdentifiedRow, InputItem, ParsedRow, SheetRow } from './row';
import {
	finished,
	fixById,
	issueIn,
	placeOf,
	rejected,
	rejectedFor,
	rowName,
	rowsIn,
	sentenceOf,
} from './row';
import { settingsReader, type RunSettings } from './settings';
import {
	cellOf,
	columnNamed,
	matchColumns,
	parseHeading,
	rawOf,
	type RawBooking,
	type SheetColumns,
} from './sheetColumns';
import {
	contentOf,
	headingsBelow,
	isRequest,
	lackingFields,
	linesToPaste,
	missingFields,
	sheetProblems,
	unreadIn,
	type OtherColumn,
} from './sheetProblems';

/** A row after the first stage. */
export type RowToMatch = FinishedRow | IdentifiedRow | ParsedRow;

/** The input as it was understood. */
export interface ParsedSheet {
	rows: RowToMatch[];
	/** What is wrong with the sheet as a whole: then no row is booked. */
	problems: Problem[];
	/** What ends the message about them. */
	last: string[];
	/** The columns that hold a field. */
	columns: Array<{ column: string; field: string }>;
	/** Those with cells that hold none, and are not ignored one by one. */
	otherColumns: OtherColumn[];
	/** The fields that each row must have, and that no column holds. */
	missing: Array<{ name: string; field: string }>;
}

/** Whether the fields of a booking are those of the node, or the columns of the input. */
export type FieldSource = 'fields' | 'columns';

/** An item and its cells by field. */
interface InputRow extends InputItem {
	raw: RawBooking;
}

/** Parses all rows, without any request. Many rows are parsed in turns, between which n8n does other work. */
export async function parseRows(
	context: IExecuteFunctions,
	fieldSource: FieldSource,
	now: Date,
): Promise<ParsedSheet> {
	const settingsOf = settingsReader(context, now);
	const items = await inTurns(context.getInputData(), ({ json }, itemIndex): InputItem => ({
		json,
		itemIndex,
		settings: settingsOf(itemIndex, () => sentenceOf(rowName(placeOf({ json, itemIndex })))),
	}));
	if (fieldSource === 'columns') return await parseSheet(items);
	const rows = await inTurns(items, (item) =>
		parseRow({ ...item, raw: fieldsOf(context, item.itemIndex) }),
	);
	const none = { problems: [], last: [], columns: [], otherColumns: [], missing: [] };
	return { rows: await withoutSwapped(rows), ...none };
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
	doubts: Doubts;
	/** Fields that all rows lack: that is said once. */
	said: ReadonlySet<ColumnField>;
}

/** Rows that a message names for their dates. */
const MAX_NAMED = 5;

/** The rows whose dates say something of those of other rows, in words. */
type Doubts = Pick<Rules, 'contradictedBy' | 'exchangedBy' | 'ordersSeen'>;

function doubtsOf(dates: SheetDates, order: DateOrder, rows: readonly InputRow[]): Doubts {
	const namesOf = (some: readonly number[]) => {
		const names = rowsIn(some.slice(0, MAX_NAMED).map((at) => nameOf(rows[at])));
		const more = some.length - MAX_NAMED;
		return (more > 0 ? `${names}, and ${more} more rows` : names) || undefined;
	};
	const seen = DATE_ORDERS.flatMap((one) => {
		const names = namesOf(dates.rowsWith(one));
		return names ? `the ${one === 'dayFirst' ? 'day' : 'month'} is first in ${names}` : [];
	});
	return {
		contradictedBy: order === 'refuse' ? undefined : namesOf(dates.orderCulprits),
		exchangedBy: namesOf(dates.exchangeCulprits),
		ordersSeen: seen.join(', and ') || undefined,
	};
}

/** The names of the columns, in input order. */
async function namesIn(items: readonly InputItem[]): Promise<string[]> {
	const names = new Set<string>();
	await inTurns(items, ({ json }) => {
		for (const name in json) names.add(name);
	});
	return [...names];
}

async function parseSheet(items: readonly InputItem[]): Promise<ParsedSheet> {
	const [{ settings } = { settings: undefined }] = items;
	if (!settings) throw new Error('The input has no items');
	const names = await namesIn(items);
	const columns = columnsOf(names, settings);
	const below = headingsBelow(items, columns);
	if (below !== undefined) return await parseBelow(items, below);
	const { dateOrder = settings.rules.dateOrder ?? 'refuse' } = columns;
	const dates = new SheetDates({ ...settings.rules, timezone: 'UTC', dateOrder });
	const rows = await inTurns(items, (item, at): InputRow => {
		const raw = rawOf(columns, item.json);
		dates.add(raw.serviceDate, at);
		return { ...item, raw };
	});
	const content = await contentOf(rows, columns, names);
	const otherColumns = unreadIn(columns, content);
	const lacking = lackingFields(columns, content, settings);
	const said = new Set([...lacking.missing, ...lacking.empty].flat());
	const sheet = { columns, doubts: doubtsOf(dates, dateOrder, rows), said };
	const parsed = await withoutSwapped(await inTurns(rows, (row) => parseRow(row, sheet)));
	return {
		rows: await withUnread(parsed, items, columns.unread),
		problems: sheetProblems(columns, content, lacking, settings),
		last: linesToPaste(otherColumns, settings),
		columns: [...columns.columns].flatMap(([field, all]) =>
			all.map((column) => ({ column, field: labelOf(field) })),
		),
		otherColumns,
		missing: missingFields(columns, settings).map(([name]) => ({
			name: name ?? '',
			field: labelOf(name ?? ''),
		})),
	};
}

/** The columns of the fields, as the options say. */
function columnsOf(names: readonly string[], settings: RunSettings): SheetColumns {
	const { columnMapping, rowIdColumn, tractorSelection, ignoredColumns } = settings;
	const ignored = names.filter((name) => ignoredColumns.includes(cleanText(name)));
	const mapping = new Map([
		...ignored.map((name) => [name, 'ignore'] as const),
		...[...columnMapping].map(([column, field]) => [columnNamed(column, names), field] as const),
	]);
	const rowIds = rowIdColumn === undefined ? undefined : columnNamed(rowIdColumn, names);
	// A tractor that the sheet names would be passed over in silence.
	const notAskedFor = tractorSelection === 'nearest' ? 'tractorId' : undefined;
	return matchColumns(names, mapping, rowIds, notAskedFor);
}

/** A sheet whose headings are in one of its rows: it is read from there on, for all that is to be said of it. */
async function parseBelow(items: readonly InputItem[], at: number): Promise<ParsedSheet> {
	const { json: headings = {}, itemIndex = 0 } = items[at] ?? {};
	const rows = items.slice(at + 1).map((item): InputItem => ({
		...item,
		json: Object.fromEntries(
			Object.entries(item.json).map(([name, cell]) => [
				asText(cellOf(headings, name)) || name,
				cell,
			]),
		),
	}));
	const { sheetRow, isNumbered } = placeOf({ json: headings, itemIndex });
	const place = isNumbered ? `row ${sheetRow}` : 'a row below the first one';
	const found = Object.values(headings)
		.map(asText)
		.filter((text) => parseHeading(text));
	const problem = ofSheet(
		`The headings seem to be in ${place}.`,
		`It has ${found.slice(0, 3).join(', ')}: delete the rows above it.`,
	);
	const sheet = rows.length > 0 ? await parseSheet(rows) : undefined;
	const none = { rows: [], last: [], columns: [], otherColumns: [], missing: [] };
	return { ...none, ...sheet, problems: [problem, ...(sheet?.problems ?? [])] };
}

/** What messages call a row: by its farmer, or by its first cells. */
function nameOf(row?: InputRow): Pick<SheetRow, 'sheetRow' | 'isNumbered' | 'farmer'> {
	const { json = {}, itemIndex = 0, raw = {} } = row ?? {};
	const farmer = cleanText(asText(raw.farmerName)) || undefined;
	return { ...placeOf({ json, itemIndex }), farmer };
}

/** The first cells of a row that is no request. */
const cellsIn = (json: IDataObject): string =>
	Object.entries(json)
		.filter(([name, cell]) => name !== 'row_number' && !isBlank(cell))
		.slice(0, 2)
		.map(([, cell]) => listedValue(cell))
		.join(', ');

const ADD_COLUMN =
	'add one and fill it in, or map the one that holds it under Options > Column Mapping';

/** The reason of a row that asks for nothing. */
export const NO_REQUEST =
	'the row is not a request: its phone, service, service date and Booking ID are all empty';

/** @param sheet undefined in Booking > Create */
function parseRow(inputRow: InputRow, sheet?: Sheet): RowToMatch {
	const { json, itemIndex, settings, raw } = inputRow;
	const { rules, areaUnit: defaultUnit } = settings;
	const { columns, doubts, said } = sheet ?? {};
	const { headings, areaUnit, rowIdColumn } = columns ?? {};
	const rowId = rowIdColumn === undefined ? undefined : rowIdIn(cellOf(json, rowIdColumn));
	const row: SheetRow = { itemIndex, settings, ...nameOf(inputRow), columns: headings, rowId };
	if (sheet && !isRequest(raw))
		return finished(
			{ ...row, farmer: cellsIn(json) || row.farmer },
			{ result: 'not sent', reason: NO_REQUEST },
		);
	// If the heading and the option differ, the run stops.
	const dateOrder = columns?.dateOrder ?? rules.dateOrder;
	const ownRules = { ...rules, dateOrder, ...doubts };
	const source: RowSource = { rules: ownRules, headings, areaUnit, defaultUnit };
	const idCells = (columns?.columns.get('bookingID') ?? []).map((column) => cellOf(json, column));
	const ids = (columns ? idCells : [raw.bookingID]).filter((cell) => !isBlank(cell));
	return ids.length > 0
		? identified(row, ids, parseRequest(row, raw, source, COLUMN_FIELDS))
		: parseRequest(row, raw, source, [...(said ?? []), ...settings.notInSheet]);
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

/** @param spared the fields that the row need not have */
function parseRequest(
	row: SheetRow,
	raw: RawBooking,
	source: RowSource,
	spared: readonly ColumnField[],
): FinishedRow | ParsedRow {
	const { tractorSelection } = row.settings;
	const isNeeded = (field: ColumnField) => !spared.includes(field);
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
	for (const field of CORE_FIELDS.filter(isNeeded)) {
		if (!isBlank(raw[field])) continue;
		// A reader may leave out a column that is empty in all rows.
		if (!row.columns || row.columns.has(field)) isMissing(field, 'is empty', 'fill it in');
		else isMissing(field, 'has no column', ADD_COLUMN);
	}
	if (
		wantsNearest &&
		isNeeded('coordinates') &&
		!hasFault() &&
		parsed.request.latitude === undefined
	) {
		const problem = 'are empty, but the nearest tractor is to be chosen';
		const fix = `fill in both, or ${fixById(row)}`;
		issues.push(issueOf('coordinates', undefined, { problem, fix }));
	}
	// A booking needs a tractor (interface: "with a chosen tractor").
	if (!wantsNearest && isNeeded('tractorId') && isBlank(raw.tractorId)) {
		const fix = 'fill it in, or set Choose Tractor to take the nearest one';
		isMissing('tractorId', 'is empty, but the tractor is chosen by ID', fix);
	}
	const keyOf = () =>
		row.rowId === undefined
			? jobKey({ request: parsed.request, serviceName })
			: `row ID ${JSON.stringify(row.rowId)}`;
	const absent = CORE_FIELDS.filter(
		(field) => row.settings.notInSheet.has(field) && isBlank(raw[field]),
	);
	const notes =
		absent.length > 0 ? [...parsed.notes, `booked without ${labelsOf(absent)}`] : parsed.notes;
	const whole = {
		...placed,
		kind: 'parsed',
		...parsed,
		notes,
		wantsNearest,
		serviceName,
		key: keyOf(),
	} as const;
	return hasFault() ? { ...rejected(placed, issues), draft: whole } : whole;
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
		const cells = unread.map((column) => [column, fold(asText(cellOf(json, column)))] as const);
		return { ...row, unused: new Map(cells) };
	});
}
