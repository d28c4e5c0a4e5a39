import type { IDataObject } from 'n8n-workflow';

import { runAction } from '../../support/engine';

/** The one argument of a worker, as JSON. */
export interface Task {
	baseUrl: string;
	apiKey: string;
	rows: IDataObject[];
}

/** What a worker prints, in JSON. */
export interface Report {
	/** The node's output, or why it failed. */
	items: IDataObject[];
	error?: string;
}

/** Books its rows, as a worker of n8n in queue mode would: a process of its own, which shares nothing. */
async function main(): Promise<void> {
	const { baseUrl, apiKey, rows } = JSON.parse(process.argv[2] ?? '') as Task;
	const { items, error } = await runAction({
		parameters: {
			resource: 'booking',
			operation: 'createFromSpreadsheet',
			phoneCountry: 'none',
			tractorSelection: 'id',
			options: { ifAlreadyBooked: 'create' },
		},
		credentials: { tractorBookingApi: { baseUrl, apiKey } },
		rows,
		onError: 'continueRegularOutput',
	});
	const report: Report = { items: items.map(({ json }) => json), error: error?.message };
	console.log(JSON.stringify(report));
}

void main();
