import { isGivenUp } from '../../../../api/status';
import type { Invalid } from '../../../../parse/issue';
import { asText } from '../../../../utils/text';
import { rejected, rejectedFor, type OpenRow, type Row } from '../row/row';
import { howBooked, matchIssueOf, MAY_BE_OWN, type Caveat } from '../say/matches';
import {
	compareWith,
	fits,
	isMoved,
	isOfFarmer,
	mayBeAsked,
	idOnly,
	type Candidate,
} from '../row/candidates';
import type { Evidence, Rule } from './evidence';
import { alreadyBooked, ask, questionAbout } from './verdicts';

// The rules of docs/developers/spreadsheets-internals.md. The first that has a verdict decides.

/** Whether n8n made a booking for another row than the one that names it, and not for its service, area and plot. */
function isKnownAsOtherRow(row: Row, own: Candidate, evidence: Evidence): boolean {
	const { memory } = evidence;
	return !memory.mayBeOf(row, own.id) && evidence.bookedFor(row, own) !== 'same';
}

/** Whether a row may be a new job, although it names a booking: it has another day, which has not passed. */
const mayBeNew = (row: Row, own: Candidate) => isMoved(own) && !row.pastDate;

/** Why a booking cannot be that of a row which names it. */
function whyNotNamed(row: Row, own: Candidate, evidence: Evidence): Invalid | undefined {
	const { different } = own;
	// A farmer of whom one of the two is the same may have the other one corrected.
	const isOfOther = !isOfFarmer(own) && different.some((field) => field !== 'serviceDate');
	const isOfOtherRow = different.includes('farmerName') && isKnownAsOtherRow(row, own, evidence);
	if (isOfOther || isOfOtherRow) return matchIssueOf('bookingOfOtherFarmer');
	return mayBeNew(row, own) && !mayBeAsked(own, row)
		? matchIssueOf('bookingOfOtherDay', own)
		: undefined;
}

/** A row that names its booking is never sent. That must be its farmer's, not over, and not known as another row's. */
export const namingBooking: Rule = (row, evidence) => {
	const { bookings } = evidence;
	const { bookingID: id } = row;
	if (id === undefined) return undefined;
	const reject = (why: Invalid) => rejectedFor(row, 'bookingID', asText(id), why);
	const others = (evidence.unlike.get(id) ?? []).filter((other) => other !== row);
	if (others.length > 0) return reject(matchIssueOf('bookingOfRows', others));
	if (!bookings.areCompared) {
		const booking = { bookingID: id };
		return { ...row, result: 'already booked', booking, reason: howBooked.named(booking) };
	}
	const [own] = evidence.candidatesFor(row);
	const failure = bookings.failures.get(id);
	if (!own && failure) return rejected(row, failure);
	// The process may have made it.
	if (!own || bookings.gone.has(id)) return reject(matchIssueOf('unknownBooking', id));
	const why = whyNotNamed(row, own, evidence);
	// A page can ask whether it is a new job.
	const question = why?.code === 'bookingOfOtherDay' ? questionAbout(row, [own]) : undefined;
	if (why) return { ...reject(why), question };
	const isOther = !fits(own) || isKnownAsOtherRow(row, own, evidence);
	const caveat = isOther ? 'bookingDiffers' : undefined;
	// The list may be last week's with new dates: then the row is a new job.
	const isAsked = mayBeNew(row, own);
	return alreadyBooked(row, howBooked.named(own.booking), { own, mayBeNew: isAsked, caveat });
};

/** Rows of one key may be one job, unless one is said not to be the booking of the other; the next run could not tell them apart. */
export const sameKey: Rule = (row, evidence) => {
	const earlier = evidence.earlierOfKey(row);
	if (!earlier) return undefined;
	return row.rowId === undefined
		? ask(row, questionAbout(row, [], earlier))
		: rejectedFor(row, 'Row ID', row.rowId, matchIssueOf('rowIdOfRows', earlier));
};

/**
 * What n8n remembers of a row decides, whatever the list shows. A Row ID is that of one farmer and day, of whom the
 * name or the phone may have been corrected, but not both.
 */
export const bookedBefore: Rule = (row, evidence) => {
	const { memory, bookings } = evidence;
	const { facts, knows } = memory;
	const possible = evidence.ownOf(row);
	const deniesOwn = row.denied.some((id) => memory.isOwn(row, id));
	// One that denies the booking of its key is booked only if it was booked with that answer.
	if (!knows(deniesOwn ? facts.bookedAsAnswered(row) : facts.booked(row))) return undefined;
	const farmers = facts.farmersOfRowId(row).map(knows);
	const isOfOther = row.rowId !== undefined && !farmers.includes(true) && possible.every(isMoved);
	if (isOfOther && possible.length === 0)
		return rejectedFor(row, 'Row ID', row.rowId, matchIssueOf('rowIdOfOtherJob'));
	if (isOfOther || possible.some(({ id }) => evidence.named.has(id)))
		return ask(row, questionAbout(row, possible));
	const [own, ...others] = possible;
	const isTypedAsBooked = knows(facts.bookedAsTyped(row)) && !farmers.includes(false);
	let caveat: Caveat | undefined;
	if ((!own || bookings.isMissing(own.id)) && bookings.areCompared) caveat = 'notListed';
	else if (others.length > 0) caveat = 'unsureWhich';
	else if (!isTypedAsBooked) caveat = 'otherCells';
	else if (own && isMoved(own)) caveat = 'bookingDiffers';
	// A row whose cells have changed may be another field by now: then the booking belongs to the row that replaced it.
	return others.length > 0 || (row.rowId === undefined && !isTypedAsBooked)
		? alreadyBooked(row, howBooked.before(row), { possible, caveat })
		: alreadyBooked(row, howBooked.before(row, own), { own, caveat });
};

/** One question names all that a row may be: bookings, and rows of the sheet. */
export function lookalikes(row: OpenRow, evidence: Evidence, earlier?: Row): Row | undefined {
	const { facts, knows } = evidence.memory;
	const candidates = evidence.nearTo(row, earlier);
	const wasBooked = row.denied.length === 0 && knows(facts.bookedJob(row));
	return candidates.length > 0 || earlier || wasBooked
		? ask(row, questionAbout(row, candidates, earlier))
		: undefined;
}

/**
 * A row that denies the booking which n8n made of its cells, or which its lost response may have made: the answer may
 * stand in the wrong line. One that was sent and denies nothing is sent again, or asked about if bookings are not compared.
 *
 * @param wasSent whether an earlier run has sent the row
 */
export function deniesItself(
	row: OpenRow,
	{ memory, bookings }: Pick<Evidence, 'memory' | 'bookings'>,
	wasSent = false,
): Row | undefined {
	const { facts, knows } = memory;
	const isAsBooked = knows(facts.bookedAsTyped(row));
	// If its key is booked, nothing tells whether this row was sent or the booked one.
	const isLost = wasSent && !knows(facts.booked(row));
	// Only the list tells what came of a row that was sent. That may be how it got the booking that it denies.
	if (isLost && !bookings.areCompared && !row.denied.some((id) => memory.isOwn(row, id)))
		return ask(row, questionAbout(row, []));
	const own = row.denied
		.map((id) => compareWith(row.job, bookings.get(id) ?? idOnly(id)))
		.filter(({ id, booking }) => !bookings.gone.has(id) && !isGivenUp(booking.bookingStatus))
		.find(
			(one) =>
				(isAsBooked && memory.isOwn(row, one.id)) ||
				(isLost && fits(one) && memory.mayBeOf(row, one.id)),
		);
	return own && ask(row, questionAbout(row, [own], undefined, MAY_BE_OWN));
}

/** A service date in the past, or a place that seems wrong, is an issue only of a row that is not booked. */
export const pastOrFarAway: Rule = (row) => {
	const issues = [row.pastDate ?? [], row.farAway ?? []].flat();
	return issues.length > 0 ? rejected(row, issues) : undefined;
};
