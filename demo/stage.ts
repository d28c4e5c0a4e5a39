import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KEYS, startSandbox, type Sandbox } from '../sandbox';
import { credentialName, smsWorkflow, spreadsheetWorkflow } from '../tools/examples';
import { prepareHost } from '../tools/n8nHost/host';
import { installCommunityPackage, N8n } from '../tools/n8nHost/n8n';
import { packPackage } from '../tools/packPackage';
import { step } from '../tools/progress';

/** A real n8n with the package and both example workflows published, and the sandbox that they work on. */
export interface Stage {
	n8n: N8n;
	sandbox: Sandbox;
	/** Ids of the workflows. */
	workflows: { spreadsheet: string; sms: string };
}

/**
 * Starts the demo's n8n and sandbox, showing each step.
 * @param closers filled with what closes them again; to be called last first
 */
export async function setStage(closers: Array<() => Promise<void>>): Promise<Stage> {
	const folder = await mkdtemp(join(tmpdir(), 'tractor-booking-demo-'));
	// Windows holds the files of a process for a moment after its end.
	closers.push(async () => await rm(folder, { recursive: true, force: true, maxRetries: 10 }));
	const userFolder = join(folder, 'n8n');

	const host = await prepareHost();
	await step('Building the package and installing it in n8n', async () => {
		await installCommunityPackage(userFolder, await packPackage(folder));
	});

	const sandbox = await startSandbox();
	closers.push(async () => await sandbox.close());
	const n8n = await step(`Starting n8n ${host.version}`, async (note) => {
		const started = await N8n.start({ host, userFolder });
		closers.push(async () => await started.stop());
		note(started.url);
		return started;
	});

	const { client } = n8n;
	const workflows = await step('Importing and publishing the workflows', async () => {
		await client.setUpOwner();
		const credential = { baseUrl: sandbox.url, apiKey: KEYS.full };
		await client.createCredential(credentialName, 'tractorBookingApi', credential);
		return {
			sms: await client.publishNew(await smsWorkflow(`${sandbox.url}/sms/messages`)),
			spreadsheet: await client.publishNew(await spreadsheetWorkflow()),
		};
	});
	return { n8n, sandbox, workflows };
}
