import type { IDataObject } from 'n8n-workflow';

import { toId } from '../../../../api/records';
import { DECLINED, isGivenUp, statusCode } from '../../../../api/status';
import { rejectedFor, type OpenRow, type Row, type RowQuestion } from '../row/row';
import {
	candidateText,
	caveatFor,
	earlierText,
	forPerson,
	matchIssueOf,
	type Caveat,
} from '../say/matches';
import { showsAll, type Candidate } from '../row/candidates';

/** The caveat of a booking that was given up. An unpaired one may get another tractor. */
const givenUp = ({ bookingStatus }: IDataObject): Caveat =>
	statusCode(bookingStatus) === DECLINED ? 'declined' : 'unpaired';

/** Whether there are bookings, and all were given up. */
const areGivenUp = (some: readonly Candidate[]): boolean =>
	some.length > 0 && some.every(({ booking }) => isGivenUp(booking.bookingStatus));

interface Booked {
	/** Its booking, if that is known and the list has it. */
	own?: Candidate;
	/** Those of its key, if its cells do not tell which is its own: they are asked about. */
	possible?: readonly Candidate[];
	/** Whether it may be a new job: that is asked. */
	mayBeNew?: boolean;
	/** What else is to be said of it, unless it was given up. */
	caveat?: Caveat;
}

/** The row as one that is booked. @param reason how it was found */
export function alreadyBooked(
	row: OpenRow,
	reason: string,
	{ own, possible = [], mayBeNew = false, caveat }: Booked,
): Row {
	const some = own ? [own] : possible;
	const [first] = some;
	const isOver = areGivenUp(some);
	const what = first && isOver ? givenUp(first.booking) : caveat;
	const said = what && caveatFor(what, row, some);
	// In what a booking differs is said of it anyway.
	const why = what === 'bookingDiffers' ? undefined : said?.problem;
	const isAsked = mayBeNew || possible.length > 0 || (isOver && !row.pastDate);
	// A different job of the same key is known by its plot; one that is booked again is not.
	const needsPlot = !mayBeNew && !isOver;
	const asked = { ...questionAbout(row, some, undefined, why), needsPlot };
	const question = isAsked ? asked : undefined;
	const verdict = { reason, booking: own?.booking, caveat: said, question };
	return { ...row, ...verdict, result: 'already booked' };
}

/**
 * What a row may be.
 *
 * @param candidates the bookings that may be its own
 * @param earlier a row of the sheet that it may be
 * @param why it is asked, if the bookings do not say it
 */
export function questionAbout(
	row: Row,
	candidates: readonly Candidate[],
	earlier?: Row,
	why?: string,
): RowQuestion {
	const bookings = candidates.map((one) => ({
		...{ bookingID: one.id, text: [candidateText(row, one), why].filter(Boolean).join('; ') },
		isSame: showsAll(one) && one.bookedFor !== 'other' && !isGivenUp(one.booking.bookingStatus),
		tractorId: toId(one.booking.tractorPairedTo),
	}));
	return {
		bookings,
		earlier: earlier && {
			...{ row: earlier.sheetRow, itemIndex: earlier.itemIndex },
			text: earlierText(row, earlier),
		},
		needsPlot: earlier !== undefined || candidates.every(({ id }) => row.denied.includes(id)),
		isGivenUp: !earlier && areGivenUp(candidates),
	};
}

/** Leaves a row that may be booked already to a person. */
export function ask(row: OpenRow, question: RowQuestion): Row {
	const why = forPerson(matchIssueOf('mayBeBooked', row, question), row);
	return { ...rejectedFor(row, 'row', undefined, why), result: 'possible duplicate', question };
}
