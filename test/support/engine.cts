import 'reflect-metadata';
import {
	DataDeduplicationService,
	ExecutionLifecycleHooks,
	PollContext,
	WorkflowExecute,
} from 'n8n-core';
import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypes,
	IRun,
} from 'n8n-workflow';
import { createRunExecutionData, NodeConnectionTypes, NodeHelpers, Workflow } from 'n8n-workflow';

import { TractorBooking } from '../../nodes/TractorBooking/TractorBooking.node';
import { TractorBookingTrigger } from '../../nodes/TractorBooking/TractorBookingTrigger.node';
import { ProcessedData } from './processedData.cts';
import type { CredentialValues } from './execution.cts';
import { additionalDataOf, executionAfterRows, references, ROWS, rowsNode } from './execution.cts';

/** n8n's modules are those of the process, for all of its suites; n8n takes one memory. */
const host: typeof DataDeduplicationService & { ofTests?: ProcessedData } =
	DataDeduplicationService;
if (!host.ofTests) {
	host.ofTests = new ProcessedData();
	void host.init(host.ofTests);
}

export const processedData = host.ofTests;
processedData.clear();

const PACKAGE = 'n8n-nodes-tractor-booking';
export const ACTION = `${PACKAGE}.tractorBooking`;
const TRIGGER = `${PACKAGE}.tractorBookingTrigger`;

/** The action node as a tool of an AI agent: n8n makes it of the node, and gives it this name. */
export const TOOL = `${ACTION}Tool`;

const action = new TractorBooking();
const { description } = action;

const known: Record<string, INodeType> = {
	[ACTION]: action,
	[TOOL]: Object.create(action, {
		description: { value: { ...description, name: `${description.name}Tool` } },
	}) as INodeType,
	[TRIGGER]: new TractorBookingTrigger(),
	'test.rows': rowsNode,
};

function typeNamed(name: string): INodeType {
	const type = known[name];
	if (!type) throw new Error(`No node type ${name}`);
	return type;
}

export const nodeTypes: INodeTypes = {
	getByName: typeNamed,
	getByNameAndVersion: (name) => NodeHelpers.getVersionedNodeType(typeNamed(name)),
	getKnownTypes: () => ({}),
};

export function nodeOf(
	name: string,
	type: string,
	parameters: INodeParameters = {},
	credentials: CredentialValues = {},
): INode {
	const node = { id: name, name, type, typeVersion: 1, parameters };
	return { ...node, position: [0, 0], credentials: references(credentials) };
}

export const additionalDataFor = additionalDataOf.bind(undefined, { ExecutionLifecycleHooks });

type Helpers = IExecuteFunctions['helpers'];

/** The node types, of which the action node, also as a tool, gets other helpers from n8n. */
function nodeTypesWith(helpers: (own: Helpers) => Partial<Helpers>): INodeTypes {
	const other = (type: INodeType) => {
		const execute: INodeType['execute'] = async function () {
			Object.assign(this.helpers, helpers({ ...this.helpers }));
			return (await type.execute?.call(this)) ?? null;
		};
		return Object.create(type, { execute: { value: execute } }) as INodeType;
	};
	const others: Record<string, INodeType> = {
		[ACTION]: other(typeNamed(ACTION)),
		[TOOL]: other(typeNamed(TOOL)),
	};
	return {
		...nodeTypes,
		getByNameAndVersion: (name) => others[name] ?? nodeTypes.getByNameAndVersion(name),
	};
}

export interface ActionRun {
	/** Resource, operation and the operation's fields, as in a workflow file. Expressions work. */
	parameters: INodeParameters;
	credentials: CredentialValues;
	/** The rows; one empty row by default. */
	rows?: IDataObject[];
	/** What the node does on a failure (n8n, Settings > On Error); it stops by default. */
	onError?: INode['onError'];
	/** IANA name; UTC by default. */
	timezone?: string;
	/** More settings of the node, e.g. `retryOnFail`. */
	node?: Partial<INode>;
	helpers?: (own: Helpers) => Partial<Helpers>;
	started?: (run: { cancel: () => void }) => void;
}

export interface ActionResult {
	items: INodeExecutionData[];
	/** Error output; empty unless `onError` is `continueErrorOutput`. */
	errors: INodeExecutionData[];
	error?: IRun['data']['resultData']['error'];
	run: IRun;
}

/** Runs the action node in n8n's own engine, after a node that gives the rows. */
export async function runAction({
	parameters,
	credentials,
	rows = [{}],
	onError,
	timezone = 'UTC',
	node: settings = {},
	helpers,
	started,
}: ActionRun): Promise<ActionResult> {
	const configured = nodeOf('Tractor Booking', ACTION, parameters, credentials);
	const node: INode = { ...configured, onError, ...settings };
	const workflow = new Workflow({
		id: 'test',
		name: 'Test',
		active: false,
		nodes: [nodeOf(ROWS, 'test.rows'), node],
		connections: {
			[ROWS]: { main: [[{ node: node.name, type: NodeConnectionTypes.Main, index: 0 }]] },
		},
		nodeTypes: helpers ? nodeTypesWith(helpers) : nodeTypes,
		settings: { timezone, executionOrder: 'v1' },
	});
	const next = workflow.getNode(node.name) ?? node;
	const runExecutionData = executionAfterRows({ createRunExecutionData }, next, rows);
	const additionalData = additionalDataFor(credentials, 'trigger', workflow);
	const execution = new WorkflowExecute(additionalData, 'trigger', runExecutionData);
	const running = execution.processRunExecutionData(workflow);
	started?.({ cancel: () => running.cancel() });
	const run = await running;
	const output = run.data.resultData.runData[node.name]?.at(-1)?.data?.main ?? [];
	return {
		items: output[0] ?? [],
		errors: output[1] ?? [],
		error: run.data.resultData.error,
		run,
	};
}

/** A trigger that is polled again and again, with the memory that n8n would keep for it. */
export interface PolledTrigger {
	/** Polls once; `manual` is "Fetch test event" in the editor. */
	poll(mode?: 'trigger' | 'manual'): Promise<INodeExecutionData[] | null>;
	/** The node's memory as n8n would store it, to start another trigger with. */
	memory(): IDataObject;
}

export function trigger(options: {
	parameters: INodeParameters;
	credentials: CredentialValues;
	memory?: IDataObject;
	budgetMs?: number;
	workflowId?: string;
	/** The node of another process. */
	type?: INodeType;
}): PolledTrigger {
	const { parameters, credentials } = options;
	const node = nodeOf('Tractor Booking Trigger', TRIGGER, parameters, credentials);
	const key = `node:${node.name}`;
	const workflow = new Workflow({
		id: options.workflowId ?? 'test',
		name: 'Test',
		active: true,
		nodes: [node],
		connections: {},
		nodeTypes,
		staticData: { [key]: structuredClone(options.memory ?? {}) },
		settings: { timezone: 'UTC' },
	});
	const { type = typeNamed(TRIGGER) } = options;
	return {
		async poll(mode = 'trigger') {
			const context = new PollContext(
				workflow,
				workflow.getNode(node.name) ?? node,
				additionalDataFor(credentials, mode, workflow),
				mode,
				mode === 'manual' ? 'manual' : 'update',
				undefined,
				undefined,
				undefined,
				undefined,
				undefined,
				options.budgetMs === undefined ? undefined : () => options.budgetMs ?? 0,
			);
			const output = await type.poll?.call(context);
			return output?.[0] ?? null;
		},
		memory: () => JSON.parse(JSON.stringify(workflow.staticData[key] ?? {})) as IDataObject,
	};
}
