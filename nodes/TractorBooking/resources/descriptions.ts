import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { MAX_TIMEOUT_MS } from '../api/client';
import { switchOf } from '../parse/choices';
import { unwrap } from '../parse/issue';
import { parseInteger } from '../parse/numbers';
import { PAGE_SIZE } from '../api/pages/fetch';
import { collection, field, toggle } from '../methods/fields';

/** A number that holds for all items, so it takes no expression. */
const forAllItems = { noDataExpression: true, typeOptions: { minValue: 1 } };

const timeoutOption = field(
	'Timeout (Seconds)',
	'timeout',
	'number',
	60,
	'How long a request may take, including its whole response, before it fails',
	{ ...forAllItems, typeOptions: { minValue: 1, maxValue: MAX_TIMEOUT_MS / 1_000 } },
);

export const pageSizeOption = field(
	'Page Size',
	'pageSize',
	'number',
	PAGE_SIZE,
	'Number of records to ask for per request. The service may return fewer. If it refuses so many, the node asks for 25, then 10.',
	forAllItems,
);

/** The Options collection of an operation: its own options, and the one that every operation offers. */
export const optionsCollection = (options: readonly INodeProperties[] = []): INodeProperties =>
	collection('Options', 'options', 'Add option', [...options, timeoutOption]);

/** The ways to choose in a resource locator: from a list, or by ID. @param what the thing in one word, e.g. `booking` */
export function locatorModes(
	what: string,
	searchListMethod: string,
	example: string,
	byId = 'By ID',
): Pick<INodeProperties, 'type' | 'default' | 'modes'> {
	return {
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${what}...`,
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: byId, name: 'id', type: 'string', placeholder: `e.g. ${example}` },
		],
	};
}

export const returnAllFields: INodeProperties[] = [
	toggle('Return All', 'returnAll', 'Whether to return all results or only up to a given limit'),
	field('Limit', 'limit', 'number', 50, 'Max number of results to return', {
		typeOptions: { minValue: 1 },
		displayOptions: { show: { returnAll: [false] } },
	}),
];

/** The Limit of an item; `Infinity` with Return All. @throws InvalidInputError */
export function getLimit(context: IExecuteFunctions, itemIndex: number): number {
	const returnAll: unknown = context.getNodeParameter('returnAll', itemIndex, false);
	if (switchOf(returnAll, 'Return All')) return Infinity;
	const limit: unknown = context.getNodeParameter('limit', itemIndex, 50);
	return unwrap(parseInteger(limit, 1, 'enter one, or turn on Return All'), 'Limit', limit);
}
