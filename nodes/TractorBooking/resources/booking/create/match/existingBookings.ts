import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../../../../api/client';
import { listTractorDetails } from '../../../../api/details';
import { settle, ServiceError } from '../../../../api/errors';
import type { BookingKey } from '../../../../api/identifiers';
import { findService, servicesOf, type OfferedService } from '../../../../api/services';
import { groupBy } from '../../../../utils/groupBy';
import { asText } from '../../../../utils/text';
import { labelsOf } from '../fields';
import type { OpenRow } from '../row';
import { bookingIndexOf, comparesFarmer, matcherFor, type Made } from './bookingIndex';
import {
	farmerKeysOf,
	jobOfBooking,
	jobOfRow,
	serviceIn,
	type Job,
	type MatchField,
} from './likeness';
import { fetchBookings } from './readBookings';
import { typedKey } from './typedRow';

/** A booking, and what it is compared by. */
export interface Existing {
	booking: IDataObject;
	job: Job;
	/** The row with which this process made it. */
	made?: Made;
}

/** What bookings are found by: those of one key have the phone or the name, or were made by an equal row. */
const lookupKeysOf = (job: Job, typed?: string): string[] =>
	[...farmerKeysOf(job), typed].filter((key) => key !== undefined);

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
			return { booking, job: { ...job, serviceType }, made: index.madeOf(booking) };
		});
		const keyed = this.all.flatMap((existing) =>
			lookupKeysOf(existing.job, existing.made?.typed).map((key) => ({ key, existing })),
		);
		this.byKey = groupBy(keyed, ({ key }) => key);
	}

	/** What all of them are compared by; with the service and the area of its row, if a booking has one, since it may hide them. */
	jobsWith(ofRows: ReadonlyMap<string, Job>): Job[] {
		return this.all.map(({ booking, job }) => {
			const { serviceType, landArea } = ofRows.get(asText(booking.bookingID)) ?? job;
			return { ...job, serviceType, landArea };
		});
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
	if (kind !== 'notAllowed' && kind !== 'unreadable' && kind !== 'notFound') return error;
	const why = 'Without the list of bookings, the node cannot tell which rows are booked already.';
	const first =
		'If your organisation has no bookings yet, run one row with If Already Booked set to Create Anyway.';
	const parts = {
		notAllowed: [description, why],
		notFound: [description, why, first],
		unreadable: [why, first],
	};
	return error.withDescription(parts[kind].join(' ').trim());
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
				'Rows already booked cannot be recognised. If the dates are times, set the timezone of the farms in the settings of the workflow. Else choose other Match Fields, or run only rows that are not booked yet, with If Already Booked set to Create Anyway.',
		},
	);
}

/** Bookings by their keys; by themselves, if they have none. */
type Fetched = ReadonlyMap<BookingKey | IDataObject, IDataObject>;

/** @throws ServiceError */
async function fetchComplete(
	client: ServiceClient,
	wanted: Parameters<typeof fetchBookings>[1],
): Promise<Fetched> {
	const index = bookingIndexOf(client);
	const fetched = await settle(fetchBookings(client, wanted));
	if (fetched instanceof ServiceError) throw unreadable(fetched);
	return new Map(
		[...fetched].map(([key, booking]) => {
			if (booking instanceof ServiceError) throw unreadable(booking);
			return [key, index.complete(booking)];
		}),
	);
}

/**
 * Fetches the bookings that may be those of the rows, or of the same farmers, as they are now.
 *
 * @param warn receives what does not keep the bookings from being read
 * @throws ServiceError
 */
export async function fetchSimilar(
	client: ServiceClient,
	rows: readonly OpenRow[],
	warn: (text: string) => void,
): Promise<Fetched> {
	const index = bookingIndexOf(client);
	const isWanted = matcherFor(rows);
	const find = () => index.find(isWanted);
	return await fetchComplete(client, { find, isListNeeded: true, warn });
}

/**
 * Finds the bookings with which rows are compared.
 *
 * @param similar see {@link fetchSimilar}
 * @param ownKeys the bookings that n8n remembers as those of the rows
 * @param timezone see `jobOfBooking`
 * @throws ServiceError
 */
export async function findExisting(
	client: ServiceClient,
	rows: readonly OpenRow[],
	similar: Fetched,
	ownKeys: ReadonlySet<BookingKey>,
	timezone: string,
): Promise<ExistingBookings> {
	const index = bookingIndexOf(client);
	// A booking is not similar any more if its owner moved it, and completed it since.
	const moved = new Set([...ownKeys].filter((key) => !similar.has(key)));
	const own = await fetchComplete(client, { find: () => moved, isListNeeded: false });
	const bookings = [...similar.values(), ...own.values()];
	requireComparable(rows, (field) => index.isShown(field, timezone));
	const services = await fetchServices(client, rows, bookings);
	return new ExistingBookings(client, bookings, timezone, services);
}
