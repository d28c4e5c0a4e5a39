import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Core from 'n8n-core';
import type {
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeType,
	INodeTypes,
	IRequestOptionsSimplified,
	IVersionedNodeType,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import type * as Workflow from 'n8n-workflow';

import { additionalDataOf, executionAfterRows, ROWS, rowsNode } from '../../test/support/execution';

/** A node of a workflow; the rest of its settings is filled in. */
export type BenchNode = Pick<INode, 'name' | 'type' | 'parameters'> & Partial<INode>;

/** A workflow: its nodes, the first of which gets the rows, and `[from, to, output]` for each connection. */
export interface BenchWorkflow {
	nodes: BenchNode[];
	connections?: Array<[from: string, to: string, output?: number]>;
	/** The node whose output counts, the first one of several. */
	last: string;
}

export interface Outcome {
	items: INodeExecutionData[];
	error?: string;
}

/** A trigger that is polled again and again. */
export interface PolledTrigger {
	/** Polls once; gives the items that the workflow would be started with. */
	poll(): Promise<INodeExecutionData[]>;
	/** The static data as n8n writes them into its database. */
	staticData(): string;
}

export const CREDENTIAL = 'tractorBookingApiKeyApi';

/** n8n's own engine, from the installation whose `node_modules` is given. */
export class Engine {
	readonly require: NodeJS.Require;

	private readonly core: typeof Core;

	private readonly workflow: typeof Workflow;

	private readonly types = new Map<string, INodeType | IVersionedNodeType>([
		['bench.rows', rowsNode],
	]);

	constructor(
		modules: string,
		private readonly credential: { baseUrl: string; apiKey: string },
	) {
		this.require = createRequire(join(modules, 'n8n', 'package.json'));
		this.require('reflect-metadata');
		this.core = this.require('n8n-core') as typeof Core;
		this.workflow = this.require('n8n-workflow') as typeof Workflow;
	}

	/** Makes a node type known. */
	add(name: string, type: INodeType | IVersionedNodeType): void {
		this.types.set(name, type);
	}

	/** Makes one of n8n's own nodes known, e.g. `HttpRequest`; `folder` is where it is kept. */
	addOwn(name: string, folder = name): void {
		const path = `n8n-nodes-base/dist/nodes/${folder}/${name}.node.js`;
		const file = this.require(path) as Record<string, new () => INodeType>;
		const Type = file[name];
		if (!Type) throw new Error(`No node ${name} in ${path}`);
		this.add(`n8n-nodes-base.${name.charAt(0).toLowerCase()}${name.slice(1)}`, new Type());
	}

	async run(
		{ nodes, connections = [], last }: BenchWorkflow,
		rows: IDataObject[],
	): Promise<Outcome> {
		const workflow = this.workflowOf([
			{ name: ROWS, type: 'bench.rows', parameters: {} },
			...nodes,
		]);
		workflow.setConnections(connectionsOf([[ROWS, nodes[0]?.name ?? ''], ...connections]));
		const first = workflow.getNode(nodes[0]?.name ?? '');
		if (!first) throw new Error('A workflow needs a node');
		const data = executionAfterRows(this.workflow, first, rows);
		const execution = new this.core.WorkflowExecute(this.host(workflow), 'trigger', data);
		const run = await execution.processRunExecutionData(workflow);
		const { runData, error } = run.data.resultData;
		const items = runData[last]?.at(-1)?.data?.main?.[0] ?? [];
		return { items, error: error?.message };
	}

	/** A published workflow that begins with this trigger, whose static data live on from poll to poll. */
	polled(node: BenchNode): PolledTrigger {
		const workflow = this.workflowOf([node]);
		const trigger = workflow.getNode(node.name);
		if (!trigger) throw new Error('A workflow needs a node');
		const poll = this.typeNamed(node.type);
		if (!('poll' in poll && poll.poll)) throw new Error(`${node.type} does not poll`);
		const { PollContext } = this.core;
		return {
			poll: async () => {
				const context = new PollContext(
					workflow,
					trigger,
					this.host(workflow),
					'trigger',
					'update',
				);
				const output = await poll.poll?.call(context);
				return output?.[0] ?? [];
			},
			staticData: () => JSON.stringify(workflow.staticData),
		};
	}

	private typeNamed(name: string): INodeType | IVersionedNodeType {
		const type = this.types.get(name);
		if (!type) throw new Error(`No node type ${name}`);
		return type;
	}

	private workflowOf(nodes: BenchNode[]): Workflow.Workflow {
		const { Workflow: WorkflowOf, NodeHelpers } = this.workflow;
		const nodeTypes: INodeTypes = {
			getByName: (name) => this.typeNamed(name),
			getByNameAndVersion: (name, version) =>
				NodeHelpers.getVersionedNodeType(this.typeNamed(name), version),
			getKnownTypes: () => ({}),
		};
		return new WorkflowOf({
			id: 'bench',
			name: 'Bench',
			active: false,
			nodes: nodes.map((node): INode => ({
				id: node.name,
				typeVersion: this.versionOf(node.type),
				position: [0, 0],
				credentials: { [CREDENTIAL]: { id: CREDENTIAL, name: CREDENTIAL } },
				...node,
			})),
			connections: {},
			nodeTypes,
			settings: { timezone: 'UTC', executionOrder: 'v1' },
		});
	}

	private versionOf(name: string): number {
		const type = this.types.get(name);
		if (!type) return 1;
		if ('currentVersion' in type) return type.currentVersion;
		const { version, defaultVersion } = type.description;
		return defaultVersion ?? (Array.isArray(version) ? Math.max(...version) : version);
	}

	private host(workflow: Workflow.Workflow): IWorkflowExecuteAdditionalData {
		const { apiKey } = this.credential;
		const helper = {
			getParentTypes: () => [],
			isCredentialUsableByNode: () => true,
			getDecrypted: async () => ({ ...this.credential }),
			preAuthentication: async () => undefined,
			runPreAuthentication: async () => undefined,
			getCredentialsProperties: () => [],
			authenticate: async (
				_data: unknown,
				_type: string,
				request: IHttpRequestOptions | IRequestOptionsSimplified,
			) =>
				({
					...request,
					headers: { ...request.headers, Authorization: `Api-Key ${apiKey}` },
				}) as IHttpRequestOptions,
		};
		return additionalDataOf(this.core, helper, 'trigger', workflow);
	}
}

function connectionsOf(list: Array<[from: string, to: string, output?: number]>) {
	const connections: Workflow.IConnections = {};
	for (const [from, to, output = 0] of list) {
		const main = ((connections[from] ??= {}).main ??= []);
		while (main.length <= output) main.push([]);
		main[output]?.push({ node: to, type: 'main', index: 0 });
	}
	return connections;
}
