import type { IDataObject } from 'n8n-workflow';

import { isFinal, isGivenUp, statusCode } from '../../../../api/status';
import { phoneTail } from '../../../../parse/phones';
import { asText } from '../../../../utils/text';
import type { OpenRow, SheetRow } from '../row';
import type { Existing, ExistingBookings } from './existingBookings';
import {
	DISTINCTIVE_FIELDS,
	JOB_FIELDS,
	jobOfRow,
	likeness,
	otherPlace,
	type Job,
	type Likeness,
	type MatchField,
} from './likeness';
import { contradictions, typedKey, type Repeated } from './typedRow';

/** Why a booking may be that of a row, the likelier first. */
const KINDS = [
	/** It is equal in the match fields, and in name, service and area; or this process made it with the row. */
	'equal',
	/** It is equal in the match fields that can be compared, and differs in name, service or area, or does not show enough. */
	'doubtful',
	/** It has the same name, phone and day, except for one of them, which may have been changed since. */
	'changed',
] as const;

/** A row and a booking that may be its own. */
export interface Pair {
	row: OpenRow;
	booking: IDataObject;
	kind: (typeof KINDS)[number];
	alike: Likeness;
	/** The other fields in which the row differs from that with which this process made the booking, or in place from the record. */
	contradicted: readonly string[];
	/** How well the two fit: higher is better. */
	fit: number;
	/** Another row that the booking fits as well. */
	rival?: OpenRow;
	/** If it is in doubt whether the row has the booking, the others that it may have. */
	others: IDataObject[];
}

/** Rule 7: why a booking that is not equal may be that of a row: one of the two was changed since, in one field. */
function kindOfChanged(
	alike: Likeness,
	{ booking, job }: Existing,
	{ settings, request }: OpenRow,
): Pair['kind'] | undefined {
	// What the booking does not show may be the same.
	const [different, ...others] = DISTINCTIVE_FIELDS.filter((field) => alike[field] === false);
	if (!different || others.length > 0) return undefined;
	if (!alike.farmerName && !alike.farmerPhone) return undefined;
	// No one moves a booking that is over, or into the past.
	const isOver = isFinal(booking.bookingStatus) || (job.serviceDate ?? '') < settings.rules.today;
	if (different === 'serviceDate' && isOver) return undefined;
	// A wrong Phone Country changes the front of all phones of a sheet.
	const isOtherCountry =
		different === 'farmerPhone' &&
		phoneTail(request.farmerPhone ?? '') === phoneTail(job.farmerPhone ?? '');
	return isOtherCountry ? 'doubtful' : 'changed';
}

/** Rules 4, 6 and 7: why a booking may be that of a row with which it was not made; undefined if it is not. */
function kindOf(
	alike: Likeness,
	existing: Existing,
	row: OpenRow,
	own: Job,
	isContradicted: boolean,
	{ isNew = false }: Beforehand,
): Pair['kind'] | undefined {
	const { matchFields } = row.settings;
	if (matchFields.some((field) => alike[field] === false))
		return isNew ? undefined : kindOfChanged(alike, existing, row);
	if (matchFields.some((field) => alike[field] === undefined))
		return alike.farmerName || alike.farmerPhone ? 'doubtful' : undefined;
	// What the booking does not show may be that of another job, unless the booking is of this moment.
	const isSame = (field: MatchField) => alike[field] ?? (isNew || own[field] === undefined);
	return JOB_FIELDS.every(isSame) && !isContradicted ? 'equal' : 'doubtful';
}

const WEIGHTS = { farmerName: 8, serviceType: 4, landArea: 2 } as const;

/**
 * How well row and booking fit; of equal bookings, one that was given up comes last: the other was made in its place.
 *
 * @param isMade whether this process made the booking with the row as it is typed
 */
function fitOf(alike: Likeness, booking: IDataObject, isMade: boolean): number {
	let fit = isMade ? 16 : 0;
	for (const field of JOB_FIELDS) {
		if (alike[field] !== undefined) fit += alike[field] ? WEIGHTS[field] : -WEIGHTS[field];
	}
	return isGivenUp(booking.bookingStatus) ? fit - 0.5 : fit;
}

/** What is known of a row and its bookings before they are compared. */
interface Beforehand {
	/** Whether the bookings have just appeared: then nothing was changed yet. */
	isNew?: boolean;
	/** Whether n8n remembers a booking as that of the row: it has it before all other rows. */
	isOwn?: (booking: IDataObject) => boolean;
	/** Whether the row has no booking but one that n8n remembers. */
	isBooked?: boolean;
}

/** Whether a field is not compared otherwise; the unit is, with the area. */
const isBeside = (alike: Likeness) => (field: string) => !(field in alike) && field !== 'areaType';

/** See `Pair.contradicted`. */
function contradictedIn(
	row: OpenRow,
	{ booking, made }: Existing,
	alike: Likeness,
	{ isNew = false }: Beforehand,
): string[] {
	if (made) return contradictions(row, made).filter(isBeside(alike));
	// What has just appeared was not changed yet, but the service may write its place in its own way.
	return isNew ? [] : otherPlace(row.request, booking);
}

/** The bookings that may be that of a row. */
export function candidatesFor(
	row: OpenRow,
	existing: ExistingBookings,
	beforehand: Beforehand = {},
): Pair[] {
	const { isOwn, isBooked } = beforehand;
	const own = jobOfRow(row);
	const typed = typedKey(row);
	return [...existing.near(row)].flatMap((other): Pair[] => {
		const { booking, made } = other;
		const alike = likeness(own, other.job);
		const contradicted = contradictedIn(row, other, alike, beforehand);
		const pair = { row, booking, alike, contradicted, others: [] };
		if (isOwn?.(booking)) return [{ ...pair, kind: 'equal', fit: Infinity }];
		if (isBooked) return [];
		const isMade = made?.typed === typed;
		const kind = isMade
			? 'equal'
			: kindOf(alike, other, row, own, contradicted.length > 0, beforehand);
		return kind ? [{ ...pair, kind, fit: fitOf(alike, booking, isMade) }] : [];
	});
}

/** The IDs of bookings that may be that of a row, but do not count for their status: what was booked before the row is again. */
export function ignoredBookingsOf(
	row: OpenRow,
	existing: ExistingBookings | undefined,
	beforehand?: Beforehand,
): string {
	const { ignoredStatuses } = row.settings;
	if (!existing || ignoredStatuses.size === 0) return '';
	return candidatesFor(row, existing, beforehand)
		.filter(({ kind }) => kind !== 'changed')
		.filter(({ booking }) => ignoredStatuses.has(statusCode(booking.bookingStatus)))
		.map(({ booking }) => asText(booking.bookingID))
		.join();
}

/** The likelier first, then the better fit; then the first row has the first booking. */
function inOrder(a: Pair, b: Pair): number {
	const byKind = KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind);
	// Infinity minus Infinity is NaN.
	const byFit = byKind || b.fit - a.fit || 0;
	const byId = Number(a.booking.bookingID) - Number(b.booking.bookingID);
	return byFit || a.row.itemIndex - b.row.itemIndex || byId || 0;
}

/**
 * Pairs rows with bookings. Equal ones first: each booking is that of one row, the best fit first (rule 4). If a row is left
 * that fits one of these bookings as well, it is in doubt whose that is (rule 5). A booking that no row has may be that of
 * each row that is left and may be its own (rules 6 and 7).
 *
 * @param isSomeBooked whether a row of the sheet names its booking: if no row is or may be booked, none is taken for one that
 * was changed
 * @param repeated the rows that look like an earlier one: that is a doubt of its own, about the later one alone
 * @returns the booking that each row has, or may have
 */
export function pairRows(
	candidates: readonly Pair[],
	isSomeBooked = false,
	repeated: ReadonlyMap<SheetRow, Repeated<SheetRow>> = new Map(),
): ReadonlyMap<OpenRow, Pair> {
	const sorted = candidates.toSorted(inOrder);
	const ofRow = new Map<OpenRow, Pair>();
	const ofBooking = new Map<IDataObject, Pair>();
	const equal = sorted.filter(({ kind }) => kind === 'equal');
	for (const pair of equal) {
		if (ofRow.has(pair.row) || ofBooking.has(pair.booking)) continue;
		ofRow.set(pair.row, pair);
		ofBooking.set(pair.booking, pair);
	}
	const firstOf = (row: OpenRow): SheetRow => repeated.get(row)?.earlier ?? row;
	const owners = new Set(ofRow.keys());
	for (const pair of equal) {
		const owner = ofBooking.get(pair.booking);
		if (!owner || owners.has(pair.row) || owner.fit !== pair.fit) continue;
		if (firstOf(pair.row) === firstOf(owner.row)) continue;
		if (!ofRow.has(pair.row)) ofRow.set(pair.row, { ...pair, rival: owner.row });
		owner.rival ??= pair.row;
	}
	const isAnyBooked = isSomeBooked || sorted.some(({ kind }) => kind !== 'changed');
	for (const pair of sorted) {
		if (ofBooking.has(pair.booking)) continue;
		const own = ofRow.get(pair.row);
		// Nothing tells which of two equal bookings the row has.
		const isTied = pair.kind === 'equal' && own?.fit === pair.fit;
		const mayBe = pair.kind === 'doubtful' || (pair.kind === 'changed' && isAnyBooked);
		if (own && isTied) own.kind = 'doubtful';
		if (!own && mayBe) ofRow.set(pair.row, pair);
		else if (own && (isTied || (mayBe && own.kind === pair.kind))) own.others.push(pair.booking);
	}
	return ofRow;
}
