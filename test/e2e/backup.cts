import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { COMPLETED } from '../../nodes/TractorBooking/api/status';
import { startSandbox } from '../../sandbox/index.cts';
import { nodeNamed, readExample, runOften, smsWorkflow } from '../../tools/examples.cts';
import type { WorkflowFile } from '../../tools/n8nClient.cts';
import { countBy } from '../../tools/tally.cts';
import type { Theatre } from '../../tools/theatre.cts';
import { until } from '../../tools/until.cts';
import { bookingOf, TRIGGER } from './completions.cts';
import { afterSomePolls } from './lifecycle.cts';

const POLL_SECONDS = 2;

async function copyDatabase(from: string, to: string): Promise<void> {
	const filesIn = async (folder: string) =>
		(await readdir(folder)).filter((name) => name.startsWith('database.sqlite'));
	await mkdir(to, { recursive: true });
	for (const name of await filesIn(to)) await rm(join(to, name));
	for (const name of await filesIn(from)) await copyFile(join(from, name), join(to, name));
}

function withTriggerNamed(name: string, workflow: WorkflowFile): WorkflowFile {
	const { [TRIGGER]: after = {}, ...connections } = workflow.connections;
	nodeNamed(workflow, TRIGGER).name = name;
	return { ...workflow, connections: { ...connections, [name]: after } };
}

/** Restores a backup as docs/backup.md says: no farmer gets a second message. */
export async function backup(theatre: Theatre): Promise<string[]> {
	const sandbox = theatre.closeAtEnd(await startSandbox({ bookings: 50 }));
	// A gateway of its own for each example.
	const startGateway = async () => theatre.closeAtEnd(await startSandbox({ bookings: 0 }));
	const gateways = { simple: await startGateway(), neverNone: await startGateway() };
	const urlOf = ({ url }: { url: string }) => `${url}/sms/messages`;
	const { bookings } = sandbox.store;
	const complete = () => {
		const [id = 0] = bookings.moving();
		bookings.advance(id, COMPLETED);
		return id;
	};
	const violations: string[] = [];
	/** Waits for messages about some bookings, and then a while; all that there are must be one for each of these. */
	const expectSent = async (what: string, wanted: Record<keyof typeof gateways, number[]>) => {
		for (const [name, gateway] of Object.entries(gateways)) {
			const { outbox } = gateway.store;
			const ids = wanted[name as keyof typeof gateways];
			const isSent = (id: number) => outbox.some(({ reference }) => bookingOf(reference) === id);
			await until(`${what}: ${name}`, () => ids.every(isSent)).catch(() => undefined);
			for (let again = 0; again < 3; again++) await afterSomePolls(sandbox);
			const counts = countBy(outbox, ({ reference }) => bookingOf(reference));
			const sent = [...counts].map(([id, count]) => `${id} (${count})`).sort();
			const must = ids.map((id) => `${id} (1)`).sort();
			console.log(`  ${what}: ${name} sent ${sent.join(', ')}`);
			if (sent.join() !== must.join())
				violations.push(`${what}: ${name} sent ${sent.join(', ')} instead of ${must.join(', ')}`);
		}
	};

	const n8n = await theatre.startN8n('backup', sandbox);
	const { client } = n8n;
	const folder = join(dirname(n8n.logFile), '.n8n');
	const saved = join(theatre.folder, 'saved');
	const simple = runOften(
		await readExample('completion-to-sms-simple', {
			'Send the SMS': { url: urlOf(gateways.simple) },
		}),
		POLL_SECONDS,
	);
	const neverNone = runOften(await smsWorkflow(urlOf(gateways.neverNone)), POLL_SECONDS);
	Object.assign(nodeNamed(neverNone, 'Let it arrive').parameters, { amount: 5, unit: 'seconds' });
	const simpleId = await client.publishNew(simple);
	const neverNoneId = await client.publishNew(neverNone);
	await afterSomePolls(sandbox);
	const before = [complete()];
	await expectSent('before the backup', { simple: before, neverNone: before });

	await n8n.stop();
	await copyDatabase(folder, saved);
	await n8n.start();
	const told = [...before, complete(), complete()];
	await expectSent('since the backup', { simple: told, neverNone: told });

	await n8n.stop();
	await copyDatabase(saved, folder);
	const meanwhile = complete();
	await n8n.run('unpublish:workflow', '--all');
	await n8n.start();
	await client.updateWorkflow(simpleId, withTriggerNamed('Completed, since the backup', simple));
	await client.publishWorkflow(simpleId);
	await client.publishWorkflow(neverNoneId);
	await expectSent('restored', { simple: told, neverNone: [...told, meanwhile] });
	const after = complete();
	await expectSent('after that', {
		simple: [...told, after],
		neverNone: [...told, meanwhile, after],
	});
	return violations;
}
