import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../api/client';
import type { PagedList } from '../api/pages/fetch';
import { collect } from '../api/pages/collect';
import {
	authenticationField,
	getLimit,
	optionsCollection,
	pageSizeOption,
	returnAllFields,
	getAuthScheme,
} from './descriptions';
import { copies, Memoizer } from '../utils/memoizer';
import type { ItemResult, Operation } from './operation';
import { clientFor, eachItem, warningsTo, wholeOption } from './operation';

/**
 * An operation that returns the catalogue or the contracts. Items with the same limit share one read of the list.
 *
 * @param listOf returns the list, to be read once
 */
export function listOperation(listOf: (client: ServiceClient) => PagedList): Operation {
	async function run(context: IExecuteFunctions): Promise<ItemResult[]> {
		const client = await clientFor(context, getAuthScheme(context));
		const pageSize = wholeOption(context, 'pageSize');
		const warn = warningsTo(context);
		const lists = new Memoizer<IDataObject[]>(copies);
		return await eachItem(context, async (itemIndex) => {
			const limit = getLimit(context, itemIndex);
			const read = async () => await collect(listOf(client), { limit, pageSize, warn });
			return await lists.get(limit, read);
		});
	}
	const options = optionsCollection([pageSizeOption]);
	return { run, fields: [authenticationField, ...returnAllFields, options] };
}
