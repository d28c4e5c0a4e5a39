import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CREDENTIAL_TYPES } from '../../nodes/TractorBooking/api/client';
import { KEYS, startSandbox } from '../../sandbox/index.cts';
import { runCommand } from '../../tools/command.cts';
import { credentialName } from '../../tools/examples.cts';
import { N8nClient } from '../../tools/n8nClient.cts';
import { installCommunityPackage } from '../../tools/n8nHost/n8n.cts';
import { packPackage } from '../../tools/packPackage.cts';
import { until } from '../../tools/until.cts';
import { bookSheet } from './flows.cts';

const PORT = 5678;

/**
 * `node -r tsx/cjs test/e2e/image.cts n8nio/n8n:latest` installs the package in a container of n8n as users do, and books a sheet
 * by the form. Needs Docker on Linux, whose containers reach the sandbox on this machine.
 */
async function main([image = 'n8nio/n8n:latest']: string[]): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), 'tractor-booking-image-'));
	await installCommunityPackage(folder, await packPackage(join(folder, 'packed')));
	const sandbox = await startSandbox({ bookings: 0, otherBookings: 0 });
	const env = {
		HOME: '/data',
		N8N_USER_FOLDER: '/data',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_SECURE_COOKIE: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
	};
	const settings = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
	// The files stay ours.
	const user = `${process.getuid?.() ?? 1000}:${process.getgid?.() ?? 1000}`;
	const place = ['--network', 'host', '--user', user, '--volume', `${folder}:/data`];
	const container = await runCommand('docker', ['run', '--detach', ...place, ...settings, image]);
	try {
		console.log(`n8n ${await runCommand('docker', ['exec', container, 'n8n', '--version'])}`);
		const client = new N8nClient(`http://127.0.0.1:${PORT}`);
		await until('The start of n8n', async () => await client.isReady(), { limitMs: 300_000 });
		await client.setUpOwner();
		const credential = { baseUrl: sandbox.url, apiKey: KEYS.full };
		await client.createCredential(credentialName, CREDENTIAL_TYPES.apiKey, credential);
		await bookSheet({ client }, sandbox);
		console.log('A sheet is booked, each row once.');
	} catch (error) {
		console.error(await runCommand('docker', ['logs', '--tail', '60', container]));
		throw error;
	} finally {
		await runCommand('docker', ['rm', '--force', container]);
		await sandbox.close();
	}
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
