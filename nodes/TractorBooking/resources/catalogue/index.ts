import type { Resource } from '../resource';
import { get } from './get';
import { getMany } from './getAll';

/** The resource Catalogue (interface, "List tractors (v1)" and "Retrieve a tractor (v1)"). */
export const catalogue: Resource = {
	defaultOperation: 'getAll',
	operations: {
		get: {
			...get,
			name: 'Get',
			action: 'Get tractor',
			description: 'Get a tractor from the catalogue',
		},
		getAll: {
			...getMany,
			name: 'Get Many',
			action: 'Get many tractors',
			description: 'Get many tractors from the catalogue',
		},
	},
};
