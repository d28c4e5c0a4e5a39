import 'reflect-metadata';
import { ExecuteContext } from 'n8n-core';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { asText } from '../../nodes/TractorBooking/utils/text';
import { KEYS, TOKENS, type Sandbox } from '../../sandbox/index.cts';
import type { CredentialValues } from './execution.cts';
import { runAction, type ActionResult, type ActionRun } from './engine.cts';
import { DEFAULTS, type OperationName } from './operations.cts';

export { byId, OPERATIONS, type OperationName } from './operations.cts';

/** Secrets and address of a run; the sandbox's own and a key with every scope by default. */
interface Access {
	baseUrl?: string;
	apiKey?: string;
	token?: string;
}

export function credentialsOf({
	baseUrl = '',
	apiKey = KEYS.full,
	token = TOKENS.full,
}: Access): CredentialValues {
	return {
		tractorBookingApi: { baseUrl, apiKey },
		tractorBookingBearerApi: { baseUrl, token },
	};
}

const SECRETS = [...Object.values(KEYS), ...Object.values(TOKENS)];

/** The secrets that a value shows anywhere; there should never be one. */
export function secretsIn(value: unknown, more: string[] = []): string[] {
	const text = JSON.stringify(value, (_key, part: unknown) =>
		// The interesting properties of an error are not enumerable.
		part instanceof Error ? { ...part, message: part.message, stack: part.stack } : part,
	);
	return [...SECRETS, ...more].filter((secret) => text?.includes(secret));
}

const logged: string[] = [];

const logger = ExecuteContext.prototype.logger;
// As errors, n8n logs those that a node throws: message and cause. At debug, it logs nodes with their parameters.
for (const level of ['error', 'warn', 'info'] as const) {
	const log = logger[level].bind(logger);
	logger[level] = (message, metadata) => {
		logged.push(`${message} ${JSON.stringify(metadata) ?? ''}`);
		log(message, metadata);
	};
}

export const logOfSuite = (): string => logged.join('\n');

/** A short number, as of a booking, is no secret. */
const hasSecret = (cell: string) => cell.length > 4 && !/^\d{1,6}$/.test(cell);

function valuesIn(value: unknown, name = ''): Array<[name: string, value: string]> {
	if (typeof value !== 'object' || value === null) return [[name, asText(value).trim()]];
	return Object.entries(value).flatMap(([key, part]) =>
		valuesIn(part, Array.isArray(value) ? name : key),
	);
}

/** The cells of rows, and what fields hold of farmers, that n8n's log shows: there should never be one. */
function usersIn(log: string, rows: readonly IDataObject[], fields: INodeParameters): string[] {
	const ofFarmers = valuesIn(fields).filter(([name]) => /farmer|phone|note|location/i.test(name));
	const values = [...valuesIn(rows), ...ofFarmers].map(([, value]) => value);
	return values.filter((value) => hasSecret(value) && log.includes(value));
}

export type Settings = Access & Partial<Omit<ActionRun, 'parameters' | 'credentials'>>;

/** Runs an operation in n8n's engine: no secret may come out of it, and no cell be in n8n's log. */
export async function perform(
	sandbox: Pick<Sandbox, 'url'>,
	name: OperationName,
	fields: INodeParameters = {},
	{ baseUrl = sandbox.url, apiKey, token, ...run }: Settings = {},
): Promise<ActionResult> {
	const [resource = '', operation = ''] = name.split(':');
	const lines = logged.length;
	const result = await runAction({
		parameters: { resource, operation, ...DEFAULTS[name], ...fields },
		credentials: credentialsOf({ baseUrl, apiKey, token }),
		...run,
	});
	const used = [apiKey, token].flatMap((secret) => (secret ? [secret.trim()] : []));
	expect(secretsIn(result, used)).toEqual([]);
	const log = logged.slice(lines).join('\n');
	expect(usersIn(log, run.rows ?? [], fields)).toEqual([]);
	return result;
}

export function recordsOf(items: readonly INodeExecutionData[]): IDataObject[] {
	return items.map(({ json }) => json);
}

export function pairsOf(items: readonly INodeExecutionData[]): unknown[] {
	return items.map(({ pairedItem }) =>
		typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : pairedItem,
	);
}

export function fieldOf(items: readonly INodeExecutionData[], field: string): unknown[] {
	return items.map(({ json }) => json[field]);
}

/** HTML of the node as lines of text. */
const linesIn = (html?: string | null) => (html ?? '').replaceAll('<br>\n', '\n');

export function hintsOf({ run }: ActionResult): string[] {
	const [data] = run.data.resultData.runData['Tractor Booking'] ?? [];
	return (data?.hints ?? []).map(({ message }) => linesIn(message));
}

/** What stopped the node, as an operator sees it; the item that it is about. */
export function stopOf({ error }: ActionResult) {
	if (!error) throw new Error('The node did not stop');
	const { name, message } = error;
	const description = linesIn(error.description);
	const context = 'context' in error ? error.context : {};
	const httpCode = 'httpCode' in error ? error.httpCode : undefined;
	return {
		name,
		message,
		description,
		/** All that the editor shows. */
		said: `${message}\n${description}`,
		itemIndex: context.itemIndex,
		httpCode,
	};
}
