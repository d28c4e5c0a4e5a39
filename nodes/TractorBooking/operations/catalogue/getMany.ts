import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { readCatalogue } from '../../service/catalogue';
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
	return await eachItem(context, async (itemIndex) => {
		const limit = limitOf(context, itemIndex);
		return await lists.get(limit, async () => await readCatalogue(client, limit));
	});
}

/** Catalogue > Get Many. */
export const getMany: Operation = {
	run,
	fields: [authenticationField, ...returnAllFields, optionsCollection()],
};
