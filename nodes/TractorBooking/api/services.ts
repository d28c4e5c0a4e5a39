import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../utils/record';
import { fold, isEmpty } from '../utils/text';

/** A service or implement that a tractor offers, as far as its details name it. */
export interface OfferedService {
	id?: number;
	name?: string;
}

/** Fields that hold services or implements: `TractorServices`, `implements_attached`. */
const SERVICES = /(?:services|implements)(?:_?attached)?$/i;
/** The number of a service: as the request calls it, else `id`. */
const NUMBERS = [/^service_?type(?:_?id)?$/i, /^(?:service_?|implement_?)?id$/i];
const NAMES = [/^(?:(?:service|implement)_?)?name$/i, /^service(?:_?type)?$/i];

function toNumber(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

function toName(value: unknown): string | undefined {
	return typeof value === 'string' && /\p{L}/u.test(value) ? value : undefined;
}

/** The first value that can be read, in the order of the names. */
function firstOf<T>(
	record: IDataObject,
	names: readonly RegExp[],
	read: (value: unknown) => T | undefined,
): T | undefined {
	const values = names.flatMap((name) =>
		Object.entries(record).map(([key, value]) => (name.test(key) ? read(value) : undefined)),
	);
	return values.find((value) => value !== undefined);
}

/** The service that an object describes by its fields; undefined if there is none. */
function describedBy(record: IDataObject): OfferedService | undefined {
	const service = { id: firstOf(record, NUMBERS, toNumber), name: firstOf(record, NAMES, toName) };
	return service.id === undefined && service.name === undefined ? undefined : service;
}

/** The service in a text: a name or a number, or both as in `Ploughing (3)` and `3: Ploughing`. */
function inText(text: string): OfferedService[] {
	const part = text.trim();
	const id = toNumber(part);
	if (id !== undefined) return [{ id }];
	const [before = '', first] = /^(\d{1,9})(?: [-–] | ?[:.=] ?)/.exec(part) ?? [];
	const [after = '', last] = / ?(?:[:=] ?|\()(\d{1,9})\)?$/.exec(part) ?? [];
	const name = part.slice(before.length, part.length - after.length);
	return name === '' ? [] : [{ id: toNumber(first ?? last), name }];
}

/** The services in the value of a field that holds them: a list of texts, numbers or objects, or a text. */
function servicesIn(value: unknown): OfferedService[] {
	if (typeof value === 'string') return value.split(/[,;|\n]/).flatMap(inText);
	if (!Array.isArray(value)) return [];
	return value.flatMap((entry: unknown) => {
		if (typeof entry === 'string') return inText(entry);
		if (isRecord(entry)) return describedBy(entry) ?? [];
		return toNumber(entry) === undefined ? [] : [{ id: toNumber(entry) }];
	});
}

/**
 * The services that the details of a tractor name (interface, "Tractor details": fields not shown): a list or a text
 * under a name that ends with services or implements.
 *
 * @returns undefined if the details say nothing about services
 */
export function servicesOf(details: IDataObject): OfferedService[] | undefined {
	const fields = Object.entries(details).filter(
		([name, value]) =>
			SERVICES.test(name) &&
			(Array.isArray(value) || (typeof value === 'string' && !isEmpty(value))),
	);
	return fields.length === 0 ? undefined : fields.flatMap(([, value]) => servicesIn(value));
}

/**
 * The service of a booking record, of which further fields are not shown (interface, "Booking record"): its number, else
 * its name.
 *
 * @returns undefined if the record names none
 */
export function serviceOfBooking(record: IDataObject): number | string | undefined {
	const { serviceType, service } = record;
	const isPlain = typeof serviceType === 'number' || typeof serviceType === 'string';
	if (isPlain && !isEmpty(serviceType)) return serviceType;
	const inner = [serviceType, service].find(isRecord);
	const named = Object.entries(record).filter(([name]) => /^service_?(?!date)/i.test(name));
	const { id, name } = describedBy(inner ?? Object.fromEntries(named)) ?? {};
	return id ?? name;
}

/** Which of the offered services a row asks for, by number or by name (`plough` is Ploughing); undefined if none is. */
export function findService(
	offered: readonly OfferedService[],
	wanted: { id?: number; name?: string },
): OfferedService | undefined {
	const { id, name } = wanted;
	if (id !== undefined) return offered.find((service) => service.id === id);
	if (name === undefined) return undefined;
	const [{ id: number, name: nameAlone } = {}] = inText(name);
	const namedBy = (called: (text?: string) => string) =>
		offered.filter(
			(service) =>
				called(service.name) === called(name) ||
				(service.id === number && called(service.name) === called(nameAlone)),
		);
	const named = namedBy(wordsOf);
	if (named.length > 0) return named.find((service) => service.id !== undefined) ?? named[0];
	const alike = namedBy(stemsOf);
	// Of two services with one stem, the row has to say which.
	return new Set(alike.map(({ id: alikeId }) => alikeId)).size === 1 ? alike[0] : undefined;
}

/** The words of a name, folded; Americans plow. */
const wordsOf = (text = '') =>
	fold(text)
		.replace(/\bplow/g, 'plough')
		.replace(/[^\p{L}\p{N}]+/gu, ' ')
		.trim();

/**
 * The words of a name as far as people agree on them: without those that any service may have (`Tractor ploughing
 * service`), if others are left, and without endings (plough, ploughed and ploughing).
 */
function stemsOf(text = ''): string {
	const words = wordsOf(text).split(' ');
	const own = words.filter((word) => !/^(?:tractors?|services?|only)$/.test(word));
	return (own.length > 0 ? own : words)
		.map((word) => word.replace(/(?<=\p{L}{3})(?:ing|ed|er|e|s)$/u, ''))
		.join(' ');
}

/** The services in words, for messages: those with a number, which a booking needs, if there are any. */
export function listServices(services: readonly OfferedService[]): string {
	const numbered = services.filter(({ id }) => id !== undefined);
	const texts = (numbered.length > 0 ? numbered : services).map(({ id, name }) =>
		[name, id === undefined ? '' : `(${id})`].filter(Boolean).join(' '),
	);
	return [...new Set(texts)].sort().join(', ');
}
