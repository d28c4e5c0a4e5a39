import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Scheme } from '../service/client';

/** Option that every operation offers. */
export const timeoutOption: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 60,
	description: 'How long to wait for an answer before the request counts as failed',
};

/** The Options collection of an operation, the timeout included. */
export function optionsCollection(options: INodeProperties[] = []): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...options, timeoutOption].sort((a, b) => a.displayName.localeCompare(b.displayName)),
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

/** How many records an item asks for; `Infinity` with Return All. */
export function limitOf(context: IExecuteFunctions, itemIndex: number): number {
	if (context.getNodeParameter('returnAll', itemIndex, false) === true) return Infinity;
	return Math.max(1, Number(context.getNodeParameter('limit', itemIndex, 50)));
}

/**
 * How catalogue and contracts authenticate. The interface calls them with a bearer token and leaves open
 * whether an API key works too ("Authentication" 5 and 6), so the user chooses.
 */
export const authenticationField: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	options: [
		{ name: 'API Key', value: 'apiKey' },
		{ name: 'Bearer Token', value: 'bearerToken' },
	],
	default: 'bearerToken',
};

/** The scheme chosen for catalogue and contracts; a node has one credential, whatever the item. */
export function schemeOf(context: IExecuteFunctions): Scheme {
	return context.getNodeParameter('authentication', 0) === 'apiKey' ? 'apiKey' : 'bearerToken';
}
