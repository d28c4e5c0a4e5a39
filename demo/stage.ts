import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KEYS, startSandbox, type Sandbox } from '../sandbox';
import { credentialName, smsWorkflow, spreadsheetWorkflow } from '../tools/examples';
import { prepareHost } from '../tools/n8nHost/host';
import { installCommunityPackage, N8n } from '../tools/n8nHost/n8n';
import type { Owner } from '../tools/n8nClient';
import { packPackage } from '../tools/packPackage';
import { step } from '../tools/progress';

/** Who signs in to the demo's n8n. */
export const owner: Owner = {
	email: 'demo@example.com',
	firstName: 'Demo',
	lastName: 'Operator',
	password: 'Tractor1Demo',
};

/** A real n8n with the package and both example workflows published, beside a sandbox that they work on. */
export interface Stage {
	n8n: N8n;
	sandbox: Sandbox;
	/** Ids of the workflows. */
	workflows: { spreadsheet: string; sms: string };
}

/**
 * Sets the stage, showing each step.
 * @param closers takes, while the stage is being set, what closes it again; to be called last first
 */
export async function setStage(closers: Array<() => Promise<void>>): Promise<Stage> {
	const folder = await mkdtemp(join(tmpdir(), 'tractor-booking-demo-'));
	closers.push(async () => await rm(folder, { recursive: true, force: true }));

	const tarball = await step(
		'Building and packing the package',
		async () => await packPackage(folder),
	);
	const host = await prepareHost();
	const userFolder = join(folder, 'n8n');
	await step(
		'Installing the package in n8n',
		async () => await installCommunityPackage(userFolder, tarball),
	);

	const sandbox = await startSandbox();
	closers.push(async () => await sandbox.close());
	const n8n = await step(`Starting n8n ${host.version}`, async (note) => {
		const started = await N8n.start({ host, userFolder });
		closers.push(async () => await started.stop());
		note(started.address);
		return started;
	});

	const { client } = n8n;
	const workflows = await step(
		'Importing the credential and the workflows, publishing',
		async () => {
			await client.setUpOwner(owner);
			const credential = { baseUrl: sandbox.url, apiKey: KEYS.full };
			await client.createCredential(credentialName, 'tractorBookingApiKeyApi', credential);
			const sms = await client.importWorkflow(await smsWorkflow(`${sandbox.url}/sms/messages`));
			await client.publishWorkflow(sms);
			const spreadsheet = await client.importWorkflow(await spreadsheetWorkflow());
			await client.publishWorkflow(spreadsheet);
			return { spreadsheet, sms };
		},
	);
	return { n8n, sandbox, workflows };
}
