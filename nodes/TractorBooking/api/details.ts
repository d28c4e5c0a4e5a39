import type { IDataObject } from 'n8n-workflow';

import { mapConcurrent } from '../utils/mapConcurrent';
import { isRecord } from '../utils/record';
import { asText } from '../utils/text';
import type { ServiceClient } from './client';
import { encodeSegment } from './endpoints';
import { settle, ServiceError } from './errors';
import { unwrapPage } from './pages/unwrap';
import { findRecord, identifierOf, identifiersOf, toKey } from './records';

/** Tractors of one request: as many as the longest default page has (interface, "Limits"), so that none is cut off. */
const MAX_TRACTORS = 25;

/** Details by identifier. One without a record is not in the map. */
type Details = Map<string, IDataObject>;

/** The records of an object by identifier; undefined if it is none of those asked for. */
function recordsById(
	tractors: unknown,
	asked: ReadonlyMap<unknown, string>,
): IDataObject[] | undefined {
	if (!isRecord(tractors) || !Object.keys(tractors).every((id) => asked.has(toKey(id))))
		return undefined;
	return Object.entries(tractors).flatMap(([TractorID, record]) =>
		isRecord(record) ? [{ TractorID, ...record }] : [],
	);
}

/**
 * Asks for several tractors at once (interface, "Tractor details": response not shown). One record, a list, and an
 * object by identifier are read.
 */
async function request(client: ServiceClient, tractorIds: readonly string[]): Promise<Details> {
	const asked = new Map(tractorIds.map((id) => [toKey(id), id]));
	const idOf = (record: IDataObject) =>
		identifiersOf(record, 'tractor')
			.map((value) => asked.get(toKey(value)))
			.find((id) => id !== undefined);
	const endpoint = {
		name: 'details',
		perMinute: 60,
		purpose: 'get tractor details',
		notFound: `No tractor is known under ${tractorIds.join(', ')}`,
	};
	// Joined by plain commas, as documented.
	const path = `/booking-services/tractor/${tractorIds.map(encodeSegment).join(',')}/detail/`;
	return await client.send({ endpoint, path }, (body) => {
		const details: Details = new Map();
		const byId = isRecord(body) && isRecord(body.data) ? body.data : body;
		const one = findRecord(body, (record) => idOf(record) !== undefined);
		const records = one
			? [one]
			: (recordsById(byId, asked) ?? unwrapPage(body, 'tractors')?.records);
		for (const record of records ?? []) {
			const id = idOf(record);
			if (id !== undefined) details.set(id, record);
		}
		return details;
	});
}

const isRefused = ({ kind }: ServiceError) => kind === 'notFound' || kind === 'validation';

const isFailure = (result: Details | ServiceError) =>
	result instanceof ServiceError && !isRefused(result);

/** One unknown identifier may have all refused: then each is asked for by itself. */
async function requestEach(
	client: ServiceClient,
	tractorIds: readonly string[],
): Promise<Array<Details | ServiceError>> {
	const result = await settle(request(client, tractorIds));
	if (!(result instanceof ServiceError) || !isRefused(result) || tractorIds.length === 1)
		return [result];
	return await mapConcurrent(
		tractorIds,
		async (id) => await settle(request(client, [id])),
		(one) => !isFailure(one),
	);
}

/**
 * Details of any number of tractors.
 *
 * @returns the records by identifier; an identifier that the service does not know is not in the map
 * @throws ServiceError, also (`validation`) if the service refuses every identifier
 */
export async function listTractorDetails(
	client: ServiceClient,
	tractorIds: Iterable<string>,
): Promise<Details> {
	const ids = [...new Set(tractorIds)];
	const groups = Array.from({ length: Math.ceil(ids.length / MAX_TRACTORS) }, (_, group) =>
		ids.slice(group * MAX_TRACTORS, (group + 1) * MAX_TRACTORS),
	);
	const results = await mapConcurrent(
		groups,
		async (group) => await requestEach(client, group),
		(ofGroup) => !ofGroup.some(isFailure),
	);
	const errors = results.flat().filter((result) => result instanceof ServiceError);
	const details = new Map(
		results.flat().flatMap((result) => (result instanceof ServiceError ? [] : [...result])),
	);
	const refusal = errors.find(({ kind }) => kind === 'validation' && details.size === 0);
	const failure = errors.find(isFailure) ?? refusal;
	if (failure) throw failure;
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
