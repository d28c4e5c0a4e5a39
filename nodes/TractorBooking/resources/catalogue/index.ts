import type { Resource } from '../resource';
import { get } from './get';
import { getMany } from './getAll';

/** The resource Catalogue (interface, "List tractors (v1)" and "Retrieve a tractor (v1)"). */
export const catalogue: Resource = {
	operations: { get, getAll: getMany },
	operationField: {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Get',
				value: 'get',
				action: 'Get tractor from catalogue',
				description: 'Get a tractor from the catalogue',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many tractors from catalogue',
				description: 'Get many tractors from the catalogue',
			},
		],
		default: 'getAll',
	},
};
