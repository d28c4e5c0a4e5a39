import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { AuthScheme, ServiceClient } from '../api/client';
import { collect } from '../api/pages/collect';
import type { PagedList } from '../api/pages/fetch';
import { parseId } from '../parse/ids';
import { unwrap } from '../parse/issue';
import { memoize } from '../utils/memoize';
import {
	authenticationField,
	getAuthScheme,
	getLimit,
	optionsCollection,
	pageSizeOption,
	returnAllFields,
} from './descriptions';
import type { Operation, Output } from './operation';
import { clientFor, eachItem, getParameter, warningsTo, wholeOption } from './operation';

/**
 * An operation that returns one record for each item. Items with the same ID share one request.
 *
 * @param locator the field in which the record is chosen
 * @param output what comes out of it, and the fields in which that is chosen; by default, the record as it came
 */
export function getOperation(
	locator: INodeProperties,
	schemeOf: (context: IExecuteFunctions) => AuthScheme,
	fetchRecord: (client: ServiceClient, id: string) => Promise<IDataObject>,
	{ fields, outputOf }: Output = { fields: [], outputOf: () => (record) => record },
): Operation {
	return {
		fields: [locator, ...fields, optionsCollection()],
		async run(context) {
			const client = await clientFor(context, schemeOf(context));
			const read = memoize(async (id: string) => await fetchRecord(client, id));
			return await eachItem(context, async (itemIndex) => {
				const value = getParameter(context, locator.name, itemIndex);
				const id = unwrap(parseId(value), locator.displayName, value);
				const toOutput = outputOf(context, itemIndex);
				return [toOutput(await read(id))];
			});
		},
	};
}

/** An operation that returns the catalogue or the contracts. Items with the same limit share one read of the list. */
export function listOperation(listOf: (client: ServiceClient) => PagedList): Operation {
	return {
		fields: [authenticationField, ...returnAllFields, optionsCollection([pageSizeOption])],
		async run(context) {
			const client = await clientFor(context, getAuthScheme(context));
			const pageSize = wholeOption(context, 'pageSize');
			const warn = warningsTo(context);
			const read = memoize(
				async (limit: number) => await collect(listOf(client), { limit, pageSize, warn }),
			);
			return await eachItem(context, async (item) => await read(getLimit(context, item)));
		},
	};
}
