import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from './client';
import { getTractorDetails, tractorDetailsPath } from './endpoints';
import { settle, ServiceError } from './errors';

/** Longest address that every common server and proxy accepts, in characters. */
const MAX_ADDRESS_LENGTH = 2_000;

const URI_TOO_LONG = 414;

/** Splits identifiers into as few groups as fit into an address each. */
function addressGroups(client: ServiceClient, tractorIds: Iterable<string>): string[][] {
	const groups: string[][] = [];
	const emptyPath = tractorDetailsPath([]).length;
	let group: string[] = [];
	let length = Infinity;
	for (const id of tractorIds) {
		// With the comma between two identifiers.
		const added = tractorDetailsPath([id]).length - emptyPath + 1;
		if (length + added > MAX_ADDRESS_LENGTH) {
			groups.push((group = []));
			length = client.baseUrl.length + emptyPath;
		}
		group.push(id);
		length += added;
	}
	return groups;
}

/**
 * Details of the tractors of one address.
 *
 * @param isPart whether they are part of a group that was refused as a whole
 */
async function fetchGroup(
	client: ServiceClient,
	group: readonly string[],
	isPart = false,
): Promise<Map<string, IDataObject>> {
	const answer = await settle(getTractorDetails(client, group));
	if (answer instanceof ServiceError) {
		// If a single identifier is refused with 400, the user gets that error.
		const isValidation = answer.kind === 'validation' && (group.length > 1 || isPart);
		const isTooLong = answer.status === URI_TOO_LONG;
		if (answer.kind !== 'notFound' && !isValidation && !isTooLong) throw answer;
		// One unknown identifier may fail its whole group; halving finds it with few requests.
		if (group.length === 1) return new Map();
		const half = Math.ceil(group.length / 2);
		const left = await fetchGroup(client, group.slice(0, half), true);
		const right = await fetchGroup(client, group.slice(half), true);
		return new Map([...left, ...right]);
	}
	// A service may give so many tractors at most: the others are unknown only if a response has none of them.
	const missing = group.filter((id) => !answer.has(id));
	if (answer.size === 0 || missing.length === 0) return answer;
	return new Map([...answer, ...(await fetchGroup(client, missing, true))]);
}

/**
 * Details of any number of tractors in as few requests as the length of an address allows
 * (interface, "Tractor details").
 *
 * @returns the records by identifier; an identifier that the service does not know is not in the map
 * @throws ServiceError
 */
export async function listTractorDetails(
	client: ServiceClient,
	tractorIds: Iterable<string>,
): Promise<Map<string, IDataObject>> {
	const details = new Map<string, IDataObject>();
	for (const group of addressGroups(client, new Set(tractorIds))) {
		for (const [id, record] of await fetchGroup(client, group)) details.set(id, record);
	}
	return details;
}
