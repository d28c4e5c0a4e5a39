import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { AuthScheme, ServiceClient } from '../api/client';
import { copyOf, Memoizer } from '../utils/memoizer';
import { parseId } from '../parse/ids';
import { unwrap } from '../parse/issue';
import { optionsCollection } from './descriptions';
import type { Operation } from './operation';
import { clientFor, eachItem, getParameter } from './operation';

/**
 * An operation that returns one record for each item. Items with the same ID share one request.
 *
 * @param locator the field in which the record is chosen
 * @param fetchRecord asks the service for it
 */
export function getOperation(
	locator: INodeProperties,
	schemeOf: (context: IExecuteFunctions) => AuthScheme,
	fetchRecord: (client: ServiceClient, id: string) => Promise<IDataObject>,
): Operation {
	return {
		fields: [locator, optionsCollection()],
		async run(context) {
			const client = await clientFor(context, schemeOf(context));
			const records = new Memoizer<IDataObject>(copyOf);
			return await eachItem(context, async (itemIndex) => {
				const value = getParameter(context, locator.name, itemIndex);
				const id = unwrap(parseId(value), locator.displayName, value);
				return [await records.get(id, async () => await fetchRecord(client, id))];
			});
		},
	};
}
