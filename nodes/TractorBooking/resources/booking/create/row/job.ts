import type { IDataObject } from 'n8n-workflow';

import { toId } from '../../../../api/records';
import { inHectares } from '../../../../parse/areaUnits';
import { plainId } from '../../../../parse/ids';
import { comparablePhone, isSamePhone, phoneTail } from '../../../../parse/phones';
import { recordDays } from '../../../../parse/dates';
import { comparableName } from '../../../../parse/text';
import { asText, cleanText, fold, wordsOf } from '../../../../utils/text';
import type { BookingRequest } from './fields';

/** What a booking record shows of a job (interface, "Booking record"). */
export const SHOWN_FIELDS = ['farmerName', 'farmerPhone', 'serviceDate'] as const;

/** The fields of a job: what tells one piece of work from another. */
export const JOB_FIELDS = [...SHOWN_FIELDS, 'serviceType', 'landArea', 'plot'] as const;

type JobField = (typeof JOB_FIELDS)[number];

/** The job of a row, or what a booking shows of it; a value is undefined if it is empty, or cannot be read in one way. */
export interface Job {
	farmerName?: string;
	farmerPhone?: string;
	/** The days, `YYYY-MM-DD`, that the date may mean; of a row one. */
	serviceDate?: readonly string[];
	/** Its number; its name if it has none. */
	serviceType?: number | string;
	/** In hectares, with two decimals. */
	landArea?: string;
	/** Which of the farmer's fields it is. */
	plot?: string;
}

export type Farmer = Pick<Job, 'farmerName' | 'farmerPhone'>;

/** The farmer of a request or of a booking record. */
export const farmerOf = (record: { farmerName?: unknown; farmerPhone?: unknown }): Farmer => ({
	farmerName: comparableName(record.farmerName),
	farmerPhone: comparablePhone(record.farmerPhone),
});

/** What bookings are found by: those of one farmer have one of these in common. */
export const lookUpKeysOf = ({ farmerPhone, farmerName }: Farmer): string[] => [
	...(farmerPhone ? [`phone ${phoneTail(farmerPhone)}`] : []),
	...(farmerName ? [`name ${farmerName}`] : []),
];

/** What a booking record shows of its job. @param timezone in which an instant becomes a day: the workflow's, an IANA name */
export function jobOfBooking(farmer: Farmer, booking: IDataObject, timezone: string): Job {
	const days = recordDays(booking.serviceDate, timezone);
	return { ...farmer, serviceDate: days.length > 0 ? days : undefined };
}

/** @param serviceName if the request has no number of it */
export function jobOfRow(request: BookingRequest, serviceName = '', plot?: string): Job {
	const { serviceDate, serviceType, landArea, areaType = 'ha' } = request;
	return {
		...farmerOf(request),
		serviceDate: serviceDate === undefined ? undefined : [serviceDate],
		serviceType: wordsOf(serviceName).join(' ') || serviceType,
		landArea: landArea === undefined ? undefined : inHectares(landArea, areaType).toFixed(2),
		plot: plot === undefined ? undefined : fold(idText(plot)),
	};
}

/** A Row ID or a plot as text: spreadsheets make 1 or `1.0` of `001`. */
export const idText = (cell: unknown): string => asText(toId(plainId(cleanText(cell))));

/** The key of a row that has no Row ID: equal for rows of one job, and for few others. */
export function jobKey({ farmerPhone, ...job }: Job): string {
	// Its last digits are the same with and without a country code.
	return JSON.stringify([farmerPhone?.slice(-8), job]);
}

/** By what n8n remembers a row: its Row ID, else its job. */
export const keyOf = ({ rowId, job }: { rowId?: string; job: Job }): string =>
	rowId === undefined ? jobKey(job) : `row ID ${JSON.stringify(rowId)}`;

/**
 * A row as it was if only what a booking shows has been changed since: with the name, the phone and the day of the
 * booking. By its key, n8n tells whether the booking was made for the service, the area and the plot of the row.
 */
export function asShownBy<R extends { rowId?: string; job: Job }>(row: R, shown: Job): R {
	const { farmerName = row.job.farmerName, farmerPhone = row.job.farmerPhone } = shown;
	const serviceDate = shown.serviceDate?.length === 1 ? shown.serviceDate : row.job.serviceDate;
	return { ...row, rowId: undefined, job: { ...row.job, farmerName, farmerPhone, serviceDate } };
}

/** In which fields the job of a row is the same as that of a booking, or of another row, and in which the two are known to differ. */
export function compareJobs<F extends Exclude<JobField, 'serviceType'>>(
	row: Job,
	other: Job,
	fields: readonly F[],
) {
	const compare = <Field extends JobField>(
		field: Field,
		isSame: (own: NonNullable<Job[Field]>, theirs: NonNullable<Job[Field]>) => boolean | undefined,
	) => {
		const { [field]: own } = row;
		const { [field]: theirs } = other;
		return own === undefined || theirs === undefined ? undefined : isSame(own, theirs);
	};
	const alike = {
		farmerName: compare('farmerName', (own, theirs) => own === theirs),
		farmerPhone: compare('farmerPhone', isSamePhone),
		serviceDate: compare('serviceDate', ([day = ''], days) =>
			days.length > 1 && days.includes(day) ? undefined : days.includes(day),
		),
		landArea: compare('landArea', (own, theirs) => own === theirs),
		plot: compare('plot', (own, theirs) => own === theirs),
	};
	return {
		same: fields.filter((field) => alike[field] === true),
		different: fields.filter((field) => alike[field] === false),
	};
}
