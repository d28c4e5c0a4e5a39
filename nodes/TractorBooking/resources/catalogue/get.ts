import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { getCatalogueTractor } from '../../api/endpoints';
import { authenticationField, optionsCollection, getAuthScheme } from '../descriptions';
import { copyOf, Memoizer } from '../../utils/memoizer';
import type { ItemResult, Operation } from '../operation';
import { clientFor, eachItem, getLocatorValue } from '../operation';
import { parseId } from '../../parse/ids';

async function run(context: IExecuteFunctions): Promise<ItemResult[]> {
	const client = await clientFor(context, getAuthScheme(context));
	const tractors = new Memoizer<IDataObject>(copyOf);
	return await eachItem(context, async (itemIndex) => {
		const tractorId = parseId(getLocatorValue(context, 'tractorId', itemIndex), 'Tractor');
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
			type: 'resourceLocator',
			required: true,
			default: { mode: 'list', value: '' },
			description: 'The tractor to get from the catalogue',
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					placeholder: 'Select a tractor...',
					typeOptions: { searchListMethod: 'searchCatalogue', searchable: true },
				},
				{
					displayName: 'By ID',
					name: 'id',
					type: 'string',
					placeholder: 'e.g. 1042',
				},
			],
		},
		optionsCollection(),
	],
};
