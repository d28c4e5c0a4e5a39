import type { IDataObject } from 'n8n-workflow';

import type { BookingId } from '../../../../api/records';
import { statusLabel } from '../../../../api/status';
import { shownTime } from '../../../../parse/dates';
import { about, listedValue, listOf, sentencesOf, type Invalid } from '../../../../parse/issue';
import { asText, isEmpty } from '../../../../utils/text';
import { denialOf } from '../row/bookingAnswer';
import { labelOf, labelsOf } from '../row/fields';
import { dayOf, fits, type Candidate } from '../row/candidates';
import { rowName, rowsIn } from '../row/inputRow';
import { differencesOf } from '../row/typed';
import type { Row, RowQuestion } from '../row/row';

// What is said of rows that are booked already, or may be, and of what a row has in its Booking ID or Row ID.

/** How messages name a booking: `booking 5001 (new)`, without its status if this run has not read that. */
function bookingName({ bookingID, bookingStatus }: IDataObject): string {
	const name = `booking ${asText(bookingID)}`;
	return isEmpty(bookingStatus) ? name : `${name} (${statusLabel(bookingStatus)})`;
}

const WORDS = { farmerName: 'name', farmerPhone: 'phone', serviceDate: 'day' } as const;

/** What a booking shows in place of what the row has; of a farmer only what tells numbers apart. */
function otherOf(row: Row, field: Candidate['different'][number], candidate: Candidate): string {
	if (field === 'farmerName') return 'another name';
	if (field === 'serviceDate') return `another day, ${dayOf(candidate)}`;
	const ending = asText(candidate.booking.farmerPhone).slice(-3);
	const isAlike = row.job.farmerPhone?.endsWith(ending);
	return `another phone, ${isAlike ? 'also ' : ''}ending in ${ending}`;
}

/** What n8n knows of a booking that it made: of a service only how it was written. */
const MADE_FOR = {
	same: 'was made for the same service, area and plot',
	other:
		'was made for another service (or the same, spelt differently), area or plot, or has been changed since',
} as const;

/** `booking 5001 (new) has the same name and phone, but another day, 2026-12-31`. */
export function candidateText(row: Row, candidate: Candidate): string {
	const { booking, same, different, bookedFor } = candidate;
	const other = listOf(different.map((field) => otherOf(row, field, candidate)));
	const compared = [
		same.length > 0 ? `has the same ${listOf(same.map((field) => WORDS[field]))}` : '',
		other && `has ${other}`,
	];
	const said = compared.filter(Boolean).join(', but ').replace('but has', 'but');
	const parts = [said, bookedFor && MADE_FOR[bookedFor]].filter(Boolean);
	return `${bookingName(booking)} ${parts.join(', and ')}`.trim();
}

/** `row 4 (Amina Bello) is the same but for No (13, 96)` */
export function earlierText(row: Row, earlier: Row): string {
	const differences = differencesOf(row, earlier).map(({ field, own, theirs }) => {
		const cells = [theirs, own].map((cell) => listedValue(shownTime(field, cell) || 'empty'));
		return `${row.headings?.get(field) ?? labelOf(field)} (${cells.join(', ')})`;
	});
	const but = differences.length > 0 ? ` but for ${listOf(differences)}` : '';
	return `${rowName(earlier)} is the same${but}`;
}

/** Where the ID of its booking is written. */
function placeOfId({ headings }: Row): string {
	return headings
		? `the column "${headings.get('bookingID') ?? 'bookingID'}"`
		: 'the field Booking ID, for this request only';
}

/** What to write into a row that is a booking, or is a different job from that. */
interface Answers {
	/** The booking, by its ID if there is one: a reason may name others that the row is not. */
	which: string;
	yes: string;
	no: string;
	/** Where it says which field it is. */
	plot: string;
}

/** What says yes and no in a row to bookings; without IDs, to one that n8n remembers by a hash alone. */
function answersTo(row: Row, ids: readonly BookingId[]): Answers {
	const place = placeOfId(row);
	const plot = row.headings?.get('plot') ?? 'Plot';
	if (ids.length === 0)
		return {
			which: 'that booking',
			yes: `write its Booking ID, from the results of the run that booked it or from the operator of the service, in ${place}`,
			no: 'write "not" before that ID, such as "not 5001"',
			plot,
		};
	const any = listOf(ids.map(asText), 'or');
	const no = `write "${denialOf([...row.denied, ...ids])}" in ${place}`;
	return { which: `booking ${any}`, yes: `write ${any} in ${place}`, no, plot };
}

/** What tells two fields of one farmer apart. */
const whichField = (plot: string) =>
	`write in ${plot} which field it is, in words that were not there before`;

const whichFieldOfEach = (plot: string) =>
	`write in ${plot} of both rows which field each is; if one has been booked by then, add its Booking ID`;

/** How to tell a row from one whose booking cannot be named. One that was only sent is known by its Row ID, whatever its plot. */
const asOtherJob = ({ rowId }: Row, plot: string): string =>
	rowId === undefined
		? whichField(plot)
		: `${whichField(plot)}, and give it a Row ID that was never used`;

const BOOKED_OR_SENT =
	'the same farmer, day, service and area were booked before, or were sent, and no response came';

/** Of a booking that a row denies, and that may be its own all the same. */
export const MAY_BE_OWN = 'the row is said not to be it, but n8n may have made it for this row';

/** Of a row that names a booking that is not its own. @param more what else may have to be done */
const ofWrongBooking = (more = '') =>
	`correct it, or empty the cell if the row is not booked yet; ${more}if the column holds numbers of your own, rename it`;

/** What is wrong with a row beside others and beside bookings, or is left to a person to decide. */
export const matchIssueOf = sentencesOf({
	// Booking ID
	unknownBooking: (id: BookingId) => [
		'is unknown, or belongs to another organisation',
		// A service may remove what is over. If the cell is emptied, a booking that was deleted before it was listed is asked about
		// again.
		ofWrongBooking(
			`if its work is done, remove the row; if it was deleted, and the row must be booked again, write "${denialOf([id])}" in this cell; `,
		),
	],
	bookingOfOtherFarmer: () => [
		'is the booking of another farmer',
		ofWrongBooking(
			"if it is this farmer's, write the name and the phone that the booking shows into the row; ",
		),
	],
	bookingOfRows: (others: readonly Row[]) => [
		about`is also the Booking ID of ${rowsIn(others)}`,
		ofWrongBooking('delete the row if it is the same job; '),
	],
	bookingOfOtherDay: (own: Candidate) => [
		about`is a booking for ${dayOf(own)}, which is ${statusLabel(own.booking.bookingStatus)}`,
		`if the row is a new job, or must be booked again, write "${denialOf([own.id])}" in this cell; if not, write the day of that booking into the row`,
	],

	// Row ID
	rowIdOfRows: (earlier: Row) => [
		about`is also the Row ID of ${rowName(earlier)}`,
		'if it is the same job, delete this row; if not, give each job a Row ID of its own',
	],
	rowIdOfOtherJob: () => [
		'was booked before, for another farmer or another day, perhaps by another workflow',
		'if its Row ID was changed, change it back; if it is a new job, give it a Row ID that was never used; otherwise, change the farmer and the day back',
	],

	// Questions: one names all that the row may be; n8n's memory names no booking.
	mayBeBooked(row: Row, { bookings, earlier, needsPlot, isGivenUp }: RowQuestion) {
		const ids = bookings.map(({ bookingID }) => bookingID);
		const isUnnamed = ids.length === 0 && !earlier;
		const { yes: isBooking, plot } = answersTo(row, ids);
		const texts = [bookings.slice(0, 5), earlier ?? []].flat().map(({ text }) => text);
		const isOne = [
			(ids.length > 0 || isUnnamed) && isBooking,
			(earlier ?? isUnnamed) && 'delete this row',
		];
		const isNone = [
			ids.some((id) => !row.denied.includes(id)) && `write "${denialOf([...row.denied, ...ids])}"`,
			needsPlot && (earlier ? whichFieldOfEach(plot) : asOtherJob(row, plot)),
		];
		const orElse = [isUnnamed && ', or was not booked', isGivenUp && ', or must be booked again'];
		const [yes, no] = [isOne.filter(Boolean).join(', or '), isNone.filter(Boolean).join(', and ')];
		return [
			about`may be booked already: ${isUnnamed ? BOOKED_OR_SENT : texts.join('; ')}`,
			`if it is the same job, ${yes}; if it is another job${orElse.filter(Boolean).join('')}, ${no}; then try all rows again`,
		];
	},
});

/** A model has neither field to answer in. */
export const forPerson = (why: Invalid, { settings }: Row): Invalid =>
	settings.isTool
		? {
				...why,
				fix: `ask a person, who alone can decide, in a workflow with Booking > Create, since a tool has neither Booking ID nor Plot: ${why.fix}`,
			}
		: why;

/** What follows "already booked, but". */
const caveatOf = sentencesOf({
	notListed: ({ no, plot }: Answers, known: readonly Candidate[]) => [
		'the booking is not in the list, or is there under another name and phone; the list may hide what is over',
		`if its work is done, change nothing; otherwise look for it with Booking > Get Many; if it is still missing after an hour, and the row must be booked again, ${whichField(plot)}, ${known.length > 0 ? no : 'empty the Booking ID'}, and give the row a new Row ID (if any)`,
	],
	unsureWhich: ({ which, yes, no, plot }: Answers) => [
		'n8n cannot tell for sure which booking is its own',
		`if the row is ${which}, ${yes}; if not, ${no}, and in ${plot} which field it is`,
	],
	otherCells: ({ which, yes, no }: Answers) => [
		'some of its cells have changed since, perhaps in columns that are not sent',
		`if the row is ${which}, ${yes}, and ask the operator of the service if the booking has to change; if it is another field, ${no}`,
	],
	bookingDiffers: ({ no }: Answers, [own]: readonly Candidate[]) => [
		own && !fits(own)
			? `the booking has another ${labelsOf(own.different)}`
			: 'n8n booked it for a row with other cells',
		`if the booking still has to change, ask the operator of the service; if the row is another job, ${no}; if neither, change nothing`,
	],
	declined: ({ no }: Answers) => ['it was declined', `to book the row again, ${no}`],
	unpaired: ({ no }: Answers) => [
		'it is unpaired, and may get another tractor',
		`ask the operator of the service; if it gets none, and the row must be booked again, ${no}`,
	],
});

/** Why a person has to look at a row that is booked already. */
export type Caveat = Parameters<typeof caveatOf>[0];

/** What has to be looked at in a row that is booked. @param bookings that the row has, or may have */
export function caveatFor(code: Caveat, row: Row, bookings: readonly Candidate[]): Invalid {
	const answers = answersTo(
		row,
		bookings.map(({ id }) => id),
	);
	return forPerson(caveatOf(code, answers, bookings), row);
}

/** Why a row is already booked. */
export const howBooked = {
	named: (booking: IDataObject) => `the row names ${bookingName(booking)}`,
	before({ rowId }: Row, own?: Candidate): string {
		const what = rowId === undefined ? 'this row' : `Row ID "${rowId}"`;
		return `${what} was booked before${own ? `, as ${bookingName(own.booking)}` : ''}`;
	},
};
