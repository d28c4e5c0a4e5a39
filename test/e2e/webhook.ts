import { asText } from '../../nodes/TractorBooking/utils/text';
import { nodeNamed, spreadsheetWorkflow } from '../../tools/examples';
import type { N8n } from '../../tools/n8nHost/n8n';
import { outputOf, type Execution, type WorkflowFile } from '../../tools/n8nClient';
import { LateService } from '../support/lateService';
import { tally } from './report';
import { rowsOfSheet } from './sheet';
import type { Theatre } from './stage';
import { nodeOf, to } from './workflow';

const BOOKING_NODE = 'Check, then book';

/** Of the webhook that starts the workflow. */
const PATH = 'rows';

/** Books the rows that are posted to a webhook: no form is between the start and the node. */
export async function webhookWorkflow(): Promise<WorkflowFile> {
	const example = await spreadsheetWorkflow();
	const booking = nodeNamed(example, BOOKING_NODE);
	booking.parameters.dryRun = false;
	return {
		...example,
		name: PATH,
		nodes: [
			nodeOf('Start', 'webhook', 2, { path: PATH, httpMethod: 'POST', options: {} }),
			nodeOf('Rows', 'splitOut', 1, { fieldToSplitOut: 'body.rows', options: {} }),
			booking,
		],
		connections: { Start: to('Rows'), Rows: to(BOOKING_NODE) },
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
	const service = theatre.closeAtEnd(await LateService.start());
	// The list of a service that was never used is read twice.
	service.add({ farmerName: 'First', farmerPhone: '+2348000000001', serviceDate: '2026-01-02' });
	return service;
}

/** What an execution says of its rows: how many have which result; its status if it says nothing. */
export function resultsOf(execution: Execution): string {
	return (
		tally(outputOf(execution, BOOKING_NODE), ({ result }) => asText(result)) || execution.status
	);
}

/** Starts the workflow over rows. */
export async function postRows({ client }: Pick<N8n, 'client'>, rows: Rows): Promise<void> {
	await client.callWebhook(PATH, { rows });
}

/** What the service has of each row. */
export function timesBooked({ timesBooked: times }: LateService, rows: Rows): number[] {
	return rows.map((row) => times[`${asText(row.Phone)} ${asText(row['Service date'])}`] ?? 0);
}
