import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IDataObject, INode } from 'n8n-workflow';

import type { Ending } from '../examples/code/spreadsheet-to-bookings/parts/step';
import { outputOf, type Execution, type WorkflowFile } from './n8nClient.cts';
import { TRIGGER_NODE } from './workflow.cts';

/** The name of the credential in the examples: n8n gives it to the first one, and then chooses it after an import. */
export const credentialName = 'Tractor Booking account';

/** Path of the form that starts the spreadsheet workflow. */
export const formPath = 'book-tractors';

/** Parameters by the name of the node that they are set in. */
export type Settings = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** An example as users import it. @param name of its file, without `.json` @param settings what a user sets in it */
export async function readExample(name: string, settings: Settings = {}): Promise<WorkflowFile> {
	const file = await readFile(join(__dirname, '..', 'examples', `${name}.json`), 'utf8');
	const workflow = JSON.parse(file) as WorkflowFile;
	for (const [node, parameters] of Object.entries(settings))
		Object.assign(nodeNamed(workflow, node).parameters, parameters);
	return workflow;
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
	return await readExample('spreadsheet-to-bookings', { 'Check, then book': { phoneCountry } });
}

/** The rows of the sheet that this workflow gives back, with their results. */
export function rowsShown(execution: Execution): IDataObject[] {
	const { lines } = outputOf(execution, 'Draw the page').at(-1) as unknown as Ending;
	return lines.map((row, index) => ({ ...(row as IDataObject), row_number: index + 2 }));
}

/**
 * The workflow that sends an SMS for each completed booking, as users import it but for two things that a user
 * sets too: the URL of the SMS gateway, and how often the trigger polls.
 */
export async function smsWorkflow(gateway: string): Promise<WorkflowFile> {
	return await readExample('completion-to-sms', {
		'Send the SMS': { url: gateway },
		'Ask the gateway': { url: gateway },
		'When a booking is completed': { pollTimes: everySeconds(20) },
	});
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

/** Lets the polls and the schedule of a workflow come every so many seconds. @returns it */
export function runOften(workflow: WorkflowFile, seconds: number): WorkflowFile {
	const rule = { interval: [{ field: 'seconds', secondsInterval: seconds }] };
	for (const { type, parameters } of workflow.nodes) {
		if (type === TRIGGER_NODE) parameters.pollTimes = everySeconds(seconds);
		if (type === 'n8n-nodes-base.scheduleTrigger') parameters.rule = rule;
	}
	return workflow;
}
