import type * as Core from 'n8n-core';
import type * as N8nWorkflow from 'n8n-workflow';
import type {
	ICredentialsHelper,
	IDataObject,
	INode,
	INodeType,
	IRunExecutionData,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';

// Only types of n8n are imported here: the tests and the bench bring an n8n of their own each.

/** Name of the node that the input rows come from. */
export const ROWS = 'Rows';

/** The node that the rows come from. */
export const rowsNode: INodeType = {
	description: {
		displayName: ROWS,
		name: 'rows',
		group: ['input'],
		version: 1,
		description: 'Gives the input rows',
		defaults: { name: ROWS },
		inputs: [],
		outputs: ['main'],
		properties: [],
	},
};

/** An execution that has come as far as the rows: their node is done, the one given is next. */
export function executionAfterRows(
	{ createRunExecutionData }: Pick<typeof N8nWorkflow, 'createRunExecutionData'>,
	next: INode,
	rows: IDataObject[],
): IRunExecutionData {
	const items = rows.map((json, item) => ({ json, pairedItem: { item } }));
	return createRunExecutionData({
		resultData: {
			runData: {
				[ROWS]: [
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
				{ node: next, data: { main: [items] }, source: { main: [{ previousNode: ROWS }] } },
			],
		},
	});
}

/** What the host gives to an execution, as far as nodes reach it; the rest belongs to features unused here. */
export function additionalDataOf(
	{ ExecutionLifecycleHooks }: Pick<typeof Core, 'ExecutionLifecycleHooks'>,
	credentialsHelper: Partial<ICredentialsHelper>,
	mode: WorkflowExecuteMode,
	workflow: Workflow,
): IWorkflowExecuteAdditionalData {
	const hooks = new ExecutionLifecycleHooks(mode, '1', {
		id: workflow.id,
		name: 'Test',
		active: false,
		activeVersionId: null,
		createdAt: new Date(),
		updatedAt: new Date(),
		isArchived: false,
		nodes: Object.values(workflow.nodes),
		connections: workflow.connectionsBySourceNode,
	});
	const address = 'http://127.0.0.1:5678/';
	const data = {
		credentialsHelper,
		hooks,
		executionId: '1',
		currentNodeExecutionIndex: 0,
		restApiUrl: address,
		formWaitingBaseUrl: address,
		webhookWaitingBaseUrl: address,
		variables: {},
		setExecutionStatus: () => undefined,
	};
	return data as unknown as IWorkflowExecuteAdditionalData;
}
