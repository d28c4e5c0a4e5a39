import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IDataObject, INode } from 'n8n-workflow';
import { outputOf, type Execution, type WorkflowFile } from './n8nClient.cts';

/** The name of the credential in the examples: n8n gives it to the first one, and then chooses it after an import. */
export const credentialName = 'Tractor Booking account';

/** Path of the form that starts the spreadsheet workflow. */
export const formPath = 'book-tractors';

/** An example as users import it. @param name of its file, without `.json` */
export async function readExample(name: string): Promise<WorkflowFile> {
	return JSON.parse(
		await readFile(join(__dirname, '..', 'examples', `${name}.json`), 'utf8'),
	) as WorkflowFile;
}

/** A node of a workflow, to be changed as a user would. */
export function nodeNamed(workflow: WorkflowFile, name: string): INode {
	const node = workflow.nodes.find((candidate) => candidate.name === name);
	if (!node) throw new Error(`The workflow "${workflow.name}" has no node "${name}".`);
	return node;
}

/** The country of phones that the made-up sheets write without a country code. */
export const phoneCountry = 'NG';

/** The workflow that books the rows of a spreadsheet, as users import it, with the Phone Country chosen. */
export async function spreadsheetWorkflow(): Promise<WorkflowFile> {
	const workflow = await readExample('spreadsheet-to-bookings');
	nodeNamed(workflow, 'Check, then book').parameters.phoneCountry = phoneCountry;
	return workflow;
}

/** The rows of the sheet that this workflow gives back, with their results. */
export function rowsShown(execution: Execution): IDataObject[] {
	return outputOf(execution, 'Rows to keep').map((row, index) => ({
		...row,
		row_number: index + 2,
	}));
}

/**
 * The workflow that sends an SMS for each completed booking, as users import it but for two things that a user
 * sets too: the URL of the SMS gateway, and how often the trigger polls.
 */
export async function smsWorkflow(gateway: string): Promise<WorkflowFile> {
	const workflow = await readExample('completion-to-sms');
	for (const name of ['Send the SMS', 'Ask the gateway'])
		nodeNamed(workflow, name).parameters.url = gateway;
	nodeNamed(workflow, 'When a booking is completed').parameters.pollTimes = everySeconds(20);
	return workflow;
}

/**
 * The times of a trigger that polls every so many seconds. n8n refuses an interval below a minute, but takes several
 * schedules.
 *
 * @param first second of a minute at which it polls
 */
export function everySeconds(seconds: number, first = 0) {
	const item = Array.from({ length: 60 / seconds }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${first + index * seconds} * * * * *`,
	}));
	return { item };
}
