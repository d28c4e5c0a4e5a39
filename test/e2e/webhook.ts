import type { IDataObject, INode } from 'n8n-workflow';

import { asText } from '../../nodes/TractorBooking/utils/text';
import { nodeNamed, spreadsheetWorkflow } from '../../tools/examples';
import type { N8n } from '../../tools/n8nHost/n8n';
import { outputOf, type Execution, type WorkflowFile } from '../../tools/n8nClient';
import { LateService } from '../support/lateService';
import { countBy } from './report';
import { rowsOfSheet } from './sheet';
import type { Theatre } from './stage';

const BOOKING_NODE = 'Check, then book';

const nodeOf = (name: string, type: string, typeVersion: number, parameters: INode['parameters']) =>
	({ id: name, name, type, typeVersion, position: [0, 0], parameters }) as INode;

/** How rows are booked that are posted to a webhook. */
interface WebhookOptions {
	/** Of the webhook; the workflow has the same name. */
	path: string;
	/** Of the node, beside those of the example. */
	options?: IDataObject;
	/** More settings of the node. */
	settings?: Partial<INode>;
	/** Whether each row goes through the node alone. */
	isLooped?: boolean;
}

/** Books the rows that are posted to a webhook: no form is between the start and the node. */
export async function webhookWorkflow({
	path,
	options,
	settings,
	isLooped,
}: WebhookOptions): Promise<WorkflowFile> {
	const example = await spreadsheetWorkflow();
	const booking = { ...nodeNamed(example, BOOKING_NODE), ...settings };
	booking.parameters.dryRun = false;
	Object.assign(booking.parameters.options ?? {}, options);
	const to = (node: string, output = 0) => ({
		main: Array.from({ length: output + 1 }, (_, at) =>
			at === output ? [{ node, type: 'main' as const, index: 0 }] : [],
		),
	});
	const loop = nodeOf('Loop Over Items', 'n8n-nodes-base.splitInBatches', 3, { options: {} });
	return {
		...example,
		name: path,
		nodes: [
			nodeOf('Start', 'n8n-nodes-base.webhook', 2, { path, httpMethod: 'POST', options: {} }),
			nodeOf('Rows', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.rows', options: {} }),
			...(isLooped ? [loop] : []),
			booking,
		],
		connections: {
			Start: to('Rows'),
			Rows: to(isLooped ? loop.name : BOOKING_NODE),
			...(isLooped && { [loop.name]: to(BOOKING_NODE, 1), [BOOKING_NODE]: to(loop.name) }),
		},
	};
}

export type Rows = Array<Record<string, unknown>>;

/** Gives so many rows to post at each call, of farmers and days that no call gave before. */
export function rowMaker(count: number): () => Rows {
	let first = 0;
	return () => {
		const rows = rowsOfSheet(count, first);
		first += count;
		return rows.map((row) => ({
			...row,
			'Service date': row['Service date'].toISOString().slice(0, 10),
		}));
	};
}

/** Starts a service that ends with the scenario. */
export async function startLateService(theatre: Theatre): Promise<LateService> {
	const service = await LateService.start();
	theatre.atEnd(async () => await service.close());
	// The list of a service that was never used is read twice.
	service.add({ farmerName: 'First', farmerPhone: '+2348000000001', serviceDate: '2026-01-02' });
	return service;
}

/** What an execution says of its rows: how many have which result; its status if it says nothing. */
export function resultsOf(execution: Execution): string {
	const counts = countBy(outputOf(execution, BOOKING_NODE), ({ result }) => asText(result));
	const results = [...counts].map(([result, count]) => `${count} ${result}`).join(', ');
	return results || execution.status;
}

/** Starts such a workflow over rows. */
export async function postRows({ url }: Pick<N8n, 'url'>, path: string, rows: Rows): Promise<void> {
	await fetch(`${url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify({ rows }),
	});
}

/** What the service has of each row. */
export function timesBooked({ timesBooked: times }: LateService, rows: Rows): number[] {
	return rows.map((row) => times[`${asText(row.Phone)} ${asText(row['Service date'])}`] ?? 0);
}
