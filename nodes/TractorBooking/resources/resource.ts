import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from './operation';

/** A resource of the node: its Operation field, and its operations by the value of that field. */
export interface Resource {
	operationField: INodeProperties;
	operations: Readonly<Record<string, Operation>>;
}

/**
 * The fields, shown only for these parameters besides their own display options. These come first: n8n shows a field as
 * soon as one that it depends on is an expression, and then looks at no further one.
 */
function shownFor(parameters: Record<string, string[]>, fields: INodeProperties[]) {
	return fields.map((field): INodeProperties => {
		const { displayOptions } = field;
		const show = { ...parameters, ...displayOptions?.show };
		return { ...field, displayOptions: { ...displayOptions, show } };
	});
}

/** All fields of a resource, each shown only for its operation. */
export function fieldsOf(
	resource: string,
	{ operationField, operations }: Resource,
): INodeProperties[] {
	const fields = Object.entries(operations).flatMap(([operation, { fields: own }]) =>
		shownFor({ resource: [resource], operation: [operation] }, own),
	);
	return [...shownFor({ resource: [resource] }, [operationField]), ...fields];
}
