import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { contractKey, listContractsPage } from '../../service/endpoints';
import type { PagedList } from '../../service/pagination';
import { readPagedList } from '../../service/pagination';
import {
	authenticationField,
	limitOf,
	optionsCollection,
	returnAllFields,
	schemeOf,
} from '../fields';
import { Once } from '../once';
import type { Operation, Outcome } from '../operation';
import { clientFor, eachItem } from '../operation';
import { copies } from '../values';

async function run(context: IExecuteFunctions): Promise<Outcome[]> {
	const client = await clientFor(context, schemeOf(context));
	const lists = new Once<IDataObject[]>(copies);
	const contracts: PagedList = {
		what: 'contracts',
		keyOf: contractKey,
		fetchPage: async (page, size, isNeeded) =>
			await listContractsPage(client, page, size, isNeeded),
	};
	return await eachItem(context, async (itemIndex) => {
		const limit = limitOf(context, itemIndex);
		return await lists.get(limit, async () => await readPagedList(contracts, limit));
	});
}

/** Contract > Get Many. */
export const getMany: Operation = {
	run,
	fields: [authenticationField, ...returnAllFields, optionsCollection()],
};
