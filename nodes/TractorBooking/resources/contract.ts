import { contractsList } from '../api/pages/fetch';
import { listOperation } from './simpleOperations';
import type { Resource } from './operation';

/** The resource Contract (interface, "Pagination of list endpoints"). */
export const contract: Resource = {
	defaultOperation: 'getAll',
	operations: {
		getAll: {
			...listOperation(contractsList),
			name: 'Get Many',
			action: 'Get many contracts',
			description: 'Get many contracts',
		},
	},
};
