import type { IDataObject } from 'n8n-workflow';

import { findService } from '../../../../api/services';
import { inHectares, parseAreaUnit, type AreaType } from '../../../../parse/areaUnits';
import { isSamePhone, parsePhone, phoneTail } from '../../../../parse/phones';
import { recordDays } from '../../../../parse/recordDate';
import { isBlank } from '../../../../parse/text';
import { asText, fold, isEmpty } from '../../../../utils/text';
import type { BookingRequest } from '../fields';

/** Fields that can be compared to recognise a row as an existing booking. */
export const MATCH_FIELDS = [
	'farmerName',
	'farmerPhone',
	'landArea',
	'serviceDate',
	'serviceType',
] as const;

/** One of {@link MATCH_FIELDS}. */
export type MatchField = (typeof MATCH_FIELDS)[number];

/** A land area; without the unit if it is not known. */
interface Area {
	size: number;
	unit?: AreaType;
}

/** What a row and a booking are compared by; a value is undefined if it is empty, or cannot be read in one way. */
export interface Job {
	/** As {@link nameKey} gives it. */
	farmerName?: string;
	farmerPhone?: string;
	landArea?: Area;
	/** `YYYY-MM-DD` */
	serviceDate?: string;
	/** The days that the date of a booking may mean, if there are several. */
	possibleDays?: readonly string[];
	/** Its number; its name if the number is not known. */
	serviceType?: number | string;
}

/** Whether a row and a booking are the same in a field; undefined if they cannot be compared. */
export type Likeness = Partial<Record<MatchField, boolean>>;

/** The fields that tell farmers and days apart. */
export const DISTINCTIVE_FIELDS = ['farmerName', 'farmerPhone', 'serviceDate'] as const;

/** The fields that tell the jobs of one phone on one day apart. */
export const JOB_FIELDS = ['farmerName', 'serviceType', 'landArea'] as const;

/** Whether the service or the area is known to be another one. */
export function isOtherWork({ serviceType, landArea }: Likeness): boolean {
	return serviceType === false || landArea === false;
}

/** Whether the day, the service or the area is known to be another one. */
export function isOtherJob(alike: Likeness): boolean {
	return alike.serviceDate === false || isOtherWork(alike);
}

/** The words of a name in any order: `BELLO, Amina` and `Amina Bello` are equal. */
function nameKey(name: string): string {
	return (fold(name).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).sort().join(' ');
}

function numberIn(value: unknown): number | undefined {
	return isEmpty(value) || Number.isNaN(Number(value)) ? undefined : Number(value);
}

/** A request or a booking record. Nothing in it changes once it is compared. */
type Comparable = Readonly<
	Partial<Record<MatchField | 'areaType' | 'farmLocation' | 'latitude' | 'longitude', unknown>>
>;

type Farmer = Pick<Job, 'farmerName' | 'farmerPhone'>;

/** Reading a phone takes a while, and each record is compared many times. */
const farmers = new WeakMap<Comparable, Farmer>();

/** The farmer of a request or of a booking record. */
export function farmerOf(record: Comparable): Farmer {
	const known = farmers.get(record);
	if (known) return known;
	const phone = parsePhone(record.farmerPhone);
	const name = asText(record.farmerName);
	const farmer = {
		// Some services mask names.
		farmerName: (!name.includes('**') && nameKey(name)) || undefined,
		farmerPhone: phone.ok ? phone.value : undefined,
	};
	farmers.set(record, farmer);
	return farmer;
}

/** What bookings are found by: those of one key have the phone or the name. */
export function farmerKeysOf({ farmerPhone, farmerName }: Farmer): string[] {
	const keys = [
		farmerPhone && `phone ${phoneTail(farmerPhone)}`,
		farmerName && `name ${farmerName}`,
	];
	return keys.filter((key) => key !== undefined);
}

/** A service by its number, else by its name. */
export function serviceIn(value: unknown): Job['serviceType'] {
	return numberIn(value) ?? (fold(asText(value)) || undefined);
}

/** What a request or a booking record is compared by. @param serviceDate its day, `YYYY-MM-DD` */
function jobOf(
	record: Comparable,
	serviceDate?: string,
	service: unknown = record.serviceType,
): Job {
	const size = numberIn(record.landArea);
	const unit = parseAreaUnit(record.areaType);
	return {
		...farmerOf(record),
		serviceDate,
		landArea: size === undefined ? undefined : { size, unit: unit.ok ? unit.value : undefined },
		serviceType: serviceIn(service),
	};
}

/** What a booking is compared by. @param timezone in which an instant becomes a day: the workflow's, an IANA name */
export function jobOfBooking(booking: IDataObject, timezone: string): Job {
	const days = recordDays(booking.serviceDate, timezone);
	const job = jobOf(booking, days.length === 1 ? days[0] : undefined);
	return days.length > 1 ? { ...job, possibleDays: days } : job;
}

/** A row with a request. Its service is a number in the request, or a name; the number of the name may be known. */
interface RowToCompare {
	request: BookingRequest;
	serviceName?: string;
	serviceNumber?: number;
}

/** What a row is compared by. */
export function jobOfRow({ request, serviceName, serviceNumber }: RowToCompare): Job {
	const service = request.serviceType ?? serviceNumber ?? serviceName;
	return jobOf(request, request.serviceDate, service);
}

/** The same with the service as it was typed: the number of its name is not known each time. */
export function typedJobOf(row: RowToCompare): Job {
	return { ...jobOfRow(row), serviceType: serviceIn(row.serviceName ?? row.request.serviceType) };
}

/** Areas are compared in hectares, or by their numbers if a unit is not known. A service rounds what it converts: 5 ac are 2.02 ha. */
function isSameArea(own: Area, theirs: Area): boolean {
	const hasUnits = own.unit !== undefined && theirs.unit !== undefined;
	const sizeOf = ({ size, unit = 'ha' }: Area) => (hasUnits ? inHectares(size, unit) : size);
	return Math.round(Math.abs(sizeOf(own) - sizeOf(theirs)) * 1_000) <= 5;
}

/** Services are compared by number or by name; a number and a name cannot be. */
function isSameService(own: number | string, theirs: number | string): boolean | undefined {
	if (typeof own !== typeof theirs) return undefined;
	return (
		own === theirs || findService([{ name: asText(theirs) }], { name: asText(own) }) !== undefined
	);
}

/** Places are compared in degrees: a service may round them. This is some 100 metres. */
const SAME_PLACE = 0.001;

/** A coordinate; undefined if it is empty, or 0, 0, as programs write a missing one. */
function positionIn({ latitude, longitude }: Comparable): [number, number] | undefined {
	const [lat, lng] = [numberIn(latitude), numberIn(longitude)];
	return lat === undefined || lng === undefined || (lat === 0 && lng === 0)
		? undefined
		: [lat, lng];
}

/** A place in words; empty if there is none. */
const wordsIn = ({ farmLocation }: Comparable) =>
	typeof farmLocation === 'string' && !isBlank(farmLocation) ? fold(farmLocation) : '';

/**
 * In which field a record, if it shows the place that was sent, is of another place than a request. Words count only where no
 * coordinates tell: a service may write them in its own way.
 */
export function otherPlace(request: Comparable, record: Comparable): string[] {
	const [own, theirs] = [positionIn(request), positionIn(record)];
	if (own && theirs)
		return own.some((degrees, at) => Math.abs(degrees - (theirs[at] ?? NaN)) > SAME_PLACE)
			? ['coordinates']
			: [];
	const [ownWords, theirWords] = [wordsIn(request), wordsIn(record)];
	return ownWords && theirWords && ownWords !== theirWords ? ['farmLocation'] : [];
}

/** What a row has, and could not be compared. */
export function notCompared(row: Job, alike: Likeness): MatchField[] {
	return MATCH_FIELDS.filter((field) => row[field] !== undefined && alike[field] === undefined);
}

/** Compares a row with a booking, or with another row. */
export function likeness(row: Job, other: Job): Likeness {
	const compare = <Field extends MatchField>(
		field: Field,
		isSame: (own: NonNullable<Job[Field]>, theirs: NonNullable<Job[Field]>) => boolean | undefined,
	) => {
		const { [field]: own } = row;
		const { [field]: theirs } = other;
		return own === undefined || theirs === undefined ? undefined : isSame(own, theirs);
	};
	const { possibleDays } = other;
	return {
		farmerName: compare('farmerName', (own, theirs) => own === theirs),
		farmerPhone: compare('farmerPhone', isSamePhone),
		serviceDate:
			row.serviceDate && possibleDays && !possibleDays.includes(row.serviceDate)
				? false
				: compare('serviceDate', (own, theirs) => own === theirs),
		serviceType: compare('serviceType', isSameService),
		landArea: compare('landArea', isSameArea),
	};
}
