import type { IDataObject } from 'n8n-workflow';

import { DECLINED, isFinal, statusCode, UNPAIRED } from '../../../../api/status';
import { phoneCountryOf } from '../../../../parse/phoneCountries';
import { numberOfService, type Existing, type ExistingBookings } from './existingBookings';
import type { Job, Likeness, MatchField } from './likeness';
import { fitOf, jobOfRequest, likeness } from './likeness';
import { firstOfEqual, isSameRequest } from './rowKey';
import { checkComparable } from './recordFormat';
import type { OpenRow } from '../row';

/**
 * Why a booking may be that of a row, the likelier first: it is equal in the match fields; or in those that can be
 * compared, and of the same farmer; or it is equal in name, phone and day but for the phone, a slip in the name, or, if it
 * is unfinished, the day.
 */
const KINDS = ['equal', 'possible', 'changed'] as const;

/** How much better a booking fits that this process made with the whole row. */
const WHOLE_FIT = 16;

/** A row and a booking that may be its own. */
export interface Pair {
	row: OpenRow;
	booking: IDataObject;
	/** What the booking is compared by. */
	job: Job;
	kind: (typeof KINDS)[number];
	/**
	 * Whether a changed booking may be the row's though no other row is booked: its phone differs in the country only, its
	 * name by a slip, or it may be of a row whose response was lost today, and that was edited since.
	 */
	isLikely?: boolean;
	/** Whether it fits as this process made it, and shows something else by now. */
	isAsMade?: boolean;
	alike: Likeness;
	/** How well they fit: higher is better. */
	fit: number;
	/** How far their days are apart, in milliseconds; 0 if one of them is not known. */
	distance: number;
	/** In how much they are the same that the service may change: that says nothing against the other rows. */
	hint: number;
	/** Other rows that the booking fits as well, if there are too few bookings for all. */
	rivals: OpenRow[];
}

/** What a row is compared by. */
export function jobOfRow({ request, serviceName }: OpenRow): Job {
	return jobOfRequest({ serviceType: serviceName, ...request });
}

function kindOf(
	alike: Likeness,
	{ booking: { bookingStatus }, job }: Existing,
	{ matchFields, rules }: OpenRow['settings'],
	{ reader, past }: ExistingBookings,
): Pair['kind'] | undefined {
	const { farmerName, farmerPhone, serviceDate, isSlip } = alike;
	// Of a booking that has just appeared, a field that the service never returns says nothing.
	const isUncertain = (field: MatchField) =>
		alike[field] === undefined && (past !== undefined || reader.comparable.has(field));
	if (!matchFields.some((field) => alike[field] === false)) {
		if (!matchFields.some(isUncertain)) return 'equal';
		const isSomeSame = matchFields.some((field) => alike[field]);
		return isSomeSame && (farmerName || farmerPhone) ? 'possible' : undefined;
	}
	const differing = matchFields.filter((field) => alike[field] === false);
	const [changed, ...others] = differing;
	if (!past || !changed || others.length > 0) return undefined;
	// Nobody moves a booking into the past, or one that is over; but a phone is corrected since no SMS came.
	const isAhead = job.serviceDate !== undefined && job.serviceDate >= rules.today;
	const mayHaveChanged: Partial<Record<MatchField, boolean>> = {
		serviceDate: farmerName && farmerPhone && isAhead && !isFinal(bookingStatus),
		farmerPhone: farmerName && serviceDate,
		// Some services mask phones.
		farmerName: isSlip && farmerPhone !== false && serviceDate,
	};
	return mayHaveChanged[changed] ? 'changed' : undefined;
}

/** The digits of a phone behind its country code, with which a wrong Phone Country leaves them. */
function nationalPart({ farmerPhone = '' }: Job): string {
	const digits = farmerPhone.replace('+', '');
	return digits.slice(phoneCountryOf(digits)?.callingCode.length);
}

const distanceOf = ({ serviceDate: day = '' }: Job, { serviceDate: other = '' }: Job) =>
	Math.abs(Date.parse(day) - Date.parse(other)) || 0;

/** Whether a booking was given up. */
function isGivenUp({ booking: { bookingStatus } }: Pair): boolean {
	const code = statusCode(bookingStatus);
	return code === DECLINED || code === UNPAIRED;
}

/**
 * The bookings that may be that of a row, and how like it they are.
 *
 * @throws ServiceError (`unreadable`) if the bookings cannot be compared in the match fields
 */
export function candidatesFor(row: OpenRow, existing: ExistingBookings): Pair[] {
	const { matchFields } = row.settings;
	const own = jobOfRow(row);
	checkComparable(existing.reader, matchFields);
	const lost = existing.past?.lost ?? [];
	const lostJobs = lost.map((one) => jobOfRow(one.row));
	const sentBefore = lost.find((one) => isSameRequest(row, one.row.request));
	const pairWith = (other: Existing): Pair[] => {
		const { booking, job, isAsMade } = other;
		const tractors = [own.tractorId, job.tractorId];
		const alike = likeness(own, job, (name) => numberOfService(name, tractors, existing));
		const kind = kindOf(alike, other, row.settings, existing);
		if (!kind) return [];
		// What was booked before a row was sent is another job.
		if (kind === 'changed' && sentBefore && !sentBefore.isNew(booking)) return [];
		const isWhole = other.request !== undefined && isSameRequest(row, other.request);
		const fit = fitOf(alike) + (isWhole ? WHOLE_FIT : 0) - 100 * KINDS.indexOf(kind);
		const isOfLost = lostJobs.some((lostJob) => {
			const { farmerPhone, serviceDate } = likeness(lostJob, job);
			return farmerPhone && serviceDate;
		});
		const isOtherCountry = alike.farmerPhone === false && nationalPart(own) === nationalPart(job);
		const isLikely = isOfLost || isOtherCountry || alike.isSlip;
		const distance = distanceOf(own, job);
		const hint = Number(alike.tractorId ?? 0) + Number(alike.hectares ?? 0);
		const pair = { row, booking, job, kind, isLikely, isAsMade, alike };
		return [{ ...pair, fit, distance, hint, rivals: [] }];
	};
	return [...existing.near(own, matchFields)].flatMap(pairWith);
}

/**
 * The better fit first; of equal ones, the nearer day; of the same day, the first row has the first booking, since they
 * were made in this order.
 */
function inOrder(a: Pair, b: Pair): number {
	const [id, other] = [a, b].map(({ booking }) => Number(booking.bookingID)) as [number, number];
	const byFit = b.fit - a.fit || a.distance - b.distance || b.hint - a.hint;
	return byFit || a.row.itemIndex - b.row.itemIndex || id - other || 0;
}

/**
 * Pairs rows with bookings, each booking with one row: those that fit best first. A row for which none is left has the
 * pair in which its booking fits another row as well, if there is one.
 *
 * @returns the booking that each row has, or may have
 */
export function pairRows(candidates: readonly Pair[]): ReadonlyMap<OpenRow, Pair> {
	const pairs = candidates.toSorted(inOrder);
	const firstOf = firstOfEqual([...new Set(candidates.map(({ row }) => row))], true);
	const ofRow = new Map<OpenRow, Pair>();
	const ofBooking = new Map<IDataObject, Pair>();
	for (const pair of pairs) {
		if (ofRow.has(pair.row) || ofBooking.has(pair.booking)) continue;
		ofRow.set(pair.row, pair);
		ofBooking.set(pair.booking, pair);
	}
	// What was given up may have been booked again: of bookings that fit equally, the row's is the one that stands.
	for (const given of [...ofRow.values()].filter(isGivenUp)) {
		const again = pairs.find(
			(pair) =>
				pair.row === given.row &&
				pair.fit === given.fit &&
				!isGivenUp(pair) &&
				!ofBooking.has(pair.booking),
		);
		if (!again) continue;
		ofBooking.delete(given.booking);
		ofBooking.set(again.booking, again);
		ofRow.set(again.row, again);
	}
	const owned = new Set(ofRow.keys());
	for (const pair of pairs) {
		const owner = ofBooking.get(pair.booking);
		if (owned.has(pair.row) || owner?.fit !== pair.fit) continue;
		// That they look alike is a doubt of its own, about the later one alone.
		if (firstOf.get(pair.row) === firstOf.get(owner.row)) continue;
		const own = ofRow.get(pair.row) ?? pair;
		ofRow.set(pair.row, own);
		own.rivals.push(owner.row);
		owner.rivals.push(pair.row);
	}
	return ofRow;
}
