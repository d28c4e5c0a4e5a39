import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../../api/client';
import { listTractorDetails } from '../../../../api/details';
import { settle, ServiceError } from '../../../../api/errors';
import { findService, servicesOf, type OfferedService } from '../../../../api/services';
import { labelsOf } from '../fields';
import { phoneTail } from '../../../../parse/phones';
import { recordDays } from '../../../../parse/recordDate';
import { asText } from '../../../../utils/text';
import { inTurns } from '../../../../utils/turns';
import { bookingIndexOf, matcherFor, type BookingIndex } from './bookingIndex';
import type { Job, MatchField } from './likeness';
import { jobOf } from './likeness';
import { fetchBookings } from './readBookings';
import { typedKey } from './typedRow';
import type { OpenRow } from '../row';

/** A booking, and what it is compared by. */
export interface Existing {
	booking: IDataObject;
	job: Job;
	/** The row with which this process made it, as it was typed, see `typedKey`. */
	typed?: string;
}

/** A row with a request, of which the service may be a name. */
type RowWithService = Pick<OpenRow, 'request' | 'serviceName'>;

/** The bookings with which rows are compared. */
export interface ExistingBookings {
	bookings: readonly IDataObject[];
	/** The row with the number that the name of its service has, if it is known. */
	withServiceNumber: <Row extends RowWithService>(row: Row) => Row;
	/** What a row is compared by. */
	jobOfRow: (row: OpenRow) => Job;
	/** The bookings that may be that of a row. */
	near: (row: OpenRow) => Set<Existing>;
	/** The match fields that the service shows. */
	shown: ReadonlySet<MatchField>;
}

/** What a row is compared by, its service by number or by name. */
export function jobIn({ request, serviceName }: RowWithService): Job {
	return jobOf(request, request.serviceDate, serviceName);
}

/**
 * What a booking is compared by, with what this process sent.
 *
 * @param timezone in which an instant becomes a day: the workflow's, an IANA name
 */
export function jobOfBooking(index: BookingIndex, booking: IDataObject, timezone: string): Job {
	const request = index.madeOf(booking)?.request;
	const days = recordDays(booking.serviceDate, timezone);
	// Of two days that the booking may show, the one that was sent is certain.
	const sent = days.find((day) => day === request?.serviceDate);
	const job = jobOf(booking, sent ?? (days.length === 1 ? days[0] : undefined));
	const sentService = typeof job.serviceType === 'string' ? request?.serviceType : undefined;
	return { ...job, serviceType: sentService ?? job.serviceType };
}

/** What bookings are found by: those of one key have the phone, the name or the day, or were made by an equal row. */
function lookupKeysOf({ farmerPhone, farmerName, serviceDate }: Job, typed?: string): string[] {
	const keys = [
		farmerPhone && `phone ${phoneTail(farmerPhone)}`,
		farmerName && `name ${farmerName}`,
		serviceDate && `day ${serviceDate}`,
		typed,
	];
	return keys.filter((key) => key !== undefined);
}

/**
 * Makes bookings ready to be compared with rows.
 *
 * @param timezone see {@link jobOfBooking}
 * @param services those that some tractors offer, by which names of services get their numbers
 */
export function existingBookings(
	client: ServiceClient,
	bookings: readonly IDataObject[],
	timezone: string,
	services: readonly OfferedService[] = [],
): ExistingBookings {
	const index = bookingIndexOf(client);
	const numbered = (job: Job): Job => {
		const { serviceType: name } = job;
		const known = typeof name === 'string' ? findService(services, { name })?.id : undefined;
		return { ...job, serviceType: known ?? name };
	};
	const byKey = new Map<string, Existing[]>();
	const all = bookings.map((booking): Existing => {
		const job = numbered(jobOfBooking(index, booking, timezone));
		return { booking, job, typed: index.madeOf(booking)?.typed };
	});
	for (const existing of all) {
		for (const key of lookupKeysOf(existing.job, existing.typed)) {
			const known = byKey.get(key) ?? [];
			known.push(existing);
			byKey.set(key, known);
		}
	}
	const everything = new Set(all);
	const jobOfRow = (row: RowWithService) => numbered(jobIn(row));
	const withServiceNumber = <Row extends RowWithService>(row: Row): Row => {
		const { serviceType } = jobOfRow(row);
		return typeof serviceType === 'number' ? { ...row, serviceNumber: serviceType } : row;
	};
	const near = (row: OpenRow) => {
		const { farmerPhone, farmerName, serviceDate } = jobOfRow(row);
		const { matchFields } = row.settings;
		const isOfFarmer = matchFields.includes('farmerPhone') || matchFields.includes('farmerName');
		if (!isOfFarmer && !matchFields.includes('serviceDate')) return everything;
		const own = lookupKeysOf(
			isOfFarmer ? { farmerPhone, farmerName } : { serviceDate },
			typedKey(row),
		);
		return new Set(own.flatMap((key) => byKey.get(key) ?? []));
	};
	return { bookings, withServiceNumber, jobOfRow, near, shown: index.shownIn(timezone) };
}

/**
 * The services of the tractors of rows and bookings, if one of these names a service in words: one request shows their
 * numbers. What cannot be fetched is not compared.
 */
async function fetchServices(
	client: ServiceClient,
	rows: readonly OpenRow[],
	bookings: readonly IDataObject[],
): Promise<OfferedService[]> {
	const isInWords =
		rows.some(({ request, serviceName }) => request.serviceType === undefined && serviceName) ||
		bookings.some((booking) => typeof jobOf(booking).serviceType === 'string');
	const ids = [
		...rows.map(({ request }) => asText(request.tractorId)),
		...bookings.map(({ tractorPairedTo }) => asText(tractorPairedTo)),
	].filter(Boolean);
	const isAlone = rows.length === 1 && bookings.length === 0;
	if (!isInWords || isAlone || ids.length === 0) return [];
	const details = await settle(listTractorDetails(client, ids));
	if (details instanceof ServiceError) return [];
	return [...details.values()].flatMap((tractor) => servicesOf(tractor) ?? []);
}

/** The same error; if the bookings cannot be read at all, it says why that matters. */
function unreadable(error: ServiceError): ServiceError {
	const { kind, description = '' } = error;
	if (kind !== 'notAllowed' && kind !== 'unreadable') return error;
	const advice =
		'Without the list of bookings, the node cannot tell which rows are booked already.';
	return error.withDescription(kind === 'notAllowed' ? `${description} ${advice}`.trim() : advice);
}

/** Match fields that the interface does not document for a booking record. */
const MAY_BE_MISSING: ReadonlySet<MatchField> = new Set(['landArea', 'serviceType']);

/** @throws ServiceError (`unreadable`) if there are bookings, and none shows a match field so that rows can be compared */
function requireComparable(shown: ReadonlySet<MatchField>, matchFields: readonly MatchField[]) {
	const lacking = matchFields.filter((field) => !shown.has(field));
	const missing = lacking.filter((field) => !MAY_BE_MISSING.has(field));
	if (missing.length === 0 && lacking.length < matchFields.length) return;
	const fields = labelsOf(missing.length > 0 ? missing : matchFields);
	throw new ServiceError(
		'unreadable',
		`The service returns its bookings without a readable ${fields}`,
		{
			description:
				'Rows that are booked already cannot be recognised. If the dates are times, set the timezone of the farms in the settings of the workflow. Else choose other Match Fields, or run only rows that are not booked yet, with If Already Booked set to Create Anyway.',
		},
	);
}

/**
 * Fetches the bookings that may be those of the rows, or of the same farmers, as they are now.
 *
 * @param timezone see {@link jobOfBooking}
 * @param warn receives what does not keep the bookings from being read
 * @throws ServiceError
 */
export async function findExisting(
	client: ServiceClient,
	rows: readonly OpenRow[],
	timezone: string,
	warn: (text: string) => void,
): Promise<ExistingBookings> {
	const index = bookingIndexOf(client);
	const isWanted = matcherFor(
		await inTurns(rows, (row) => ({ job: jobIn(row), matchFields: row.settings.matchFields })),
	);
	const find = () => index.find(isWanted);
	const fetched = await settle(fetchBookings(client, { find, isListNeeded: true, warn }));
	if (fetched instanceof ServiceError) throw unreadable(fetched);
	const bookings = [...fetched.values()].map((booking) => {
		if (booking instanceof ServiceError) throw unreadable(booking);
		return index.complete(booking);
	});
	const shown = index.shownIn(timezone);
	await inTurns(rows, (row) => requireComparable(shown, row.settings.matchFields));
	const services = await fetchServices(client, rows, bookings);
	return existingBookings(client, bookings, timezone, services);
}
