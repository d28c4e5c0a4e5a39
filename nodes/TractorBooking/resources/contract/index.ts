import type { Resource } from '../resource';
import { getMany } from './getAll';

/** The resource Contract (interface, "Pagination of list endpoints"). */
export const contract: Resource = {
	defaultOperation: 'getAll',
	operations: {
		getAll: {
			...getMany,
			name: 'Get Many',
			action: 'Get many contracts',
			description: 'Get many contracts',
		},
	},
};
