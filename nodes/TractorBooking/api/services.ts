import type { IDataObject } from 'n8n-workflow';

import { fold, isEmpty } from '../utils/text';
import { isRecord } from '../utils/record';

/** A service or implement that a tractor offers, as far as its details name it. */
export interface OfferedService {
	id?: number;
	name?: string;
}

/** A field's name in lower case, without separators. */
const plain = (name: string) => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

/** Fields that hold services or implements, whatever stands before: `TractorServices`, `implements_attached`. */
const SERVICES =
	/^(?!last|next|previous).*(?:service|implement)(?:types?|list)?s?(?:offered|attached|available|provided)?$/;
/** Names of the number of a service; the one of the request (`serviceType`) comes first, a bare `id` last. */
const ID_NAMES = [
	/servicetype(?:id|no|number|code)?$/,
	/serviceid$/,
	/(?:implementid|implementtype(?:id)?)$/,
	/^(?:type|code|number|value)?id$/,
	/^(?:number|code|value|type)$/,
];
const NAME_NAMES = [
	/(?:service|implement)(?:type)?name$/,
	/^(?:name|title|label)$/,
	/(?:service|implement)(?:type)?$/,
	/^(?:description|type)$/,
];

/** Levels of objects in which services are searched for. */
const MAX_DEPTH = 4;

function toId(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

const isNamed = (value: unknown): value is string =>
	typeof value === 'string' && /\p{L}/u.test(value);

/** The first value that counts, in the order of the names. */
function firstOf<T>(
	record: IDataObject,
	names: readonly RegExp[],
	read: (value: unknown) => T | undefined,
): T | undefined {
	for (const name of names) {
		for (const [key, value] of Object.entries(record)) {
			const found = name.test(plain(key)) ? read(value) : undefined;
			if (found !== undefined) return found;
		}
	}
	return undefined;
}

/** The service that an object describes by fields of its own; undefined if there is none. */
function describedBy(record: IDataObject): OfferedService | undefined {
	const id = firstOf(record, ID_NAMES, toId);
	const name = firstOf(record, NAME_NAMES, (value) => (isNamed(value) ? value : undefined));
	return id === undefined && name === undefined ? undefined : { id, name };
}

/** The service in a text: a name or a number, or both as in `Ploughing (3)` and `3: Ploughing`. */
function inText(text: string): OfferedService[] {
	const part = text.trim();
	const id = toId(part);
	if (id !== undefined) return [{ id }];
	const [before = '', first] = /^(\d{1,9})(?: [-–] | ?[:.=] ?)/.exec(part) ?? [];
	const [after = '', last] = / ?(?:[:=] ?|\()(\d{1,9})\)?$/.exec(part) ?? [];
	const name = part.slice(before.length, part.length - after.length);
	return name === '' ? [] : [{ id: toId(first ?? last), name }];
}

/** The services in a text that may hold several, or JSON. */
function inList(text: string, depth: number): OfferedService[] {
	try {
		if (/^\s*[[{]/.test(text)) return servicesIn(JSON.parse(text), depth);
	} catch {
		// It only looks like JSON.
	}
	return text.split(/[,;|\n]/).flatMap(inText);
}

/** The services in the value of a field that holds them. */
function servicesIn(value: unknown, depth = 0): OfferedService[] {
	if (depth > MAX_DEPTH) return [];
	if (Array.isArray(value))
		return value.flatMap((entry) =>
			typeof entry === 'string' ? inText(entry) : servicesIn(entry, depth + 1),
		);
	if (typeof value === 'string') return inList(value, depth + 1);
	if (!isRecord(value)) return toId(value) === undefined ? [] : [{ id: toId(value) }];
	const entries = Object.entries(value);
	// Beside a price or an owner, the service may be an object of its own.
	const nested = entries.find(([key, part]) => SERVICES.test(plain(key)) && isRecord(part));
	if (nested) return servicesIn(nested[1], depth + 1);
	const service = describedBy(value);
	if (service) return [service];
	const lists = entries.filter(([, part]) => Array.isArray(part));
	return lists.length > 0
		? lists.flatMap(([, part]) => servicesIn(part, depth + 1))
		: inMap(entries);
}

/** Largest number in a map of names that counts as one of a service: a larger one is a price. */
const MAX_MAPPED_ID = 999;

/** The services in a map: `{ "3": "Ploughing" }`, `{ "Ploughing": 3 }`, `{ "3": { … } }`, `{ "Ploughing": { … } }`. */
function inMap(entries: ReadonlyArray<[string, unknown]>): OfferedService[] {
	const ids = entries.map(([, value]) => toId(value) ?? Infinity);
	const areIds = new Set(ids).size === ids.length && Math.max(...ids) <= MAX_MAPPED_ID;
	return entries.flatMap(([key, value]) => {
		if (value === false || value === null) return [];
		const own = isRecord(value) ? describedBy(value) : undefined;
		if (toId(key) === undefined)
			return [{ id: own?.id ?? (areIds ? toId(value) : undefined), name: own?.name ?? key }];
		return [{ id: toId(key), name: typeof value === 'string' ? value : own?.name }];
	});
}

/** The values of a record that hold services; else those of the objects in it. */
function fieldsWithServices(record: IDataObject, depth = 0): unknown[] {
	const entries = Object.entries(record).filter(
		([, value]) => !isEmpty(value) || Array.isArray(value),
	);
	const found = entries.filter(([key]) => SERVICES.test(plain(key)));
	if (found.length === 0) {
		const parts = entries.map(([, value]) => value).filter(isRecord);
		return depth < MAX_DEPTH ? parts.flatMap((part) => fieldsWithServices(part, depth + 1)) : [];
	}
	const lists = found.map(([, value]) => value).filter((value) => typeof value === 'object');
	// The number and the name of one service may be two fields of the tractor.
	const own = entries.filter(([key]) => /service|implement/i.test(key));
	const single = lists.length < found.length ? describedBy(Object.fromEntries(own)) : undefined;
	return single?.id === undefined ? found.map(([, value]) => value) : [...lists, single];
}

/**
 * The services that the details of a tractor name (interface, "Tractor details": fields not shown, so any reasonable
 * shape is read: numbers, texts, objects or maps, one or many, under any name that ends with services or implements).
 *
 * @returns undefined if the details say nothing about services
 */
export function servicesOf(details: IDataObject): OfferedService[] | undefined {
	const fields = fieldsWithServices(details);
	return fields.length === 0 ? undefined : fields.flatMap((value) => servicesIn(value));
}

/** Fields of a booking record that may name its service: not its day, nor what was serviced. */
const OF_BOOKING = /service(?!_?date|d$)|implement/i;

/**
 * The service of a booking record, of which further fields are not shown (interface, "Booking record"): its number, else
 * its name; under `serviceType`, or whatever else names a service.
 *
 * @returns undefined if the record names none, or several
 */
export function serviceOfBooking(record: IDataObject): IDataObject[string] {
	const { serviceType } = record;
	if (!isEmpty(serviceType) && typeof serviceType !== 'object') return serviceType;
	const names = isEmpty(serviceType) ? OF_BOOKING : /^serviceType$/;
	const own = Object.entries(record).filter(([key]) => names.test(key));
	// Of most records: a list has many.
	if (own.length === 0) return undefined;
	const fields = Object.fromEntries(own);
	const [service, ...others] = servicesOf(fields) ?? [describedBy(fields)];
	return others.length > 0 ? undefined : (service?.id ?? service?.name);
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
