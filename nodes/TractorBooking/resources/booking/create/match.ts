import type { IDataObject } from 'n8n-workflow';

import { statusLabel } from '../../../api/status';
import type { BookingRequest } from '../../../api/types';
import { formatValue } from '../../../parse/issue';
import { phoneTail } from '../../../parse/phones';
import { asText, compareNames, fold } from '../../../utils/text';
import type { ReadyRow } from './chooseTractors';
import type { ExistingBookings, PossibleMatch } from './existingBookings';
import type { DoubtField, Likeness } from './likeness';
import { comparableDoubts, DOUBT_FIELDS, fitOf, likeness } from './likeness';
import type { ParsedRow, RejectedRow, SheetRow } from './rows';
import { issueIn, rejected } from './rows';
import type { MatchKey } from './matchKey';
import { MatchIndex, requestKey } from './matchKey';

/** A row that equals a booking of the organisation. */
export interface AlreadyBookedRow extends SheetRow {
	kind: 'alreadyBooked';
	request: BookingRequest;
	booking: IDataObject;
	/** What was compared, and what could not be. */
	reason: string;
}

/** A row that equals an earlier row of the input. */
export interface DuplicateRow extends SheetRow {
	kind: 'duplicate';
	request: BookingRequest;
	earlier: SheetRow;
}

/** A row before it is matched: its tractor may be chosen already, see `needsServiceNumber`. */
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

/**
 * The rows whose service is a name, and that are equal to a row whose service is a number in all else: only the number
 * of the service tells whether they are one row.
 */
export function findMixed(rows: readonly ParsedRow[]): Set<ParsedRow> {
	const index = new MatchIndex<ParsedRow>();
	for (const row of rows)
		if (row.serviceName === undefined) index.add(wholeKey(row, 'service'), row);
	return new Set(
		rows.filter(
			(row) =>
				row.serviceName !== undefined &&
				index
					.find(wholeKey(row, 'service'))
					.some(({ request }) => request.serviceType !== undefined),
		),
	);
}

/** A booking that is equal to a row in the match fields. */
interface Pair {
	row: OpenRow;
	booking: IDataObject;
	alike: Likeness;
	fit: number;
	/** Other rows that the booking fits as well, if there are too few bookings for all. */
	rivals: OpenRow[];
}

/**
 * Pairs rows with the bookings that are equal to them in the match fields, each booking with one row: those that fit
 * best first. A row for which none is left has the pair in which its booking fits another row as well, if there is one.
 */
function pairRows(rows: readonly OpenRow[], existing: ExistingBookings): Map<OpenRow, Pair> {
	const pairs = rows
		.flatMap((row) =>
			existing.matching(row.request, row.settings.matchFields).map((booking): Pair => {
				const { request } = row;
				const alike = likeness({ request, serviceName: serviceNameOf(row) }, booking);
				return { row, booking, alike, fit: fitOf(alike), rivals: [] };
			}),
		)
		.sort((a, b) => b.fit - a.fit);
	const ofRow = new Map<OpenRow, Pair>();
	const ofBooking = new Map<IDataObject, Pair>();
	for (const pair of pairs) {
		if (ofRow.has(pair.row) || ofBooking.has(pair.booking)) continue;
		ofRow.set(pair.row, pair);
		ofBooking.set(pair.booking, pair);
	}
	const ties = pairs.filter(
		({ row, booking, fit }) => !ofRow.has(row) && ofBooking.get(booking)?.fit === fit,
	);
	for (const tie of ties) {
		const taken = ofBooking.get(tie.booking);
		if (!taken) continue;
		taken.rivals.push(tie.row);
		tie.rivals.push(taken.row);
		ofRow.set(tie.row, tie);
	}
	return ofRow;
}

/** How a row differs from the booking that it is paired with, in words; undefined if there is no doubt. */
function doubtOf({ row, booking, alike, rivals }: Pair, comparable: readonly DoubtField[]) {
	if (rivals.length > 0) {
		const numbers = rivals.map(({ sheetRow }) => sheetRow).join(', ');
		return `nothing tells whether it is this row or row ${numbers}`;
	}
	const differing = comparable.filter((field) => alike[DOUBT_FIELDS[field]] === false);
	if (differing.length === 0) return undefined;
	return differing
		.map((field) => {
			const own = field === 'serviceType' ? serviceNameOf(row) : undefined;
			return `${field} ${formatValue(booking[field])} instead of ${formatValue(own ?? row.request[field])}`;
		})
		.join(' and ');
}

function asPossibleDuplicate(row: OpenRow, bookingName: string, same: string, doubt: string) {
	const problem = `may be booked already: ${bookingName} has the same ${same}, but ${doubt}`;
	const fix =
		'if it is the same job, remove the row; if not, add Farmer Name or Service Type to Match Fields, or set If Possible Duplicate to Book Anyway';
	const issue = issueIn(row, 'row', undefined, problem, fix);
	return { ...rejected(row, [issue]), isPossibleDuplicate: true };
}

/** What was compared in a pair, and what could not be. */
function comparedIn(
	{ row, alike }: Pair,
	existing: ExistingBookings,
	comparable: readonly DoubtField[],
): { same: string; notCompared: string } {
	const { matchFields } = row.settings;
	const matched = existing.comparedFields(matchFields);
	const given = (Object.keys(DOUBT_FIELDS) as DoubtField[]).filter(
		(field) =>
			!matchFields.includes(field) &&
			(row.request[field] !== undefined || (field === 'serviceType' && serviceNameOf(row))),
	);
	const isCompared = (field: DoubtField) =>
		comparable.includes(field) && alike[DOUBT_FIELDS[field]] !== undefined;
	const same = [
		...matched,
		...given.filter((field) => isCompared(field) && alike[DOUBT_FIELDS[field]]),
	];
	const others = [
		...matchFields.filter((field) => !matched.includes(field)),
		...given.filter((field) => !isCompared(field)),
	];
	return {
		same: same.join(', ').replace(/, ([^,]*)$/, ' and $1'),
		notCompared: others.length > 0 ? `; not compared: ${others.join(', ')}` : '',
	};
}

/** What is found of a row that is compared, and no repetition of another; the row itself if nothing is. */
function matchRow(
	row: OpenRow,
	existing: ExistingBookings,
	pair: Pair | undefined,
	comparable: readonly DoubtField[],
): OpenRow | RejectedRow | AlreadyBookedRow {
	const { request, settings, pastDate } = row;
	const { ifAlreadyBooked, ifPossibleDuplicate, matchFields } = settings;
	const doubt = pair && doubtOf(pair, comparable);
	if (pair && !(doubt && ifPossibleDuplicate === 'book')) {
		const { booking } = pair;
		const { same, notCompared } = comparedIn(pair, existing, comparable);
		const bookingName = `booking ${asText(booking.bookingID)} (${statusLabel(booking.bookingStatus)})`;
		if (doubt && ifPossibleDuplicate === 'review')
			return asPossibleDuplicate(row, bookingName, same, doubt);
		if (ifAlreadyBooked === 'fail')
			return asDuplicate(
				row,
				`is booked already: ${bookingName} has the same ${same}${notCompared}`,
			);
		const differing = doubt ? `, but ${doubt}` : '';
		const reason = `same ${same} as ${bookingName}${differing}${notCompared}`;
		return { ...row, kind: 'alreadyBooked', booking, reason };
	}
	const [possibleMatch] = existing.possibleMatches(request, matchFields);
	if (possibleMatch) return asPossibleMatch(row, possibleMatch);
	return pastDate ? rejected(row, [pastDate]) : row;
}

/** What is found of a row that repeats another, by what was found of that. */
function matchRepeated(row: OpenRow, first: OpenRow, found: MatchedRow): MatchedRow {
	if (found.kind === 'rejected') {
		const { isPossibleDuplicate } = found;
		return { ...rejected(row, found.why), isPossibleDuplicate };
	}
	if (found.kind === 'alreadyBooked')
		return { ...row, kind: 'alreadyBooked', booking: found.booking, reason: found.reason };
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
	const paired = existing ? pairRows(firstRows, existing) : new Map<OpenRow, Pair>();
	const comparable = comparableDoubts([...paired.values()].map(({ alike }) => alike));
	const found = new Map<OpenRow, MatchedRow>();
	for (const row of rows) {
		const { settings, pastDate } = row;
		const first = repeated.get(row);
		const foundOfFirst = first && found.get(first);
		if (first && foundOfFirst) found.set(row, matchRepeated(row, first, foundOfFirst));
		else if (!existing || settings.ifAlreadyBooked === 'create')
			found.set(row, pastDate ? rejected(row, [pastDate]) : row);
		else if (!hasKey(row)) found.set(row, withoutKey(row));
		else found.set(row, matchRow(row, existing, paired.get(row), comparable));
	}
	return [...found.values()];
}
