import type { IDataObject } from 'n8n-workflow';

import { DECLINED, isFinal, statusCode, UNPAIRED } from '../../../../api/status';
import { asText } from '../../../../utils/text';
import { phoneCountryOf } from '../../../../parse/phoneCountries';
import type { Existing, ExistingBookings } from './existingBookings';
import {
	DISTINCTIVE_FIELDS,
	JOB_FIELDS,
	type Job,
	type Likeness,
	likeness,
	type MatchField,
} from './likeness';
import { repeatedRows, typedKey } from './typedRow';
import type { OpenRow } from '../row';

/** Why a booking may be that of a row, the likelier first. */
const KINDS = [
	/** It is equal in the match fields, and in name, service and area; or this process made it with the row. */
	'equal',
	/** It is equal in the match fields that can be compared, and differs in name, service or area, or does not show enough. */
	'doubtful',
	/** It has the same name, phone and day but for one of them, which may have been changed since. */
	'changed',
] as const;

/** A row and a booking that may be its own. */
export interface Pair {
	row: OpenRow;
	booking: IDataObject;
	/** What the booking is compared by. */
	job: Job;
	kind: (typeof KINDS)[number];
	alike: Likeness;
	/** How well the two fit: higher is better. */
	fit: number;
	/** Another row that the booking fits as well. */
	rival?: OpenRow;
}

/** The digits of a phone after its country code, which a wrong Phone Country leaves as they are. */
function nationalPart({ farmerPhone = '' }: Job): string {
	const digits = farmerPhone.replace('+', '');
	return digits.slice(phoneCountryOf(digits)?.callingCode.length);
}

/** Rule 7: whether a booking may be that of a row that was changed since, or that was changed itself. */
function isChanged(alike: Likeness, { booking, job }: Existing, { settings }: OpenRow): boolean {
	const different = DISTINCTIVE_FIELDS.filter((field) => alike[field] === false);
	const isOneOther =
		different.length === 1 && DISTINCTIVE_FIELDS.every((f) => alike[f] !== undefined);
	if (!isOneOther || alike.serviceType === false || alike.landArea === false) return false;
	// No one moves a booking that is over, or into the past.
	const isOver = isFinal(booking.bookingStatus) || (job.serviceDate ?? '') < settings.rules.today;
	return different[0] !== 'serviceDate' || !isOver;
}

/** Rules 4, 6 and 7: why a booking may be that of a row; undefined if it is not. */
function kindOf(
	alike: Likeness,
	existing: Existing,
	row: OpenRow,
	isNew: boolean,
	shown: ReadonlySet<MatchField>,
): Pair['kind'] | undefined {
	const { matchFields } = row.settings;
	if (existing.typed === typedKey(row)) return 'equal';
	if (matchFields.some((field) => alike[field] === false))
		return isChanged(alike, existing, row) ? 'changed' : undefined;
	const isNeeded = (field: MatchField) => !isNew || shown.has(field);
	const isCompared = matchFields.every((field) => alike[field] !== undefined || !isNeeded(field));
	// In a sheet with Booking IDs, a row without one is a new request unless nothing tells the two apart.
	const isSame = (field: keyof Likeness) =>
		row.hasIdField && !isNew ? alike[field] === true : alike[field] !== false;
	if (isCompared) return JOB_FIELDS.every(isSame) ? 'equal' : 'doubtful';
	return alike.farmerName || alike.farmerPhone ? 'doubtful' : undefined;
}

const WEIGHTS = { farmerName: 8, serviceType: 4, landArea: 2 } as const;

/** Whether a booking was given up. */
function isGivenUp({ bookingStatus }: IDataObject): boolean {
	const code = statusCode(bookingStatus);
	return code === DECLINED || code === UNPAIRED;
}

/** How well row and booking fit; of equal ones, the booking that stands may have been made for one that was given up. */
function fitOf(alike: Likeness, { booking, typed }: Existing, row: OpenRow): number {
	let fit = typed === typedKey(row) ? 16 : 0;
	for (const [field, weight] of Object.entries(WEIGHTS)) {
		const isSame = alike[field as keyof typeof WEIGHTS];
		if (isSame !== undefined) fit += isSame ? weight : -weight;
	}
	return isGivenUp(booking) ? fit - 0.5 : fit;
}

/** What is known beforehand of a row and its bookings. */
interface Beforehand {
	/** Whether they have just appeared: then nothing was changed yet, and a field that the service never shows says nothing. */
	isNew?: boolean;
	/** Whether the row is booked for certain, so that it has the booking that fits it best before all others. */
	isBooked?: boolean;
}

/** How much better a booking fits a row that is booked for certain, by why it may be its own. */
const BOOKED_FIT: Readonly<Record<Pair['kind'], number>> = {
	equal: 300,
	doubtful: 200,
	changed: 100,
};

/** The bookings that may be that of a row. */
export function candidatesFor(
	row: OpenRow,
	existing: ExistingBookings,
	{ isNew = false, isBooked = false }: Beforehand = {},
): Pair[] {
	const own = existing.jobOfRow(row);
	return [...existing.near(row)].flatMap((other) => {
		const alike = likeness(own, other.job);
		const kind = kindOf(alike, other, row, isNew, existing.shown);
		if (!kind || (kind === 'changed' && isNew)) return [];
		const { booking, job } = other;
		const fit = fitOf(alike, other, row);
		return isBooked
			? [{ row, booking, job, kind: 'equal', alike, fit: fit + BOOKED_FIT[kind] }]
			: [{ row, booking, job, kind, alike, fit }];
	});
}

/** The IDs of bookings that are equal to a row, but do not count for their status: what was booked before the row is again. */
export function ignoredBookingsOf(row: OpenRow, existing: ExistingBookings | undefined): string {
	const { ignoredStatuses } = row.settings;
	if (!existing || ignoredStatuses.size === 0) return '';
	const ignored = candidatesFor(row, existing).filter(
		({ kind, booking }) =>
			kind !== 'changed' && ignoredStatuses.has(statusCode(booking.bookingStatus)),
	);
	return ignored.map(({ booking }) => asText(booking.bookingID)).join();
}

/** The likelier first, then the better fit; then the first row has the first booking. */
function inOrder(a: Pair, b: Pair): number {
	const byKind = KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind);
	const byFit = byKind || b.fit - a.fit;
	const byId = Number(a.booking.bookingID) - Number(b.booking.bookingID);
	return byFit || a.row.itemIndex - b.row.itemIndex || byId || 0;
}

/** Whether a phone differs in the country alone. */
const isOtherCountry = ({ row, job, alike }: Pair) =>
	alike.farmerPhone === false &&
	nationalPart({ farmerPhone: row.request.farmerPhone }) === nationalPart(job);

/**
 * Pairs rows with bookings. Equal ones first: each booking is that of one row, the best fit first (rule 4). If a row is left
 * that fits one of these bookings as well, it is in doubt whose that is (rule 5). A booking that no row has may be that of
 * each row that is left and may be its own (rules 6 and 7).
 *
 * @param isSomeBooked whether another row of the sheet is booked already: else no row is taken for one that was changed
 * @returns the booking that each row has, or may have
 */
export async function pairRows(
	candidates: readonly Pair[],
	isSomeBooked: boolean,
): Promise<ReadonlyMap<OpenRow, Pair>> {
	const sorted = candidates.toSorted(inOrder);
	const ofRow = new Map<OpenRow, Pair>();
	const ofBooking = new Map<IDataObject, Pair>();
	const equal = sorted.filter(({ kind }) => kind === 'equal');
	for (const pair of equal) {
		if (ofRow.has(pair.row) || ofBooking.has(pair.booking)) continue;
		ofRow.set(pair.row, pair);
		ofBooking.set(pair.booking, pair);
	}
	const repeated = await repeatedRows([...new Set(equal.map(({ row }) => row))]);
	const firstOf = (row: OpenRow) => repeated.get(row)?.earlier ?? row;
	const owned = new Set(ofRow.keys());
	for (const pair of equal) {
		const owner = ofBooking.get(pair.booking);
		// That two rows look alike is a doubt of its own, about the later one alone.
		if (!owner || owned.has(pair.row) || firstOf(pair.row) === firstOf(owner.row)) continue;
		if (owner.fit !== pair.fit) continue;
		if (!ofRow.has(pair.row)) ofRow.set(pair.row, { ...pair, rival: owner.row });
		owner.rival ??= pair.row;
	}
	const isAnyBooked = isSomeBooked || ofBooking.size > 0;
	for (const pair of sorted) {
		const mayBe = pair.kind === 'doubtful' || isAnyBooked || isOtherCountry(pair);
		if (pair.kind === 'equal' || ofRow.has(pair.row) || ofBooking.has(pair.booking)) continue;
		if (mayBe) ofRow.set(pair.row, pair);
	}
	return ofRow;
}
