import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { BookingField, BookingRequest, RawBooking, RowSource } from './bookingRequest';
import { parseBooking } from './bookingRequest';
import { matchColumns } from '../../../parse/columns';
import { type Issue, issueAt, InvalidInputError } from '../../../parse/issue';
import { tooLong } from '../../../parse/text';
import { cleanText, isEmpty } from '../../../utils/text';
import type { ServiceError } from '../../../api/errors';
import { getParameter } from '../../operation';
import type { CreateSettings } from './settings';
import { getCreateSettings } from './settings';

/** The tractor chosen for a row, and why. */
export interface ChosenTractor {
	TractorID: number;
	/** As returned by the service. */
	distance: unknown;
	/** Why this tractor was chosen, for the table of results. */
	reason: string;
}

/** One input item, from its cells to its booking. */
export interface BookingRow {
	itemIndex: number;
	settings: CreateSettings;
	/** Whether to choose the tractor nearest to the farm. */
	wantsNearest: boolean;
	/** Number of the row in its sheet: `row_number` of the item, else counted with the header as row 1. */
	sheetRow: number;
	request: BookingRequest;
	/** The input column of each field; undefined if the fields are mapped manually. */
	columns?: ReadonlyMap<string, string>;
	/** Name of the service, if the row has a name instead of a number. */
	serviceName?: string;
	/** The tractor chosen for the row. */
	tractor?: ChosenTractor;
	/** The existing booking that equals the row. */
	existing?: IDataObject;
	/** The earlier row that equals the row. */
	duplicateOf?: BookingRow;
	/** Whether all cells and fields of the row are empty, as below the last row of many sheets. */
	isBlank: boolean;
	/** Why the row cannot be booked. */
	issues: Issue[];
	/** The error of a request for this row (tractors, details), before anything is sent. */
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

/** The fields of a row from the parameters of the node. */
function fromFields(context: IExecuteFunctions, itemIndex: number): RawBooking {
	const additional = context.getNodeParameter('additionalFields', itemIndex, {}) as RawBooking;
	const raw: RawBooking = { ...additional };
	for (const field of FIELDS) raw[field] = getParameter(context, field, itemIndex);
	raw.tractorId = getParameter(context, 'tractorId', itemIndex);
	// The unit always has a value in the editor, so ignore it without an area.
	if (isEmpty(raw.landArea)) delete raw.areaType;
	return raw;
}

/** Fields that must have a column; this catches misspelt headers. */
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
 * Maps input columns to fields.
 *
 * @throws InvalidInputError if a column that any row needs is missing, or a field has several columns
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

/** Whether all cells of a row are empty; `row_number` does not count. */
function hasOnlyEmptyCells(json: IDataObject): boolean {
	return Object.entries(json).every(([column, cell]) => column === 'row_number' || isEmpty(cell));
}

/** Number of an item's row in its sheet; see {@link BookingRow.sheetRow}. */
export function sheetRowOf(json: IDataObject, itemIndex: number): number {
	const { row_number: rowNumber } = json;
	return typeof rowNumber === 'number' && Number.isInteger(rowNumber) ? rowNumber : itemIndex + 2;
}

/** Removes and returns a service given by name; its number is in the details of the tractors. */
function extractServiceName(raw: RawBooking): string | undefined {
	const { serviceType } = raw;
	if (typeof serviceType !== 'string' || isEmpty(serviceType) || tooLong(serviceType))
		return undefined;
	const text = cleanText(serviceType);
	if (!/\p{L}/u.test(text)) return undefined;
	delete raw.serviceType;
	return text;
}

/**
 * Parses all rows, without any request. The issues of a row are in the row.
 *
 * @throws InvalidInputError if the columns of the input cannot be mapped
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

/** A booking needs a tractor (interface: "with a chosen tractor"), so an empty tractor ID is an issue. */
function requireTractor(row: BookingRow): void {
	const fix = 'fill it in, or set Tractor to By ID, Else Nearest to the Farm';
	addIssue(row, 'tractorId', undefined, 'is empty, but the tractor is chosen by ID', fix);
}

/** Adds an issue of a field to a row, with the column of the field. */
export function addIssue(
	{ issues, columns }: BookingRow,
	field: string,
	value: unknown,
	problem: string,
	fix: string,
): void {
	issues.push(issueAt(field, value, { problem, fix }, columns?.get(field)));
}

/** Whether the row cannot be booked. */
export function isFaulty(row: BookingRow): boolean {
	return row.issues.length > 0 || row.failure !== undefined;
}

/** Whether the row can be booked, as far as is known. */
export function isGood(row: BookingRow): boolean {
	return !row.isBlank && !isFaulty(row);
}
