import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { isResourceLocatorValue } from 'n8n-workflow';

import type { ServiceClient } from '../api/client';
import { findNearbyTractors, withDetails } from '../api/endpoints';
import { settle, ServiceError } from '../api/errors';
import { identifierOf } from '../api/records';
import { listServices, servicesOf } from '../api/services';
import { parseCoordinates } from '../parse/coordinates';
import { nearestFirst } from '../parse/distance';
import { plainId } from '../parse/ids';
import { InvalidInputError } from '../parse/issue';
import { asText, cleanText, isEmpty } from '../utils/text';
import { matching, search, type ListOption } from './matches';

/**
 * The current value of a field in the panel, saved or not. n8n resolves the expressions that it can; for the others it
 * sends nothing, or the expression itself.
 */
function panelField(context: ILoadOptionsFunctions, name: string): unknown {
	const field: unknown = context.getCurrentNodeParameter(name);
	const value = isResourceLocatorValue(field) ? field.value : field;
	return typeof value === 'string' && value.startsWith('=') ? undefined : value;
}

/** The tractors near the coordinate in the panel, nearest first: by distance, or by minutes without distances. */
async function nearbyTractors(
	context: ILoadOptionsFunctions,
	client: ServiceClient,
): Promise<IDataObject[]> {
	const latitude = panelField(context, 'latitude');
	const longitude = panelField(context, 'longitude');
	if (isEmpty(latitude) && isEmpty(longitude)) {
		const problem = 'have no value yet, so the node does not know where to look for tractors';
		const fix =
			'enter them, or execute the nodes that their expressions take them from, or choose By ID';
		throw new InvalidInputError([{ field: 'Latitude and Longitude', problem, fix }]);
	}
	const place = parseCoordinates(latitude, longitude);
	const found = await findNearbyTractors(client, place.latitude, place.longitude);
	return nearestFirst(nearestFirst(found, 'minsAway'), 'distance');
}

/** `201 – distance 3.2 – Ploughing (3), Harrowing (2) – Massey Ferguson 375` */
function nearbyTractorOption(tractor: IDataObject): ListOption {
	const { name, tractor_name: otherName, distance, minsAway } = tractor;
	const value = asText(identifierOf(tractor, 'tractor'));
	const away = isEmpty(distance)
		? !isEmpty(minsAway) && `${asText(minsAway)} minutes away`
		: `distance ${asText(distance)}`;
	const services = listServices(servicesOf(tractor) ?? []);
	const parts = [value, away, services, asText(name ?? otherName)];
	return { name: cleanText(parts.filter(Boolean).join(' – ')), value };
}

/** `3 – Ploughing` */
function serviceOption({ id, name }: IDataObject): ListOption {
	return { name: [id, name].map(asText).filter(Boolean).join(' – '), value: asText(id) };
}

/** Tractors near the coordinate in the panel, for Booking > Create; searchable by id, name and service. */
export async function searchTractors(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await search(this, 'apiKey', async (client) => {
		const nearby = await nearbyTractors(this, client);
		const detailed = await settle(withDetails(client, nearby));
		// A key may lack the scope of details: then the list says nothing of services.
		const tractors = detailed instanceof ServiceError ? nearby : detailed;
		return { results: matching(tractors, nearbyTractorOption, filter) };
	});
}

/** Services of the tractor chosen in the panel, or of those near the coordinate; searchable by number and name. */
export async function searchServices(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await search(this, 'apiKey', async (client) => {
		const isChosen = panelField(this, 'tractorSelection') !== 'nearest';
		const tractorId = isChosen ? plainId(asText(panelField(this, 'tractorId')).trim()) : '';
		const tractors = tractorId ? [{ TractorID: tractorId }] : await nearbyTractors(this, client);
		const detailed = await withDetails(client, tractors);
		const services = detailed.flatMap((tractor) => servicesOf(tractor) ?? []);
		const numbered = services.filter(({ id }) => id !== undefined);
		if (numbered.length === 0 && tractors.length > 0) {
			const whose = tractorId ? 'the tractor' : 'the tractors nearby';
			const problem = `cannot be listed: the details of ${whose} name no services with a number`;
			const fix = 'choose By Number or Name, and ask the operator of the service for the number';
			throw new InvalidInputError([{ field: 'Service Type', problem, fix }]);
		}
		numbered.sort((a, b) => Number(a.id) - Number(b.id));
		const records = numbered.map(({ id, name }) => ({ id, name }));
		return { results: matching(records, serviceOption, filter) };
	});
}
