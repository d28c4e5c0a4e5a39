import type { Resource } from '../resource';
import { findNearby } from './findNearby';
import { get } from './get';

/** The resource Tractor (interface, "Find nearby tractors" and "Tractor details"). */
export const tractor: Resource = {
	operations: { findNearby, get },
	operationField: {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Find Nearby',
				value: 'findNearby',
				action: 'Find tractors nearby',
				description: 'Find tractors near a coordinate',
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get tractor details',
				description: 'Get the details of one or more tractors',
			},
		],
		default: 'findNearby',
	},
};
