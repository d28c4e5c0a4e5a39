import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { getCatalogueTractor } from '../../api/endpoints';
import { authenticationField, optionsCollection, authSchemeOf } from '../descriptions';
import { copyOf, Memoizer } from '../../utils/memoizer';
import type { Operation, Outcome } from '../operation';
import { clientFor, eachItem, locatorValue } from '../operation';
import { parseId } from '../../parse/ids';

async function run(context: IExecuteFunctions): Promise<Outcome[]> {
	const client = await clientFor(context, authSchemeOf(context));
	const reads = new Memoizer<IDataObject>(copyOf);
	return await eachItem(context, async (itemIndex) => {
		const tractorId = parseId(locatorValue(context, 'tractorId', itemIndex), 'Tractor');
		const tractor = await reads.get(
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
			description: 'The tractor to read from the catalogue',
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
