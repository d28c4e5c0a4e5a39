import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../api/client';
import {
	authenticationField,
	limitOf,
	optionsCollection,
	returnAllFields,
	authSchemeOf,
} from './descriptions';
import { copies, Memoizer } from '../utils/memoizer';
import type { Operation, Outcome } from './operation';
import { clientFor, eachItem } from './operation';

/**
 * An operation that reads a list of the catalogue or of the contracts, once for all items that want as much of it.
 *
 * @param read reads the list, at most `limit` records of it (`Infinity` for all)
 */
export function listOperation(
	read: (client: ServiceClient, limit: number) => Promise<IDataObject[]>,
): Operation {
	async function run(context: IExecuteFunctions): Promise<Outcome[]> {
		const client = await clientFor(context, authSchemeOf(context));
		const lists = new Memoizer<IDataObject[]>(copies);
		return await eachItem(context, async (itemIndex) => {
			const limit = limitOf(context, itemIndex);
			return await lists.get(limit, async () => await read(client, limit));
		});
	}
	return { run, fields: [authenticationField, ...returnAllFields, optionsCollection()] };
}
