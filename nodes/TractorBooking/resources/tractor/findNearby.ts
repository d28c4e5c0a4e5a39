import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../api/client';
import { withDetails } from '../../api/details';
import { findNearbyTractors } from '../../api/endpoints';
import { settle, ServiceError } from '../../api/errors';
import { choice, field, toggle } from '../../methods/fields';
import { getLimit, optionsCollection, returnAllFields } from '../descriptions';
import { copies, Memoizer } from '../../utils/memoizer';
import type { ItemResult, Operation } from '../operation';
import {
	clientFor,
	eachItem,
	getOptions,
	getParameter,
	reportUnreadable,
	warningsTo,
} from '../operation';
import { parseCoordinates } from '../../parse/coordinates';
import { comparableDistance, nearestFirst } from '../../parse/distance';
import { unwrap } from '../../parse/issue';
import { parseMaximum } from '../../parse/numbers';

/**
 * The tractors that are not further away than a maximum; all without a maximum.
 *
 * @throws ServiceError (`unreadable`) if the distances of all tractors are unreadable
 */
function within(
	tractors: IDataObject[],
	maximum: number | undefined,
	warn: (text: string) => void,
): IDataObject[] {
	if (maximum === undefined) return tractors;
	const away = (tractor: IDataObject) => comparableDistance(tractor, 'distance');
	const unreadable = tractors.filter((tractor) => away(tractor) === undefined);
	reportUnreadable('tractors', 'distance', unreadable, unreadable.length === tractors.length, warn);
	return tractors.filter((tractor) => (away(tractor) ?? Infinity) <= maximum);
}

async function run(context: IExecuteFunctions): Promise<ItemResult[]> {
	const client = await clientFor(context, 'apiKey');
	const searches = new Memoizer<IDataObject[]>(copies);
	const warn = warningsTo(context);

	const results = await eachItem(context, async (itemIndex) => {
		const { latitude, longitude } = parseCoordinates(
			getParameter(context, 'latitude', itemIndex),
			getParameter(context, 'longitude', itemIndex),
		);
		const options = getOptions(context, itemIndex);
		const { maximumDistance } = options;
		const maximum =
			maximumDistance === undefined
				? undefined
				: unwrap(parseMaximum(maximumDistance), 'Maximum Distance', maximumDistance);
		const nearby = await searches.get(
			[latitude, longitude],
			async () => await findNearbyTractors(client, latitude, longitude, warn),
		);
		const near = within(nearby, maximum, warn);
		const { sortBy = 'distance' } = options;
		const isSorted = sortBy === 'distance' || sortBy === 'minsAway';
		const tractors = isSorted ? nearestFirst(near, sortBy) : near;
		return tractors.slice(0, getLimit(context, itemIndex));
	});
	return await includeDetails(context, client, results);
}

/** Adds the details to the tractors of the items that include them; one read for all items. */
async function includeDetails(
	context: IExecuteFunctions,
	client: ServiceClient,
	results: ItemResult[],
): Promise<ItemResult[]> {
	const wants = results.map(
		({ records }, itemIndex) =>
			records.length > 0 && getOptions(context, itemIndex).includeDetails === true,
	);
	const tractors = results.flatMap(({ records }, itemIndex) => (wants[itemIndex] ? records : []));
	const detailed = await settle(withDetails(client, tractors));
	// They come in the order of the items.
	const rest = detailed instanceof ServiceError ? [] : [...detailed];
	return results.map((result, itemIndex) => {
		if (!wants[itemIndex]) return result;
		if (detailed instanceof ServiceError) return { records: [], failure: detailed };
		return { records: rest.splice(0, result.records.length) };
	});
}

export const findNearby: Operation = {
	run,
	fields: [
		field(
			'Latitude',
			'latitude',
			'number',
			'',
			'Latitude of the place to search around, in degrees from -90 to 90',
			{ required: true, placeholder: 'e.g. 10.5222' },
		),
		field(
			'Longitude',
			'longitude',
			'number',
			'',
			'Longitude of the place to search around, in degrees from -180 to 180',
			{ required: true, placeholder: 'e.g. 7.4384' },
		),
		...returnAllFields,
		optionsCollection([
			toggle(
				'Include Details',
				'includeDetails',
				'Whether to add the details of each tractor. This takes one more request for every 25 tractors.',
			),
			field(
				'Maximum Distance',
				'maximumDistance',
				'number',
				10,
				'Leave out tractors further away than this, in the unit that the service uses for the distance',
				{ typeOptions: { minValue: 0 } },
			),
			choice(
				'Sort By',
				'sortBy',
				'How to sort the tractors before the limit is applied',
				'distance',
				[
					['Distance', 'distance'],
					['Minutes Away', 'minsAway'],
					['API Order', 'none'],
				],
			),
		]),
	],
};
