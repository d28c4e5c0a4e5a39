import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../../api/errors';
import type { BookingId } from '../../../../api/records';
import { InvalidInputError, type Invalid, type Issue } from '../../../../parse/issue';
import { labelOf, type BookingRequest } from './fields';
import type { BookingAnswer } from './bookingAnswer';
import type { Job } from './job';
import type { InputRow } from './inputRow';
import type { Result } from './results';
import type { CreateSettings } from './settings';

/** What a row may be, as data: a page can ask about it. */
export interface RowQuestion {
	/**
	 * The bookings that it may be, each as messages tell of it. `isSame` if its name, phone and day are the same, it
	 * is not given up, and n8n does not know it as that of another job.
	 */
	bookings: ReadonlyArray<{
		bookingID: BookingId;
		text: string;
		isSame: boolean;
		tractorId?: BookingId;
	}>;
	/** The row of the sheet that it may be, by its number and its item, and in what the two differ. */
	earlier?: { row: number; itemIndex: number; text: string };
	/** Whether another job has to have its plot, too: nothing else tells the two apart. */
	needsPlot: boolean;
	/** Whether all that it may be was given up: the row may be booked again. */
	isGivenUp: boolean;
}

/** What a row holds, whatever becomes of it. */
export interface RowContent extends InputRow, BookingAnswer {
	settings: CreateSettings;
	/** What the row has in the column of the option Row ID: the same however the row is edited; undefined if blank. */
	rowId?: string;
	/** The heading of each field; undefined in Booking > Create. */
	headings?: ReadonlyMap<string, string>;
	/** What is said of it although nothing is wrong with it. */
	remarks?: readonly string[];
	/** What an earlier run wrote into `possibleBookingIDs`. */
	possibleBefore: readonly BookingId[];
	/** The cells of columns that are not read, but may distinguish the row from another one, by column. */
	unreadCells: () => ReadonlyMap<string, string>;

	/** As far as its cells could be read. */
	request: BookingRequest;
	/** Whether to choose the tractor nearest to the farm. */
	wantsNearest: boolean;
	/** The service, if the row has a name instead of a number. */
	serviceName?: string;
	/** Which of the farmer's fields it is, as typed: part of the job, and not sent. */
	plot?: string;
	job: Job;
	/** The issue of a service date in the past: the row cannot be sent, but may be booked already. */
	pastDate?: Issue;
	/** The same of a place that is far from those of the other rows. */
	farAway?: Issue;
	/** The service as the tractor offers it: `Ploughing (3)`; undefined if it names none. */
	offered?: string;
	/** Of the tractor that was chosen for the row, as the service says it. */
	distance?: IDataObject[string];
	/** Why it has its tractor, or its result; undefined if there is nothing to say, or if the failure says it. */
	reason?: string;
}

/** What may be known of a result. */
interface Findings {
	failure: Error;
	/** The booking that the row was found to have, or got. */
	booking: IDataObject;
	/** What the row may be: a person has to decide. */
	question: RowQuestion;
	/** What follows "already booked, but", and what to do in this row. */
	caveat: Invalid;
}

/** A row with one of some results, and with what belongs to these. */
type RowWith<
	R extends Result | 'open',
	Needed extends keyof Findings = never,
	Possible extends keyof Findings = never,
> = RowContent & { result: R } & Pick<Findings, Needed> &
	Partial<Pick<Findings, Possible>> & { [K in Exclude<keyof Findings, Needed | Possible>]?: never };

/** A row whose result is not known yet. */
export type OpenRow = RowWith<'open'>;

/** A row that is not booked, or may not be. */
export type FailedRow = RowWith<
	'to fix' | 'failed' | 'unknown' | 'not sent',
	'failure',
	'question'
>;

/**
 * A row of the sheet, through all stages. Parsing reads its request; match finds those that name a booking, are booked already,
 * or need a person; choose completes the request; send books it. No stage changes a known result.
 */
export type Row =
	| OpenRow
	| RowWith<'would create'>
	| RowWith<'created', 'booking'>
	| RowWith<'already booked', never, 'booking' | 'question' | 'caveat'>
	| RowWith<'possible duplicate', 'failure' | 'question'>
	| FailedRow
	// One that has no request.
	| RowWith<'not sent'>;

export const isOpen = (row: Row): row is OpenRow => row.result === 'open';

/** The row as one that cannot be booked, for issues of its fields or for a request for it that failed: nothing was sent. */
export function rejected(row: RowContent, why: readonly Issue[] | Error): FailedRow {
	const labelled = (issue: Issue): Issue => {
		const { field, column = row.headings?.get(field) } = issue;
		return { ...issue, field: labelOf(field), column };
	};
	const failure = why instanceof Error ? why : new InvalidInputError(why.map(labelled));
	return { ...row, result: why instanceof ServiceError ? 'not sent' : 'to fix', failure };
}

/** The same for one issue. @param why what is wrong with the value */
export const rejectedFor = (
	row: RowContent,
	field: string,
	value: unknown,
	why: Invalid,
): FailedRow => rejected(row, [{ ...why, field, value }]);

/** Why a row is rejected; empty if it is not, or for a request that failed. */
export const issuesOf = ({ failure }: Row): readonly Issue[] =>
	failure instanceof InvalidInputError ? failure.issues : [];

/** Whether the node stops at a row, unless it continues on fail. With Dry Run, an issue is what was asked for. */
export const isFailure = ({ failure, settings }: Row): boolean =>
	failure !== undefined && !settings.dryRun;
