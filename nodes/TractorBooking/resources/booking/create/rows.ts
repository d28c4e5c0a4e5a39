import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { parseBooking } from './bookingRequest';
import type { BookingField } from '../../../api/types';
import type { RawBooking, RowSource } from './requestBuilder';
import { isNumbering, isRowNumber, parseHeading } from '../../../parse/columnNames';
import { cellsOf, matchColumns, matchFor } from '../../../parse/columns';
import { findSwapped } from '../../../parse/coordinates';
import { hasExchanged, inferDateOrder } from '../../../parse/dates';
import { formatValue, type Issue, issueAt, InvalidInputError } from '../../../parse/issue';
import { listOf } from '../../../parse/labels';
import { looksLikePhone } from '../../../parse/phones';
import { isBlank, isCancelled, isTotal, unusable } from '../../../parse/text';
import { asText, cleanText, fold } from '../../../utils/text';
import { getParameter } from '../../operation';
import type { FinishedRow, IdentifiedRow, ParsedRow, SheetRow } from './row';
import { finished, fixById, issueIn, rejected, rejectedFor } from './row';
import type { CreateSettings } from './settings';
import { getCreateSettings } from './settings';

/** A row after the first stage. */
export type RowToMatch = FinishedRow | IdentifiedRow | ParsedRow;

/** The values of a row before they are parsed; `bookingID` is that of the booking it has already. */
type RawRow = RawBooking & { bookingID?: unknown };

/** The input as it was understood. */
export interface ParsedSheet {
	rows: RowToMatch[];
	/** Columns with cells of which none was used. */
	unusedColumns: string[];
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
] as const;

/** The fields of a row from the parameters of the node. */
function fromFields(context: IExecuteFunctions, itemIndex: number): RawRow {
	const additional = context.getNodeParameter('additionalFields', itemIndex, {}) as RawRow;
	const raw: RawRow = { ...additional };
	for (const field of FIELDS) raw[field] = getParameter(context, field, itemIndex);
	raw.tractorId = getParameter(context, 'tractorId', itemIndex);
	// The unit always has a value in the editor, so ignore it without an area.
	if (isBlank(raw.landArea)) delete raw.areaType;
	return raw;
}

/** Fields that must have a column; this catches misspelt headers. */
function neededFields(
	{ tractorSelection, ifAlreadyBooked, matchFields }: CreateSettings,
	hasTractors: boolean,
): BookingField[] {
	const wantsNearest =
		tractorSelection === 'nearest' || (tractorSelection === 'idOrNearest' && !hasTractors);
	const forTractor: BookingField[] = wantsNearest ? ['latitude', 'longitude'] : ['tractorId'];
	return [...forTractor, ...(ifAlreadyBooked === 'create' ? [] : matchFields)];
}

/**
 * Maps input columns to fields.
 *
 * @throws InvalidInputError if a column that any row needs is missing, a field has several columns, or the headings are
 * not in the first row
 */
function fromColumns(items: readonly IDataObject[], allSettings: readonly CreateSettings[]) {
	const names = [...new Set(items.flatMap((json) => Object.keys(json)))];
	const mapping = allSettings[0]?.columnMapping;
	const matchOf = (needed: readonly BookingField[]) =>
		matchColumns(
			names,
			needed,
			mapping,
			(column) => !OWN_COLUMNS.test(column) && holdsPhones(items, column),
		);
	const hasTractors = matchOf([]).columns.has('tractorId');
	const needed = allSettings.flatMap((settings) => neededFields(settings, hasTractors));
	const match = matchOf([...new Set(needed)]);
	if (match.issues.length === 0) return match;
	const below = headingsBelow(items, match.columns.size);
	throw new InvalidInputError(below ? [below] : match.issues);
}

/** How far down a sheet may have its headings: below a title, a name, a date and an empty row. */
const MAX_ROWS_ABOVE = 10;

/** The issue of headings below a title that was taken for them; undefined if no row looks like headings. */
function headingsBelow(items: readonly IDataObject[], found: number): Issue | undefined {
	const rows = items.slice(0, MAX_ROWS_ABOVE).map((json) =>
		Object.values(json)
			.filter((cell) => typeof cell === 'string')
			.filter((cell) => parseHeading(cell).field !== undefined),
	);
	const at = rows.findIndex((headings) => headings.length >= 3 && headings.length > found);
	const [json, headings] = [items[at], rows[at]];
	if (!json || !headings) return undefined;
	return issueAt('headings', undefined, {
		problem: `are in row ${sheetRowOf(json, at)} of the sheet (${listOf(headings.map(formatValue))}), but the first row was taken for them`,
		fix: 'delete the rows above them',
	});
}

/** Columns that the node writes itself, as in a sheet that holds the results of an earlier run. */
const OWN_COLUMNS =
	/^(?:result|reason|booking(?:ID|Status|StatusLabel)|clusterID|tractorId|request|summary)$/;

/** What forms, exports and people add to a row: when, by what and as what it was recorded, and how far it has come. */
const RECORDING =
	/^_|(?:start|end|complet|finish).*time|timestamp|horodateur|wakati|date|duration|uuid|instance|submi|device|creat|updat|modif|receiv|edits|(?:record|respond[ea]nt|response|request|message|entry|form).*(?:id|no|number|link)$|^(?:id|key|ref(?:erence)?|start|end|today|status|statut|called|paid)$/i;

type Cell = [column: string, cell: unknown];

/** Whether a cell says nothing of the row; the number of the row does not count. */
const saysNothing = ([column, cell]: Cell) => isBlank(cell) || isRowNumber(column, cell);

/** Whether a column has cells that may be phones. */
const holdsPhones = (items: readonly IDataObject[], column: string) =>
	items.some((json) => looksLikePhone(json[column]));

/** Number of an item's row in its sheet; see {@link SheetRow.sheetRow}. */
export function sheetRowOf(json: IDataObject, itemIndex: number): number {
	const { row_number: rowNumber } = json;
	return typeof rowNumber === 'number' && Number.isInteger(rowNumber) ? rowNumber : itemIndex + 2;
}

/** Removes and returns a service given by name; its number is in the details of the tractors. */
function extractServiceName(raw: RawBooking): string | undefined {
	const { serviceType } = raw;
	if (typeof serviceType !== 'string' || isBlank(serviceType) || unusable(serviceType))
		return undefined;
	const text = cleanText(serviceType);
	if (!/\p{L}/u.test(text)) return undefined;
	delete raw.serviceType;
	return text;
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
	const items = context.getInputData().map(({ json }) => json);
	const allSettings = items.map((_, itemIndex) => getCreateSettings(context, itemIndex, now));
	const match = fieldSource === 'columns' ? fromColumns(items, allSettings) : undefined;
	const matches = items.map((json) => match && matchFor(match, json));
	const raws = items.map((json, itemIndex) => {
		const own = matches[itemIndex];
		return own ? cellsOf(own, json) : fromFields(context, itemIndex);
	});
	const dates = raws.map(({ serviceDate }) => serviceDate);
	const source: RowSource = {
		...(match ?? { isAreaTypeDefault: true }),
		inferredOrder: inferDateOrder(dates),
		isExchanged: hasExchanged(dates, allSettings[0]?.rules.excelEpoch),
	};
	const unused = match?.unmatched.filter((column) => !OWN_COLUMNS.test(column)) ?? [];
	const telling = unused.filter((column) => !isNumbering(column) && !RECORDING.test(column));
	// A sheet may have no services at all.
	const isServiceNeeded =
		!match || raws.some((raw) => namesFarmer(raw) && !isBlank(raw.serviceType));
	if (!isServiceNeeded) {
		const requests = items.filter((_, itemIndex) => namesFarmer(raws[itemIndex] ?? {}));
		const unknown = unknownServices(telling, requests);
		if (unknown) throw new InvalidInputError([unknown]);
	}
	const rows = items.map((json, itemIndex) => {
		const settings = allSettings[itemIndex] ?? getCreateSettings(context, itemIndex, now);
		const sheetRow = sheetRowOf(json, itemIndex);
		const cells = new Map(telling.map((column) => [column, fold(asText(json[column]))]));
		const own = matches[itemIndex];
		const row = { itemIndex, settings, sheetRow, columns: own?.columns, unused: cells };
		const raw = raws[itemIndex] ?? {};
		const said: Cell[] = own
			? Object.entries(json).filter(
					([column]) =>
						!OWN_COLUMNS.test(column) && settings.columnMapping.get(column) !== 'ignore',
				)
			: Object.entries(raw);
		const unlessBooked = said
			.filter(([column, cell]) => isCancelled(cell, column))
			.map(([column, cell]) => calledOffBy(cell, own && column));
		if (isServiceNeeded && isBlank(raw.serviceType)) unlessBooked.push(withoutService(row));
		return parseRow(row, raw, json, { ...source, ...own }, unlessBooked);
	});
	const read = new Set(matches.flatMap((own) => [...(own?.sources.values() ?? [])].flat()));
	const unusedColumns = unused.filter(
		(column) =>
			!read.has(column) &&
			(!isNumbering(column) || holdsPhones(items, column)) &&
			!items.every((json) => isBlank(json[column])),
	);
	return { rows: withoutSwapped(rows), unusedColumns };
}

/**
 * The issue of columns that may hold the services of a sheet: one below a heading that is not known, or one of ticks for
 * each service; undefined if most of the requests have no cell in any of them.
 */
function unknownServices(columns: readonly string[], requests: readonly IDataObject[]) {
	const isFilled = (json: IDataObject, column: string) => !isBlank(json[column]);
	const filled = columns.filter(
		(column) =>
			parseHeading(column).field === undefined &&
			!holdsPhones(requests, column) &&
			requests.some((json) => isFilled(json, column)),
	);
	const telling = requests.filter((json) => filled.some((column) => isFilled(json, column)));
	if (telling.length <= requests.length / 2) return undefined;
	return issueAt('serviceType', undefined, {
		problem: `is in no row, but may be in ${listOf(filled.map(formatValue))}`,
		fix: 'write it into one column named Service Type, or map the column that has it under Options > Column Mapping; to book without a service, ignore them all there',
	});
}

function calledOffBy(value: unknown, column?: string): Issue {
	const problem = 'says that it is called off';
	const fix = column
		? 'delete the row, clear the cell, or ignore its column under Options > Column Mapping'
		: 'delete the row, or clear the cell';
	return issueAt('row', value, { problem, fix }, column);
}

function withoutService(row: SheetRow): Issue {
	const problem = row.columns ? 'is empty, but other rows have one' : 'is empty';
	return issueIn(row, 'serviceType', undefined, problem, 'fill it in');
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

/** The cell that says that a row has totals: it has no farmer, whatever sums stand in its columns of numbers. */
function totalIn(raw: RawRow, cells: readonly Cell[]): unknown {
	return namesFarmer(raw) ? undefined : cells.find(([, cell]) => isTotal(cell))?.[1];
}

const namesFarmer = ({ farmerName, farmerPhone }: RawRow) =>
	!isBlank(farmerPhone) || !(isBlank(farmerName, 'farmerName') || isTotal(farmerName));

/** The first cell of a row that has nothing but sums: it has no number of its own. */
function sumIn(json: IDataObject): unknown {
	const typed = Object.entries(json).filter(
		([column, cell]) => column !== 'row_number' && !isBlank(cell),
	);
	const areSums = typed.every(
		([column, cell]) => !isNumbering(column) && /^[\d., ]+$/.test(asText(cell)),
	);
	return areSums ? typed[0]?.[1] : undefined;
}

/** The cell of a row that has no other: a remark below the table, or the name of a section. */
const onlyOf = (cells: readonly Cell[]) => (cells.length === 1 ? cells[0]?.[1] : undefined);

function parseRow(
	row: SheetRow,
	{ bookingID, ...raw }: RawRow,
	json: IDataObject,
	source: RowSource,
	unlessBooked: readonly Issue[],
): RowToMatch {
	// The country alone may be filled in down the whole sheet.
	const filled = Object.entries({ bookingID, ...raw })
		.filter(([field, cell]) => field !== 'phoneCountry' && !isBlank(cell, field))
		.map(([field]) => field);
	const isUnfilled = filled.length === 0;
	const cells = Object.entries(json).filter((entry) => !saysNothing(entry));
	if (isUnfilled && cells.length === 0)
		return finished(row, { result: 'not sent', reason: 'the row is empty' });
	const note =
		row.columns &&
		(totalIn(raw, cells) ??
			(filled.every((field) => field === 'farmNote') ? onlyOf(cells) : undefined) ??
			(filled.every((field) => field === 'landArea') ? sumIn(json) : undefined));
	if (note !== undefined) {
		const reason = `the row is no request, but a note or a total: ${formatValue(note)}`;
		return finished(row, { result: 'not sent', reason, note });
	}
	const parsed = parseRequest(row, raw, isUnfilled, source, isUnfilled ? [] : unlessBooked);
	return isBlank(bookingID) ? parsed : identified(row, bookingID, parsed);
}

/** The row as one that has the booking which its cell names; whatever else is wrong with it is no issue. */
function identified(row: SheetRow, cell: unknown, parsed: FinishedRow | ParsedRow) {
	const text = cleanText(asText(cell)).replace(/^#|\.0+$/g, '');
	if (/^[\w-]{1,99}$/.test(text)) {
		const rest = parsed.kind === 'parsed' ? parsed : undefined;
		return { ...row, kind: 'identified', bookingID: text, parsed: rest } as const;
	}
	const fix = 'write the ID of one booking, or leave it empty';
	return rejectedFor(row, 'bookingID', cell, 'is not the ID of a booking', fix);
}

const namesNoTractor = (cell: unknown) =>
	isBlank(cell) || /^(?:the )?(?:any|nearest|closest)(?: tractor)?$/i.test(cleanText(asText(cell)));

function parseRequest(
	row: SheetRow,
	raw: RawBooking,
	isUnfilled: boolean,
	source: RowSource,
	unlessBooked: readonly Issue[],
): FinishedRow | ParsedRow {
	const { tractorSelection, rules } = row.settings;
	const wantsNearest =
		tractorSelection === 'nearest' ||
		(tractorSelection === 'idOrNearest' && namesNoTractor(raw.tractorId));
	if (wantsNearest) delete raw.tractorId;
	const serviceName = extractServiceName(raw);
	const { issues, ...parsed } = parseBooking(raw, rules, source);
	const hasFault = () => issues.some((issue) => issue !== parsed.pastDate);
	if (wantsNearest && !hasFault() && parsed.request.latitude === undefined) {
		const problem = 'are empty, but the nearest tractor is to be chosen';
		const fix = `fill in both, or ${fixById(row)}`;
		issues.push(issueAt('coordinates', undefined, { problem, fix }));
	}
	// A booking needs a tractor (interface: "with a chosen tractor").
	if (!wantsNearest && !isUnfilled && isBlank(raw.tractorId)) {
		const problem = 'is empty, but the tractor is chosen by ID';
		const fix = 'fill it in, or set Choose Tractor to By ID, Else Nearest to the Farm';
		issues.push(issueIn(row, 'tractorId', undefined, problem, fix));
	}
	return hasFault()
		? rejected(row, [...issues, ...unlessBooked])
		: { ...row, kind: 'parsed', ...parsed, wantsNearest, serviceName, unlessBooked };
}
