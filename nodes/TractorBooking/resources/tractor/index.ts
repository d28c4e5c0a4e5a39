import type { Resource } from '../operation';
import { findNearby } from './findNearby';
import { get } from './get';

/** The resource Tractor (interface, "Find nearby tractors" and "Tractor details"). */
export const tractor: Resource = {
	findNearby: {
		...findNearby,
		name: 'Find Nearby',
		action: 'Find tractors nearby',
		description: 'Find tractors near a coordinate, the nearest first',
	},
	get: {
		...get,
		name: 'Get',
		action: 'Get tractor details',
		description: 'Get the details of one or more tractors',
	},
};
