import type { IDataObject } from 'n8n-workflow';

import type { OfferedService } from '../../../api/services';
import type { BookingRequest } from '../../../api/types';
import { phoneTail } from '../../../parse/phones';
import type { Job, MatchField } from './likeness';
import { jobOfRequest, likeness, MATCH_FIELDS } from './likeness';
import type { RecordReader } from './recordFormat';

/** An existing booking, and what it is compared by. */
export interface Existing {
	booking: IDataObject;
	job: Job;
	/** The request with which this process made it, if it did. */
	request?: BookingRequest;
	/** Whether `job` is what this process sent, and the booking has another phone or day by now. */
	isAsMade?: boolean;
}

/** Bookings of one farmer have one of these in common; others are found by another match field. */
const FARMER_FIELDS: readonly MatchField[] = ['farmerPhone', 'farmerName'];

/** What bookings are found by: one is the same for all that may be equal in a field. */
function placesOf(job: Job, field: MatchField): string[] {
	const { farmerPhone: phone, otherDay } = job;
	const value = field === 'farmerPhone' ? phone && phoneTail(phone) : job[field];
	const values = field === 'serviceDate' ? [value, otherDay] : [value];
	return values.flatMap((text) => (text === undefined ? [] : `${field} ${text}`));
}

/** Existing bookings of the organisation, to recognise rows that are booked already. */
export class ExistingBookings {
	private readonly places = new Map<string, Existing[]>();

	/** The services of tractors, as far as they are needed: they tell which number a name of a service has. */
	services: ReadonlyMap<string, readonly OfferedService[]> = new Map();

	/** What the rows whose answers were lost today are compared by. */
	lost: readonly Job[] = [];

	/** Whether the owner may have changed a booking since it was made. */
	readonly mayBeChanged: boolean;

	/**
	 * @param requestOf the request with which this process made a booking, if it did; left out for bookings that have just
	 * appeared, and that nobody has changed yet
	 */
	constructor(
		bookings: readonly IDataObject[],
		readonly reader: RecordReader,
		requestOf?: (booking: IDataObject) => BookingRequest | undefined,
	) {
		this.mayBeChanged = requestOf !== undefined;
		for (const booking of bookings) {
			const job = reader.read(booking);
			const request = requestOf?.(booking);
			this.add({ booking, job, request });
			if (!request) continue;
			const made = jobOfRequest({ ...request });
			const { farmerPhone, serviceDate } = likeness(made, job);
			if (farmerPhone === false || serviceDate === false)
				this.add({ booking, job: made, request, isAsMade: true });
		}
	}

	/** The bookings that may equal a job in the match fields, or be of the same farmer. */
	near(job: Job, matchFields: readonly MatchField[]): Set<Existing> {
		const isOfFarmer = matchFields.some((field) => FARMER_FIELDS.includes(field));
		const shown = matchFields.filter((field) => this.reader.comparable.has(field));
		const fields = isOfFarmer ? FARMER_FIELDS : shown.slice(0, 1);
		const places = fields.flatMap((field) => placesOf(job, field));
		return new Set(places.flatMap((place) => this.places.get(place) ?? []));
	}

	private add(existing: Existing): void {
		for (const place of MATCH_FIELDS.flatMap((field) => placesOf(existing.job, field))) {
			const known = this.places.get(place);
			if (known) known.push(existing);
			else this.places.set(place, [existing]);
		}
	}
}
