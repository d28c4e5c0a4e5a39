import type { IDataObject } from 'n8n-workflow';

import type { BookingRequest } from '../../../api/types';
import { asText, fold, isEmpty } from '../../../utils/text';

/** The part of a row that is compared with a booking beyond the match fields. */
interface Compared {
	request: BookingRequest;
	serviceName?: string;
}

/** For each field, whether row and booking are the same in it; undefined if it cannot be compared. */
export interface Likeness {
	name?: boolean;
	service?: boolean;
	area?: boolean;
	tractor?: boolean;
}

const TITLES = new Set(
	'mr mrs ms miss dr prof engr rev sir madam chief alhaji alh hajia hajiya mallam malam mal mzee bwana shri smt m mme mlle'.split(
		' ',
	),
);

/** Names that are remembered with their keys: where many rows share a phone, each is compared with many bookings. */
const MAX_NAMES = 2_000;

const nameKeys = new Map<string, string>();

/** The words of a name in any order, without titles: `Alhaji BELLO, Amina` and `Amina Bello` are equal. */
export function nameKey(name: string): string {
	const known = nameKeys.get(name);
	if (known !== undefined) return known;
	const words = fold(name).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
	const own = words.filter((word) => !TITLES.has(word));
	const key = (own.length > 0 ? own : words).sort().join(' ');
	if (nameKeys.size >= MAX_NAMES) nameKeys.clear();
	nameKeys.set(name, key);
	return key;
}

/** Whether two numbers are equal, as numbers or as text; undefined if either is none. */
function areEqual(one: number | undefined, other: unknown): boolean | undefined {
	if (one === undefined || isEmpty(other) || Number.isNaN(Number(other))) return undefined;
	return one === Number(other);
}

function isSameName(farmerName: string | undefined, theirs: unknown): boolean | undefined {
	const name = nameKey(asText(theirs));
	return farmerName === undefined || name === '' ? undefined : nameKey(farmerName) === name;
}

function isSameArea({ landArea, areaType }: BookingRequest, booking: IDataObject) {
	const hasOtherUnit = !isEmpty(booking.areaType) && booking.areaType !== areaType;
	return hasOtherUnit ? undefined : areEqual(landArea, booking.landArea);
}

/**
 * Compares a row with a booking that is equal in the match fields. The record of a booking is not documented to hold
 * service and area (interface, "Booking record"), and its tractor may change.
 */
export function likeness({ request, serviceName }: Compared, booking: IDataObject): Likeness {
	const byName =
		serviceName !== undefined && fold(asText(booking.serviceType)) === fold(serviceName);
	return {
		name: isSameName(request.farmerName, booking.farmerName),
		service: byName || areEqual(request.serviceType, booking.serviceType),
		area: isSameArea(request, booking),
		tractor: areEqual(request.tractorId, booking.tractorPairedTo) || undefined,
	};
}

/** The fields whose difference makes a doubt, by their names in the interface. */
export const DOUBT_FIELDS = { farmerName: 'name', serviceType: 'service' } as const;

/** One of {@link DOUBT_FIELDS}. */
export type DoubtField = keyof typeof DOUBT_FIELDS;

/** Matches from which on it is judged whether a service writes a field in its own way. */
const MIN_MATCHES = 5;

/**
 * The doubt fields that can be compared with this service: not those that no booking has, and not those that differ in
 * over half of the matches, since the service then registers them in a way of its own.
 */
export function comparableDoubts(matches: readonly Likeness[]): DoubtField[] {
	return (Object.keys(DOUBT_FIELDS) as DoubtField[]).filter((field) => {
		const compared = matches.filter((alike) => alike[DOUBT_FIELDS[field]] !== undefined);
		const differing = compared.filter((alike) => alike[DOUBT_FIELDS[field]] === false);
		if (compared.length === 0) return false;
		return compared.length < MIN_MATCHES || differing.length * 2 <= compared.length;
	});
}

const WEIGHTS: ReadonlyArray<readonly [keyof Likeness, number]> = [
	['name', 8],
	['service', 4],
	['area', 2],
	['tractor', 1],
];

/** How well row and booking fit: higher is better, 0 if nothing can be compared. */
export function fitOf(alike: Likeness): number {
	return WEIGHTS.reduce((sum, [field, weight]) => {
		const isSame = alike[field];
		if (isSame === undefined) return sum;
		return isSame ? sum + weight : sum - weight;
	}, 0);
}
