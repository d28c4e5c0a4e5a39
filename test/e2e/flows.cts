import assert from 'node:assert/strict';
import type { IDataObject } from 'n8n-workflow';

import { KEYS, startSandbox, TOKENS, type Sandbox } from '../../sandbox/index.cts';
import { CREDENTIAL_TYPES } from '../../nodes/TractorBooking/api/client';
import { asText } from '../../nodes/TractorBooking/utils/text';
import { COMPLETED } from '../../nodes/TractorBooking/api/status';
import { credentialName, spreadsheetWorkflow } from '../../tools/examples.cts';
import type { N8n } from '../../tools/n8nHost/n8n.cts';
import { outputOf, type WorkflowFile } from '../../tools/n8nClient.cts';
import { n8nVersions } from '../../tools/n8nHost/host.cts';
import { ASKED, byId, DEFAULTS, OPERATIONS } from '../support/operations.cts';
import { afterSomePolls, Watched, watching } from './lifecycle.cts';
import { mustBe, takeSteps } from './report.cts';
import { dayAhead, mismatches, newBookings, rowsOfSheet, uploadSheet } from './sheet.cts';
import { Theatre } from '../../tools/theatre.cts';
import { ACTION, nodeOf, to } from '../../tools/workflow.cts';

const BEARER_NAME = 'Tractor Booking Bearer Token';

const ROWS = 12;

async function testCredentials({ client }: N8n, { url }: Sandbox): Promise<void> {
	const test = async (type: string, data: IDataObject) => {
		const name = `Test of ${type}`;
		const credential = { baseUrl: url, ...data };
		const id = await client.createCredential(name, type, credential);
		return (await client.testCredential(id, name, type, credential)).status;
	};
	const cases: Array<[string, IDataObject, 'OK' | 'Error']> = [
		[CREDENTIAL_TYPES.apiKey, { apiKey: KEYS.full }, 'OK'],
		[CREDENTIAL_TYPES.apiKey, { apiKey: 'wrong' }, 'Error'],
		[CREDENTIAL_TYPES.bearerToken, { token: TOKENS.full }, 'OK'],
		[CREDENTIAL_TYPES.bearerToken, { token: 'wrong' }, 'Error'],
	];
	for (const [type, data, expected] of cases)
		mustBe(`${type} with ${JSON.stringify(data)}`, await test(type, data), expected);
}

const WEBHOOK_PATH = 'every-operation';

/** A workflow with every operation, all after one webhook. */
function everyOperation(bookingId: number): WorkflowFile {
	const sheet = 'booking:createFromSpreadsheet';
	// A row of a sheet, as a node before ours puts it out.
	const row = {
		'Farmer name': 'Musa Bello',
		Phone: '+2348004129902',
		Tractor: 241,
		Service: 'Harrowing',
		'Service date': dayAhead(21),
		Area: '4 acres',
	};
	const webhook = { httpMethod: 'POST', path: WEBHOOK_PATH };
	const asked = { ...ASKED, 'booking:get': { bookingId: byId(String(bookingId)) } };
	const operations = OPERATIONS.map((name) => {
		const credentials = /^(?:catalogue|contract)/.test(name)
			? { [CREDENTIAL_TYPES.bearerToken]: { id: null, name: BEARER_NAME } }
			: { [CREDENTIAL_TYPES.apiKey]: { id: null, name: credentialName } };
		const [resource = '', operation = ''] = name.split(':');
		const parameters = { resource, operation, ...DEFAULTS[name], ...asked[name] };
		return nodeOf(name, ACTION, 1, parameters, { credentials });
	});
	return {
		name: 'Every operation',
		nodes: [
			nodeOf('Webhook', 'webhook', 2, webhook, { webhookId: WEBHOOK_PATH }),
			nodeOf('Row', 'set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify(row) }),
			...operations,
		],
		connections: {
			Webhook: to(...OPERATIONS.map((name) => (name === sheet ? 'Row' : name))),
			Row: to(sheet),
		},
		settings: { executionOrder: 'v1' },
	};
}

async function runOperations({ client }: N8n, sandbox: Sandbox): Promise<void> {
	const made = newBookings(sandbox);
	const [bookingId = 0] = sandbox.store.bookings.ids('A');
	const bearer = { baseUrl: sandbox.url, token: TOKENS.full };
	await client.createCredential(BEARER_NAME, CREDENTIAL_TYPES.bearerToken, bearer);
	const id = await client.publishNew(everyOperation(bookingId));
	await client.callWebhook(WEBHOOK_PATH);
	const execution = await client.nextExecution(id);
	await client.unpublishWorkflow(id);
	mustBe('The error', execution.data?.resultData.error?.message, undefined);
	mustBe('The execution', execution.status, 'success');
	for (const name of OPERATIONS)
		assert.ok(outputOf(execution, name).length > 0, `${name} put out no item.`);
	mustBe('Bookings made', made().length, 2);
}

async function pollBookings(n8n: N8n, sandbox: Sandbox): Promise<void> {
	const { bookings } = sandbox.store;
	const watched = await Watched.publish(n8n, sandbox, watching({ events: ['bookingCompleted'] }));
	await afterSomePolls(sandbox);
	const [booking] = bookings.moving();
	assert.ok(booking !== undefined, 'The sandbox has no booking that could be completed.');
	bookings.advance(booking, COMPLETED);
	const told = await watched.tells(1);
	await n8n.client.unpublishWorkflow(watched.id);
	const ids = told.map(({ bookingID }) => asText(bookingID));
	mustBe('It told of', ids, [String(booking)]);
}

/** Books a sheet by the form, twice: each row once. */
export async function bookSheet({ client }: Pick<N8n, 'client'>, sandbox: Sandbox): Promise<void> {
	const made = newBookings(sandbox);
	// A phone that ends in many zeros, as the first one does, counts as one that lost its digits.
	const rows = rowsOfSheet(ROWS, 2);
	const id = await client.publishNew(await spreadsheetWorkflow());
	const first = (await uploadSheet(client, rows)).at(-1);
	mustBe('What does not match', mismatches(rows, made()), []);
	const second = (await uploadSheet(client, rows)).at(-1);
	await client.unpublishWorkflow(id);
	mustBe('Bookings after the same sheet again', made().length, ROWS);
	const all = `${ROWS} of ${ROWS} rows`;
	assert.ok(first?.includes(`${all} are booked now<`), 'The last page does not say: booked now.');
	assert.ok(second?.includes(`${all} were already booked`), 'It does not say: already booked.');
}

/** Does on one n8n what users do first, on any n8n that is supported. */
export async function flows(theatre: Theatre): Promise<string[]> {
	const sandbox = theatre.closeAtEnd(await startSandbox({ bookings: 60 }));
	const n8n = await theatre.startN8n('flows', sandbox);
	const violations = await takeSteps({
		'Test both credentials': async () => await testCredentials(n8n, sandbox),
		'Run every operation': async () => await runOperations(n8n, sandbox),
		'Publish the trigger, be told of a completed booking': async () =>
			await pollBookings(n8n, sandbox),
		// Its pages and its data table need n8n 2.
		...(theatre.host.version.startsWith('1.')
			? {}
			: {
					'Book a spreadsheet by the form with a preview': async () =>
						await bookSheet(n8n, sandbox),
				}),
	});
	return violations.map((violation) => `${theatre.host.version}, ${violation}`);
}

/** Does the same on each n8n that is supported. */
export async function compatibility(): Promise<string[]> {
	const violations: string[] = [];
	for (const version of n8nVersions) {
		const theatre = await Theatre.open(version);
		violations.push(...(await theatre.play(flows).finally(async () => await theatre.close())));
	}
	return violations;
}
