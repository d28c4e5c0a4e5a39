import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from './operation';

interface OfferedOperation extends Operation {
	name: string;
	action: string;
	description: string;
	/** Why a tool of an AI agent cannot be this operation, and which one it takes. */
	notForTools?: string;
}

/** A resource of the node: its operations by the value of the field Operation, sorted by name. */
export interface Resource {
	operations: Readonly<Record<string, OfferedOperation>>;
	defaultOperation: string;
}

/**
 * The fields, shown only for these parameters besides their own display options. These come first: n8n shows a field as
 * soon as one that it depends on is an expression, and then ignores the others.
 */
function shownFor(parameters: Record<string, string[]>, fields: INodeProperties[]) {
	return fields.map((field): INodeProperties => {
		const { displayOptions } = field;
		const show = { ...parameters, ...displayOptions?.show };
		return { ...field, displayOptions: { ...displayOptions, show } };
	});
}

export function fieldsOf(
	resource: string,
	{ operations, defaultOperation }: Resource,
): INodeProperties[] {
	const operationField: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: Object.entries(operations).map(
			([value, { name, action, description, notForTools }]) => ({
				...{ name, value, action, description },
				...(notForTools ? { displayOptions: { hide: { '@tool': [true] } } } : {}),
			}),
		),
		default: defaultOperation,
	};
	const fields = Object.entries(operations).flatMap(([operation, { fields: own }]) =>
		shownFor({ resource: [resource], operation: [operation] }, own),
	);
	return [...shownFor({ resource: [resource] }, [operationField]), ...fields];
}
