import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type * as Core from 'n8n-core';
import type {
	IConnections,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeType,
	IVersionedNodeType,
	Workflow,
} from 'n8n-workflow';
import type * as N8nWorkflow from 'n8n-workflow';
import {
	additionalDataOf,
	executionAfterRows,
	ROWS,
	rowsNode,
} from '../../test/support/execution.cts';
import { nodeOf, to } from '../../tools/workflow.cts';
import type { Installation } from '../bench.cts';
import { openStore } from './store.cts';

/** Where nodes run, and the service that they use. */
export interface Environment extends Installation {
	/** URL of the sandbox. */
	url: string;
	apiKey: string;
}

export interface BenchWorkflow {
	/** The first one gets the rows. */
	nodes: INode[];
	/** By default from each node to the next. */
	connections?: IConnections;
	/** The node whose output counts; by default the last one. */
	last?: string;
}

export const CREDENTIAL = 'tractorBookingApi';

/** The engine of an installed n8n, with its nodes and ours. */
export class Engine {
	/** Node types that no package has. */
	private readonly ownTypes = new Map<string, INodeType>([['bench.rows', rowsNode]]);

	private constructor(
		readonly environment: Environment,
		private readonly core: typeof Core,
		private readonly n8n: typeof N8nWorkflow,
		private readonly packages: Core.PackageDirectoryLoader[],
		/** How much nodes remember in n8n's table `processed_data`. */
		readonly bytesStored: () => Promise<number>,
	) {}

	static async start(environment: Environment): Promise<Engine> {
		const require = createRequire(`${environment.modules}/n8n/package.json`);
		require('reflect-metadata');
		const core = require('n8n-core') as typeof Core;
		const bytesStored = await openStore(require, environment.folder);
		const base = dirname(require.resolve('n8n-nodes-base/package.json'));
		const packages = [base, environment.packageFolder].map(
			(folder) => new core.LazyPackageDirectoryLoader(folder),
		);
		await Promise.all(packages.map(async (loader) => await loader.loadAll()));
		const n8n = require('n8n-workflow') as typeof N8nWorkflow;
		return new Engine(environment, core, n8n, packages, bytesStored);
	}

	/** Makes one more node type known. */
	add(name: string, type: INodeType): void {
		this.ownTypes.set(name, type);
	}

	/**
	 * Runs a workflow on rows.
	 * @returns the records that leave its last node. @throws if the execution fails.
	 */
	async run(
		{ nodes, connections = chainOf(nodes), last = nodes.at(-1)?.name ?? '' }: BenchWorkflow,
		rows: IDataObject[],
	): Promise<IDataObject[]> {
		const source = nodeOf(ROWS, 'bench.rows', 1, {});
		const workflow = this.workflowOf([source, ...nodes], connections);
		const data = executionAfterRows(this.n8n, nodeNamed(workflow, nodes[0]?.name), rows);
		const execution = new this.core.WorkflowExecute(this.host(workflow), 'trigger', data);
		const run = await execution.processRunExecutionData(workflow);
		const { runData, error } = run.data.resultData;
		if (error) throw error;
		return recordsOf(runData[last]?.at(-1)?.data?.main?.[0]);
	}

	/** A trigger of a published workflow, on static data that it keeps from poll to poll. */
	polled(node: INode) {
		const workflow = this.workflowOf([node], {});
		const trigger = nodeNamed(workflow, node.name);
		const type = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
		return {
			/** Polls once. @returns the records with which n8n would start the workflow. */
			poll: async (): Promise<IDataObject[]> => {
				const host = this.host(workflow);
				const context = new this.core.PollContext(workflow, trigger, host, 'trigger', 'update');
				return recordsOf((await type.poll?.call(context))?.[0]);
			},
			/** As n8n writes them into its database. */
			staticData: () => JSON.stringify(workflow.staticData),
		};
	}

	/** @param fullName such as `n8n-nodes-base.httpRequest` */
	private typeNamed(fullName: string): INodeType | IVersionedNodeType {
		const [packageName, name = ''] = fullName.split('.');
		const loader = this.packages.find((candidate) => candidate.packageName === packageName);
		const type = this.ownTypes.get(fullName) ?? loader?.getNode(name).type;
		if (!type) throw new Error(`No node type ${fullName}`);
		return type;
	}

	private workflowOf(nodes: INode[], connections: IConnections): Workflow {
		const { Workflow: WorkflowOf, NodeHelpers } = this.n8n;
		const credentials = { [CREDENTIAL]: { id: CREDENTIAL, name: CREDENTIAL } };
		return new WorkflowOf({
			id: 'bench',
			name: 'Bench',
			active: false,
			nodes: nodes.map((node) => ({ credentials, ...node })),
			connections,
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
		const credentials = { [CREDENTIAL]: { baseUrl: url, apiKey } };
		return additionalDataOf(this.core, credentials, 'trigger', workflow);
	}
}

const recordsOf = (items: INodeExecutionData[] | null = []) =>
	(items ?? []).map(({ json }) => json);

function nodeNamed(workflow: Workflow, name = ''): INode {
	const node = workflow.getNode(name);
	if (!node) throw new Error(`No node ${name}`);
	return node;
}

function chainOf(nodes: INode[]): IConnections {
	const links = nodes.slice(1).map(({ name }, index) => [nodes[index]?.name, to(name)]);
	return Object.fromEntries(links) as IConnections;
}
