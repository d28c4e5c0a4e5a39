import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../../api/client';
import { listTractorDetails } from '../../../../api/details';
import { settle, ServiceError } from '../../../../api/errors';
import { findService, servicesOf, type OfferedService } from '../../../../api/services';
import { phoneTail } from '../../../../parse/phones';
import { groupBy } from '../../../../utils/groupBy';
import { asText } from '../../../../utils/text';
import { labelsOf } from '../fields';
import type { OpenRow } from '../row';
import { bookingIndexOf, comparesFarmer, matcherFor } from './bookingIndex';
import { jobOfBooking, jobOfRow, serviceIn, type Job, type MatchField } from './likeness';
import { fetchBookings } from './readBookings';
import { typedKey } from './typedRow';

/** A booking, and what it is compared by. */
export interface Existing {
	booking: IDataObject;
	job: Job;
	/** The row with which this process made it, as it was typed, see `typedKey`. */
	typed?: string;
}

/** What bookings are found by: those of one key have the phone or the name, or were made by an equal row. */
function lookupKeysOf({ farmerPhone, farmerName }: Job, typed?: string): string[] {
	const keys = [
		farmerPhone && `phone ${phoneTail(farmerPhone)}`,
		farmerName && `name ${farmerName}`,
	];
	return [...keys, typed].filter((key) => key !== undefined);
}

/** The bookings with which rows are compared. */
export class ExistingBookings {
	private readonly all: readonly Existing[];

	private readonly byKey: ReadonlyMap<string, Array<{ existing: Existing }>>;

	/**
	 * @param timezone see `jobOfBooking`
	 * @param services those that some tractors offer, by which names of services get their numbers
	 */
	constructor(
		client: ServiceClient,
		readonly bookings: readonly IDataObject[],
		timezone: string,
		private readonly services: readonly OfferedService[] = [],
	) {
		const index = bookingIndexOf(client);
		this.all = bookings.map((booking): Existing => {
			const job = jobOfBooking(booking, timezone);
			const serviceType = this.serviceNumberOf(job) ?? job.serviceType;
			return { booking, job: { ...job, serviceType }, typed: index.madeOf(booking)?.typed };
		});
		const keyed = this.all.flatMap((existing) =>
			lookupKeysOf(existing.job, existing.typed).map((key) => ({ key, existing })),
		);
		this.byKey = groupBy(keyed, ({ key }) => key);
	}

	/** What all of them are compared by. */
	get jobs(): Job[] {
		return this.all.map(({ job }) => job);
	}

	/** The row with the number that the name of its service has, if it is known. */
	withServiceNumber<Row extends Pick<OpenRow, 'request' | 'serviceName'>>(row: Row): Row {
		return { ...row, serviceNumber: this.serviceNumberOf(jobOfRow(row)) };
	}

	/** The bookings that may be that of a row. */
	near(row: OpenRow): Iterable<Existing> {
		return comparesFarmer(row) ? this.ofFarmer(row) : this.all;
	}

	/** Those of them that have the phone or the name of the row, or were made by an equal one. */
	ofFarmer(row: OpenRow): Iterable<Existing> {
		const keys = lookupKeysOf(jobOfRow(row), typedKey(row));
		return new Set(
			keys.flatMap((key) => this.byKey.get(key) ?? []).map(({ existing }) => existing),
		);
	}

	private serviceNumberOf({ serviceType }: Job): number | undefined {
		const isName = typeof serviceType === 'string';
		return isName ? findService(this.services, { name: serviceType })?.id : undefined;
	}
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
	const services = [
		...rows.map(({ request, serviceName }) => request.serviceType ?? serviceName),
		...bookings.map(({ serviceType }) => serviceType),
	];
	const ids = [
		...rows.map(({ request }) => request.tractorId),
		...bookings.map(({ tractorPairedTo }) => tractorPairedTo),
	];
	const known = ids.map(asText).filter(Boolean);
	const isInWords = services.some((service) => typeof serviceIn(service) === 'string');
	if (!isInWords || services.length === 1 || known.length === 0) return [];
	const details = await settle(listTractorDetails(client, known));
	if (details instanceof ServiceError) return [];
	return [...details.values()].flatMap((tractor) => servicesOf(tractor) ?? []);
}

/** The same error; if the bookings cannot be read at all, it says why that matters. */
function unreadable(error: ServiceError): ServiceError {
	const { kind, description = '' } = error;
	if (kind !== 'notAllowed' && kind !== 'unreadable') return error;
	const advice =
		'Without the list of bookings, the node cannot tell which rows are booked already.';
	const first = `${advice} If your organisation has no bookings yet, run one row with If Already Booked set to Create Anyway.`;
	return error.withDescription(kind === 'notAllowed' ? `${description} ${advice}`.trim() : first);
}

/** @throws ServiceError (`unreadable`) if there are bookings, and none shows a match field so that rows can be compared */
function requireComparable(
	rows: readonly OpenRow[],
	isShown: (field: MatchField) => boolean,
): void {
	const fields = new Set(rows.flatMap(({ settings }) => settings.matchFields));
	const missing = [...fields].filter((field) => !isShown(field));
	if (missing.length === 0) return;
	throw new ServiceError(
		'unreadable',
		`The service returns its bookings without a readable ${labelsOf(missing)}`,
		{
			description:
				'Rows that are booked already cannot be recognised. If the dates are times, set the timezone of the farms in the settings of the workflow. Else choose other Match Fields, or run only rows that are not booked yet, with If Already Booked set to Create Anyway.',
		},
	);
}

/**
 * Fetches the bookings that may be those of the rows, or of the same farmers, as they are now.
 *
 * @param timezone see `jobOfBooking`
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
	const isWanted = matcherFor(rows);
	const find = () => index.find(isWanted);
	const fetched = await settle(fetchBookings(client, { find, isListNeeded: true, warn }));
	if (fetched instanceof ServiceError) throw unreadable(fetched);
	const bookings = [...fetched.values()].map((booking) => {
		if (booking instanceof ServiceError) throw unreadable(booking);
		return index.complete(booking);
	});
	requireComparable(rows, (field) => index.isShown(field, timezone));
	const services = await fetchServices(client, rows, bookings);
	return new ExistingBookings(client, bookings, timezone, services);
}
