import type { IDataObject } from 'n8n-workflow';

import type { BookingId } from '../../../../api/records';
import { isFinal } from '../../../../api/status';
import { DAY_MS } from '../../../../parse/dates';
import { listOf } from '../../../../parse/issue';
import { compareJobs, SHOWN_FIELDS, type Job } from './job';
import type { Row } from './row';

/** A booking of the list. */
export interface Listed {
	id: BookingId;
	/** With its status only if this run has read it: that of yesterday may be wrong. */
	booking: IDataObject;
	job: Job;
}

/** The day of a booking, for a message; the days that its date may mean. */
export const dayOf = ({ job }: Listed): string => listOf(job.serviceDate ?? [], 'or');

/** A booking of which only the ID is known. */
export const idOnly = (id: BookingId): Listed => ({ id, booking: { bookingID: id }, job: {} });

/** A booking as it compares with a row. */
export interface Candidate extends Listed {
	/** Which of the three are the same, and which are known to differ. */
	same: ReadonlyArray<(typeof SHOWN_FIELDS)[number]>;
	different: ReadonlyArray<(typeof SHOWN_FIELDS)[number]>;
	/** Whether n8n booked it for the service, the area and the plot of the row, or for another; undefined if it cannot tell. */
	bookedFor?: 'same' | 'other';
}

/** Whether it shows the name, the phone and the day of the row. */
export const showsAll = ({ same }: Candidate): boolean => same.length === SHOWN_FIELDS.length;

/** Whether nothing that it shows is another one than in the row: the list may hide some of it. */
export const fits = ({ different }: Candidate): boolean => different.length === 0;

/** Whether it shows the name or the phone of the row. */
export const isOfFarmer = ({ same }: Candidate): boolean =>
	same.includes('farmerName') || same.includes('farmerPhone');

export const isMoved = ({ different }: Candidate): boolean => different.includes('serviceDate');

/** Whether a booking may be that of the row: at most one of the three differs. */
export const mayBeRow = (one: Candidate): boolean => isOfFarmer(one) && one.different.length <= 1;

/** A job is put off by rain or a breakdown, and its booking stays open. After this many days, nobody means that booking. */
const PUT_OFF_DAYS = 14;

/** Whether a day is so long past that no work is to be done for it any more. Both are `YYYY-MM-DD`. */
export const isLongPast = (day: string, today: string): boolean =>
	Date.parse(day) + PUT_OFF_DAYS * DAY_MS < Date.parse(today);

/** Whether a person may be asked about a booking: one of another day only if its work may still be to do. */
export function mayBeAsked(one: Candidate, { settings }: Row): boolean {
	const { job, booking } = one;
	const mayBeToDo = (day: string) => !isLongPast(day, settings.rules.today);
	return !isMoved(one) || (!isFinal(booking.bookingStatus) && !!job.serviceDate?.some(mayBeToDo));
}

/** The bookings that may be those of rows, the most alike first. */
export type CandidatesOf = ReadonlyMap<Row, readonly Candidate[]>;

/** Compares the job of a row with what a booking shows. */
export const compareWith = (job: Job, listed: Listed): Candidate => ({
	...listed,
	...compareJobs(job, listed.job, SHOWN_FIELDS),
});
