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
 * An operation that returns the catalogue or the contracts. Items with the same limit share one read of the list.
 *
 * @param fetchList returns at most `limit` records (`Infinity` for all)
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
