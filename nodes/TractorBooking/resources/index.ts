import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { toNodeError, withEscapedTexts } from '../api/errors';
import { booking } from './booking';
import { catalogue, contract } from './catalogue';
import { toItems, type ItemResult, type Resource } from './operation';
import { tractor } from './tractor';

const resources: Readonly<Record<string, Resource>> = { booking, catalogue, contract, tractor };

function fieldsOf(resource: string, operations: Resource): INodeProperties[] {
	const shownFirst = 'getAll' in operations ? 'getAll' : Object.keys(operations)[0];
	const operationField: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: Object.entries(operations).map(
			([value, { name, action, description, isForTools }]) => ({
				...{ name, value, action, description },
				...(isForTools === false ? { displayOptions: { hide: { '@tool': [true] } } } : {}),
			}),
		),
		default: shownFirst,
		displayOptions: { show: { resource: [resource] } },
	};
	const fields = Object.entries(operations).flatMap(([operation, { fields: own }]) =>
		own.map(({ displayOptions, ...field }): INodeProperties => {
			// Its own ones come last: n8n shows a field as soon as one that it depends on is an expression, and then ignores
			// the others.
			const show = { resource: [resource], operation: [operation], ...displayOptions?.show };
			return { ...field, displayOptions: { ...displayOptions, show } };
		}),
	);
	return [operationField, ...fields];
}

export const operationFields: INodeProperties[] = Object.entries(resources).flatMap(
	([name, resource]) => fieldsOf(name, resource),
);

/** Runs the chosen operation on all input items. @throws NodeApiError or NodeOperationError */
export async function runOperation(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const resource = String(context.getNodeParameter('resource', 0));
	const name = String(context.getNodeParameter('operation', 0));
	const operation = resources[resource]?.[name];
	if (!operation) {
		const message = `Unknown operation "${name}" of resource "${resource}"`;
		throw new NodeOperationError(context.getNode(), message);
	}
	try {
		const results = await operation.run(context).catch((failure: unknown): ItemResult[] => {
			if (!context.continueOnFail()) throw failure;
			return context.getInputData().map(() => ({ records: [], failure }));
		});
		return await toItems(context, results);
	} catch (failure) {
		throw withEscapedTexts(toNodeError(context.getNode(), failure));
	}
}
