import type { IDataObject } from 'n8n-workflow';

import { findService } from '../../../../api/services';
import { inHectares, parseAreaUnit } from '../../../../parse/areaUnits';
import { isSamePhone, parsePhone } from '../../../../parse/phones';
import type { OtherDay } from '../../../../parse/recordDate';
import { asText, fold, isEmpty } from '../../../../utils/text';

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

/** What a row and a booking are compared by; a value is undefined if it is empty or cannot be read. */
export interface Job {
	/** As {@link nameKey} gives it. */
	farmerName?: string;
	farmerPhone?: string;
	landArea?: number;
	areaType?: string;
	/** What was serviced of a booking, or is wanted. */
	hectares?: number;
	/** `YYYY-MM-DD` */
	serviceDate?: string;
	/** Another day that the service date may mean. */
	otherDay?: OtherDay;
	/** Its number, or its name. */
	serviceType?: number | string;
	/** The number that this process sent, which counts if the name that a booking shows cannot be compared. */
	sentServiceType?: number;
	tractorId?: number;
}

/** Whether a row and a booking are the same in a field; undefined if it cannot be compared. */
export interface Likeness extends Partial<Record<MatchField | 'tractorId' | 'hectares', boolean>> {
	/** Whether the names differ by a slip. */
	isSlip?: true;
}

const TITLES = new Set(
	'mr mrs ms miss dr prof engr rev sir madam chief alhaji alh hajia hajiya mallam malam mal mzee bwana shri smt m mme mlle'.split(
		' ',
	),
);

/** The words of a name, folded. */
export function nameWords(name: string): string[] {
	return fold(name).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** The words of a name in any order, without titles: `Alhaji BELLO, Amina` and `Amina Bello` are equal. */
export function nameKey(name: string): string {
	const words = nameWords(name);
	const own = words.filter((word) => !TITLES.has(word));
	return (own.length > 0 ? own : words).sort().join(' ');
}

/** Whether names differ in one place, by two letters at most; not by digits: `Farmer 1` is not `Farmer 2`. */
function isSlip(name: string, other: string): boolean {
	const shorter = Math.min(name.length, other.length);
	let start = 0;
	while (start < shorter && name[start] === other[start]) start += 1;
	let end = 0;
	while (start + end < shorter && name.at(-1 - end) === other.at(-1 - end)) end += 1;
	const rests = [name, other].map((text) => text.slice(start, text.length - end));
	return name !== other && rests.every((rest) => /^\D{0,2}$/.test(rest));
}

function numberIn(value: unknown): number | undefined {
	return isEmpty(value) || Number.isNaN(Number(value)) ? undefined : Number(value);
}

function hectaresIn(landArea: unknown, areaType: unknown): number | undefined {
	const area = numberIn(landArea);
	const unit = parseAreaUnit(areaType);
	return area === undefined || !unit.ok ? undefined : inHectares(area, unit.value);
}

/** The farmer of a request or of a booking record. */
export function farmerOf({ farmerName, farmerPhone }: IDataObject): Job {
	const phone = parsePhone(farmerPhone);
	const name = asText(farmerName);
	return {
		// Some services mask names.
		farmerName: (!name.includes('**') && nameKey(name)) || undefined,
		farmerPhone: phone.ok ? phone.value : undefined,
	};
}

/** What a request or a booking record is compared by; its day is read as the service writes days. */
export function jobOf(record: IDataObject, day: Pick<Job, 'serviceDate' | 'otherDay'>): Job {
	const { landArea, areaType, hectaresServiced, serviceType, tractorId, tractorPairedTo } = record;
	return {
		...farmerOf(record),
		...day,
		landArea: numberIn(landArea),
		hectares: numberIn(hectaresServiced) ?? hectaresIn(landArea, areaType),
		areaType: asText(areaType) || undefined,
		serviceType: numberIn(serviceType) ?? (fold(asText(serviceType)) || undefined),
		tractorId: numberIn(tractorPairedTo) ?? numberIn(tractorId),
	};
}

/** What a request is compared by. @param request as it is sent; its service may be a name */
export function jobOfRequest(request: IDataObject): Job {
	return jobOf(request, { serviceDate: asText(request.serviceDate) || undefined });
}

/** Whether two services, each a number or a name, are the same; undefined if a number and a name cannot be compared. */
function isSameService(
	own: number | string,
	theirs: number | string,
	numberOf: (name: string) => number | undefined,
	sentServiceType: number | undefined,
): boolean | undefined {
	const [number, named] = [own, theirs].map((service) =>
		typeof service === 'number' ? service : numberOf(service),
	);
	const theirNumber = named ?? sentServiceType;
	const isOneName = findService([{ name: asText(theirs) }], { name: asText(own) });
	const isKnown = number !== undefined && theirNumber !== undefined;
	if (isOneName || (isKnown && number === theirNumber)) return true;
	return isKnown || typeof own === typeof theirs ? false : undefined;
}

/**
 * Compares a row with a booking.
 *
 * @param numberOf gives the number of a service by its name, if that is known
 */
export function likeness(
	row: Job,
	booking: Job,
	numberOf: (name: string) => number | undefined = () => undefined,
): Likeness {
	const compare = <Field extends keyof Likeness & keyof Job>(
		field: Field,
		isSame: (own: NonNullable<Job[Field]>, theirs: NonNullable<Job[Field]>) => boolean | undefined,
	) => {
		const { [field]: own } = row;
		const { [field]: theirs } = booking;
		return own === undefined || theirs === undefined ? undefined : isSame(own, theirs);
	};
	const hasOtherUnit = booking.areaType !== undefined && booking.areaType !== row.areaType;
	return {
		farmerName: compare('farmerName', (own, theirs) => own === theirs),
		isSlip: isSlip(row.farmerName ?? '', booking.farmerName ?? '') || undefined,
		// Some services show the last digits of a phone only.
		farmerPhone: compare(
			'farmerPhone',
			(own, theirs) => isSamePhone(own, theirs) || (own.endsWith(theirs) ? undefined : false),
		),
		serviceDate: compare('serviceDate', (own, theirs) => {
			const { otherDay } = booking;
			if (own === otherDay?.day || (own === theirs && otherDay?.isLikely)) return undefined;
			return own === theirs;
		}),
		serviceType: compare('serviceType', (own, theirs) =>
			isSameService(own, theirs, numberOf, booking.sentServiceType),
		),
		landArea: hasOtherUnit ? undefined : compare('landArea', (own, theirs) => own === theirs),
		// Tractor and serviced area of a booking may change, so that other ones say nothing.
		tractorId: compare('tractorId', (own, theirs) => own === theirs || undefined),
		hectares: compare('hectares', (own, theirs) => Math.abs(own - theirs) < own / 100 || undefined),
	};
}

/** The fields in which jobs differ: two that have one of them different may still be the same. */
export const DISTINCTIVE_FIELDS = ['farmerName', 'farmerPhone', 'serviceDate'] as const;

/** The fields whose difference makes a doubt if they are no match fields. */
export const DOUBT_FIELDS = ['farmerName', 'serviceType'] as const;

const WEIGHTS = { farmerName: 8, serviceType: 4, landArea: 2 } as const;

/** How well row and booking fit beyond phone and day: higher is better, 0 if nothing can be compared. */
export function fitOf(alike: Likeness): number {
	let fit = 0;
	for (const [field, weight] of Object.entries(WEIGHTS)) {
		const isSame = alike[field as keyof typeof WEIGHTS];
		if (isSame !== undefined) fit += isSame ? weight : -weight;
	}
	return fit;
}
