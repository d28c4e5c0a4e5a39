import type { IDataObject } from 'n8n-workflow';

import { findService, type OfferedService } from '../../../../api/services';
import type { BookingRequest } from '../fields';
import { phoneTail } from '../../../../parse/phones';
import { asText } from '../../../../utils/text';
import type { Job, MatchField } from './likeness';
import { jobOfRequest, likeness, MATCH_FIELDS } from './likeness';
import type { RecordReader } from './recordFormat';
import type { OpenRow } from '../row';

/** An existing booking, and what it is compared by. */
export interface Existing {
	booking: IDataObject;
	job: Job;
	/** The request with which this process made it, if it did. */
	request?: BookingRequest;
	/** Whether `job` is what this process sent, and the booking shows something else by now. */
	isAsMade?: boolean;
}

/** What bookings are found by: one is the same for all that may be equal in a field. */
function placesOf(job: Job, field: MatchField): string[] {
	const { farmerPhone: phone, otherDay } = job;
	const value = field === 'farmerPhone' ? phone && phoneTail(phone) : job[field];
	const values = field === 'serviceDate' ? [value, otherDay?.day] : [value];
	return values.flatMap((text) => (text === undefined ? [] : `${field} ${text}`));
}

/** Existing bookings of the organisation, to recognise rows that are booked already. */
export interface ExistingBookings {
	reader: RecordReader;
	/** The bookings that may equal a job in the match fields, or be of the same farmer. */
	near: (job: Job, matchFields: readonly MatchField[]) => Set<Existing>;
	/** What the process knows of their past; undefined if they have just appeared, and nobody has changed them yet. */
	past?: Past;
	/** The services of tractors, as far as they are needed: they show which number a name of a service has. */
	services: ReadonlyMap<string, readonly OfferedService[]>;
	/** All of these, each once. */
	anyServices: readonly OfferedService[];
}

/** The number of a service by its name: as one of these tractors has it, else any other. */
export function numberOfService(
	name: string | undefined,
	tractors: ReadonlyArray<number | undefined>,
	{ services, anyServices }: ExistingBookings,
): number | undefined {
	const own = tractors.flatMap((id) => services.get(asText(id)) ?? []);
	return (findService(own, { name }) ?? findService(anyServices, { name }))?.id;
}

/** What a process knows of the past of bookings. */
interface Past {
	/** The request with which it made a booking, if it did. */
	requestOf: (booking: IDataObject) => BookingRequest | undefined;
	/** The rows whose responses were lost today. */
	lost: readonly LostBooking[];
}

/** A row whose response was lost. */
interface LostBooking {
	row: OpenRow;
	/** Whether a booking has appeared since the row was sent. */
	isNew: (booking: IDataObject) => boolean;
}

/** A booking as it is, and as the process made it if it shows something else by now. */
function formsOf(booking: IDataObject, reader: RecordReader, past?: Past): Existing[] {
	const request = past?.requestOf(booking);
	const job = { ...reader.read(booking), sentServiceType: request?.serviceType };
	const made = request && jobOfRequest({ ...request });
	const alike = made ? likeness(made, job) : {};
	const isChanged = Object.values(alike).includes(false);
	// Of two days that the booking may show, the one that was sent is certain.
	const isSentDay = made && job.otherDay !== undefined && alike.serviceDate !== false;
	const day = isSentDay ? { serviceDate: made.serviceDate, otherDay: undefined } : {};
	const own = { booking, job: { ...job, ...day }, request };
	return made && isChanged ? [own, { ...own, job: made, isAsMade: true }] : [own];
}

/** Makes bookings known, to find those of a row among them. */
export function existingBookings(
	bookings: readonly IDataObject[],
	reader: RecordReader,
	past?: Past,
): ExistingBookings {
	const places = new Map<string, Existing[]>();
	const all = bookings.flatMap((booking) => formsOf(booking, reader, past));
	for (const existing of all) {
		for (const place of MATCH_FIELDS.flatMap((field) => placesOf(existing.job, field))) {
			const known = places.get(place);
			if (known) known.push(existing);
			else places.set(place, [existing]);
		}
	}
	const everything = new Set(all);
	// A farmer whose name is misspelt has the same phone, or at least the same day if the service shows no phones.
	const beside = reader.comparable.has('farmerPhone') ? 'farmerPhone' : 'serviceDate';
	const near = (job: Job, matchFields: readonly MatchField[]) => {
		const isOfFarmer = matchFields.includes('farmerPhone') || matchFields.includes('farmerName');
		const shown = matchFields.filter((field) => reader.comparable.has(field));
		// One service may be a number and a name.
		const [first = 'serviceType'] = shown;
		if (!isOfFarmer && first === 'serviceType') return everything;
		const fields: MatchField[] = isOfFarmer ? ['farmerName', beside] : [first];
		const found = fields.flatMap((field) => placesOf(job, field));
		return new Set(found.flatMap((place) => places.get(place) ?? []));
	};
	return { reader, near, past, services: new Map(), anyServices: [] };
}
