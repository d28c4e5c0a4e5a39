import type { INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import type { Operation } from './operation';

/** A resource of the node: the field that chooses its operation, and the operations by their value. */
export interface Resource {
	operationField: INodeProperties;
	operations: Readonly<Record<string, Operation>>;
}

/** All fields of a resource, each shown for its own operation only. */
export function fieldsOf(
	resource: string,
	{ operationField, operations }: Resource,
): INodeProperties[] {
	const fields = Object.entries(operations).flatMap(([operation, { fields: own }]) =>
		updateDisplayOptions({ show: { resource: [resource], operation: [operation] } }, own),
	);
	return [...updateDisplayOptions({ show: { resource: [resource] } }, [operationField]), ...fields];
}
