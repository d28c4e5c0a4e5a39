import type { IDataObject } from 'n8n-workflow';

import { findService } from '../../../api/services';
import { inHectares, parseAreaUnit, type AreaType } from '../../../parse/areaUnits';
import { isSamePhone, parsePhone, phoneTail } from '../../../parse/phones';
import { recordDays } from '../../../parse/dates';
import { asText, fold, isEmpty } from '../../../utils/text';
import type { RequestedRow } from './row';

/** The fields of a job: what tells one piece of work from another. */
const JOB_FIELDS = ['farmerName', 'farmerPhone', 'serviceDate', 'serviceType', 'landArea'] as const;

/** The fields that a booking record shows (interface, "Booking record"). */
export const SHOWN_FIELDS = ['farmerName', 'farmerPhone', 'serviceDate'] as const;

type JobField = (typeof JOB_FIELDS)[number];

/** A land area; without the unit if it is not known. */
interface Area {
	size: number;
	unit?: AreaType;
}

/** The job of a row or of a booking; a value is undefined if it is empty, or cannot be read in one way. */
export interface Job {
	/** Its words in order: `BELLO, Amina` and `Amina Bello` are one name. */
	farmerName?: string;
	farmerPhone?: string;
	/** The days, `YYYY-MM-DD`, that the date may mean; of a row one. */
	serviceDate?: readonly string[];
	/** Its number; its name if it has none. */
	serviceType?: number | string;
	landArea?: Area;
}

/** Whether two jobs are the same in a field; undefined if that cannot be told. */
export type Likeness = Partial<Record<JobField, boolean>>;

/** A row with what is asked for. Its service is a number in the request, or a name. */
type Requested = Pick<RequestedRow, 'request' | 'serviceName' | 'wantsNearest'>;

/** A request or a booking record. Nothing in it changes once it is compared. */
type Comparable = Readonly<Partial<Record<JobField | 'areaType', unknown>>>;

type Farmer = Pick<Job, 'farmerName' | 'farmerPhone'>;

/** Reading a phone takes a while, and each record is compared many times. */
const farmers = new WeakMap<Comparable, Farmer>();

export const wordsOf = (name: string) => fold(name).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

export function farmerOf(record: Comparable): Farmer {
	const known = farmers.get(record);
	if (known) return known;
	const phone = parsePhone(record.farmerPhone);
	const name = asText(record.farmerName);
	const farmer = {
		// Some services mask names.
		farmerName: (!name.includes('**') && wordsOf(name).sort().join(' ')) || undefined,
		farmerPhone: phone.ok ? phone.value : undefined,
	};
	farmers.set(record, farmer);
	return farmer;
}

/** What bookings are found by: those of one farmer have one of these in common. */
export function farmerKeysOf({ farmerPhone, farmerName }: Farmer): string[] {
	const keys = [
		farmerPhone && `phone ${phoneTail(farmerPhone)}`,
		farmerName && `name ${farmerName}`,
	];
	return keys.filter((key) => key !== undefined);
}

function numberIn(value: unknown): number | undefined {
	return isEmpty(value) || Number.isNaN(Number(value)) ? undefined : Number(value);
}

/** The job of a request or a booking record. @param serviceDate the days that its date may mean */
function jobOf(record: Comparable, serviceDate: string[], service: unknown): Job {
	const size = numberIn(record.landArea);
	const unit = parseAreaUnit(record.areaType);
	return {
		...farmerOf(record),
		serviceDate: serviceDate.length > 0 ? serviceDate : undefined,
		landArea: size === undefined ? undefined : { size, unit: unit.ok ? unit.value : undefined },
		serviceType: numberIn(service) ?? (fold(asText(service)) || undefined),
	};
}

/** The job of a booking record. @param timezone in which an instant becomes a day: the workflow's, an IANA name */
export function jobOfBooking(booking: IDataObject, timezone: string): Job {
	return jobOf(booking, recordDays(booking.serviceDate, timezone), booking.serviceType);
}

export function jobOfRow({ request, serviceName }: Requested): Job {
	const { serviceDate } = request;
	return jobOf(request, serviceDate ? [serviceDate] : [], serviceName ?? request.serviceType);
}

/** What was typed in a row, by field. A tractor that was chosen was not. */
export function cellsOf({ request, serviceName, wantsNearest }: Requested): Map<string, string> {
	const { tractorId, ...cells } = request;
	const typed = { ...cells, serviceType: serviceName ?? request.serviceType };
	const all = Object.entries(wantsNearest ? typed : { ...typed, tractorId });
	const texts = all.map(([field, value]) => [field, asText(value)] as const);
	return new Map(texts.filter(([, text]) => text !== ''));
}

/** What was typed in a row beside its job, in one text. */
export function besideJob(row: Requested): string {
	const cells = cellsOf(row);
	for (const field of [...JOB_FIELDS, 'areaType']) cells.delete(field);
	return fold([...cells].sort().join('\n'));
}

/** The key of a row that has no Row ID: equal for rows of one job, and for few others. */
export function jobKey(row: Requested): string {
	const { landArea, ...job } = jobOfRow(row);
	const hectares = landArea && inHectares(landArea.size, landArea.unit ?? 'ha').toFixed(2);
	return JSON.stringify([...JOB_FIELDS.map((field) => ({ ...job, landArea: hectares })[field])]);
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

/** Compares the job of a row with that of a booking, or of another row. */
export function likeness(row: Job, other: Job): Likeness {
	const compare = <Field extends JobField>(
		field: Field,
		isSame: (own: NonNullable<Job[Field]>, theirs: NonNullable<Job[Field]>) => boolean | undefined,
	) => {
		const { [field]: own } = row;
		const { [field]: theirs } = other;
		return own === undefined || theirs === undefined ? undefined : isSame(own, theirs);
	};
	return {
		farmerName: compare('farmerName', (own, theirs) => own === theirs),
		farmerPhone: compare('farmerPhone', isSamePhone),
		serviceDate: compare('serviceDate', ([day = ''], days) =>
			days.length > 1 && days.includes(day) ? undefined : days.includes(day),
		),
		serviceType: compare('serviceType', isSameService),
		landArea: compare('landArea', isSameArea),
	};
}

/** The fields in which two jobs are known to differ. */
export const differencesIn = (alike: Likeness) =>
	JOB_FIELDS.filter((field) => alike[field] === false);
