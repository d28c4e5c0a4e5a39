import type { Browser } from 'playwright-core';
import { startSandbox, type Sandbox } from '../sandbox/index.cts';
import { startBrowser } from '../tools/browser.cts';
import { readExample, smsWorkflow } from '../tools/examples.cts';
import type { N8n } from '../tools/n8nHost/n8n.cts';
import { step } from '../tools/progress.cts';
import { Theatre } from '../tools/theatre.cts';

/** A real n8n with the package and both example workflows published, and the sandbox that they work on. */
export interface Stage {
	n8n: N8n;
	sandbox: Sandbox;
	/** ID of the workflow that books a spreadsheet. */
	spreadsheetWorkflowId: string;
}

/** Starts the demo's n8n and sandbox. */
export async function setStage(theatre: Theatre): Promise<Stage> {
	const sandbox = theatre.closeAtEnd(await startSandbox());
	const n8n = await theatre.startN8n('demo', sandbox);
	return await step('Importing and publishing the workflows', async () => {
		await n8n.client.publishNew(await smsWorkflow(`${sandbox.url}/sms/messages`));
		const spreadsheetWorkflowId = await n8n.client.publishNew(
			await readExample('spreadsheet-to-bookings'),
		);
		return { n8n, sandbox, spreadsheetWorkflowId };
	});
}

/** Makes pictures in a browser, and ends everything after it. */
export async function picture(
	make: (theatre: Theatre, browser: Browser) => Promise<void>,
): Promise<void> {
	const theatre = await Theatre.open();
	try {
		await make(theatre, theatre.closeAtEnd(await startBrowser()));
	} catch (error) {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	} finally {
		await theatre.close();
	}
}
