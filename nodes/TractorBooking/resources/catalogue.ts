import { getCatalogueTractor } from '../api/endpoints';
import { catalogueList } from '../api/pages/fetch';
import { authenticationField, getAuthScheme, locatorModes } from './descriptions';
import type { Resource } from './operation';
import { getOperation, listOperation } from './simpleOperations';

const get = getOperation(
	{
		displayName: 'Tractor',
		name: 'tractorId',
		required: true,
		...locatorModes('tractor', 'searchCatalogue', '1042'),
		description: 'The tractor to get from the catalogue',
	},
	getAuthScheme,
	getCatalogueTractor,
);

/** The resource Catalogue (interface, "List tractors (v1)" and "Retrieve a tractor (v1)"). */
export const catalogue: Resource = {
	defaultOperation: 'getAll',
	operations: {
		get: {
			...get,
			fields: [authenticationField, ...get.fields],
			name: 'Get',
			action: 'Get tractor',
			description: 'Get a tractor from the catalogue',
		},
		getAll: {
			...listOperation(catalogueList),
			name: 'Get Many',
			action: 'Get many tractors',
			description: 'Get many tractors from the catalogue',
		},
	},
};
