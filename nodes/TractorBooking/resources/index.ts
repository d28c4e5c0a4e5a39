import {
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import { toNodeError, withEscapedTexts } from '../api/errors';
import { create, createFromSpreadsheet } from './booking/create';
import { get as getBooking } from './booking/get';
import { getAll as getBookings } from './booking/getAll';
import { getContracts, getTractor, getTractors } from './catalogue';
import { toItems, type ItemResult, type Operation } from './operation';
import { findNearby } from './tractor/findNearby';
import { get as getDetails } from './tractor/get';

type Operations = Readonly<Record<string, Operation>>;

/** By the value of the field Operation, sorted by name. The default is Get Many, else the first. */
const resources: Readonly<Record<string, Operations>> = {
	booking: { create, createFromSpreadsheet, get: getBooking, getAll: getBookings },
	catalogue: { get: getTractor, getAll: getTractors },
	contract: { getAll: getContracts },
	tractor: { findNearby, get: getDetails },
};

function fieldsOf(resource: string, operations: Operations): INodeProperties[] {
	const shownFirst = 'getAll' in operations ? 'getAll' : Object.keys(operations)[0];
	const operationField: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: Object.entries(operations).map(
			([value, { name, action, description, displayOptions }]) => ({
				...{ name, value, action, description, displayOptions },
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
