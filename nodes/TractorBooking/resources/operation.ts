import {
	isResourceLocatorValue,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import {
	connect,
	EXECUTION_POLICY,
	MAX_TIMEOUT_MS,
	type AuthScheme,
	type RetryPolicy,
	type ServiceClient,
} from '../api/client';
import { toNodeError, toPlainError } from '../api/errors';
import { parseId } from '../parse/ids';
import { unwrap } from '../parse/issue';
import { mapConcurrent } from '../utils/mapConcurrent';
import { memoize } from '../utils/memoize';
import { escapeHtml } from '../utils/text';
import { inTurns } from '../utils/turns';

/** What came of one input item. */
export interface ItemResult {
	/** They may be shared with other items. */
	records: IDataObject[];
	failure?: unknown;
	/** The output item of a failure; by default, the input row and the error message. */
	report?: IDataObject;
}

/** An option of the dropdown Operation, and what it does. */
export interface Operation extends Omit<INodePropertyOptions, 'value'> {
	/** The operation's own fields; `index.ts` adds the display options for resource and operation. */
	fields: INodeProperties[];
	/** Processes all input items: one result per item, in input order. An error that it throws applies to all items. */
	run(context: IExecuteFunctions): Promise<ItemResult[]>;
}

/**
 * The value of a field of the node for one input item, expressions resolved; of a resource locator, what was chosen;
 * undefined if the field is hidden by its display options.
 */
export function getParameter(context: IExecuteFunctions, name: string, itemIndex: number): unknown {
	const value: unknown = context.getNodeParameter(name, itemIndex, null) ?? undefined;
	// n8n's own `extractValue` throws for hidden fields.
	return isResourceLocatorValue(value) ? value.value : value;
}

export function getOptions(context: IExecuteFunctions, itemIndex: number): IDataObject {
	return context.getNodeParameter('options', itemIndex, {});
}

/** The option Page Size, which holds for all items; undefined if it is not set. */
export function pageSizeOf(context: IExecuteFunctions): number | undefined {
	const { pageSize } = getOptions(context, 0);
	return typeof pageSize === 'number' && pageSize >= 1 ? Math.floor(pageSize) : undefined;
}

/** Whether the node is a tool of an AI agent: n8n makes a node type of its own for that. */
export const isTool = (context: IExecuteFunctions) => context.getNode().type.endsWith('Tool');

/** How long a tool may take: MCP clients commonly stop waiting after 60 seconds. */
const TOOL_MS = 42_000;

/** A client with the timeout that the options of the first item set. */
export async function clientFor(context: IExecuteFunctions, scheme: AuthScheme) {
	const { timeout } = getOptions(context, 0);
	const policy: RetryPolicy = { ...EXECUTION_POLICY };
	if (isTool(context)) policy.totalMs = TOOL_MS;
	if (typeof timeout === 'number' && timeout > 0)
		policy.timeoutMs = Math.min(timeout * 1_000, MAX_TIMEOUT_MS);
	return await connect(context, scheme, policy);
}

/** Shows the user a hint above the output of the node. @param message plain text; n8n renders hints as HTML */
export function addHint(context: IExecuteFunctions, message: string, type: 'info' | 'warning') {
	// Older hosts have no hints.
	if ('addExecutionHints' in context)
		context.addExecutionHints({ message: escapeHtml(message), type, location: 'outputPane' });
}

/** Warns the user of what does not stop the node: in the log, and above its output. */
export function warningsTo(context: IExecuteFunctions): (text: string) => void {
	const given = new Set<string>();
	return (text) => {
		// Many items may give the same warning.
		if (given.has(text)) return;
		given.add(text);
		context.logger.warn(text);
		addHint(context, text, 'warning');
	};
}

/**
 * Runs `work` for each item, several at a time, in no particular order.
 *
 * @returns one result for each item, a failure too if the node continues on fail
 * @throws NodeApiError or NodeOperationError of the first item that fails, if it does not: no further item is started
 */
export async function eachItem(
	context: IExecuteFunctions,
	work: (itemIndex: number) => Promise<IDataObject[]>,
): Promise<ItemResult[]> {
	return await mapConcurrent(context.getInputData(), async (_item, itemIndex) => {
		try {
			return { records: await work(itemIndex) };
		} catch (failure) {
			if (!context.continueOnFail()) throw toNodeError(context.getNode(), failure, itemIndex);
			return { records: [], failure };
		}
	});
}

/** The output of the node: every record, and every failure if the node continues on fail, paired with its input item. */
export async function toItems(context: IExecuteFunctions, results: ItemResult[]) {
	const input = context.getInputData();
	const continuesOnErrorOutput = context.getNode().onError === 'continueErrorOutput';
	const lists = await inTurns(results, ({ records, failure, report }, itemIndex) => {
		const pairedItem = { item: itemIndex };
		const items: INodeExecutionData[] = records.map((json) => ({
			// Each item has a record of its own; what is nested in it is shared, and a long list of one item is not copied.
			json: results.length > 1 ? { ...json } : json,
			pairedItem,
		}));
		if (failure === undefined) return items;
		const error = toNodeError(context.getNode(), failure, itemIndex);
		if (!context.continueOnFail()) throw error;
		// The output may name what n8n's log must not.
		const { message, description } = toPlainError(failure);
		const reason = { error: message, errorDescription: description || undefined };
		const item = { json: report ?? { ...input[itemIndex]?.json, ...reason }, pairedItem };
		// n8n routes an item with an `error` to the error output, and overwrites its `json` with the message. One that is
		// not enumerable triggers the routing but is lost on copy, so `json` survives.
		if (continuesOnErrorOutput)
			Object.defineProperty(item, 'error', { value: error, writable: true, enumerable: false });
		return [...items, item];
	});
	return lists.flat();
}

/** Reads one record for each item. Items with the same ID share one request. @param locator the field in which it is chosen */
export async function readEach(
	context: IExecuteFunctions,
	scheme: AuthScheme,
	locator: INodeProperties,
	fetchRecord: (client: ServiceClient, id: string) => Promise<IDataObject>,
	toOutput: (record: IDataObject, itemIndex: number) => IDataObject = (record) => record,
): Promise<ItemResult[]> {
	const client = await clientFor(context, scheme);
	const read = memoize(async (id: string) => await fetchRecord(client, id));
	return await eachItem(context, async (itemIndex) => {
		const value = getParameter(context, locator.name, itemIndex);
		const id = unwrap(parseId(value), locator.displayName, value);
		return [toOutput(await read(id), itemIndex)];
	});
}
