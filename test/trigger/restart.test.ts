import 'reflect-metadata';
import { PollContext } from 'n8n-core';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeTypes,
	IWorkflowExecuteAdditionalData,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';

import type { TractorBookingTrigger } from '../../nodes/TractorBooking/TractorBookingTrigger.node';
import type { Sandbox } from '../../sandbox';
import { KEYS, startSandbox } from '../../sandbox';
import { references, TestCredentials } from '../support/credentials';

type TriggerModule = { TractorBookingTrigger: typeof TractorBookingTrigger };

const ADDRESS = 'http://127.0.0.1:5678/';

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({ bookings: 0, otherBookings: 0 });
});

afterEach(async () => await sandbox.close());

/** One life of an n8n process: the node's module is loaded anew. */
function newProcess(): TractorBookingTrigger {
	let loaded: TriggerModule | undefined;
	jest.isolateModules(() => {
		// A module that is loaded anew cannot be imported.
		// eslint-disable-next-line @typescript-eslint/no-require-imports
		loaded = require('../../nodes/TractorBooking/TractorBookingTrigger.node') as TriggerModule;
	});
	if (!loaded) throw new Error('The trigger is not there');
	return new loaded.TractorBookingTrigger();
}

/** The workflow as a process activates it: with the memory that was saved. */
function start(
	activation: WorkflowActivateMode,
	memory: IDataObject = {},
	type: TractorBookingTrigger = newProcess(),
	options: INodeParameters = { repeatAfterRestart: true },
) {
	const credentials = {
		tractorBookingApi: { baseUrl: sandbox.url, apiKey: KEYS.full },
	};
	const node: INode = {
		id: 'trigger',
		name: 'Trigger',
		type: 'test.trigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: { events: ['bookingCompleted'], options },
		credentials: references(credentials),
	};
	const nodeTypes: INodeTypes = {
		getByName: () => type,
		getByNameAndVersion: () => type,
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({
		id: 'workflow',
		active: true,
		nodes: [node],
		connections: {},
		nodeTypes,
		staticData: { 'node:Trigger': structuredClone(memory) },
	});
	const data = {
		credentialsHelper: new TestCredentials(credentials),
		restApiUrl: ADDRESS,
		instanceBaseUrl: ADDRESS,
		formWaitingBaseUrl: ADDRESS,
		webhookBaseUrl: ADDRESS,
		webhookWaitingBaseUrl: ADDRESS,
		webhookTestBaseUrl: ADDRESS,
		variables: {},
	} as unknown as IWorkflowExecuteAdditionalData;
	const context = new PollContext(workflow, node, data, 'trigger', activation);
	return {
		poll: async () => (await type.poll.call(context))?.[0] ?? [],
		saved: () => JSON.parse(JSON.stringify(workflow.staticData['node:Trigger'])) as IDataObject,
	};
}

function idsOf(items: INodeExecutionData[]): unknown[] {
	return items.map(({ json }) => json.eventId);
}

/** A process that emitted one completion, and the state that it saved with that. */
async function emitted() {
	const id = sandbox.store.bookings.addMany(3, { status: 6 });
	const process = newProcess();
	const first = start('activate', {}, process);
	await first.poll();
	sandbox.store.bookings.update(id, { bookingStatus: 3 });
	const events = idsOf(await first.poll());
	expect(events).toHaveLength(1);
	return { id, process, first, events, saved: first.saved() };
}

it('emits the last events again after a restart, since n8n may have died before it started the workflow', async () => {
	const { events, saved } = await emitted();
	const second = start('init', saved);
	expect(idsOf(await second.poll())).toEqual(events);
	expect(await second.poll()).toEqual([]);
});

it('marks what it emits again', async () => {
	const { id, saved } = await emitted();
	sandbox.store.bookings.update(id + 1, { bookingStatus: 3 });
	const items = await start('init', saved).poll();
	const repeats = items.map(({ json }) => [json.bookingID, json.isRepeat]);
	expect(repeats).toEqual([
		[id + 1, undefined],
		[id, true],
	]);
});

it('emits nothing again after a restart unless that is turned on', async () => {
	const { id, saved } = await emitted();
	const second = start('init', saved, undefined, {});
	expect(await second.poll()).toEqual([]);
	sandbox.store.bookings.update(id + 1, { bookingStatus: 3 });
	expect(await second.poll()).toHaveLength(1);
});

it('emits nothing again while n8n goes on running', async () => {
	const { id, first } = await emitted();
	expect(await first.poll()).toEqual([]);
	sandbox.store.bookings.update(id + 1, { bookingStatus: 3 });
	expect(await first.poll()).toHaveLength(1);
	expect(await first.poll()).toEqual([]);
});

it.each(['activate', 'update'] as const)(
	'emits nothing again if the running n8n publishes the workflow again (%s)',
	async (activation) => {
		const { process, saved } = await emitted();
		expect(await start(activation, saved, process).poll()).toEqual([]);
	},
);

it('tries again after a restart until a poll succeeds', async () => {
	const { events, saved } = await emitted();
	const second = start('init', saved);
	sandbox.faults.add({ fault: { kind: 'status', status: 503 } });
	await expect(second.poll()).rejects.toThrow();
	sandbox.faults.clear();
	expect(idsOf(await second.poll())).toEqual(events);
});

it('leaves events alone that are older than a quarter of an hour', async () => {
	const { saved } = await emitted();
	const later = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 16 * 60_000);
	expect(await start('init', saved).poll()).toEqual([]);
	later.mockRestore();
});
