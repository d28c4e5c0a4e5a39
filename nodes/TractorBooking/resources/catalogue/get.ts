import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { getCatalogueTractor } from '../../api/endpoints';
import {
	authenticationField,
	getAuthScheme,
	locatorModes,
	optionsCollection,
} from '../descriptions';
import { copyOf, Memoizer } from '../../utils/memoizer';
import type { ItemResult, Operation } from '../operation';
import { clientFor, eachItem, getParameter } from '../operation';
import { parseId } from '../../parse/ids';
import { unwrap } from '../../parse/issue';

async function run(context: IExecuteFunctions): Promise<ItemResult[]> {
	const client = await clientFor(context, getAuthScheme(context));
	const tractors = new Memoizer<IDataObject>(copyOf);
	return await eachItem(context, async (itemIndex) => {
		const value = getParameter(context, 'tractorId', itemIndex);
		const tractorId = unwrap(parseId(value), 'Tractor', value);
		const tractor = await tractors.get(
			tractorId,
			async () => await getCatalogueTractor(client, tractorId),
		);
		return [tractor];
	});
}

/** Catalogue > Get. */
export const get: Operation = {
	run,
	fields: [
		authenticationField,
		{
			displayName: 'Tractor',
			name: 'tractorId',
			required: true,
			...locatorModes('tractor', 'searchCatalogue', '1042'),
			description: 'The tractor to get from the catalogue',
		},
		optionsCollection(),
	],
};
