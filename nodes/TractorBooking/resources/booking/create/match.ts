import type { IDataObject } from 'n8n-workflow';

import { statusCode, statusLabel } from '../../../api/status';
import type { BookingRequest } from '../../../api/types';
import { formatValue } from '../../../parse/issue';
import { labelOf, labelsOf } from '../../../parse/labels';
import { phoneTail } from '../../../parse/phones';
import { asText, compareNames, fold } from '../../../utils/text';
import type { ExistingBookings, PossibleMatch } from './existingBookings';
import type { DoubtField } from './likeness';
import { comparableDoubts, DOUBT_FIELDS, nameKey } from './likeness';
import type { OpenRow, Pair } from './pairs';
import { compare, isUnfinished, pairRows, serviceNameOf } from './pairs';
import type { ParsedRow, RejectedRow, SheetRow } from './rows';
import { issueIn, rejected } from './rows';
import type { MatchKey } from './matchKey';
import { MatchIndex, requestKey } from './matchKey';

/** A row that equals a booking of the organisation. */
export interface AlreadyBookedRow extends SheetRow {
	kind: 'alreadyBooked';
	/** Undefined if the row names its booking and is not valid otherwise. */
	request?: BookingRequest;
	serviceName?: string;
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

/** A row that names its booking, and that is valid otherwise. */
type ValidRow = AlreadyBookedRow & { request: BookingRequest };

function isValid(row: AlreadyBookedRow): row is ValidRow {
	return row.request !== undefined;
}

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
	const values = unreadable
		.map((field) => `${labelOf(field)} ${formatValue(booking[field])}`)
		.join(' and ');
	const problem = `may be booked already: booking ${asText(booking.bookingID)} is the same but for its ${values}, which cannot be read`;
	const fix = 'look at that booking, then remove the row or set If Already Booked to Create Anyway';
	return rejected(row, [issueIn(row, 'row', undefined, problem, fix)]);
}

/** Fields in which rows may differ and be one row typed twice. The phone is compared as such. */
const NOT_TOLD_APART: ReadonlySet<string> = new Set(['farmNote', 'gender', 'farmerPhone']);

/** A text in comparable form: names are the same in any order of their words. */
function textKey(field: string, text: string): string {
	return field === 'farmerName' ? nameKey(text) : fold(text);
}

/** The values of a row that tell it from another; those of `without` do not count. */
export function wholeKey(row: OpenRow | ValidRow, without?: 'service'): MatchKey {
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
		.map(([field, value]) => [field, typeof value === 'string' ? textKey(field, value) : value]);
	return { text: JSON.stringify([...texts, phone && phoneTail(phone)]), phone };
}

/** The first of the rows that are equal to a row, for each row that repeats one: first of all one of `identified`. */
function findRepeated(
	rows: readonly OpenRow[],
	identified: readonly AlreadyBookedRow[],
): Map<OpenRow, OpenRow | ValidRow> {
	const firstRows = new MatchIndex<OpenRow | ValidRow>();
	const repeated = new Map<OpenRow, OpenRow | ValidRow>();
	for (const row of identified.filter(isValid)) firstRows.add(wholeKey(row), row);
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

/** A booking that a row has, or may have. */
interface Finding {
	booking: IDataObject;
	/** Why, as a sentence about the booking. */
	text: string;
	/** Why, as the reason of a row that is skipped. */
	reason: string;
	/** How to tell the row from the booking if they are different jobs. */
	advice?: string;
}

function nameOf({ bookingID, bookingStatus }: IDataObject): string {
	return `booking ${asText(bookingID)} (${statusLabel(bookingStatus)})`;
}

/** How a row and its booking differ. */
type Difference = Pick<Finding, 'text' | 'advice'>;

function asPossibleDuplicate(row: OpenRow, { booking, text, advice }: Finding): RejectedRow {
	const column = row.columns?.get('bookingID') ?? 'bookingID';
	const place = row.columns ? `the column "${column}" of the row` : 'the field Booking ID';
	const otherwise = advice ? `, or ${advice}` : '';
	const fix = `if it is the same job, write ${asText(booking.bookingID)} into ${place}; if not, set If Possible Duplicate to Book Anyway${otherwise}`;
	const issue = issueIn(row, 'row', undefined, `may be booked already: ${text}`, fix);
	return { ...rejected(row, [issue]), isPossibleDuplicate: true };
}

/** How a row differs from the booking that it is paired with; undefined if there is no doubt. */
function differenceOf(
	{ row, booking, alike, rivals }: Pair,
	comparable: readonly DoubtField[],
): Difference | undefined {
	if (rivals.length > 0) {
		const numbers = rivals.map(({ sheetRow }) => sheetRow).join(', ');
		return { text: `nothing tells whether it is this row or row ${numbers}` };
	}
	const differing = comparable.filter((field) => alike[DOUBT_FIELDS[field]] === false);
	if (differing.length === 0) return undefined;
	const texts = differing.map((field) => {
		const own = field === 'serviceType' ? serviceNameOf(row) : undefined;
		return `${labelOf(field)} ${formatValue(booking[field])} instead of ${formatValue(own ?? row.request[field])}`;
	});
	const advice = differing.includes('farmerName')
		? 'add Farmer Name to Match Fields if farmers share a phone'
		: 'add Service Type to Match Fields if a farmer may have several jobs a day';
	return { text: texts.join(' and '), advice };
}

/** Compares rows with the existing bookings. */
class Comparison {
	private readonly pairs: ReadonlyMap<OpenRow, Pair>;

	/** The fields beside the match fields in which the bookings of this service can be compared. */
	private readonly comparable: readonly DoubtField[];

	private readonly taken: Set<string>;

	private readonly isSomeBooked: boolean;

	/** Fields of which a reason has said that the bookings of this service cannot be compared in them. */
	private readonly told = new Set<string>();

	/** @param identified the rows that name their booking, which is no other row's then */
	constructor(
		private readonly existing: ExistingBookings,
		rows: readonly OpenRow[],
		identified: readonly AlreadyBookedRow[],
	) {
		this.taken = new Set(identified.map(({ booking }) => asText(booking.bookingID)));
		this.pairs = pairRows(rows, existing, (booking, row) => this.counts(booking, row));
		const pairs = [...this.pairs.values()];
		this.comparable = comparableDoubts(pairs.map(({ alike }) => alike));
		for (const { booking } of pairs) this.taken.add(asText(booking.bookingID));
		this.isSomeBooked = this.taken.size > 0;
	}

	/** What is found of a row that repeats no other; the row itself if nothing is. */
	match(row: OpenRow): OpenRow | RejectedRow | AlreadyBookedRow {
		const { ifPossibleDuplicate } = row.settings;
		const pair = this.pairs.get(row);
		const difference = pair && differenceOf(pair, this.comparable);
		if (pair && !difference) return asBooked(row, this.findingOf(pair), this.notCompared(pair));
		if (ifPossibleDuplicate !== 'book') {
			const doubt = pair
				? this.findingOf(pair, difference)
				: (this.besideFinding(row) ?? this.movedFinding(row));
			if (doubt && ifPossibleDuplicate === 'review') return asPossibleDuplicate(row, doubt);
			if (doubt) return asBooked(row, doubt, pair ? this.notCompared(pair) : '');
		}
		const possibleMatch = this.existing
			.possibleMatches(row.request, row.settings.matchFields)
			.find(({ booking }) => this.counts(booking, row));
		if (possibleMatch) return asPossibleMatch(row, possibleMatch);
		return row.pastDate ? rejected(row, [row.pastDate]) : row;
	}

	/** Whether a booking counts as one for a row, and is not that of another. */
	private counts(booking: IDataObject, { settings }: OpenRow): boolean {
		const isTaken = this.taken.has(asText(booking.bookingID));
		return !isTaken && !settings.unbookedStatuses.has(statusCode(booking.bookingStatus));
	}

	private findingOf({ row, booking, alike }: Pair, difference?: Difference): Finding {
		const { matchFields } = row.settings;
		const equal = this.comparable.filter(
			(field) => !matchFields.includes(field) && alike[DOUBT_FIELDS[field]],
		);
		const same = labelsOf([...this.existing.comparedFields(matchFields), ...equal]);
		const but = difference ? `, but ${difference.text}` : '';
		const name = nameOf(booking);
		const text = `${name} has the same ${same}${but}`;
		return { booking, text, reason: `same ${same} as ${name}${but}`, advice: difference?.advice };
	}

	/** The fields of a row that were not compared; those that never can be with this service are named once. */
	private notCompared({ row, alike }: Pair): string {
		const { matchFields } = row.settings;
		const compared = this.existing.comparedFields(matchFields);
		const given = doubtFieldsOf(row);
		const isNever = (field: DoubtField) => !this.comparable.includes(field);
		const never = [
			...matchFields.filter((field) => !compared.includes(field)),
			...given.filter(isNever),
		].filter((field) => !this.told.has(field));
		for (const field of never) this.told.add(field);
		const here = given.filter(
			(field) => !isNever(field) && alike[DOUBT_FIELDS[field]] === undefined,
		);
		const fields = [...never, ...here];
		return fields.length > 0 ? `; not compared: ${labelsOf(fields)}` : '';
	}

	/** A booking that is equal if its instant is of the day beside the one that it seems to be of. */
	private besideFinding(row: OpenRow): Finding | undefined {
		const { request, settings } = row;
		const { matchFields } = settings;
		const booking = this.existing
			.besides(request, matchFields)
			.find((candidate) => this.counts(candidate, row));
		if (!booking) return undefined;
		const day = this.existing.dayOf(booking, matchFields);
		const text = `${nameOf(booking)} is the same but for its Service Date ${formatValue(booking.serviceDate)}, which may be ${day} or ${request.serviceDate}`;
		return { booking, text, reason: text };
	}

	/**
	 * An unfinished booking of the same farmer on another day that is no row's, if other rows of the input are booked
	 * already: its owner may have moved it.
	 */
	private movedFinding(row: OpenRow): Finding | undefined {
		const { request, settings } = row;
		const { serviceDate } = request;
		const isByDay = serviceDate !== undefined && settings.matchFields.includes('serviceDate');
		if (!isByDay || !this.isSomeBooked) return undefined;
		for (const booking of this.existing.ofPhone(request)) {
			const day = this.existing.dayOf(booking, settings.matchFields);
			const { name, service } = compare(row, booking);
			const isOtherJob = service === false && this.comparable.includes('serviceType');
			const isOpen = isUnfinished(booking) && this.counts(booking, row);
			if (!isOpen || !name || isOtherJob || day === undefined || day === serviceDate) continue;
			const text = `${nameOf(booking)} of the same farmer is on ${day}: was it moved?`;
			return { booking, text, reason: text };
		}
		return undefined;
	}
}

/** The doubt fields that a row has, and that are no match fields of it. */
function doubtFieldsOf(row: OpenRow): DoubtField[] {
	const { request, settings } = row;
	return (Object.keys(DOUBT_FIELDS) as DoubtField[]).filter(
		(field) =>
			!settings.matchFields.includes(field) &&
			(request[field] !== undefined || (field === 'serviceType' && serviceNameOf(row))),
	);
}

function asBooked(row: OpenRow, { booking, text, reason }: Finding, notCompared: string) {
	if (row.settings.ifAlreadyBooked === 'fail')
		return asDuplicate(row, `is booked already: ${text}${notCompared}`);
	return { ...row, kind: 'alreadyBooked', booking, reason: `${reason}${notCompared}` } as const;
}

/** What is found of a row that repeats another, by what was found of that. */
function matchRepeated(row: OpenRow, first: OpenRow | ValidRow, found: MatchedRow): MatchedRow {
	if (found.kind === 'rejected') {
		const { isPossibleDuplicate } = found;
		return { ...rejected(row, found.why), isPossibleDuplicate };
	}
	const { ifAlreadyBooked, matchFields } = row.settings;
	const problem = `has the same ${labelsOf(matchFields)} as row ${first.sheetRow}`;
	const isIdentified = first.kind === 'alreadyBooked';
	if (ifAlreadyBooked === 'fail') return asDuplicate(row, problem);
	if (found.kind !== 'alreadyBooked') return { ...row, kind: 'duplicate', earlier: first };
	const { booking } = found;
	const reason = isIdentified ? `equal to row ${first.sheetRow}: ${found.reason}` : found.reason;
	return { ...row, kind: 'alreadyBooked', booking, reason };
}

type MatchedRow = OpenRow | RejectedRow | AlreadyBookedRow | DuplicateRow;

/**
 * Second stage: finds the rows that are booked already, and those that repeat an earlier row. A number of bookings
 * with one match key stands for as many rows at most, so that the members of a household with one phone, and two jobs
 * of a farmer on a day, are told apart. Only then is a service date in the past an issue.
 *
 * @param existing undefined if no row is to be compared
 * @param identified the rows that name their booking
 * @returns one row for each of `rows`, in the same order
 * @throws ServiceError (`unreadable`) if the bookings cannot be compared in the match fields
 */
export function matchRows(
	rows: readonly OpenRow[],
	existing: ExistingBookings | undefined,
	identified: readonly AlreadyBookedRow[],
): MatchedRow[] {
	const hasKey = ({ request, settings }: OpenRow) =>
		requestKey(request, settings.matchFields) !== undefined;
	const compared = rows.filter((row) => row.settings.ifAlreadyBooked !== 'create' && hasKey(row));
	const repeated = findRepeated(compared, identified);
	const firstRows = compared.filter((row) => !repeated.has(row));
	const comparison = existing && new Comparison(existing, firstRows, identified);
	const found = new Map<SheetRow, MatchedRow>(identified.map((row) => [row, row]));
	return rows.map((row) => {
		const first = repeated.get(row);
		const foundOfFirst = first && found.get(first);
		const result =
			first && foundOfFirst
				? matchRepeated(row, first, foundOfFirst)
				: matchFirst(row, hasKey(row), comparison);
		found.set(row, result);
		return result;
	});
}

function matchFirst(row: OpenRow, hasKey: boolean, comparison?: Comparison): MatchedRow {
	if (!comparison || row.settings.ifAlreadyBooked === 'create')
		return row.pastDate ? rejected(row, [row.pastDate]) : row;
	return hasKey ? comparison.match(row) : withoutKey(row);
}
