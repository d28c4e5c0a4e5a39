import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { OfferedService } from '../../../../api/services';
import { findCoordinateMistakes } from '../../../../parse/coordinates';
import { InvalidInputError, type Issue } from '../../../../parse/issue';
import { SheetDates } from '../../../../parse/serviceDates';
import { parseInteger } from '../../../../parse/numbers';
import { isBlank, isUsable } from '../../../../parse/text';
import { asText, cleanText, isEmpty } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import { getParameter } from '../../../operation';
import { parseBookingAnswer, possibleIdsIn, type BookingAnswer } from '../row/bookingAnswer';
import { parseBooking, type RowSource } from './bookingRequest';
import { MAIN_FIELDS, partsOf, type ColumnField, type Rules } from '../row/fields';
import { idText, jobOfRow } from '../row/job';
import { inputRowOf, rowName } from '../row/inputRow';
import { isOpen, rejected, rejectedFor, type OpenRow, type Row } from '../row/row';
import { byTractorId, issueOf, REMARKS } from '../row/sentences';
import { settingsOf, type CreateSettings } from '../row/settings';
import { cellOf, flatRow, onlyIn, type Item } from './cells';
import { findColumns, rawOf, type RawBooking, type SheetColumns } from './columns';
import {
	findingsOf,
	hasRequestCells,
	headingIssue,
	neededFields,
	NO_ROWS,
	type SheetCells,
	type SheetFindings,
} from './problems';

/** What a sheet leaves open. */
export interface OpenSheet extends Pick<SheetFindings, 'filled' | 'lacking'> {
	rows: readonly SheetCells[];
	columns: SheetColumns;
	settings: CreateSettings;
	/** The services of some of its tractors, if no column has the service. */
	services: readonly OfferedService[];
	/** The same as its likely columns have it, if it cannot be booked as it is, with rows that were looked up. */
	likely?: ParsedSheet;
}

export interface ParsedSheet extends Omit<SheetFindings, 'lacking' | 'filled'> {
	settings: CreateSettings;
	rows: Row[];
	/** What it leaves open, with Dry Run. */
	open?: OpenSheet;
}

/** No rows, and nothing to say of them. */
const NO_SHEET = { rows: [], issues: [], otherColumns: [] };

/** Parses all rows, without any request: from the fields of the node, or from the columns of the input. */
export async function parseRows(
	context: IExecuteFunctions,
	source: 'fields' | 'columns',
	now: Date,
): Promise<ParsedSheet> {
	if (source === 'columns' && context.getNode().executeOnce)
		throw new InvalidInputError([{ ...issueOf('executeOnce'), field: 'Execute Once' }]);
	const { settings, requireSame } = settingsOf(context, now);
	const items = await inTurns(context.getInputData(), ({ json }, itemIndex) => {
		requireSame(json, itemIndex);
		return { json: flatRow(json) };
	});
	if (source === 'columns') return await parseSheet(items, settings);
	const rows = await inTurns(items, ({ json }, itemIndex) => {
		const raw = fieldsOf(context, itemIndex);
		const row = rowOf(settings, json, itemIndex, raw);
		return parseRow(row, raw, { rules: settings.rules, rulesAsGiven: settings.rules });
	});
	return { ...NO_SHEET, settings, rows: markSlips(rows) };
}

const fieldsOf = (context: IExecuteFunctions, itemIndex: number): RawBooking => {
	const additional = context.getNodeParameter('additionalFields', itemIndex, {});
	const main = MAIN_FIELDS.map(
		(field) => [field, getParameter(context, field, itemIndex)] as const,
	);
	const all = [...Object.entries(additional), ...main];
	return Object.fromEntries(all.map(([field, value]) => [field, onlyIn(value)]));
};

/** @param sheet its columns; undefined in Booking > Create */
function rowOf(
	settings: CreateSettings,
	json: IDataObject,
	itemIndex: number,
	raw: RawBooking,
	{ headings, rowIdColumn, unread = [] }: Partial<SheetColumns> = {},
): OpenRow {
	const rowId = rowIdColumn === undefined ? undefined : cellOf(json, rowIdColumn);
	return {
		...inputRowOf(json, itemIndex),
		...{ settings, request: {}, job: {}, denied: [], wantsNearest: false, result: 'open' },
		farmer: cleanText(raw.farmerName),
		rowId: isBlank(rowId) ? undefined : idText(rowId),
		possibleBefore: possibleIdsIn(cellOf(json, 'possibleBookingIDs')),
		headings,
		unreadCells: () => new Map(unread.map((column) => [column, asText(cellOf(json, column))])),
	};
}

/** Parses all rows from the columns of items whose fields are flat. */
export async function parseSheet(
	items: readonly Item[],
	settings: CreateSettings,
): Promise<ParsedSheet> {
	const columns = findColumns(items, settings);
	const unreadable = await headingIssue(items, columns, settings);
	if (unreadable) return { ...NO_SHEET, settings, issues: [unreadable] };
	// Like its unit, the order in a heading goes before that of the option.
	const dateOrder = columns.dateOrder ?? settings.rules.dateOrder;
	const rulesAsGiven = { ...settings.rules, dateOrder };
	const dates = new SheetDates(rulesAsGiven);
	const own = [...columns.columns.values(), columns.unread, columns.rowIdColumn ?? []].flat();
	const found = await inTurns(items, ({ json }, itemIndex) => {
		// A line of commas or spaces is no row.
		if (own.every((name) => isEmpty(cellOf(json, name)))) return [];
		const raw = rawOf(columns, json);
		const row = rowOf(settings, json, itemIndex, raw, columns);
		dates.add(raw.serviceDate, () => rowName(row));
		return [{ json, raw, row, isRequest: hasRequestCells(raw) }];
	});
	const cells = found.flat();
	if (cells.length === 0) return { ...NO_SHEET, settings, issues: [NO_ROWS] };
	const { lacking, filled, ...findings } = await findingsOf(cells, columns, settings);
	const rules = { ...settings.rules, ...dates.rules };
	const source = { ...columns, rules, rulesAsGiven, defaultUnit: settings.areaUnit, lacking };
	const rows = await inTurns(cells, ({ raw, row, isRequest }): Row =>
		isRequest
			? parseRow(row, raw, source)
			: { ...row, result: 'not sent', remarks: [REMARKS.noRequest] },
	);
	const left = { rows: cells, columns, lacking, filled, settings, services: [] };
	const open = settings.dryRun ? left : undefined;
	return { ...findings, settings, open, rows: markSlips(rows) };
}

/**
 * A row with a Booking ID has that booking: of what is wrong with it, only its day matters, by which it may be a new job.
 *
 * @param source `rulesAsGiven` know nothing of the dates of other rows
 */
function parseRow(row: OpenRow, raw: RawBooking, source: RowSource & { rulesAsGiven: Rules }): Row {
	const cells = [raw.bookingID].flat();
	const answer = parseBookingAnswer(cells);
	if (!answer.ok) return rejectedFor(row, 'bookingID', cells.map(asText).join(' / '), answer);
	const isNaming = answer.value.bookingID !== undefined;
	const isOfDay = ({ field }: Issue) => field === 'serviceDate';
	const readBy = (rules: Rules) => parseRequest(row, raw, { ...source, rules }, answer.value);
	const ofSheet = readBy(source.rules);
	// Its day was read before other rows made it doubtful.
	const isDoubtful = isNaming && ofSheet.issues.some(isOfDay);
	const { requested, issues } = isDoubtful ? readBy(source.rulesAsGiven) : ofSheet;
	const all = isNaming ? issues.filter(isOfDay) : [...issues, ...missingIn(requested, raw, source)];
	// A past date alone may be that of a row which is booked already.
	return all.length === 0
		? requested
		: rejected(requested, [...all, requested.pastDate ?? []].flat());
}

/** The name of a service in a cell, undefined if it holds several, or a number of which Service Names says nothing. */
function serviceNameIn(cell: unknown, { serviceNames }: CreateSettings): string | undefined {
	const [only, ...others] = [cell].flat();
	if (others.length > 0) return undefined;
	const number = parseInteger(only);
	if (number.ok) return serviceNames.get(String(number.value));
	const isName = typeof only === 'string' && /\p{L}/u.test(only);
	return isName && isUsable(only) ? cleanText(only) : undefined;
}

/** Parses what is in the cells of a row. @param answer what a person says in its Booking ID */
function parseRequest(row: OpenRow, raw: RawBooking, source: RowSource, answer: BookingAnswer) {
	const { tractorSelection, notInSheet } = row.settings;
	const wantsNearest =
		tractorSelection === 'nearest' ||
		(tractorSelection === 'idOrNearest' && isBlank(raw.tractorId));
	const serviceName = serviceNameIn(raw.serviceType, row.settings);
	const cells = { ...raw };
	if (wantsNearest) delete cells.tractorId;
	if (serviceName !== undefined) delete cells.serviceType;
	const { issues, request, pastDate, remarks } = parseBooking(cells, source);
	const plot = isBlank(raw.plot) ? undefined : cleanText(raw.plot);
	const without = [...notInSheet].filter((field) => isBlank(raw[field]));
	if (without.length > 0) remarks.push(REMARKS.bookedWithout(without));
	if (answer.denied.length > 0) remarks.push(REMARKS.denies(answer.denied));
	const job = jobOfRow(request, serviceName, plot);
	const read = { request, remarks, wantsNearest, serviceName, plot, job, pastDate };
	return { requested: { ...row, ...answer, ...read }, issues };
}

const FARMER = ['farmerName', 'farmerPhone'] as const;

/** The issues of what a row needs and does not have. */
function missingIn(
	{ settings, headings, wantsNearest, rowId }: Row,
	raw: RawBooking,
	{ lacking = [] }: RowSource,
): Issue[] {
	const isMissing = (field: ColumnField) =>
		[field, ...partsOf(field)].every((one) => isBlank(raw[one]));
	const why = (field: ColumnField) => {
		if (field === 'coordinates') return issueOf('noPlace', byTractorId(settings));
		if (field === 'tractorId') return issueOf('noTractor');
		return issueOf((headings?.has(field) ?? true) ? 'empty' : 'noColumn');
	};
	const issues = neededFields(settings, wantsNearest)
		.filter((field) => isMissing(field) && !lacking.includes(field))
		.map((field): Issue => ({ ...why(field), field }));
	// Nothing tells such a row from that of another farmer.
	const isNobody = FARMER.every((field) => isMissing(field) && settings.notInSheet.has(field));
	if (isNobody && rowId === undefined) issues.push({ ...issueOf('noFarmer'), field: 'row' });
	return issues;
}

/** Finds the rows whose latitude and longitude seem to be swapped, or to have a wrong sign. */
function markSlips(rows: Row[]): Row[] {
	// The places of rows with other issues count, too.
	const slips = findCoordinateMistakes(rows.map(({ request }) => request));
	return rows.map((row, at) => {
		const slip = slips[at];
		if (!isOpen(row) || row.bookingID !== undefined || !slip) return row;
		const place = `${row.request.latitude}, ${row.request.longitude}`;
		return { ...row, farAway: { ...issueOf('farAway', slip), field: 'coordinates', value: place } };
	});
}
