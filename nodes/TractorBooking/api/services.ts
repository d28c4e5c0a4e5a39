import type { IDataObject } from 'n8n-workflow';

import { valueUnder } from './records';
import { isRecord } from '../utils/record';
import { asText, fold, isEmpty } from '../utils/text';

/** A service or implement that a tractor offers, as far as its details name it. */
export interface OfferedService {
	id?: number;
	name?: string;
}

/** Fields that hold services or implements: `TractorServices`, `implements_attached`. */
const SERVICES = /(?:services|implements)(?:_?attached)?$/i;

/** The number of a service under its name in the request. */
const SERVICE_TYPE = /^service_?type$/i;

/** Other fields that may hold the number of a service, beside which the `id` of an entry may be its own. */
const OTHER_NUMBER = /.id$|(?:code|type|number|service|implement)$/i;

const NAME = /^(?:service_?)?name$/i;

function toNumber(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

/** The service that an object describes: its number is `serviceType`, else `id` if no other field may hold it. */
function describedBy(record: IDataObject): OfferedService {
	const name = valueUnder(record, NAME);
	const isOnly = !Object.keys(record).some((key) => OTHER_NUMBER.test(key));
	const id = valueUnder(record, SERVICE_TYPE) ?? (isOnly ? valueUnder(record, /^id$/i) : undefined);
	return { id: toNumber(id), name: typeof name === 'string' ? name : undefined };
}

/** The service in a text: a name, a number, or both as the nodes write them: `Ploughing (3)`, `3 – Ploughing`. */
function inText(text: string): OfferedService {
	const part = text.trim();
	const number = toNumber(part);
	if (number !== undefined) return { id: number };
	const [, first, after] = /^(\d{1,9}) [-–] (.+)$/.exec(part) ?? [];
	const [, before, last] = /^(.+?) ?\((\d{1,9})\)$/.exec(part) ?? [];
	return { id: toNumber(first ?? last), name: after ?? before ?? part };
}

/** The services in the value of a field that holds them: a list of texts, numbers or objects, or a text. */
function servicesIn(value: unknown): OfferedService[] {
	const entries: unknown[] = Array.isArray(value) ? value : String(value).split(/[,;\n]/);
	const services = entries.map((entry) =>
		isRecord(entry) ? describedBy(entry) : inText(asText(entry)),
	);
	return services.filter(({ id, name }) => id !== undefined || !isEmpty(name));
}

/**
 * The services that the details of a tractor name (interface, "Tractor details": fields not shown): a list or a text
 * under a name that ends with services or implements.
 *
 * @returns undefined if the details say nothing about services
 */
export function servicesOf(details: IDataObject): OfferedService[] | undefined {
	const values = Object.entries(details)
		.filter(([name]) => SERVICES.test(name))
		.map(([, value]) => value)
		.filter((value) => Array.isArray(value) || (typeof value === 'string' && !isEmpty(value)));
	return values.length === 0 ? undefined : values.flatMap(servicesIn);
}

/**
 * The service of a booking record, whose further fields are not shown (interface, "Booking record"): the number or name
 * under `serviceType`, else under `service`.
 *
 * @returns undefined if the record shows none
 */
export function serviceOfBooking(record: IDataObject): number | string | undefined {
	const value = valueUnder(record, SERVICE_TYPE) ?? valueUnder(record, /^service$/i);
	if (typeof value === 'number' || typeof value === 'string') return value;
	const { id, name } = isRecord(value) ? describedBy(value) : {};
	return id ?? name;
}

/**
 * Which of the offered services is meant, by number or by name; undefined if none is. Case, accents and punctuation do
 * not count.
 */
export function findService(
	offered: readonly OfferedService[],
	{ id, name }: OfferedService,
): OfferedService | undefined {
	if (id !== undefined) return offered.find((service) => service.id === id);
	if (name === undefined) return undefined;
	const { id: number, name: nameAlone } = inText(name);
	const found = offered.filter((service) => {
		const words = wordsOf(service.name);
		return words === wordsOf(name) || (service.id === number && words === wordsOf(nameAlone));
	});
	const numbered = found.filter((service) => service.id !== undefined);
	const isClear = numbered.every((service) => service.id === numbered[0]?.id);
	return isClear ? (numbered[0] ?? found[0]) : { name };
}

const wordsOf = (text = '') =>
	fold(text)
		.replace(/[^\p{L}\p{N}]+/gu, ' ')
		.trim();

/** The services as they may be written into a cell: those with a number, which a booking needs, if there are any. */
export function namesOfServices(services: readonly OfferedService[]): string[] {
	const numbered = services.filter(({ id }) => id !== undefined);
	const texts = (numbered.length > 0 ? numbered : services).map(({ id, name }) =>
		[name, id === undefined ? '' : `(${id})`].filter(Boolean).join(' '),
	);
	return [...new Set(texts)].sort();
}

/** The same in words, for messages. */
export const listServices = (services: readonly OfferedService[]): string =>
	namesOfServices(services).join(', ');
