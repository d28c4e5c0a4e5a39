import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from './client';
import { getTractorDetails, tractorDetailsPath } from './endpoints';
import { settle, ServiceError } from './errors';

/** Longest address that every common server and proxy accepts, in characters. */
const LONGEST_ADDRESS = 2_000;

const URI_TOO_LONG = 414;

/** Splits identifiers into as few groups as fit into an address each. */
function addressGroups(client: ServiceClient, tractorIds: readonly string[]): string[][] {
	const groups: string[][] = [];
	for (const id of tractorIds) {
		const group = groups.at(-1);
		const fits =
			group && client.baseUrl.length + tractorDetailsPath([...group, id]).length <= LONGEST_ADDRESS;
		if (fits) group.push(id);
		else groups.push([id]);
	}
	return groups;
}

async function readGroup(
	client: ServiceClient,
	group: readonly string[],
	isPart = false,
): Promise<Map<string, IDataObject>> {
	const answer = await settle(getTractorDetails(client, group));
	if (!(answer instanceof ServiceError)) return answer;
	// A 400 for one identifier alone is told as what it is.
	const isValidation = answer.kind === 'validation' && (group.length > 1 || isPart);
	const isTooLong = answer.status === URI_TOO_LONG;
	if (answer.kind !== 'notFound' && !isValidation && !isTooLong) throw answer;
	// One unknown identifier may fail its whole group; halving finds it with few requests.
	if (group.length === 1) return new Map();
	const half = Math.ceil(group.length / 2);
	const left = await readGroup(client, group.slice(0, half), true);
	const right = await readGroup(client, group.slice(half), true);
	return new Map([...left, ...right]);
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
	for (const group of addressGroups(client, [...new Set(tractorIds)])) {
		for (const [id, record] of await readGroup(client, group)) details.set(id, record);
	}
	return details;
}
