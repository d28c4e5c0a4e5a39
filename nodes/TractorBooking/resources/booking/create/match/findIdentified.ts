import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../../api/client';
import { ServiceError } from '../../../../api/errors';
import type { BookingKey } from '../../../../api/identifiers';
import { toKey } from '../../../../api/identifiers';
import { isFinal, isGivenUp, statusCode, statusLabel } from '../../../../api/status';
import { labelsOf } from '../fields';
import { groupBy } from '../../../../utils/groupBy';
import { asText } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import { bookingIndexOf } from './bookingIndex';
import {
	DISTINCTIVE_FIELDS,
	isOtherJob,
	isOtherWork,
	jobOfBooking,
	jobOfRow,
	likeness,
	notCompared,
	type Job,
	type Likeness,
} from './likeness';
import { warnOfOtherJobs } from './otherJobs';
import { fetchBookings } from './readBookings';
import { mayBeSameJob } from './typedRow';
import type { FinishedRow, IdentifiedRow, SheetRow } from '../row';
import { CHOOSE_STATUS, finished, rejected, rejectedFor, rowsIn } from '../row';

/** A row and the booking that it names. */
interface RowAndBooking {
	row: IdentifiedRow;
	booking: IDataObject;
	/** What the booking is compared by. */
	job: Job;
	alike: Likeness;
	/** Other rows that name the same booking. */
	others: readonly IdentifiedRow[];
	/** Whether the booking is of another day than the row, which is to come. */
	isForAnotherDay: boolean;
}

/** A service may remove what is over. */
const IF_DONE = 'if its work is done, remove the row; ';

function notItsBooking(row: IdentifiedRow, problem: string, more = ''): FinishedRow {
	const fix = `correct it, or empty the cell if the row is not booked yet; ${more}if the column holds numbers of your own, rename it`;
	return rejectedFor(row, 'bookingID', row.bookingID, problem, fix);
}

/** Rule 1: the row as one that cannot have the booking that it names; undefined if it can. */
function rejectWrongId(pair: RowAndBooking): FinishedRow | undefined {
	const { row, booking, job, alike, others, isForAnotherDay } = pair;
	const farmer = [alike.farmerName, alike.farmerPhone];
	// A farmer of whom one of the two is the same may have the other one corrected.
	if (farmer.includes(false) && !farmer.includes(true)) {
		const owner = DISTINCTIVE_FIELDS.map((field) => asText(booking[field])).filter(Boolean);
		return notItsBooking(row, `is the booking of ${owner.join(', ')}`);
	}
	const otherJob = others.find(
		({ parsed }) => parsed && row.parsed && !mayBeSameJob(parsed, row.parsed),
	);
	if (otherJob) return notItsBooking(row, `is in ${rowsIn([otherJob])}, too, which is another job`);
	const isPast = job.serviceDate !== undefined && job.serviceDate < row.settings.rules.today;
	if (!isForAnotherDay || !(isPast || isFinal(booking.bookingStatus))) return undefined;
	const problem = `is ${statusLabel(booking.bookingStatus)}, and on ${job.serviceDate}`;
	const fix = 'if the row is a new job, empty the cell to book it; if not, write this day';
	return rejectedFor(row, 'bookingID', row.bookingID, problem, fix);
}

/** The row as one that has the booking that it names. */
function bookedById({ row, booking, alike, others }: RowAndBooking): FinishedRow {
	const { bookingStatus } = booking;
	const compared = [...DISTINCTIVE_FIELDS, 'serviceType', 'landArea'] as const;
	const different = compared.filter((field) => alike[field] === false);
	const unseen = row.parsed ? notCompared(jobOfRow(row.parsed), alike) : [];
	const isIgnored = row.settings.ignoredStatuses.has(statusCode(bookingStatus));
	const choose = isIgnored ? '' : `, and ${CHOOSE_STATUS}`;
	const isAgain = isIgnored || isGivenUp(bookingStatus);
	const again = isAgain ? `; to book the row again, empty its Booking ID${choose}` : '';
	const reason = [
		`the row names booking ${row.bookingID} (${statusLabel(bookingStatus)})`,
		others.length > 0 ? `, and so does ${rowsIn(others)}` : '',
		different.length > 0 ? `; it has another ${labelsOf(different)}` : '',
		isOtherJob(alike) ? ': if it is a new job, empty its Booking ID' : '',
		unseen.length > 0 ? `; not compared: ${labelsOf(unseen)}` : '',
		again,
	].join('');
	const { request, serviceName } = row.parsed ?? {};
	return finished({ ...row, request, serviceName }, { result: 'already booked', booking, reason });
}

/**
 * Finds the bookings of the rows that name one. Such a row is never sent, whatever the settings.
 *
 * @param timezone in which an instant becomes a day: the workflow's, an IANA name
 * @param warn receives what the user has to look at, though it stops nothing
 * @returns one row for each row, in the same order; rejected if it cannot have the booking that it names, or if that
 * could not be read. Rows that name none are as they were
 */
export async function findIdentified<Other extends SheetRow & { kind: 'parsed' | 'finished' }>(
	client: ServiceClient,
	rows: ReadonlyArray<IdentifiedRow | Other>,
	timezone: string,
	warn: (text: string) => void,
): Promise<Array<FinishedRow | Other>> {
	const keyOf = ({ bookingID }: IdentifiedRow): BookingKey => toKey(bookingID) ?? bookingID;
	const rowsOf = groupBy(
		rows.filter((row) => row.kind === 'identified'),
		keyOf,
	);
	const find = () => new Set(rowsOf.keys());
	const bookings = await fetchBookings(client, { find, isListNeeded: false });
	const index = bookingIndexOf(client);
	const different: IdentifiedRow[] = [];
	const found = await inTurns(rows, (row) => {
		if (row.kind !== 'identified') return row;
		const booking = bookings.get(keyOf(row));
		if (!booking)
			return notItsBooking(row, 'is unknown, or belongs to another organisation', IF_DONE);
		if (booking instanceof ServiceError) return rejected(row, booking);
		const job = jobOfBooking(index.complete(booking), timezone);
		const alike = row.parsed ? likeness(jobOfRow(row.parsed), job) : {};
		const others = (rowsOf.get(keyOf(row)) ?? []).filter((other) => other !== row);
		const isForAnotherDay = alike.serviceDate === false && !row.parsed?.pastDate;
		const pair = { row, booking, job, alike, others, isForAnotherDay };
		const rejectedRow = rejectWrongId(pair);
		const isChanged = isOtherWork(alike) && !isFinal(booking.bookingStatus);
		if (!rejectedRow && (isForAnotherDay || isChanged)) different.push(row);
		return rejectedRow ?? bookedById(pair);
	});
	warnOfOtherJobs(different, 'empty their Booking ID', warn);
	return found;
}
