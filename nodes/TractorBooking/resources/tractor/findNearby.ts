import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { findNearbyTractors, withDetails } from '../../api/endpoints';
import { field, toggle } from '../../methods/fields';
import { getLimit, optionsCollection, returnAllFields } from '../descriptions';
import { switchOf } from '../../parse/choices';
import { memoize } from '../../utils/memoize';
import type { ItemResult, Operation } from '../operation';
import { clientFor, eachItem, getOptions, getParameter, isTool } from '../operation';
import { parseCoordinates, type Position } from '../../parse/coordinates';
import { nearestFirst } from '../../parse/distance';

async function run(context: IExecuteFunctions): Promise<ItemResult[]> {
	const client = await clientFor(context, 'apiKey');
	const search = memoize(
		async ({ latitude, longitude }: Position) =>
			await findNearbyTractors(client, latitude, longitude),
		JSON.stringify,
	);
	const addDetails = memoize(
		async (tractors: IDataObject[]) => await withDetails(client, tractors),
		JSON.stringify,
	);
	return await eachItem(context, async (itemIndex) => {
		const place = parseCoordinates(
			getParameter(context, 'latitude', itemIndex),
			getParameter(context, 'longitude', itemIndex),
		);
		// Without them, an agent cannot tell which tractor offers a service.
		const { includeDetails = isTool(context) } = getOptions(context, itemIndex);
		const isDetailed = switchOf(includeDetails, 'Include Details');
		const tractors = nearestFirst(await search(place)).slice(0, getLimit(context, itemIndex));
		return isDetailed ? await addDetails(tractors) : tractors;
	});
}

/** Tractor > Find Nearby (interface, "Find nearby tractors"). */
export const findNearby: Operation = {
	name: 'Find Nearby',
	action: 'Find tractors nearby',
	description: 'Find tractors near a coordinate, the nearest first, those of unknown distance last',
	run,
	fields: [
		field('Latitude', 'latitude', 'number', '', 'Where to search, from -90 to 90 degrees', {
			required: true,
			placeholder: 'e.g. 10.5222',
		}),
		field('Longitude', 'longitude', 'number', '', 'Where to search, from -180 to 180 degrees', {
			required: true,
			placeholder: 'e.g. 7.4384',
		}),
		...returnAllFields,
		optionsCollection([
			toggle(
				'Include Details',
				'includeDetails',
				'Whether to add the details of each tractor, such as its services. This takes one more request for each place and every 25 tractors. A tool of an AI agent adds them unless this option is there and off.',
			),
		]),
	],
};
