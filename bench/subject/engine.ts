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
	IVersionedNodeType,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import type * as Workflow from 'n8n-workflow';

/** A node of a workflow; the rest of its settings is filled in. */
export type BenchNode = Pick<INode, 'name' | 'type' | 'parameters'> & Partial<INode>;

/** A workflow: its nodes, the first of which gets the rows, and `[from, to, output]` for each connection. */
export interface BenchWorkflow {
	nodes: BenchNode[];
	connections?: Array<[from: string, to: string, output?: number]>;
	/** The node whose output counts. */
	last: string;
}

export interface Outcome {
	items: INodeExecutionData[];
	error?: string;
}

export const CREDENTIAL = 'tractorBookingApiKeyApi';

/** n8n's own engine, from the installation whose `node_modules` is given. */
export class Engine {
	readonly require: NodeJS.Require;

	private readonly core: typeof Core;

	private readonly workflow: typeof Workflow;

	private readonly types = new Map<string, INodeType | IVersionedNodeType>();

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
		const { Workflow: WorkflowOf, NodeHelpers, createRunExecutionData } = this.workflow;
		const typeNamed = (name: string) => {
			const type = this.types.get(name);
			if (!type) throw new Error(`No node type ${name}`);
			return type;
		};
		const nodeTypes: INodeTypes = {
			getByName: typeNamed,
			getByNameAndVersion: (name, version) =>
				NodeHelpers.getVersionedNodeType(typeNamed(name), version),
			getKnownTypes: () => ({}),
		};
		const workflow = new WorkflowOf({
			id: 'bench',
			name: 'Bench',
			active: false,
			nodes: [{ name: 'Rows', type: 'bench.rows', parameters: {} }, ...nodes].map(
				(node): INode => ({
					id: node.name,
					typeVersion: this.versionOf(node.type),
					position: [0, 0],
					credentials: { [CREDENTIAL]: { id: CREDENTIAL, name: CREDENTIAL } },
					...node,
				}),
			),
			connections: {},
			nodeTypes,
			settings: { timezone: 'UTC', executionOrder: 'v1' },
		});
		workflow.setConnections(connectionsOf([['Rows', nodes[0]?.name ?? ''], ...connections]));
		const items = rows.map((json, item) => ({ json, pairedItem: { item } }));
		const first = workflow.getNode(nodes[0]?.name ?? '');
		if (!first) throw new Error('A workflow needs a node');
		const data = createRunExecutionData({
			resultData: {
				runData: {
					Rows: [
						{
							startTime: 0,
							executionIndex: 0,
							executionTime: 0,
							executionStatus: 'success',
							source: [],
							data: { main: [items] },
						},
					],
				},
			},
			executionData: {
				nodeExecutionStack: [
					{ node: first, data: { main: [items] }, source: { main: [{ previousNode: 'Rows' }] } },
				],
			},
		});
		const execution = new this.core.WorkflowExecute(this.host(workflow), 'trigger', data);
		const run = await execution.processRunExecutionData(workflow);
		const { runData, error } = run.data.resultData;
		const outputs = runData[last]?.at(-1)?.data?.main ?? [];
		return { items: outputs.flatMap((output) => output ?? []), error: error?.message };
	}

	private versionOf(name: string): number {
		const type = this.types.get(name);
		if (!type) return 1;
		if ('currentVersion' in type) return type.currentVersion;
		const { version, defaultVersion } = type.description;
		return defaultVersion ?? (Array.isArray(version) ? Math.max(...version) : version);
	}

	/** What the host gives to an execution, as far as the nodes here reach it. */
	private host(workflow: Workflow.Workflow): IWorkflowExecuteAdditionalData {
		const address = 'http://127.0.0.1:5678/';
		const { apiKey } = this.credential;
		const hooks = new this.core.ExecutionLifecycleHooks('trigger', '1', {
			id: workflow.id,
			name: 'Bench',
			active: false,
			activeVersionId: null,
			createdAt: new Date(),
			updatedAt: new Date(),
			isArchived: false,
			nodes: Object.values(workflow.nodes),
			connections: workflow.connectionsBySourceNode,
		});
		const data = {
			credentialsHelper: {
				getParentTypes: () => [],
				isCredentialUsableByNode: () => true,
				getDecrypted: async () => ({ ...this.credential }),
				preAuthentication: async () => undefined,
				runPreAuthentication: async () => undefined,
				getCredentialsProperties: () => [],
				authenticate: async (_data: unknown, _type: string, request: IHttpRequestOptions) => ({
					...request,
					headers: { ...request.headers, Authorization: `Api-Key ${apiKey}` },
				}),
			},
			hooks,
			executionId: '1',
			currentNodeExecutionIndex: 0,
			restApiUrl: address,
			instanceBaseUrl: address,
			formBaseUrl: address,
			formWaitingBaseUrl: address,
			formTestBaseUrl: address,
			webhookBaseUrl: address,
			webhookWaitingBaseUrl: address,
			webhookTestBaseUrl: address,
			mcpBaseUrl: address,
			mcpTestBaseUrl: address,
			variables: {},
			logAiEvent: () => undefined,
			setExecutionStatus: () => undefined,
		};
		return data as unknown as IWorkflowExecuteAdditionalData;
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
