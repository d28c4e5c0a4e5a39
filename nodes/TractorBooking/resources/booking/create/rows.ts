import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { BookingField, BookingRequest, RawBooking, RowSource } from './bookingRequest';
import { parseBooking } from './bookingRequest';
import { matchColumns } from '../../../parse/columns';
import { type Issue, issueAt, InvalidInputError } from '../../../parse/issue';
import { cleanText, isEmpty } from '../../../utils/text';
import type { ServiceError } from '../../../api/errors';
import { getParameter } from '../../operation';
import type { CreateSettings } from './settings';
import { getCreateSettings } from './settings';

/** The tractor that was chosen for a row, and why. */
export interface ChosenTractor {
	TractorID: number;
	/** As the service gives it. */
	distance: unknown;
	/** In words, for the table of results. */
	reason: string;
}

/** One input item on its way to a booking. */
export interface BookingRow {
	itemIndex: number;
	settings: CreateSettings;
	/** Whether the tractor nearest to the farm is to be chosen. */
	wantsNearest: boolean;
	/** Row of the sheet, counting its header as row 1, unless the item says it itself (`row_number`). */
	sheetRow: number;
	request: BookingRequest;
	/** The input columns of the fields, where the fields come from columns. */
	columns?: ReadonlyMap<string, string>;
	/** Name of the service, where the row gives a name instead of a number. */
	serviceName?: string;
	/** The tractor that was chosen for the row. */
	tractor?: ChosenTractor;
	/** The booking that the row would repeat. */
	existing?: IDataObject;
	/** The earlier row that the row repeats. */
	duplicateOf?: BookingRow;
	/** Whether the row has nothing but empty cells and brings no field, as below the last row of many sheets. */
	isBlank: boolean;
	/** Why the row cannot be booked. */
	issues: Issue[];
	/** A request for this row that failed before anything was sent. */
	failure?: ServiceError;
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

/** The fields of a row as they are entered in the node. */
function fromFields(context: IExecuteFunctions, itemIndex: number): RawBooking {
	const additional = context.getNodeParameter('additionalFields', itemIndex, {}) as RawBooking;
	const raw: RawBooking = { ...additional };
	for (const field of FIELDS) raw[field] = getParameter(context, field, itemIndex);
	raw.tractorId = getParameter(context, 'tractorId', itemIndex);
	// The unit always has a value in the editor; alone it says nothing.
	if (isEmpty(raw.landArea)) delete raw.areaType;
	return raw;
}

/** Fields that must have a column, so that a misspelt header is noticed. */
function neededFields({
	tractorSelection,
	ifAlreadyBooked,
	matchFields,
}: CreateSettings): BookingField[] {
	const forTractor: BookingField[] =
		tractorSelection === 'nearest' ? ['latitude', 'longitude'] : ['tractorId'];
	return [...forTractor, ...(ifAlreadyBooked === 'create' ? [] : matchFields)];
}

/**
 * The way from input columns to fields.
 *
 * @throws InvalidInputError when a column that any row needs is missing, or a field has several columns
 */
function fromColumns(items: readonly IDataObject[], allSettings: readonly CreateSettings[]) {
	const names = [...new Set(items.flatMap((json) => Object.keys(json)))];
	const needed = [...new Set(allSettings.flatMap(neededFields))];
	const match = matchColumns(names, needed);
	if (match.issues.length > 0) throw new InvalidInputError(match.issues);
	return {
		source: match satisfies RowSource,
		rawOf: (json: IDataObject): RawBooking =>
			Object.fromEntries([...match.columns].map(([field, column]) => [field, json[column]])),
	};
}

/** Whether all cells of a row are empty, or left out; its number is not a cell. */
function hasOnlyEmptyCells(json: IDataObject): boolean {
	return Object.entries(json).every(([column, cell]) => column === 'row_number' || isEmpty(cell));
}

/** The number of an item's row in its sheet. */
export function sheetRowOf(json: IDataObject, itemIndex: number): number {
	const { row_number: rowNumber } = json;
	return typeof rowNumber === 'number' && Number.isInteger(rowNumber) ? rowNumber : itemIndex + 2;
}

/** Takes out a service that is given by name, since only the tractors' details know its number. */
function extractServiceName(raw: RawBooking): string | undefined {
	const { serviceType } = raw;
	if (typeof serviceType !== 'string' || isEmpty(serviceType)) return undefined;
	const text = cleanText(serviceType);
	if (!/\p{L}/u.test(text)) return undefined;
	delete raw.serviceType;
	return text;
}

/**
 * Reads and checks all rows, without any request.
 *
 * @throws InvalidInputError when the columns of the input do not fit; complaints about rows are in the rows
 */
export function parseRows(context: IExecuteFunctions, now: Date): BookingRow[] {
	const items = context.getInputData().map(({ json }) => json);
	const allSettings = items.map((_, itemIndex) => getCreateSettings(context, itemIndex, now));
	const [first] = allSettings;
	const columns = first?.mapping === 'columns' ? fromColumns(items, allSettings) : undefined;
	return allSettings.map((settings, itemIndex) => {
		const json = items[itemIndex] ?? {};
		const raw = columns ? columns.rawOf(json) : fromFields(context, itemIndex);
		const wantsNearest =
			settings.tractorSelection === 'nearest' ||
			(settings.tractorSelection === 'idOrNearest' && isEmpty(raw.tractorId));
		if (wantsNearest) delete raw.tractorId;
		const isUnfilled = Object.values(raw).every(isEmpty);
		const serviceName = extractServiceName(raw);
		const parsed = parseBooking(raw, settings.rules, columns?.source);
		const row: BookingRow = {
			itemIndex,
			settings,
			wantsNearest,
			sheetRow: sheetRowOf(json, itemIndex),
			request: 'request' in parsed ? parsed.request : {},
			columns: columns?.source.columns,
			serviceName,
			isBlank: isUnfilled && hasOnlyEmptyCells(json),
			issues: 'issues' in parsed ? parsed.issues : [],
		};
		if (row.isBlank) row.issues = [];
		else if (wantsNearest) requireCoordinate(row);
		else if (!isUnfilled && isEmpty(raw.tractorId)) requireTractor(row);
		return row;
	});
}

function requireCoordinate(row: BookingRow): void {
	if (row.issues.length > 0 || row.request.latitude !== undefined) return;
	addIssue(
		row,
		'latitude and longitude',
		undefined,
		'are empty, but the nearest tractor is to be chosen',
		'fill in both, or choose the tractor by ID',
	);
}

/** The interface makes bookings "with a chosen tractor": that one is left out is a slip, not a choice. */
function requireTractor(row: BookingRow): void {
	const fix = 'fill it in, or set Tractor to By ID, Else Nearest to the Farm';
	addIssue(row, 'tractorId', undefined, 'is empty, but the tractor is chosen by ID', fix);
}

/** Adds a complaint about a field of a row, which names the field's column. */
export function addIssue(
	{ issues, columns }: BookingRow,
	field: string,
	value: unknown,
	problem: string,
	fix: string,
): void {
	issues.push(issueAt(field, value, { problem, fix }, columns?.get(field)));
}

/** Whether something is wrong with the row. */
export function isFaulty(row: BookingRow): boolean {
	return row.issues.length > 0 || row.failure !== undefined;
}

/** Whether the row is to be booked, as far as is known. */
export function isGood(row: BookingRow): boolean {
	return !row.isBlank && !isFaulty(row);
}
