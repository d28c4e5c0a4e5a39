import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import type { RetryPolicy, AuthScheme, ServiceClient } from '../api/client';
import { connect, EXECUTION_POLICY } from '../api/client';
import { toNodeError } from '../api/errors';
import { mapConcurrent } from '../utils/mapConcurrent';

/** What became of one input item: the records that it brought and, where something failed, why. */
export interface ItemResult {
	records: IDataObject[];
	failure?: unknown;
	/** Fields that go with the failure's item, beside the input row and the reason. */
	report?: IDataObject;
}

/** One entry of the node's table: the operation's own fields in the editor, and its run. */
export interface Operation {
	/** Shown when the operation is chosen; `resources/index.ts` adds the display options. */
	fields: INodeProperties[];
	/**
	 * Works on all input items and returns one outcome an item, in their order. It may return fewer when
	 * the node stops at the first failure. An error thrown from here concerns no single item.
	 */
	run(context: IExecuteFunctions): Promise<ItemResult[]>;
}

/**
 * The value of a field of the node for one input item, expressions resolved; undefined for a field that is
 * not shown with the other choices of the node.
 */
export function getParameter(context: IExecuteFunctions, name: string, itemIndex: number): unknown {
	return context.getNodeParameter(name, itemIndex, null) ?? undefined;
}

/** The value chosen in a resource locator that is always shown: n8n fails for one that is hidden. */
export function getLocatorValue(
	context: IExecuteFunctions,
	name: string,
	itemIndex: number,
): unknown {
	return context.getNodeParameter(name, itemIndex, null, { extractValue: true }) ?? undefined;
}

/** The values of the Options collection for one input item. */
export function getOptions(context: IExecuteFunctions, itemIndex: number): IDataObject {
	return context.getNodeParameter('options', itemIndex, {});
}

/** A client for the operation, with the timeout and the limit that the first item's options set. */
export async function clientFor(
	context: IExecuteFunctions,
	scheme: AuthScheme,
): Promise<ServiceClient> {
	const { timeout, requestsPerMinute } = getOptions(context, 0);
	const patience: RetryPolicy =
		typeof timeout === 'number' && timeout > 0
			? { ...EXECUTION_POLICY, timeoutMs: timeout * 1_000 }
			: EXECUTION_POLICY;
	const perMinute =
		typeof requestsPerMinute === 'number' && requestsPerMinute >= 1
			? Math.floor(requestsPerMinute)
			: undefined;
	return await connect(context, scheme, patience, perMinute);
}

/**
 * Runs the work of the items, several at a time; it must be safe to run in any order, as reads are. An item
 * that fails becomes an outcome with a failure. Unless the node continues on failure no item is begun after
 * that, and the first item that failed is the last outcome.
 */
export async function eachItem(
	context: IExecuteFunctions,
	work: (itemIndex: number) => Promise<IDataObject[]>,
): Promise<ItemResult[]> {
	return await mapConcurrent(
		context.getInputData(),
		async (_item, itemIndex) => await toItemResult(work(itemIndex)),
		({ failure }) => failure === undefined || context.continueOnFail(),
	);
}

async function toItemResult(records: Promise<IDataObject[]>): Promise<ItemResult> {
	try {
		return { records: await records };
	} catch (failure) {
		return { records: [], failure };
	}
}

/**
 * The output of the node: every record paired with its input item. A failure stops the node, or, where it
 * continues on failure, becomes an item that carries the input row and the reason.
 *
 * @throws NodeApiError or NodeOperationError with `itemIndex`
 */
export function toItems(context: IExecuteFunctions, results: ItemResult[]): INodeExecutionData[] {
	const input = context.getInputData();
	const continuesOnErrorOutput = context.getNode().onError === 'continueErrorOutput';
	const lists = results.map(({ records, failure, report }, itemIndex) => {
		const pairedItem = { item: itemIndex };
		const items: INodeExecutionData[] = records.map((json) => ({ json, pairedItem }));
		if (failure === undefined) return items;

		const error = toNodeError(context.getNode(), failure, itemIndex);
		if (!context.continueOnFail()) throw error;
		const reason = { error: error.message, errorDescription: error.description ?? undefined };
		const item = { json: { ...input[itemIndex]?.json, ...report, ...reason }, pairedItem };
		return [...items, continuesOnErrorOutput ? withErrorOutput(error, item) : item];
	});
	const [first = [], ...others] = lists;
	// A long list is not copied once more.
	return others.length === 0 ? first : lists.flat();
}

/**
 * Marks an item for the error output. The engine sorts items by their `error`, and then puts nothing but its
 * message into each item that still has one: hidden from copies, it is there for the first only.
 */
function withErrorOutput(error: NodeApiError | NodeOperationError, item: INodeExecutionData) {
	return Object.defineProperty(item, 'error', { value: error, writable: true, enumerable: false });
}
