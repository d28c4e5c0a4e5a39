import type { BookingId } from '../../../../api/records';
import { ServiceError } from '../../../../api/errors';
import { isFinal, isGivenUp } from '../../../../api/status';
import type { Invalid } from '../../../../parse/issue';
import { asText } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import { jobOfRow } from '../row/job';
import type { FinishedRow, NamingRow, ParsedRow } from '../row/row';
import { finished, rejected, rejectedFor } from '../row/row';
import { sentBeforeEdit } from '../say/failures';
import { howBooked, matchIssueOf, type Caveat } from '../say/matches';
import { compareWith, isFrom, unread, type Candidate } from '../row/candidates';
import type { Evidence } from './evidence';
import { alikeRows } from './repeats';
import {
	alreadyBooked,
	areGivenUp,
	askAbout,
	askForPlot,
	askFromMemory,
	bySameKey,
	givenUp,
	rejectRowId,
} from './verdicts';

// The rules of docs/developers/spreadsheets-internals.md, by their numbers. The first that has a verdict decides.

/** Judges a row; undefined if the rule says nothing of it. */
export type Rule = (row: ParsedRow, evidence: Evidence) => FinishedRow | undefined;

const isMoved = ({ different }: Candidate) => different.includes('serviceDate');

/** Whether n8n does not know a booking as that of a row which names it, but of a row with another job. */
function isOfOtherCells(row: NamingRow, own: Candidate, evidence: Evidence): boolean {
	const { memory } = evidence;
	const { facts, knows } = memory;
	if (!row.isComparable || memory.mayBeOf(row, own.id)) return false;
	// The Row ID may have been taken away.
	const mayHaveHadRowId = row.rowId === undefined && knows(facts.takenByRowId(own.id));
	const isSameJob = mayHaveHadRowId && knows(facts.bookedJob(row));
	return !isSameJob && evidence.bookedFor(row, own) !== 'same';
}

/** Why a booking cannot be that of a row which names it. */
function whyNotNamed(row: NamingRow, own: Candidate, evidence: Evidence): Invalid | undefined {
	const { id, booking, same, different } = own;
	// A farmer of whom one of the two is the same may have the other one corrected.
	const isOfFarmer = (field: string) => field !== 'serviceDate';
	if (different.some(isOfFarmer) && !same.some(isOfFarmer))
		return matchIssueOf('bookingOfOtherFarmer');
	const others = (evidence.unlike.get(id) ?? []).filter((other) => other !== row);
	if (others.length > 0) return matchIssueOf('bookingOfRows', others);
	const { bookingStatus: status } = booking;
	const { request, settings } = row;
	const { today } = settings.rules;
	const isPast = request.serviceDate !== undefined && request.serviceDate < today;
	if (isMoved(own) && !isPast && (isFinal(status) || !isFrom(today, own)))
		return matchIssueOf('bookingOfOtherDay', own);
	return isOfOtherCells(row, own, evidence) && different.includes('farmerName')
		? matchIssueOf('bookingOfOtherRow')
		: undefined;
}

/** 1. A row that names its booking is never sent. That must be its farmer's, not over, and not known as another row's. */
export function namingBooking(row: NamingRow, evidence: Evidence): FinishedRow {
	const { bookings, bookingHasRow, byId } = evidence;
	const { bookingID: id } = row;
	if (!bookings.areCompared) {
		const reason = howBooked.namedUnread(id);
		return finished(row, { result: 'already booked', booking: { bookingID: id }, reason });
	}
	const found = byId.get(id);
	if (found instanceof ServiceError) return rejected(row, found);
	const own = found && compareWith(jobOfRow(row), found);
	const reject = (why: Invalid) => rejectedFor(row, 'bookingID', asText(id), why);
	if (!own) return reject(matchIssueOf('unknownBooking'));
	const why = whyNotNamed(row, own, evidence);
	if (why) return reject(why);
	// One that differs may be that of another row, in whose place the answer should stand.
	if (own.different.length === 0) bookingHasRow.add(id);
	let caveat: Caveat | undefined;
	if (areGivenUp([own])) caveat = givenUp(own.booking);
	else if (own.different.length > 0) caveat = 'bookingDiffers';
	else if (isOfOtherCells(row, own, evidence)) caveat = 'bookedForOtherCells';
	return alreadyBooked(row, howBooked.named(own), { own, caveat });
}

/** 2. Rows of one key are one job, unless one of them is said not to be the booking of the other. */
export const sameKey: Rule = (row, evidence) => {
	const earlier = evidence.earlierOfKey(row);
	return earlier && bySameKey(row, earlier);
};

/** The bookings of a row by its key: those that no other row of the sheet has, if there are any. */
function ownBookings(row: ParsedRow, { memory, candidatesOf, bookingHasRow }: Evidence) {
	const all = candidatesOf(row).filter(({ id }) => memory.isOwn(row, id));
	const free = all.filter(({ id }) => !bookingHasRow.has(id));
	return free.length > 0 ? free : all;
}

/** Whether n8n knows a row as booked. One that denies the booking of its key is so only if it was booked with that answer. */
function isKnownAsBooked(row: ParsedRow, evidence: Evidence): boolean {
	const { memory } = evidence;
	const { facts, knows } = memory;
	const deniesOwn = row.denied.some((id) => memory.isOwn(row, id));
	// Those that were given up before are not its own either.
	const isLeft = ownBookings(row, evidence).some(({ status }) => !isGivenUp(status));
	return knows(deniesOwn && !isLeft ? facts.bookedAsAnswered(row) : facts.booked(row));
}

/** 3. A Row ID is that of one farmer and day, of whom the name or the phone may have been corrected, but not both. */
export const rowIdOfOtherJob: Rule = (row, evidence) => {
	const { facts, knows } = evidence.memory;
	if (row.rowId === undefined || !isKnownAsBooked(row, evidence)) return undefined;
	const own = ownBookings(row, evidence);
	const isOfFarmer = facts.farmersOfRowId(row).some(knows);
	return !isOfFarmer && own.every(isMoved) ? rejectRowId(row, own[0]) : undefined;
};

/** 4. What n8n remembers of a row decides, whatever the list shows. */
export const bookedBefore: Rule = (row, evidence) => {
	if (!isKnownAsBooked(row, evidence)) return undefined;
	const { memory, bookings, bookingHasRow } = evidence;
	const { facts, knows } = memory;
	const possible = ownBookings(row, evidence);
	const [own, ...others] = possible;
	const isTypedAsBooked = knows(facts.bookedAsTyped(row)) && facts.farmersOfRowId(row).every(knows);
	let caveat: Caveat | undefined;
	if ((!own || own.isUnlisted) && bookings.areCompared) caveat = 'notListed';
	else if (own && areGivenUp(possible)) caveat = givenUp(own.booking);
	else if (others.length > 0) caveat = 'severalBookings';
	else if (!isTypedAsBooked) caveat = 'otherCells';
	else if (own && isMoved(own)) caveat = 'bookingDiffers';
	// With other cells it may be another field: its booking may be that of a row which takes its place.
	if (others.length > 0 || (row.rowId === undefined && !isTypedAsBooked))
		return alreadyBooked(row, howBooked.before(row), { possible, caveat });
	if (own) bookingHasRow.add(own.id);
	return alreadyBooked(row, howBooked.before(row, own), { own, caveat });
};

/** 5. The bookings that a lost response of a row may have made; none if others of its farmer and day were sent, too. */
export function lostFor(
	row: ParsedRow,
	{ memory, candidatesOf, bookingHasRow }: Evidence,
): Candidate[] {
	// Of a key that is booked, nothing tells what else was sent.
	const { facts, knows } = memory;
	if (!knows(facts.sent(row)) || knows(facts.booked(row)) || memory.hasSentSibling(row)) return [];
	// A question that was asked is answered by a person alone.
	if (candidatesOf(row).some(({ isOpenQuestion }) => isOpenQuestion)) return [];
	return candidatesOf(row).filter(
		({ id, isSame }) => isSame && !bookingHasRow.has(id) && memory.mayBeOf(row, id),
	);
}

/** 5. A row that was sent, with the only booking that fits it, and that fits no other row. */
export function foundInList(
	row: ParsedRow,
	own: Candidate,
	{ bookingHasRow, memory }: Evidence,
): FinishedRow {
	bookingHasRow.add(own.id);
	memory.rememberFound(row, own.id);
	const caveat = isGivenUp(own.booking.bookingStatus) ? givenUp(own.booking) : 'onlyFound';
	return alreadyBooked(row, howBooked.found(own), { own, caveat });
}

/** No one moves a booking that is over, or into the past. */
const isToCome = (one: Candidate, { settings }: ParsedRow) =>
	!isFinal(one.status) && isFrom(settings.rules.today, one);

/** 6. The bookings that nothing tells from that of a row, and those that earlier runs asked about. */
function nearTo(row: ParsedRow, evidence: Evidence): Candidate[] {
	const { memory, candidatesOf, bookingHasRow } = evidence;
	const { facts, knows } = memory;
	const isKnown = knows(facts.bookedJob(row)) || knows(facts.sent(row));
	const isNew = row.rowId !== undefined && !isKnown;
	return candidatesOf(row)
		.filter(({ id }) => !bookingHasRow.has(id))
		.filter(
			(one) =>
				one.isOpenQuestion === true ||
				((!isNew || !knows(facts.takenByRowId(one.id))) && (!isMoved(one) || isToCome(one, row))),
		)
		.map((one) => ({ ...one, bookedFor: evidence.bookedFor(row, one) }));
}

/** 6 and 7. One question names all that a row may be: bookings, and rows of the sheet. */
export async function lookalikes(evidence: Evidence): Promise<Rule> {
	const { open, booked, memory, bookings } = evidence;
	const { facts, knows } = memory;
	// Of two that may be one, the booked one is not asked about, wherever it is in the sheet.
	const alike = await alikeRows([...booked, ...open], (row, other) =>
		evidence.areOtherJobs(row, other),
	);
	const near = new Map(await inTurns(open, (row) => [row, nearTo(row, evidence)] as const));
	// The day of a row may have been changed if n8n booked all else of it, else only where another row is booked, or may be, or
	// where n8n has lost its memory.
	const withRowId = open.filter(({ rowId }) => rowId !== undefined);
	const hasForgotten = withRowId.length > 0 && !booked.some(({ rowId }) => rowId !== undefined);
	const mayBeMoved =
		hasForgotten ||
		booked.length > 0 ||
		alike.size > 0 ||
		[...near.values()].flat().some((one) => !isMoved(one));
	return (row) => {
		// So may that of a row which was sent without an answer.
		const sent = bookings.sentLately.unansweredLike(row);
		if (sent && sent.claimEnd > Date.now())
			return finished(row, { result: 'unknown', failure: sentBeforeEdit(row, sent) });
		const isAnyDay = mayBeMoved || sent !== undefined;
		const candidates = (near.get(row) ?? []).filter(
			(one) => one.isOpenQuestion === true || isAnyDay || !isMoved(one) || one.bookedFor === 'same',
		);
		const earlier = alike.get(row);
		if (candidates.length > 0 || earlier) return askAbout(row, candidates, earlier);
		if (row.denied.length > 0) return undefined;
		if (knows(facts.bookedJob(row))) return askFromMemory(row, 'booked');
		const isInDoubt = !bookings.areCompared && knows(facts.sent(row));
		return isInDoubt ? askFromMemory(row, 'sent') : undefined;
	};
}

/** 8. A row that is not its own booking, although all that is known of both is the same: the answer may stand in the wrong line. */
export const deniesItself: Rule = (row, { memory, bookings, bookingHasRow }) => {
	const { facts, knows } = memory;
	/** Whether a lost response of the row may have made a booking. */
	const mayBeLost = (id: BookingId) => {
		const isLost = knows(facts.sent(row)) && !knows(facts.booked(row)) && !bookingHasRow.has(id);
		const listed = isLost && bookings.listed(id);
		return listed && compareWith(jobOfRow(row), listed).isSame && memory.mayBeOf(row, id);
	};
	const isAsBooked = knows(facts.bookedAsTyped(row));
	const own = row.denied.find((id) => (isAsBooked && memory.isOwn(row, id)) || mayBeLost(id));
	if (own === undefined) return undefined;
	const candidate = compareWith(jobOfRow(row), bookings.listed(own) ?? unread(own));
	return isGivenUp(candidate.status) ? undefined : askForPlot(row, candidate, isAsBooked);
};
