import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { toNodeError, withEscapedTexts } from '../api/errors';
import { booking } from './booking';
import { catalogue } from './catalogue';
import { contract } from './contract';
import { toItems, type ItemResult, type Operation } from './operation';
import { fieldsOf, type Resource } from './resource';
import { tractor } from './tractor';

const resources: Readonly<Record<string, Resource>> = { booking, catalogue, contract, tractor };

export const operationFields: INodeProperties[] = Object.entries(resources).flatMap(
	([name, resource]) => fieldsOf(name, resource),
);

/**
 * Runs the chosen operation on all input items.
 *
 * @throws NodeApiError or NodeOperationError, unless the node continues on fail
 */
export async function runOperation(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const resource = String(context.getNodeParameter('resource', 0));
	const name = String(context.getNodeParameter('operation', 0));
	const operation = resources[resource]?.operations[name];
	if (!operation) {
		const message = `Unknown operation "${name}" of resource "${resource}"`;
		throw new NodeOperationError(context.getNode(), message);
	}
	// Older hosts offer it to tools all the same.
	if (operation.notForTools && context.getNode().type.endsWith('Tool')) {
		const message = `${operation.name} cannot be a tool of an AI agent`;
		const description = operation.notForTools;
		throw new NodeOperationError(context.getNode(), message, { description });
	}
	try {
		return await toItems(context, await resultsOf(operation, context));
	} catch (failure) {
		throw withEscapedTexts(toNodeError(context.getNode(), failure));
	}
}

async function resultsOf(operation: Operation, context: IExecuteFunctions): Promise<ItemResult[]> {
	try {
		return await operation.run(context);
	} catch (failure) {
		if (!context.continueOnFail()) throw toNodeError(context.getNode(), failure);
		return context.getInputData().map(() => ({ records: [], failure }));
	}
}
