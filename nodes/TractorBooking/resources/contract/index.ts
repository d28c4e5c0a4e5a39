import type { Resource } from '../resource';
import { getMany } from './getAll';

/** The resource Contract (interface, "Pagination of list endpoints"). */
export const contract: Resource = {
	operations: { getAll: getMany },
	operationField: {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many contracts',
				description: 'Get many contracts',
			},
		],
		default: 'getAll',
	},
};
