import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { AuthScheme, ServiceClient } from '../api/client';
import { catalogueList, contractsList, getCatalogueTractor } from '../api/endpoints';
import { collect } from '../api/pages/collect';
import type { PagedList } from '../api/pages/fetch';
import { choice } from '../methods/fields';
import { memoize } from '../utils/memoize';
import {
	getLimit,
	locatorModes,
	optionsCollection,
	pageSizeOption,
	returnAllFields,
} from './descriptions';
import { clientFor, eachItem, readEach, warningsTo, pageSizeOf, type Operation } from './operation';

/**
 * The authentication of catalogue and contracts. The interface uses a bearer token for them and does not say
 * whether an API key works too ("Authentication" 5 and 6), so the user chooses.
 */
const authenticationField: INodeProperties = {
	...choice('Authentication', 'authentication', 'The credential for the request', 'bearerToken', [
		['API Key', 'apiKey'],
		['Bearer Token', 'bearerToken'],
	]),
	noDataExpression: true,
};

/** The same for all items, since a node has one credential. */
function getAuthScheme(context: IExecuteFunctions): AuthScheme {
	return context.getNodeParameter('authentication', 0) === 'apiKey' ? 'apiKey' : 'bearerToken';
}

/** What operations that return a list have in common. Items with the same limit share one reading. */
function listOperation(
	listOf: (client: ServiceClient) => PagedList,
): Pick<Operation, 'name' | 'fields' | 'run'> {
	return {
		name: 'Get Many',
		fields: [authenticationField, ...returnAllFields, optionsCollection([pageSizeOption])],
		async run(context) {
			const client = await clientFor(context, getAuthScheme(context));
			const pageSize = pageSizeOf(context);
			const warn = warningsTo(context);
			const read = memoize(
				async (limit: number) => await collect(listOf(client), { limit, pageSize, warn }),
			);
			return await eachItem(context, async (item) => await read(getLimit(context, item)));
		},
	};
}

const tractorField: INodeProperties = {
	displayName: 'Tractor',
	name: 'tractorId',
	required: true,
	...locatorModes('tractor', 'searchCatalogue', '1042'),
	description: 'The tractor to get from the catalogue',
};

/** Catalogue > Get (interface, "Retrieve a tractor (v1)"). */
export const getTractor: Operation = {
	name: 'Get',
	action: 'Get tractor',
	description: 'Get a tractor from the catalogue',
	fields: [authenticationField, tractorField, optionsCollection()],
	run: async (context) =>
		await readEach(context, getAuthScheme(context), tractorField, getCatalogueTractor),
};

/** Catalogue > Get Many (interface, "List tractors (v1)"). */
export const getTractors: Operation = {
	...listOperation(catalogueList),
	action: 'Get many tractors',
	description: 'Get many tractors from the catalogue',
};

/** Contract > Get Many (interface, "Pagination of list endpoints"). */
export const getContracts: Operation = {
	...listOperation(contractsList),
	action: 'Get many contracts',
	description: 'Get many contracts',
};
