import type { INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import type { Operation } from './operation';

/** A resource of the node: its Operation field, and its operations by the value of that field. */
export interface Resource {
	operationField: INodeProperties;
	operations: Readonly<Record<string, Operation>>;
}

/** All fields of a resource, each shown only for its operation. */
export function fieldsOf(
	resource: string,
	{ operationField, operations }: Resource,
): INodeProperties[] {
	const fields = Object.entries(operations).flatMap(([operation, { fields: own }]) =>
		updateDisplayOptions({ show: { resource: [resource], operation: [operation] } }, own),
	);
	return [...updateDisplayOptions({ show: { resource: [resource] } }, [operationField]), ...fields];
}
