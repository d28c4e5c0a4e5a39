import type { IDataObject } from 'n8n-workflow';

import { asText, isRecord, wordsOf } from '../utils/text';
import { toId } from './records';

export interface OfferedService {
	id?: number;
	name?: string;
}

const SERVICES = /(?:services|implements)(?:_?attached)?$/i;

/** Fields beside which the `id` of an entry may not be the number of its service. */
const OTHER_NUMBER = /.id$|(?:code|type|number|service|implement)$/i;

/** The service of an entry: a text, a number, or an object with `serviceType`, else `id` if no other field may hold its number. */
function serviceIn(entry: unknown): OfferedService {
	if (!isRecord(entry)) {
		const only = toId(entry);
		return typeof only === 'number' ? { id: only } : { name: only };
	}
	const keys = Object.keys(entry);
	const under = (name: RegExp) => entry[keys.find((key) => name.test(key)) ?? ''];
	const isOnly = !keys.some((key) => OTHER_NUMBER.test(key));
	const identifier = toId(under(/^service_?type$/i) ?? (isOnly ? under(/^id$/i) : undefined));
	const id = typeof identifier === 'number' ? identifier : undefined;
	return { id, name: asText(under(/^(?:service_?)?name$/i)) || undefined };
}

/**
 * The services that the details of a tractor name (interface, "Tractor details": fields not shown), in lists with names such
 * as `TractorServices` and `implements_attached`.
 */
export function servicesOf(details: IDataObject): OfferedService[] {
	const lists = Object.entries(details).filter(
		([name, value]) => SERVICES.test(name) && Array.isArray(value),
	);
	const entries: unknown[] = lists.flatMap(([, list]) => list);
	return entries.map(serviceIn).filter(({ id, name }) => id !== undefined || name !== undefined);
}

/**
 * Which of the offered services is meant, by number or by name, or by both as the nodes write them: `Ploughing (3)`,
 * `3 – Ploughing`. Case, accents and punctuation do not count.
 *
 * @returns undefined if none is; without a number if several are
 */
export function findService(
	offered: readonly OfferedService[],
	{ id, name = '' }: OfferedService,
): OfferedService | undefined {
	if (id !== undefined) return offered.find((service) => service.id === id);
	const words = wordsOf(name).join(' ');
	const [found, ...others] = offered
		.filter(({ id: number = '', name: offeredName = '' }) =>
			[offeredName, `${offeredName} ${number}`, `${number} ${offeredName}`].some(
				(text) => words !== '' && wordsOf(text).join(' ') === words,
			),
		)
		.sort((a, b) => Number(b.id !== undefined) - Number(a.id !== undefined));
	const isClear = others.every((other) => other.id === undefined || other.id === found?.id);
	return isClear ? found : { name };
}

/** The services as they may be written into a cell: those with a number, which a booking needs, if there are any. */
export function namesOfServices(services: readonly OfferedService[]): string[] {
	const numbered = services.filter(({ id }) => id !== undefined);
	const texts = (numbered.length > 0 ? numbered : services).map(({ id, name = '' }) =>
		name && id !== undefined ? `${name} (${id})` : name || `${id}`,
	);
	return [...new Set(texts)].sort();
}
