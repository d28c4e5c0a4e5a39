import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Core from 'n8n-core';
import type {
	IConnections,
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeType,
	IVersionedNodeType,
	Workflow,
} from 'n8n-workflow';
import type * as N8nWorkflow from 'n8n-workflow';
import { additionalDataOf, executionAfterRows, ROWS, rowsNode } from '../../test/support/execution';
import type { Environment } from '../task';

/** A node of a workflow; the engine fills in the rest of its settings. */
export type BenchNode = Pick<INode, 'name' | 'type' | 'parameters'> & Partial<INode>;

export interface BenchWorkflow {
	/** The first one gets the rows. */
	nodes: BenchNode[];
	/** By default from each node to the next. */
	connections?: Connection[];
	/** The node whose output counts; by default the last one. */
	last?: string;
}

type Connection = [from: string, to: string, output?: number];

export const CREDENTIAL = 'tractorBookingApiKeyApi';

/** The engine of an installed n8n, with our nodes and those that the bench compares with them. */
export class Engine {
	readonly require: NodeJS.Require;
	private readonly core: typeof Core;
	private readonly n8n: typeof N8nWorkflow;
	private readonly types = new Map<string, INodeType | IVersionedNodeType>([
		['bench.rows', rowsNode],
	]);

	constructor(private readonly environment: Environment) {
		this.require = createRequire(join(environment.modules, 'n8n', 'package.json'));
		this.require('reflect-metadata');
		this.core = this.require('n8n-core') as typeof Core;
		this.n8n = this.require('n8n-workflow') as typeof N8nWorkflow;
		for (const name of ['HttpRequest', 'SplitInBatches', 'Wait', 'Filter']) this.addOwn(name);
		for (const name of ['SplitOut', 'RemoveDuplicates']) this.addOwn(name, `Transform/${name}`);
		for (const name of ['TractorBooking', 'TractorBookingTrigger']) {
			const folder = join(environment.packageFolder, 'dist/nodes/TractorBooking');
			this.types.set(name, instanceOf(this.require(join(folder, `${name}.node.js`)), name));
		}
	}

	/** Makes one more node type known. */
	add(name: string, type: INodeType): void {
		this.types.set(name, type);
	}

	/** Runs a workflow on rows; gives the items of its last node, none if that one never ran. */
	async run(
		{ nodes, connections, last = nodes.at(-1)?.name ?? '' }: BenchWorkflow,
		rows: IDataObject[],
	): Promise<{ items: INodeExecutionData[]; error?: string }> {
		const names = nodes.map(({ name }) => name);
		const chain = names.slice(1).map((name, index): Connection => [names[index] ?? '', name]);
		const workflow = this.workflowOf(
			[{ name: ROWS, type: 'bench.rows', parameters: {} }, ...nodes],
			[[ROWS, names[0] ?? ''], ...(connections ?? chain)],
		);
		const data = executionAfterRows(this.n8n, nodeNamed(workflow, names[0]), rows);
		const execution = new this.core.WorkflowExecute(this.host(workflow), 'trigger', data);
		const run = await execution.processRunExecutionData(workflow);
		const { runData, error } = run.data.resultData;
		return { items: runData[last]?.at(-1)?.data?.main?.[0] ?? [], error: error?.message };
	}

	/** A trigger of a published workflow, on static data that it keeps from poll to poll. */
	polled(node: BenchNode) {
		const workflow = this.workflowOf([node], []);
		const trigger = nodeNamed(workflow, node.name);
		const type = workflow.nodeTypes.getByNameAndVersion(node.type);
		return {
			/** Polls once; gives the items with which n8n would start the workflow. */
			poll: async (): Promise<INodeExecutionData[]> => {
				const host = this.host(workflow);
				const context = new this.core.PollContext(workflow, trigger, host, 'trigger', 'update');
				return (await type.poll?.call(context))?.[0] ?? [];
			},
			/** As n8n writes them into its database. */
			staticData: () => JSON.stringify(workflow.staticData),
		};
	}

	/** One of n8n's own nodes, e.g. `HttpRequest`. */
	private addOwn(name: string, folder = name): void {
		const file: unknown = this.require(`n8n-nodes-base/dist/nodes/${folder}/${name}.node.js`);
		const type = `n8n-nodes-base.${name.charAt(0).toLowerCase()}${name.slice(1)}`;
		this.types.set(type, instanceOf(file, name));
	}

	private typeNamed(name: string): INodeType | IVersionedNodeType {
		const type = this.types.get(name);
		if (!type) throw new Error(`No node type ${name}`);
		return type;
	}

	private workflowOf(nodes: BenchNode[], connections: Connection[]): Workflow {
		const { Workflow: WorkflowOf, NodeHelpers } = this.n8n;
		return new WorkflowOf({
			id: 'bench',
			name: 'Bench',
			active: false,
			nodes: nodes.map((node): INode => ({
				id: node.name,
				typeVersion: newestVersion(this.typeNamed(node.type)),
				position: [0, 0],
				credentials: { [CREDENTIAL]: { id: CREDENTIAL, name: CREDENTIAL } },
				...node,
			})),
			connections: connectionsOf(connections),
			nodeTypes: {
				getByName: (name) => this.typeNamed(name),
				getByNameAndVersion: (name, version) =>
					NodeHelpers.getVersionedNodeType(this.typeNamed(name), version),
				getKnownTypes: () => ({}),
			},
			settings: { timezone: 'UTC', executionOrder: 'v1' },
		});
	}

	private host(workflow: Workflow) {
		const { url, apiKey } = this.environment;
		const helper = {
			getParentTypes: () => [],
			isCredentialUsableByNode: () => true,
			getDecrypted: async () => ({ baseUrl: url, apiKey }),
			preAuthentication: async () => undefined,
			runPreAuthentication: async () => undefined,
			getCredentialsProperties: () => [],
			authenticate: async (_data: unknown, _type: string, request: IHttpRequestOptions) => ({
				...request,
				headers: { ...request.headers, Authorization: `Api-Key ${apiKey}` },
			}),
		};
		return additionalDataOf(this.core, helper, 'trigger', workflow);
	}
}

function instanceOf(file: unknown, name: string): INodeType {
	const Type = (file as Record<string, new () => INodeType>)[name];
	if (!Type) throw new Error(`There is no node ${name}`);
	return new Type();
}

function nodeNamed(workflow: Workflow, name = ''): INode {
	const node = workflow.getNode(name);
	if (!node) throw new Error('A workflow needs a node');
	return node;
}

function newestVersion(type: INodeType | IVersionedNodeType): number {
	if ('currentVersion' in type) return type.currentVersion;
	const { version, defaultVersion } = type.description;
	return defaultVersion ?? (Array.isArray(version) ? Math.max(...version) : version);
}

function connectionsOf(list: Connection[]): IConnections {
	const connections: IConnections = {};
	for (const [from, to, output = 0] of list) {
		const main = ((connections[from] ??= {}).main ??= []);
		while (main.length <= output) main.push([]);
		main[output]?.push({ node: to, type: 'main', index: 0 });
	}
	return connections;
}
