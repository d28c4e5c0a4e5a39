import { getCatalogueTractor } from '../../api/endpoints';
import { authenticationField, getAuthScheme, locatorModes } from '../descriptions';
import { getOperation } from '../getOperation';
import type { Operation } from '../operation';

const byId = getOperation(
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

/** Catalogue > Get. */
export const get: Operation = { ...byId, fields: [authenticationField, ...byId.fields] };
