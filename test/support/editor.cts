import 'reflect-metadata';
import { CredentialTestContext, LoadOptionsContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	INodeCredentialTestResult,
	INodeListSearchResult,
	INodeParameters,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';

import { TractorBooking } from '../../nodes/TractorBooking/TractorBooking.node';
import { secretsIn } from './action.cts';
import type { CredentialValues } from './execution.cts';
import { ACTION, additionalDataFor, nodeOf, nodeTypes } from './engine.cts';

const { credentialTest, listSearch } = new TractorBooking().methods;

export async function testCredential(
	name: keyof typeof credentialTest,
	data: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
	const credential = { id: '1', name: 'Test', type: 'test', data };
	return await credentialTest[name].call(new CredentialTestContext(), credential);
}

/** Fills a list of the editor, as n8n does when it is opened, searched or scrolled down. */
export async function searchList(
	name: keyof typeof listSearch,
	credentials: CredentialValues,
	options: { parameters?: INodeParameters; filter?: string; paginationToken?: string } = {},
): Promise<INodeListSearchResult> {
	const { parameters = {}, filter, paginationToken } = options;
	const node = nodeOf('Tractor Booking', ACTION, parameters, credentials);
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const additionalData = additionalDataFor(credentials, 'internal', workflow);
	// What the editor shows at the moment, saved or not.
	additionalData.currentNodeParameters = parameters;
	const known = workflow.getNode(node.name) ?? node;
	const context = new LoadOptionsContext(workflow, known, additionalData, '');
	return await listSearch[name].call(context, filter, paginationToken);
}

/** What the editor shows of a failure: its kind, the message, and below it what to do. It shows no secret. */
export async function failureOf(failing: Promise<unknown>): Promise<string> {
	const error: unknown = await failing.then(
		() => 'it did not fail',
		(reason: unknown) => reason,
	);
	expect(secretsIn(error)).toEqual([]);
	if (!(error instanceof Error)) return String(error);
	const description = 'description' in error ? String(error.description) : '';
	return `${error.name}: ${error.message}\n${description}`;
}
