import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../../api/client';
import { ServiceError } from '../../../../api/errors';
import type { BookingKey } from '../../../../api/identifiers';
import { toKey } from '../../../../api/identifiers';
import { isFinal, statusCode, statusLabel } from '../../../../api/status';
import { labelsOf } from '../fields';
import { groupBy } from '../../../../utils/groupBy';
import { asText } from '../../../../utils/text';
import { knownBookingsOf } from './knownBookings';
import { likeness, DISTINCTIVE_FIELDS, type Likeness } from './likeness';
import { jobOfRow } from './pairs';
import { fetchBookings } from './readBookings';
import { firstOfEqual } from './rowKey';
import type { RecordReader } from './recordFormat';
import type { FinishedRow, IdentifiedRow, SheetRow } from '../row';
import { finished, rejected, rejectedFor } from '../row';

function notItsBooking(row: IdentifiedRow, problem: string): FinishedRow {
	const fix =
		'correct it, or empty the cell if the row is not booked yet; if the column holds numbers of your own, rename it';
	return rejectedFor(row, 'bookingID', row.bookingID, problem, fix);
}

/** A row and the booking that it names. */
interface NamedBooking {
	row: IdentifiedRow;
	booking: IDataObject;
	/** Its day, as `YYYY-MM-DD`. */
	day?: string;
	alike: Likeness;
	/** The fields in which the two differ. */
	differing: ReadonlyArray<(typeof DISTINCTIVE_FIELDS)[number]>;
	/** Whether it is the booking of another farmer or job. */
	isOther: boolean;
}

function compare(row: IdentifiedRow, booking: IDataObject, reader: RecordReader): NamedBooking {
	const job = reader.read(booking);
	const alike = row.parsed ? likeness(jobOfRow(row.parsed), job) : {};
	const differing = DISTINCTIVE_FIELDS.filter((field) => alike[field] === false);
	// Many bookings share a day.
	const isOther = differing.length > 1 && !alike.farmerName && !alike.farmerPhone;
	return { row, booking, day: job.serviceDate, alike, differing, isOther };
}

function ownerOf(booking: IDataObject): string {
	return DISTINCTIVE_FIELDS.map((field) => asText(booking[field]))
		.filter(Boolean)
		.join(', ');
}

/**
 * The row as one that cannot have the booking that it names; undefined if it can.
 *
 * @param original the row with the same booking from which this one was copied, and then edited: it is not booked yet
 */
function rejectedNamed(
	{ row, booking, day, differing, isOther }: NamedBooking,
	original: IdentifiedRow | undefined,
): FinishedRow | undefined {
	if (isOther) return notItsBooking(row, `is the booking of ${ownerOf(booking)}`);
	if (original)
		return notItsBooking(row, `is in row ${original.sheetRow}, too, which is another job`);
	// The sheet of a week, of which the days were overwritten with those of the next one.
	const isForAnotherDay = differing.includes('serviceDate') && !row.parsed?.pastDate;
	// Nobody moves a booking into the past.
	const isPast = day !== undefined && day < row.settings.rules.today;
	const isOver = isPast || isFinal(booking.bookingStatus);
	if (!isForAnotherDay || !isOver) return undefined;
	const problem = `is ${statusLabel(booking.bookingStatus)}, and on ${day}`;
	const fix = 'if the row is a new job, empty the cell to book it; if not, write this day';
	return rejectedFor(row, 'bookingID', row.bookingID, problem, fix);
}

/** The row as one that has the booking that it names. @param others rows that name the same one */
function bookedAsNamed(
	{ row, booking, alike, differing }: NamedBooking,
	others: readonly IdentifiedRow[],
): FinishedRow {
	const { bookingStatus } = booking;
	const different = alike.serviceType === false ? [...differing, 'serviceType'] : differing;
	const numbers = others.map(({ sheetRow }) => sheetRow).join(', ');
	const reason = [
		`the row names booking ${row.bookingID} (${statusLabel(bookingStatus)})`,
		others.length > 0 ? `, and so does row ${numbers}` : '',
		different.length > 0 ? `; it has another ${labelsOf(different)}` : '',
		row.settings.ignoredStatuses.has(statusCode(bookingStatus))
			? '; to book the row again, empty its Booking ID'
			: '',
	].join('');
	const { request, serviceName } = row.parsed ?? {};
	return finished({ ...row, request, serviceName }, { result: 'already booked', booking, reason });
}

/** Says whether two of the rows are valid, and different jobs. */
function jobComparer(rows: readonly IdentifiedRow[]) {
	const firstOf = firstOfEqual(
		rows.flatMap(({ parsed = [] }) => parsed),
		true,
	);
	return ({ parsed: one }: IdentifiedRow, { parsed: other }: IdentifiedRow) =>
		one && other && firstOf.get(one) !== firstOf.get(other);
}

/**
 * Finds the bookings of the rows that name one. Such a row is never sent, whatever the settings.
 *
 * @param timezone see `RecordFormat`
 * @returns one row for each row, in the same order; rejected if the booking is unknown, that of another row, or over and
 * of another day than the row's, which is to come, or could not be read. Rows that name none are as they were
 */
export async function findIdentified<Other extends SheetRow & { kind: 'parsed' | 'finished' }>(
	client: ServiceClient,
	rows: ReadonlyArray<IdentifiedRow | Other>,
	timezone: string,
): Promise<Array<FinishedRow | Other>> {
	const keyOf = ({ bookingID }: IdentifiedRow): BookingKey => toKey(bookingID) ?? bookingID;
	const identified = rows.filter((row) => row.kind === 'identified');
	const rowsOf = groupBy(identified, keyOf);
	const find = () => new Set(rowsOf.keys());
	const bookings = await fetchBookings(client, { find, isListNeeded: false });
	const { format } = knownBookingsOf(client);
	for (const booking of bookings.values())
		if (!(booking instanceof ServiceError)) format.learn(booking);
	const reader = format.in(timezone);
	const areTwoJobs = jobComparer(identified);
	return rows.map((row) => {
		if (row.kind !== 'identified') return row;
		const booking = bookings.get(keyOf(row));
		if (!booking) return notItsBooking(row, 'is unknown, or belongs to another organisation');
		if (booking instanceof ServiceError) return rejected(row, booking);
		const named = compare(row, booking, reader);
		const others = (rowsOf.get(keyOf(row)) ?? []).filter((other) => other !== row);
		const original = others.find(
			(other) =>
				areTwoJobs(row, other) &&
				compare(other, booking, reader).differing.length <= named.differing.length,
		);
		return rejectedNamed(named, original) ?? bookedAsNamed(named, others);
	});
}
