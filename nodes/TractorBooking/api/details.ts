import type { IDataObject } from 'n8n-workflow';

import { asText } from '../utils/text';
import type { ServiceClient } from './client';
import { getTractorDetails } from './endpoints';
import { settle, ServiceError } from './errors';
import { identifierOf } from './records';

/** Tractors of one request: their URL is one that every usual proxy accepts, even with identifiers of a dozen letters. */
const MAX_TRACTORS = 150;

const URI_TOO_LONG = 414;

/**
 * Details of the tractors of one request.
 *
 * @param isPart whether they are part of a group that was refused as a whole
 */
async function fetchGroup(
	client: ServiceClient,
	group: readonly string[],
	isPart = false,
): Promise<Map<string, IDataObject>> {
	const result = await settle(getTractorDetails(client, group));
	if (result instanceof ServiceError) {
		// If a single identifier is refused with 400, the user gets that error.
		const isValidation = result.kind === 'validation' && (group.length > 1 || isPart);
		const isTooLong = result.status === URI_TOO_LONG;
		if (result.kind !== 'notFound' && !isValidation && !isTooLong) throw result;
		// One unknown identifier may fail its whole group; halving finds it with few requests.
		if (group.length === 1) return new Map();
		const half = Math.ceil(group.length / 2);
		const left = await fetchGroup(client, group.slice(0, half), true);
		const right = await fetchGroup(client, group.slice(half), true);
		return new Map([...left, ...right]);
	}
	// A service may limit how many tractors it gives: the others are unknown only if a response has none of them.
	const missing = group.filter((id) => !result.has(id));
	if (result.size === 0 || missing.length === 0) return result;
	return new Map([...result, ...(await fetchGroup(client, missing, true))]);
}

/**
 * Details of any number of tractors (interface, "Tractor details").
 *
 * @returns the records by identifier; an identifier that the service does not know is not in the map
 * @throws ServiceError
 */
export async function listTractorDetails(
	client: ServiceClient,
	tractorIds: Iterable<string>,
): Promise<Map<string, IDataObject>> {
	const details = new Map<string, IDataObject>();
	const ids = [...new Set(tractorIds)];
	for (let start = 0; start < ids.length; start += MAX_TRACTORS) {
		const group = await fetchGroup(client, ids.slice(start, start + MAX_TRACTORS));
		for (const [id, record] of group) details.set(id, record);
	}
	return details;
}

/** Tractors with their details beside what they have themselves. @throws ServiceError */
export async function withDetails(
	client: ServiceClient,
	tractors: readonly IDataObject[],
): Promise<IDataObject[]> {
	const idOf = (tractor: IDataObject) => asText(identifierOf(tractor, 'tractor'));
	const details = await listTractorDetails(client, tractors.map(idOf).filter(Boolean));
	return tractors.map((tractor) => ({ ...details.get(idOf(tractor)), ...tractor }));
}
