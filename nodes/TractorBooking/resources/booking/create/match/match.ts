import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../../api/client';
import type { BookingKey } from '../../../../api/records';
import { keyOfBooking } from '../../../../api/records';
import { isFinal, isGivenUp, statusLabel } from '../../../../api/status';
import { formatValue, listedValue, listOf } from '../../../../parse/issue';
import { groupBy } from '../../../../utils/groupBy';
import { asText } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import { labelOf } from '../fields';
import type { Memory } from '../memory/memory';
import type { FinishedRow, OpenRow, Row, SheetRow } from '../row';
import { finished, isCompared, rejected, rejectedFor, rowsIn } from '../row';
import type { BookedBut } from './bookedBut';
import { bookingIndexOf, type Listed } from './bookingIndex';
import { notItsBooking } from './identified';
import {
	differencesIn,
	farmerKeysOf,
	farmerOf,
	jobOfRow,
	likeness,
	SHOWN_FIELDS,
	type Job,
	type Likeness,
} from '../job';
import { alikeRows, typedTwice, type Repeat, type RequestedRow } from './repeats';

/** An agent's phone may have thousands of bookings. */
const MAX_CANDIDATES = 20;

/** A booking of the list that may be that of a row: it differs in at most one of name, phone and day. */
export interface Candidate extends Listed {
	alike: Likeness;
	/** The one of name, phone and day in which it differs. */
	change?: (typeof SHOWN_FIELDS)[number];
}

/** Gives the bookings of the list that may be that of a row, with its name, phone and day first. */
export type CandidatesOf = (row: RequestedRow) => readonly Candidate[];

/**
 * Finds the bookings of the list that may be those of rows.
 *
 * @param timezone in which an instant becomes a day: the workflow's, an IANA name
 * @param after the place in the list behind which a booking must have appeared
 */
export async function findCandidates(
	client: ServiceClient,
	rows: readonly RequestedRow[],
	timezone: string,
	after?: number,
): Promise<CandidatesOf> {
	const keysOf = ({ request }: RequestedRow) => farmerKeysOf(farmerOf(request));
	const keys = new Set((await inTurns(rows, keysOf)).flat());
	const byFarmer = await bookingIndexOf(client).find(keys, timezone, after);
	const found = await inTurns(rows, (row) => {
		const job = jobOfRow(row);
		const near = new Set(keysOf(row).flatMap((key) => byFarmer.get(key) ?? []));
		const candidates = [...near].flatMap((listed) => candidateOf(job, listed));
		candidates.sort((a, b) => Number(a.change !== undefined) - Number(b.change !== undefined));
		return [row.itemIndex, candidates.slice(0, MAX_CANDIDATES)] as const;
	});
	const ofItem = new Map(found);
	return ({ itemIndex }) => ofItem.get(itemIndex) ?? [];
}

/** A booking as one that may be that of a row: what it does not show counts as the same, but a name or a phone must be. */
function candidateOf(job: Job, listed: Listed): Candidate[] {
	const alike = likeness(job, listed.job);
	const [change, ...others] = SHOWN_FIELDS.filter((field) => alike[field] === false);
	const isOfFarmer = alike.farmerName === true || alike.farmerPhone === true;
	return isOfFarmer && others.length === 0 ? [{ ...listed, alike, change }] : [];
}

/** How to decide by an option for one row: for a sheet, a person says it of that row alone. */
function forRow({ columns }: SheetRow, option: string, value: string): string {
	return `${columns ? 'run this row alone with' : 'set'} ${option} ${columns ? 'set ' : ''}to ${value}`;
}

/** Where the ID of its booking is written. */
function placeOfId({ columns }: SheetRow): string {
	return columns
		? `the column "${columns.get('bookingID') ?? 'bookingID'}"`
		: 'the field Booking ID';
}

function bookingName({ bookingID, bookingStatus }: IDataObject): string {
	return `booking ${asText(bookingID)} (${statusLabel(bookingStatus)})`;
}

/** What is asked of a row that may be booked already; undefined if a person has said that it is another job. */
function possibleDuplicate(
	row: OpenRow,
	reason: string,
	fix: string,
	found: Pick<FinishedRow, 'booking' | 'earlier'> = {},
): FinishedRow | undefined {
	const { ifPossibleDuplicate } = row.settings;
	if (ifPossibleDuplicate === 'anotherJob') return undefined;
	if (ifPossibleDuplicate === 'sameJob')
		return finished(row, { result: 'already booked', reason, ...found });
	return rejectedFor(row, 'row', undefined, reason, fix, 'possible duplicate');
}

const anotherJob = (row: SheetRow) =>
	`another job: ${forRow(row, 'If Possible Duplicate', 'Another Job')}`;

/** How a row differs from one that it repeats: `No (13, 96)`. */
function differencesFrom({ differences }: Repeat<SheetRow>): string {
	return listOf(
		differences.map(
			({ field, own, theirs }) => `${labelOf(field)} (${listedValue(theirs)}, ${listedValue(own)})`,
		),
	);
}

/** What is found of a row that may be another one of its sheet. */
function askRepeat(row: OpenRow, repeat?: Repeat<SheetRow>): FinishedRow | undefined {
	if (!repeat) return undefined;
	const { earlier } = repeat;
	if (row.rowId !== undefined && row.rowId === earlier.rowId) {
		const fix = 'give each request a Row ID of its own';
		return rejectedFor(row, 'Row ID', row.rowId, `is in ${rowsIn([earlier])}, too`, fix);
	}
	const but = differencesFrom(repeat);
	const reason = `the same as ${rowsIn([earlier])}${but && `, but for ${but}`}`;
	const fix = `the same request: delete this row; ${anotherJob(row)}`;
	return possibleDuplicate(row, `is ${reason}`, fix, { earlier });
}

/** What is found of a row by bookings that may be its own. */
function askBookings(row: OpenRow, candidates: readonly Candidate[]): FinishedRow | undefined {
	const [first] = candidates;
	if (!first) return undefined;
	const texts = candidates.slice(0, 5).map(({ booking, alike }) => {
		const but = listOf(
			differencesIn(alike).map((field) => `${labelOf(field)} (${formatValue(booking[field])})`),
		);
		return `${bookingName(booking)} has the same farmer and day${but && `, but for ${but}`}`;
	});
	const ids = listOf(
		candidates.map(({ booking }) => asText(booking.bookingID)),
		'or',
	);
	const fix = `the same job: write ${ids} into ${placeOfId(row)}; ${anotherJob(row)}`;
	return possibleDuplicate(row, `may be booked already: ${listOf(texts)}`, fix, {
		booking: first.booking,
	});
}

/** The key of the booking that a row names. */
const bookingKeyOf = (row: Row) =>
	row.kind === 'finished' && row.booking ? keyOfBooking(row.booking) : undefined;

/** Judges rows by what n8n remembers and by the bookings in the list. */
class Judge {
	/** The bookings that rows have: each is that of one row. */
	private readonly owned = new Set<BookingKey>();

	constructor(
		private readonly memory: Memory,
		private readonly candidatesOf: CandidatesOf,
		private readonly isListRead: boolean,
		private readonly bookedBut: BookedBut,
	) {}

	/** Notes that a row has a booking. */
	private own(key: BookingKey | undefined): void {
		if (key !== undefined) this.owned.add(key);
	}

	/** A row that names its booking: that must not be known as the booking of another Row ID. */
	byBookingId(row: FinishedRow & RequestedRow): FinishedRow | undefined {
		const { memory } = this;
		const key = bookingKeyOf(row);
		if (key === undefined) return undefined;
		this.own(key);
		const isOthers =
			row.rowId !== undefined &&
			memory.isBooked(row) &&
			memory.isTaken(key) &&
			!memory.isOwn(row, key);
		return isOthers
			? notItsBooking(row, asText(key), 'is the booking of another Row ID')
			: undefined;
	}

	/** What n8n remembers of a row decides, whatever the list shows. */
	byMemory(row: OpenRow): FinishedRow | undefined {
		const { memory } = this;
		if (!memory.isBooked(row) || (!isCompared(row) && row.rowId === undefined)) return undefined;
		// A row that was booked again has the booking that was not given up.
		const owns = this.candidatesOf(row).filter(({ key }) => memory.isOwn(row, key));
		const own = owns.find(({ booking }) => !isGivenUp(booking.bookingStatus)) ?? owns[0];
		const isOnDay = own?.alike.serviceDate !== false;
		if (row.rowId !== undefined && !memory.isOfSameJob(row) && !(own && isOnDay))
			return this.rejectRowId(row, row.rowId, own);
		this.own(own?.key);
		const { bookingStatus } = own?.booking ?? {};
		if (!own && this.isListRead) this.bookedBut.add('gone', row);
		if (isGivenUp(bookingStatus)) this.bookedBut.add('declined', row);
		else if (!isOnDay) this.bookedBut.add('moved', row);
		else if (!memory.isTypedAsBooked(row) || !memory.isOfSameFarmer(row))
			this.bookedBut.add('typed', row);
		const as = own ? `, as ${bookingName(own.booking)}` : '';
		const what = row.rowId === undefined ? 'this row' : `Row ID "${row.rowId}"`;
		const reason = `${what} was booked before${as}`;
		return finished(row, { result: 'already booked', reason, booking: own?.booking });
	}

	/** Row ID that was booked for another farmer or another day. */
	private rejectRowId(row: OpenRow, rowId: string, own?: Candidate): FinishedRow {
		const { serviceDate } = own?.booking ?? {};
		if (own && !isFinal(own.booking.bookingStatus)) {
			const problem = `was booked for ${asText(serviceDate)}, as ${bookingName(own.booking)}`;
			const fix = `write that day into the row, or wait until that booking is done, and give the row a new Row ID`;
			return rejectedFor(row, 'Row ID', rowId, problem, fix);
		}
		const problem = 'was booked before, for another farmer or another day';
		const fix =
			'a new request: give it a Row ID that no other sheet has; the same request: write its farmer and day as they were';
		return rejectedFor(row, 'Row ID', rowId, problem, fix);
	}

	/**
	 * The bookings of the list that are those of rows: they show the whole job, or the rows were sent; and there are as many
	 * of them as such rows.
	 */
	byList(rows: readonly OpenRow[]): Map<OpenRow, FinishedRow> {
		const { memory } = this;
		const pairs = pairAll(rows, (row) =>
			this.candidatesOf(row)
				.filter(({ key }) => !this.owned.has(key) && !memory.isTaken(key))
				.filter(memory.wasSent(row) ? isShownSame : isWholeJob),
		);
		return new Map(
			[...pairs].map(([row, { key, booking }]) => {
				this.owned.add(key);
				const reason = `found in the list, as ${bookingName(booking)}`;
				return [row, finished(row, { result: 'already booked', reason, booking })];
			}),
		);
	}

	/** What the list cannot tell of a row is asked. @param isAnyBooked whether another row of the sheet is booked, or may be */
	ask(row: OpenRow, isAnyBooked: boolean): FinishedRow | undefined {
		const { memory } = this;
		if (row.rowId !== undefined && memory.isTypedAsBooked(row)) {
			const reason =
				'may be booked already: an equal row was booked before, with another Row ID or none';
			const fix = `the same job: ${forRow(row, 'If Possible Duplicate', 'Same Job')}; ${anotherJob(row)}`;
			const asked = possibleDuplicate(row, reason, fix);
			if (asked) return asked;
		}
		const candidates = this.candidatesOf(row)
			.filter(({ key }) => !this.owned.has(key))
			.filter(({ key }) => row.rowId === undefined || !memory.isTaken(key))
			.filter(
				({ change, booking, alike }) =>
					change === undefined ||
					(differencesIn(alike).length === 1 &&
						(change !== 'serviceDate' || (isAnyBooked && isToCome(booking, row)))),
			);
		const asked = askBookings(row, candidates);
		if (asked?.result === 'already booked') this.own(candidates[0]?.key);
		return asked;
	}
}

/** Whether a booking shows the whole job of a row. */
function isWholeJob({ alike }: Candidate): boolean {
	return Object.values(alike).every((isSame) => isSame === true);
}

/** Whether a booking shows the name, the phone and the day of a row, and nothing else. */
function isShownSame({ alike }: Candidate): boolean {
	return SHOWN_FIELDS.every((field) => alike[field] === true) && differencesIn(alike).length === 0;
}

/** No one moves a booking that is over, or into the past. */
function isToCome({ bookingStatus, serviceDate }: IDataObject, { settings }: SheetRow): boolean {
	return !isFinal(bookingStatus) && asText(serviceDate) >= settings.rules.today;
}

/**
 * Pairs rows with the bookings that fit them, where there are as many bookings as rows that they fit: then it does not matter
 * which has which.
 */
export function pairAll<Row extends OpenRow>(
	rows: readonly Row[],
	fitsOf: (row: Row) => readonly Candidate[],
): Map<Row, Candidate> {
	const fitting = rows.map((row) => ({ row, fits: fitsOf(row) }));
	const uses = groupBy(
		fitting.flatMap(({ fits }) => fits),
		({ key }) => key,
	);
	const given = new Set<BookingKey>();
	const pairs = new Map<Row, Candidate>();
	for (const { row, fits } of fitting) {
		const isClear = fits.every(({ key }) => uses.get(key)?.length === fits.length);
		const free = fits.find(({ key }) => isClear && !given.has(key));
		if (!free) continue;
		given.add(free.key);
		pairs.set(row, free);
	}
	return pairs;
}

/** What matching works with. */
export interface MatchOptions {
	client: ServiceClient;
	memory: Memory;
	/** IANA name of the workflow's timezone. */
	timezone: string;
	/** Whether the list was read; it is not if all rows are to be created anyway. */
	isListRead: boolean;
	bookedBut: BookedBut;
}

/** A row with a valid request: one that is open, or that has the booking which it names. */
const isRequested = (row: Row): row is Row & RequestedRow =>
	row.request !== undefined && row.key !== undefined;

const isIdentified = ({ kind }: Row) => kind === 'finished';

/** The row that was typed twice, by what was found of the first one. */
function asRepeated(row: OpenRow, earlier: SheetRow, found: Row): FinishedRow {
	const { failure, result, booking } = found.kind === 'finished' ? found : {};
	if (failure) return rejected(row, failure, result);
	const reason = `typed twice: the same as ${rowsIn([earlier])}`;
	// It is remembered by the row that it repeats.
	return finished(
		{ ...row, key: undefined },
		{ result: 'already booked', reason, earlier, booking },
	);
}

/** Nothing tells a row with neither name nor phone from that of another farmer. */
function requireFarmer(row: OpenRow): OpenRow | FinishedRow {
	const { farmerName, farmerPhone } = row.request;
	if ((farmerName ?? farmerPhone ?? row.rowId) !== undefined) return row;
	const problem = 'has neither the name nor the phone of the farmer';
	return rejectedFor(row, 'row', undefined, problem, 'fill in one of the two');
}

/** Numbers the rows of one key, so that each can be booked. A Row ID is of one row. */
function numbered<Row extends RequestedRow>(rows: readonly Row[]): Row[] {
	const counts = new Map<string, number>();
	return rows.map((row) => {
		const nth = (counts.get(row.key) ?? 0) + 1;
		counts.set(row.key, nth);
		return nth > 1 && row.rowId === undefined ? { ...row, nth } : row;
	});
}

/**
 * Second stage: finds the rows that are booked already, and those that may be, by the rules of
 * docs/developers/spreadsheets-internals.md. Only then is a service date in the past an issue.
 *
 * @returns one row for each of those given, in the same order; those that are finished as they were
 * @throws MemoryError
 */
export async function matchRows(
	rows: readonly Row[],
	{ client, memory, timezone, isListRead, bookedBut }: MatchOptions,
): Promise<Row[]> {
	const named = rows.map((row) => (row.kind === 'finished' ? row : requireFarmer(row)));
	// A row that is typed twice, once with its Booking ID, has that.
	const requested = named
		.filter(isRequested)
		.sort((a, b) => Number(isIdentified(b)) - Number(isIdentified(a)));
	const twice = await typedTwice(requested, (row) => !isIdentified(row));
	const distinct = requested.filter((row) => !twice.has(row));
	const candidatesOf = await findCandidates(client, isListRead ? distinct : [], timezone);
	await memory.look(
		numbered(distinct),
		(row) => [...candidatesOf(row).map(({ key }) => key), ...[bookingKeyOf(row) ?? []].flat()],
		(row) => candidatesOf(row).some(isShownSame),
	);
	// Of rows with one key, those keep the booking that are typed as it was booked.
	const keeps = (row: Row & RequestedRow) => isIdentified(row) || memory.isTypedAsBooked(row);
	const keeping = groupBy(distinct, keeps);
	const ordered = numbered([...(keeping.get(true) ?? []), ...(keeping.get(false) ?? [])]);
	const alike = await alikeRows(ordered);

	const judge = new Judge(memory, candidatesOf, isListRead, bookedBut);
	const results = new Map<number, FinishedRow>();
	const left = () =>
		ordered.filter((row) => row.kind !== 'finished').filter((row) => !results.has(row.itemIndex));
	const settle = (row: SheetRow, result: FinishedRow | undefined) => {
		if (result) results.set(row.itemIndex, result);
	};
	for (const row of ordered) if (row.kind === 'finished') settle(row, judge.byBookingId(row));
	await inTurns(left(), (row) => settle(row, judge.byMemory(row)));
	const listed = left().filter((row) => isCompared(row) && candidatesOf(row).length > 0);
	for (const [row, result] of judge.byList(listed)) settle(row, result);
	await inTurns(left(), (row) => settle(row, askRepeat(row, alike.get(row))));
	const isAnyBooked = requested.some(isIdentified) || results.size > 0;
	await inTurns(left().filter(isCompared), (row) => settle(row, judge.ask(row, isAnyBooked)));
	for (const row of left()) if (row.pastDate) settle(row, rejected(row, [row.pastDate]));

	const byItem = new Map(ordered.map((row) => [row.itemIndex, row]));
	return named.map((row) => {
		const earlier = isRequested(row) ? twice.get(row) : undefined;
		const { itemIndex } = earlier ?? row;
		const result = results.get(itemIndex) ?? byItem.get(itemIndex) ?? row;
		return earlier && row.kind !== 'finished' ? asRepeated(row, earlier, result) : result;
	});
}
