import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { unwrap, invalid } from '../parse/issue';
import { parseInteger } from '../parse/numbers';
import type { AuthScheme } from '../api/client';
import { compareNames } from '../utils/text';

/** Option that every operation offers; it holds for all items, so that no expression sets it. */
const timeoutOption: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	noDataExpression: true,
	typeOptions: { minValue: 1 },
	default: 60,
	description: 'How long to wait for a response before a request counts as failed',
};

/** Option that every operation offers; it holds for all items, so that no expression sets it. */
const requestsPerMinuteOption: INodeProperties = {
	displayName: 'Requests per Minute',
	name: 'requestsPerMinute',
	type: 'number',
	noDataExpression: true,
	typeOptions: { minValue: 1 },
	default: 30,
	description:
		'Max number of requests of each kind to send per minute, e.g. to leave room for others who use the same key. If not set, the node sends requests until the service refuses one, then waits for its rate limit.',
};

/** The Options collection of an operation, the timeout and the limit of requests included. */
export function optionsCollection(options: INodeProperties[] = []): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...options, requestsPerMinuteOption, timeoutOption].sort((a, b) =>
			compareNames(a.displayName, b.displayName),
		),
	};
}

/** Return All and Limit, as in n8n's own nodes. */
export const returnAllFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		displayOptions: { show: { returnAll: [false] } },
		default: 50,
		description: 'Max number of results to return',
	},
];

/**
 * How many records an item asks for; `Infinity` with Return All.
 *
 * @throws InvalidInputError when the limit is not a whole number above zero
 */
export function getLimit(context: IExecuteFunctions, itemIndex: number): number {
	if (context.getNodeParameter('returnAll', itemIndex, false) === true) return Infinity;
	const limit: unknown = context.getNodeParameter('limit', itemIndex, 50);
	const number = parseInteger(limit);
	const isUsable = number.ok && number.value > 0;
	const refusal = invalid('is not a whole number above zero', 'enter one, or turn on Return All');
	return unwrap(isUsable ? number : refusal, 'Limit', limit);
}

/**
 * How catalogue and contracts authenticate. The interface calls them with a bearer token and leaves open
 * whether an API key works too ("Authentication" 5 and 6), so the user chooses.
 */
export const authenticationField: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'API Key', value: 'apiKey' },
		{ name: 'Bearer Token', value: 'bearerToken' },
	],
	default: 'bearerToken',
};

/** The scheme chosen for catalogue and contracts; a node has one credential, whatever the item. */
export function getAuthScheme(context: IExecuteFunctions): AuthScheme {
	return context.getNodeParameter('authentication', 0) === 'apiKey' ? 'apiKey' : 'bearerToken';
}
