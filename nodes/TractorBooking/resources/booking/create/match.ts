import type { IDataObject } from 'n8n-workflow';

import type { BookingRequest } from '../../../api/types';
import { formatValue } from '../../../parse/issue';
import { phoneTail } from '../../../parse/phones';
import { asText, compareNames, fold } from '../../../utils/text';
import type { ReadyRow } from './chooseTractors';
import type { ExistingBookings, PossibleMatch } from './existingBookings';
import { fitOf, likeness } from './likeness';
import type { ParsedRow, RejectedRow, SheetRow } from './rows';
import { issueIn, rejected } from './rows';
import type { MatchKey } from './matchKey';
import { MatchIndex, requestKey } from './matchKey';

/** A row that equals a booking of the organisation. */
export interface AlreadyBookedRow extends SheetRow {
	kind: 'alreadyBooked';
	request: BookingRequest;
	booking: IDataObject;
}

/** A row that equals an earlier row of the input. */
export interface DuplicateRow extends SheetRow {
	kind: 'duplicate';
	request: BookingRequest;
	earlier: SheetRow;
}

/** A row before it is matched: its tractor may be chosen already, see `isComparedByServiceName`. */
type OpenRow = ParsedRow | ReadyRow;

function asDuplicate(row: OpenRow, problem: string): RejectedRow {
	const fix = 'remove the row, or set If Already Booked to Skip or Create Anyway';
	return rejected(row, [issueIn(row, 'row', undefined, problem, fix)]);
}

function withoutKey(row: OpenRow): RejectedRow {
	const problem = 'is empty, so the node cannot check whether the row is booked already';
	const fix = 'fill it in, choose other match fields, or set If Already Booked to Create Anyway';
	const empty = row.settings.matchFields.filter((field) => row.request[field] === undefined);
	const issues = empty.map((field) => issueIn(row, field, undefined, problem, fix));
	return rejected(row, row.pastDate ? [...issues, row.pastDate] : issues);
}

function asPossibleMatch(row: OpenRow, { booking, unreadable }: PossibleMatch): RejectedRow {
	const values = unreadable.map((field) => `${field} ${formatValue(booking[field])}`).join(' and ');
	const problem = `may be booked already: booking ${asText(booking.bookingID)} is the same but for its ${values}, which cannot be read`;
	const fix = 'look at that booking, then remove the row or set If Already Booked to Create Anyway';
	return rejected(row, [issueIn(row, 'row', undefined, problem, fix)]);
}

/** Fields in which rows may differ and be one row typed twice. The phone is compared as such. */
const NOT_TOLD_APART: ReadonlySet<string> = new Set(['farmNote', 'gender', 'farmerPhone']);

/** The values of a row that tell it from another; those of `without` do not count. */
function wholeKey(row: OpenRow, without?: 'service'): MatchKey {
	const { farmerPhone: phone, tractorId, serviceType, ...request } = row.request;
	const values = {
		...request,
		// A tractor that was chosen is no part of what was typed.
		tractorId: row.kind === 'ready' && row.tractor ? undefined : tractorId,
		service: without ? undefined : (serviceType ?? serviceNameOf(row)),
	};
	const texts = Object.entries(values)
		.filter(([field, value]) => value !== undefined && !NOT_TOLD_APART.has(field))
		.sort(([one], [other]) => compareNames(one, other))
		.map(([field, value]) => [field, typeof value === 'string' ? fold(value) : value]);
	return { text: JSON.stringify([...texts, phone && phoneTail(phone)]), phone };
}

function serviceNameOf(row: OpenRow): string | undefined {
	return row.kind === 'parsed' ? row.serviceName : undefined;
}

/** The first of the rows that are equal to a row, for each row that has one before it. */
function findRepeated(rows: readonly OpenRow[]): Map<OpenRow, OpenRow> {
	const firstRows = new MatchIndex<OpenRow>();
	const repeated = new Map<OpenRow, OpenRow>();
	for (const row of rows) {
		const key = wholeKey(row);
		const [first] = firstRows.find(key);
		if (first) repeated.set(row, first);
		else firstRows.add(key, row);
	}
	return repeated;
}

/** For each row that has its service as a name: a row before or after it that is equal but has a number, or reverse. */
function findMixed(rows: readonly OpenRow[]): Map<OpenRow, OpenRow> {
	const index = new MatchIndex<OpenRow>();
	for (const row of rows) index.add(wholeKey(row, 'service'), row);
	const isNamed = (row: OpenRow) => serviceNameOf(row) !== undefined;
	const isMixed = (one: OpenRow, other: OpenRow) =>
		(isNamed(one) && other.request.serviceType !== undefined) ||
		(isNamed(other) && one.request.serviceType !== undefined);
	const mixed = new Map<OpenRow, OpenRow>();
	for (const row of rows) {
		const other = index.find(wholeKey(row, 'service')).find((found) => isMixed(row, found));
		if (other) mixed.set(row, other);
	}
	return mixed;
}

function asMixed(row: OpenRow, other: OpenRow): RejectedRow {
	const problem = `may be the service of row ${other.sheetRow}, which is otherwise equal: one is a name, the other a number`;
	const value = serviceNameOf(row) ?? row.request.serviceType;
	const fix = 'write both as names or both as numbers';
	return rejected(row, [issueIn(row, 'serviceType', value, problem, fix)]);
}

/**
 * Pairs rows with the bookings that are equal to them in the match fields, each booking with one row: those that fit
 * best first.
 */
function pairRows(rows: readonly OpenRow[], existing: ExistingBookings): Map<OpenRow, IDataObject> {
	const pairs = rows
		.flatMap((row) =>
			existing.matching(row.request, row.settings.matchFields).map((booking) => ({
				row,
				booking,
				fit: fitOf(likeness({ request: row.request, serviceName: serviceNameOf(row) }, booking)),
			})),
		)
		.sort((a, b) => b.fit - a.fit);
	const paired = new Map<OpenRow, IDataObject>();
	const taken = new Set<IDataObject>();
	for (const { row, booking } of pairs) {
		if (paired.has(row) || taken.has(booking)) continue;
		paired.set(row, booking);
		taken.add(booking);
	}
	return paired;
}

/** What is found of a row that is compared, and no repetition of another; the row itself if nothing is. */
function matchRow(
	row: OpenRow,
	existing: ExistingBookings,
	booking: IDataObject | undefined,
): OpenRow | RejectedRow | AlreadyBookedRow {
	const { request, settings, pastDate } = row;
	const { ifAlreadyBooked, matchFields } = settings;
	if (booking) {
		const problem = `is booked already: booking ${asText(booking.bookingID)} has the same ${matchFields.join(' and ')}`;
		return ifAlreadyBooked === 'fail'
			? asDuplicate(row, problem)
			: { ...row, kind: 'alreadyBooked', booking };
	}
	const [possibleMatch] = existing.possibleMatches(request, matchFields);
	if (possibleMatch) return asPossibleMatch(row, possibleMatch);
	return pastDate ? rejected(row, [pastDate]) : row;
}

/** What is found of a row that repeats another, by what was found of that. */
function matchRepeated(row: OpenRow, first: OpenRow, found: MatchedRow): MatchedRow {
	if (found.kind === 'rejected') return rejected(row, found.why);
	if (found.kind === 'alreadyBooked')
		return { ...row, kind: 'alreadyBooked', booking: found.booking };
	const { ifAlreadyBooked, matchFields } = row.settings;
	const problem = `has the same ${matchFields.join(' and ')} as row ${first.sheetRow}`;
	return ifAlreadyBooked === 'fail'
		? asDuplicate(row, problem)
		: { ...row, kind: 'duplicate', earlier: first };
}

type MatchedRow = OpenRow | RejectedRow | AlreadyBookedRow | DuplicateRow;

/**
 * Second stage: finds the rows that are booked already, and those that repeat an earlier row. A number of bookings
 * with one match key stands for as many rows at most, so that the members of a household with one phone, and two jobs
 * of a farmer on a day, are told apart. Only then is a service date in the past an issue.
 *
 * @param existing undefined if no row is to be compared
 * @returns one row for each row, in the same order
 * @throws ServiceError (`unreadable`) if the bookings cannot be compared in the match fields
 */
export function matchRows(
	rows: readonly OpenRow[],
	existing: ExistingBookings | undefined,
): MatchedRow[] {
	const hasKey = ({ request, settings }: OpenRow) =>
		requestKey(request, settings.matchFields) !== undefined;
	const compared = rows.filter((row) => row.settings.ifAlreadyBooked !== 'create' && hasKey(row));
	const repeated = findRepeated(compared);
	const firstRows = compared.filter((row) => !repeated.has(row));
	const paired = existing ? pairRows(firstRows, existing) : new Map<OpenRow, IDataObject>();
	const mixed = findMixed(firstRows);
	const found = new Map<OpenRow, MatchedRow>();
	for (const row of rows) {
		const { settings, pastDate } = row;
		const first = repeated.get(row);
		const foundOfFirst = first && found.get(first);
		const other = mixed.get(row);
		if (first && foundOfFirst) found.set(row, matchRepeated(row, first, foundOfFirst));
		else if (!existing || settings.ifAlreadyBooked === 'create')
			found.set(row, pastDate ? rejected(row, [pastDate]) : row);
		else if (!hasKey(row)) found.set(row, withoutKey(row));
		else if (other && !paired.has(row)) found.set(row, asMixed(row, other));
		else found.set(row, matchRow(row, existing, paired.get(row)));
	}
	return [...found.values()];
}
