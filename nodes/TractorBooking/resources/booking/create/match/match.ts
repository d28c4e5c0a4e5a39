import type { IDataObject } from 'n8n-workflow';

import type { BookingKey } from '../../../../api/records';
import { keyOfBooking } from '../../../../api/records';
import { isFinal, isGivenUp } from '../../../../api/status';
import { asText } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import type { RowMemory } from '../memory/memory';
import type { Caveat, FinishedRow, ParsedRow, RequestedRow, Row, SheetRow } from '../row';
import { isCompared, hasRequest, rejected } from '../row';
import { pairAll, type Candidate, type CandidatesOf } from './bookingIndex';
import type { Bookings } from './bookings';
import { alikeRows } from './repeats';
import {
	alreadyBooked,
	askAbout,
	bySameKey,
	CAVEATS,
	differsIn,
	givenUp,
	notCompared,
	wrongBookingId,
	rejectRowId,
	requireFarmer,
} from './verdicts';

const bookingKeyOf = (row: Row) =>
	row.kind === 'finished' && row.booking ? keyOfBooking(row.booking) : undefined;

/** Judges rows by what n8n remembers and by the bookings in the list. */
class Judge {
	/** The bookings that rows have: each is that of one row. */
	private readonly owned = new Set<BookingKey | undefined>();

	constructor(
		private readonly memory: RowMemory,
		private readonly candidatesOf: CandidatesOf,
	) {}

	/** The bookings that may be that of a row, and are no other row's. */
	private freeFor(row: ParsedRow): Candidate[] {
		const isFree = ({ key }: Candidate) => !this.owned.has(key) && this.memory.mayBeOf(row, key);
		return this.candidatesOf(row).filter(isFree);
	}

	/** The bookings that a lost response of a row may have made; none if other rows of its farmer and day were sent, too. */
	private lostFor(row: ParsedRow): Candidate[] {
		if (this.memory.isOneOfSeveral(row)) return [];
		return this.freeFor(row).filter(({ isSame }) => isSame);
	}

	/** Whether it matters if a row was sent: the list may have its booking, and n8n remembers none that is not given up. */
	dependsOnSent(row: RequestedRow): boolean {
		const { memory } = this;
		const candidates = this.candidatesOf(row);
		const isOpenOwn = ({ key, booking }: Candidate) =>
			!isGivenUp(booking.bookingStatus) && memory.isOwn(row, key);
		const isSettled = memory.isBooked(row) && candidates.some(isOpenOwn);
		return !isSettled && candidates.some(({ change }) => change === undefined);
	}

	/** A row that names its booking: that must not be known as the booking of another Row ID. */
	byBookingId(row: FinishedRow & RequestedRow): FinishedRow | undefined {
		const { memory } = this;
		const key = bookingKeyOf(row);
		if (key === undefined) return undefined;
		this.owned.add(key);
		if (row.rowId !== undefined && memory.isTakenByRowId(key) && !memory.isOwn(row, key)) {
			const ifChanged = 'if its Row ID was changed, change it back; ';
			return wrongBookingId(row, asText(key), 'is the booking of another Row ID', ifChanged);
		}
		// The Row ID may have been given later, or taken away.
		const mayBeOfOtherKey = row.rowId !== undefined || memory.isTakenByRowId(key);
		const isOwn = memory.mayBeOf(row, key) || (mayBeOfOtherKey && memory.isOfBookedJob(row));
		return row.caveat || isOwn ? undefined : { ...row, caveat: CAVEATS.typed };
	}

	/** What n8n remembers of a row decides, whatever the list shows. */
	byMemory(row: ParsedRow): FinishedRow | undefined {
		const { memory } = this;
		if (!memory.isBooked(row)) return undefined;
		// A row that was booked again has the last one.
		const owns = this.candidatesOf(row)
			.filter(({ key }) => memory.isOwn(row, key))
			.sort((a, b) => Number(b.key) - Number(a.key));
		// A row that was booked again has the booking that was not given up, even if the response was lost.
		const isSameRow = owns.length > 0 || row.rowId === undefined;
		const listed = isSameRow ? this.lostFor(row).filter((one) => !owns.includes(one)) : [];
		const isOpen = ({ booking }: Candidate) => !isGivenUp(booking.bookingStatus);
		const own = [...owns, ...(listed.length === 1 ? listed : [])].find(isOpen) ?? owns[0];
		const isOnDay = own?.change !== 'serviceDate';
		const isTypedAsBooked = memory.isTypedAsBooked(row) && memory.isOfSameFarmer(row);
		if (row.rowId !== undefined && !memory.isOfSameJob(row) && !(own && isOnDay))
			return rejectRowId(row, own?.booking);
		// What a row with other cells has may be that of a row which takes its place.
		if (row.rowId !== undefined || isTypedAsBooked) this.owned.add(own?.key);
		let caveat: Caveat | undefined;
		if (!own && isCompared(row)) caveat = CAVEATS.gone;
		else if (own && isGivenUp(own.booking.bookingStatus)) caveat = givenUp(own.booking);
		else if (!isOnDay) caveat = differsIn(['serviceDate']);
		else if (!isTypedAsBooked) caveat = CAVEATS.typed;
		const what = row.rowId === undefined ? 'this row' : `Row ID "${row.rowId}"`;
		return alreadyBooked(row, `${what} was booked before`, own?.booking, caveat);
	}

	/** The bookings of the list that are those of rows that were sent: no other fits. */
	byList(rows: readonly ParsedRow[]): Map<ParsedRow, FinishedRow> {
		const { memory } = this;
		const sent = rows.filter((row) => memory.wasSent(row));
		const pairs = pairAll(sent, (row) => this.lostFor(row));
		return new Map(
			[...pairs].map(([row, { key, booking }]) => {
				this.owned.add(key);
				const found = alreadyBooked(row, 'found among the bookings', booking, CAVEATS.found);
				return [row, { ...found, isNews: true }];
			}),
		);
	}

	/** The bookings that the list cannot tell from that of a row: of another day only those that are to come. */
	nearTo(row: ParsedRow): Candidate[] {
		const { memory } = this;
		if (!isCompared(row)) return [];
		const isNew = row.rowId !== undefined && !this.isBookedBefore(row) && !memory.wasSent(row);
		const isOthers = ({ key }: Candidate) => isNew && memory.isTakenByRowId(key);
		return this.candidatesOf(row)
			.filter((one) => !this.owned.has(one.key) && !isOthers(one))
			.filter((one) => !isMoved(one) || isToCome(one.booking, row));
	}

	/** Whether the job of a row that is not booked by its key was booked under another one. */
	isBookedBefore(row: ParsedRow): boolean {
		return isCompared(row) && this.memory.isOfBookedJob(row);
	}
}

const isSameJob = ({ settings }: SheetRow) => settings.ifPossibleDuplicate === 'sameJob';

const isMoved = ({ change }: Candidate) => change === 'serviceDate';

/** No one moves a booking that is over, or into the past. */
function isToCome({ bookingStatus, serviceDate }: IDataObject, { settings }: SheetRow): boolean {
	return !isFinal(bookingStatus) && asText(serviceDate) >= settings.rules.today;
}

const isIdentified = ({ kind }: Row) => kind === 'finished';

/** Whether a row has a booking of its own. */
const isBooked = (row?: Row) =>
	row?.kind === 'finished' && row.result === 'already booked' && !row.earlier;

/**
 * Second stage: finds the rows that are booked already, and those that may be, by the rules of
 * docs/developers/spreadsheets-internals.md. Only then is a service date in the past an issue.
 *
 * @returns one row for each of those given, in the same order; those that are finished as they were
 * @throws MemoryError
 */
export async function matchRows(
	rows: readonly Row[],
	bookings: Bookings,
	memory: RowMemory,
): Promise<Row[]> {
	const named = rows.map((row) => (row.kind === 'finished' ? row : requireFarmer(row)));
	const requested = named.filter(hasRequest);
	const candidatesOf = await bookings.candidatesFor(requested);
	await memory.lookBooked(requested, (row) => [
		...candidatesOf(row).map(({ key }) => key),
		...[bookingKeyOf(row) ?? []].flat(),
	]);
	// Of rows with one key, the first is the one that names its booking, or is typed as it was booked.
	const ranks = await inTurns(requested, (row) =>
		[isIdentified(row), memory.isTypedAsBooked(row), true].indexOf(true),
	);
	const ordered = [0, 1, 2].flatMap((rank) => requested.filter((_, at) => ranks[at] === rank));

	const judge = new Judge(memory, candidatesOf);
	await memory.lookSent(ordered.filter((row) => judge.dependsOnSent(row)));
	const found = new Map<number, Row>(ordered.map((row) => [row.itemIndex, row]));
	const left = () =>
		ordered
			.filter((row) => row.kind !== 'finished')
			.filter(({ itemIndex }) => found.get(itemIndex)?.kind !== 'finished');
	const settle = (row: SheetRow, result: Row | undefined) => {
		if (result) found.set(row.itemIndex, result);
	};
	const firsts = new Map<string, SheetRow & RequestedRow>();
	await inTurns(ordered, (row) => {
		const first = firsts.get(row.key);
		if (!first) firsts.set(row.key, row);
		if (row.kind === 'finished') settle(row, judge.byBookingId(row));
		else if (first) settle(row, bySameKey(row, first));
	});
	await inTurns(left(), (row) => settle(row, judge.byMemory(row)));
	const listed = left().filter((row) => isCompared(row) && candidatesOf(row).length > 0);
	for (const [row, result] of judge.byList(listed)) settle(row, result);
	// Of two that may be one, the booked one is not asked about, wherever it is in the sheet.
	const booked = ordered.filter(({ itemIndex }) => isBooked(found.get(itemIndex)));
	const alike = await alikeRows([...booked, ...left()]);
	const near = new Map(left().map((row) => [row, judge.nearTo(row)]));
	// The day of a row may have been changed only where another row is booked, or may be.
	const isAnyBooked =
		booked.length > 0 || alike.size > 0 || [...near.values()].flat().some((one) => !isMoved(one));
	const candidatesFor = (row: ParsedRow) => {
		const mayBeMoved = isAnyBooked || isSameJob(row);
		return (near.get(row) ?? []).filter((one) => mayBeMoved || !isMoved(one));
	};
	// A booking that is the same job as two rows is neither's.
	const sure = pairAll(left().filter(isSameJob), candidatesFor);
	await inTurns(left(), (row) => {
		const open = isCompared(row) ? row : notCompared(row);
		const asked = askAbout(open, {
			candidates: candidatesFor(row),
			isSure: sure.has(row),
			earlier: alike.get(row),
			isBookedBefore: judge.isBookedBefore(row),
		});
		settle(row, asked ?? open);
	});
	for (const row of left()) if (row.pastDate) settle(row, rejected(row, [row.pastDate]));
	return named.map((row) => found.get(row.itemIndex) ?? row);
}
