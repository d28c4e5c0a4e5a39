import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from './client';
import { findNearbyPage } from './endpoints';
import { identifierOf } from './identifiers';
import { Deduplicator } from './pages/deduplicator';
import type { Page } from './pages/envelope';
import type { PagedList } from './pages/list';
import { readPages } from './pages/pages';

const keyOf = (tractor: IDataObject) => identifierOf(tractor, 'tractor');

/** The tractors near a coordinate as a list: one page, unless the service says that more follows. */
function nearbyList(client: ServiceClient, latitude: number, longitude: number): PagedList {
	let previous: Page = { items: [] };
	return {
		what: 'tractors',
		name: `nearby ${client.baseUrl}`,
		keyOf,
		isChained: true,
		smallerSizes: [],
		async fetchPage(number, _size, signal) {
			if (number > 1 && !previous.hasMore) return { items: [], hasMore: false };
			const query = number > 1 ? (previous.nextQuery ?? { page: number }) : undefined;
			previous = await findNearbyPage(client, latitude, longitude, query, signal);
			return previous;
		},
	};
}

/**
 * Tractors near a coordinate, each once, in the order of the service (interface, "Find nearby tractors").
 *
 * @param latitude degrees, −90 to 90
 * @param longitude degrees, −180 to 180
 * @param warn is told if the service says that there are more than it gives
 * @throws ServiceError
 */
export async function findNearbyTractors(
	client: ServiceClient,
	latitude: number,
	longitude: number,
	warn?: (text: string) => void,
): Promise<IDataObject[]> {
	const seen = new Deduplicator(keyOf);
	let tractors: IDataObject[] = [];
	for await (const { items, end } of readPages(nearbyList(client, latitude, longitude))) {
		tractors = tractors.concat(seen.filterNew(items));
		const { total, isPromised } = end ?? {};
		if (total === undefined ? isPromised : total > tractors.length) {
			warn?.(
				`The service says that there are more tractors near ${latitude}, ${longitude} than the ${tractors.length} that it gives.`,
			);
		}
	}
	return tractors;
}
