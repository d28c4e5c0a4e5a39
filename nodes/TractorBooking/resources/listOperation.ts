import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../api/client';
import {
	authenticationField,
	getLimit,
	optionsCollection,
	returnAllFields,
	getAuthScheme,
} from './descriptions';
import { copies, Memoizer } from '../utils/memoizer';
import type { ItemResult, Operation } from './operation';
import { clientFor, eachItem } from './operation';

/**
 * An operation that reads a list of the catalogue or of the contracts, once for all items that want as much of it.
 *
 * @param fetchList reads the list, at most `limit` records of it (`Infinity` for all)
 */
export function listOperation(
	fetchList: (client: ServiceClient, limit: number) => Promise<IDataObject[]>,
): Operation {
	async function run(context: IExecuteFunctions): Promise<ItemResult[]> {
		const client = await clientFor(context, getAuthScheme(context));
		const lists = new Memoizer<IDataObject[]>(copies);
		return await eachItem(context, async (itemIndex) => {
			const limit = getLimit(context, itemIndex);
			return await lists.get(limit, async () => await fetchList(client, limit));
		});
	}
	return { run, fields: [authenticationField, ...returnAllFields, optionsCollection()] };
}
