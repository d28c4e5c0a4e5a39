import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { AuthScheme, ServiceClient } from '../api/client';
import { copyOf, Memoizer } from '../utils/memoizer';
import { parseId } from '../parse/ids';
import { unwrap } from '../parse/issue';
import { optionsCollection } from './descriptions';
import type { Operation, Output } from './operation';
import { clientFor, eachItem, getParameter } from './operation';

/**
 * An operation that returns one record for each item. Items with the same ID share one request.
 *
 * @param locator the field in which the record is chosen
 * @param fetchRecord asks the service for it
 * @param output what comes out of it, and the fields in which that is chosen; by default, the record as it came
 */
export function getOperation(
	locator: INodeProperties,
	schemeOf: (context: IExecuteFunctions) => AuthScheme,
	fetchRecord: (client: ServiceClient, id: string) => Promise<IDataObject>,
	{ fields, outputOf }: Output = { fields: [], outputOf: () => copyOf },
): Operation {
	return {
		fields: [locator, ...fields, optionsCollection()],
		async run(context) {
			const client = await clientFor(context, schemeOf(context));
			const records = new Memoizer<IDataObject>((record) => record);
			return await eachItem(context, async (itemIndex) => {
				const value = getParameter(context, locator.name, itemIndex);
				const id = unwrap(parseId(value), locator.displayName, value);
				const toOutput = outputOf(context, itemIndex);
				return [toOutput(await records.get(id, async () => await fetchRecord(client, id)))];
			});
		},
	};
}
