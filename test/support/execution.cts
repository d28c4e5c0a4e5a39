import type * as Core from 'n8n-core';
import type * as N8nWorkflow from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	ICredentialType,
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeCredentials,
	INodeType,
	IRunExecutionData,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { TractorBookingApi } from '../../credentials/TractorBookingApi.credentials';
import { TractorBookingBearerApi } from '../../credentials/TractorBookingBearerApi.credentials';

// Only types of n8n are imported here: the tests and the bench bring an n8n of their own each.

export const ROWS = 'Rows';

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

const types: ICredentialType[] = [new TractorBookingApi(), new TractorBookingBearerApi()];

export type CredentialValues = Record<string, ICredentialDataDecryptedObject>;

export function references(values: CredentialValues): INodeCredentials {
	return Object.fromEntries(Object.keys(values).map((type) => [type, { id: type, name: type }]));
}

/** n8n keeps credentials in its database; here they are given. As far as nodes reach it. */
function storeOf(values: CredentialValues): Partial<ICredentialsHelper> {
	return {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		getCredentialsProperties: (type) => types.find(({ name }) => name === type)?.properties ?? [],
		preAuthentication: async () => await Promise.resolve(undefined),
		authenticate: async (credentials, typeName, request) => {
			const authenticate = types.find(({ name }) => name === typeName)?.authenticate;
			if (typeof authenticate !== 'function') throw new Error(`${typeName} does not authenticate`);
			return await authenticate(credentials, request as IHttpRequestOptions);
		},
		async getDecrypted(_additionalData, _reference, type) {
			const value = values[type];
			if (!value) throw new Error(`The test gives no credential of type ${type}`);
			return await Promise.resolve({ ...value });
		},
	};
}

/** What the host gives to an execution, as far as nodes reach it; the rest belongs to features unused here. */
export function additionalDataOf(
	{ ExecutionLifecycleHooks }: Pick<typeof Core, 'ExecutionLifecycleHooks'>,
	credentials: CredentialValues,
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
	// n8n makes URLs of it for expressions.
	const address = 'http://127.0.0.1:5678/';
	const data = {
		credentialsHelper: storeOf(credentials),
		hooks,
		executionId: '1',
		currentNodeExecutionIndex: 0,
		formWaitingBaseUrl: address,
		webhookWaitingBaseUrl: address,
		setExecutionStatus: () => undefined,
	};
	return data as unknown as IWorkflowExecuteAdditionalData;
}
