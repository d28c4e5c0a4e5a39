import type { IDataObject } from 'n8n-workflow';

import { fold } from '../utils/text';
import { isRecord } from '../utils/record';

/** A service or implement that a tractor offers, as far as its details name it. */
export interface OfferedService {
	id?: number;
	name?: string;
}

/** Names under which details may list the services; further fields of details are not shown. */
const SERVICE_KEYS = [
	'services',
	'serviceTypes',
	'service_types',
	'serviceType',
	'service_type',
	'implements',
	'implements_attached',
	'implementsAttached',
	'attachedImplements',
];
const ID_KEYS = [
	'id',
	'serviceType',
	'service_type',
	'serviceId',
	'service_id',
	'serviceTypeId',
	'implementId',
	'implement_id',
];
const NAME_KEYS = [
	'name',
	'title',
	'label',
	'serviceName',
	'service_name',
	'implementName',
	'implement_name',
];

function toId(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isInteger(number) ? number : undefined;
}

function toService(entry: unknown): OfferedService | undefined {
	if (isRecord(entry)) {
		const id = ID_KEYS.map((key) => toId(entry[key])).find((found) => found !== undefined);
		const name = NAME_KEYS.map((key) => entry[key]).find((found) => typeof found === 'string');
		return id === undefined && name === undefined ? undefined : { id, name: name };
	}
	const id = toId(entry);
	if (id !== undefined) return { id };
	return typeof entry === 'string' ? { name: entry } : undefined;
}

/**
 * The services that the details of a tractor name (interface, "Tractor details": fields not shown, so the
 * usual names and shapes are read: numbers, texts or objects, one or many).
 *
 * @returns undefined if the details say nothing about services
 */
export function servicesOf(details: IDataObject): OfferedService[] | undefined {
	const listed = SERVICE_KEYS.filter((key) => details[key] !== undefined && details[key] !== null);
	if (listed.length === 0) return undefined;
	return listed.flatMap((key): OfferedService[] => {
		const value = details[key];
		const entries: unknown[] = Array.isArray(value) ? value : [value];
		return entries.flatMap((entry) => toService(entry) ?? []);
	});
}

/** Which of the offered services a row asks for, by number or by name; undefined if none is. */
export function findService(
	offered: readonly OfferedService[],
	wanted: { id?: number; name?: string },
): OfferedService | undefined {
	const { id, name } = wanted;
	if (id !== undefined) return offered.find((service) => service.id === id);
	if (name === undefined) return undefined;
	return offered.find((service) => service.name !== undefined && fold(service.name) === fold(name));
}

/** The services in words, for messages. */
export function listServices(services: readonly OfferedService[]): string {
	const texts = services.map(({ id, name }) =>
		[name, id === undefined ? '' : `(${id})`].filter(Boolean).join(' '),
	);
	return [...new Set(texts)].join(', ');
}
