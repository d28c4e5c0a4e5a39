import 'reflect-metadata';
import { PollContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';

import { credentialsOf } from '../support/action.cts';
import { eachWithSandbox } from '../support/bookings.cts';
import { ACTION, additionalDataFor, nodeOf, nodeTypes } from '../support/engine.cts';
import { otherServerForTests } from '../support/otherServer.cts';

const sandbox = eachWithSandbox({ bookings: 1 });
const elsewhere = otherServerForTests();

/** What any node does that is given one of the credentials, such as HTTP Request. */
function anotherNode(type: string) {
	const credentials = credentialsOf({ baseUrl: sandbox.url });
	// n8n looks at the parameters, by which our own node has the one or the other.
	const parameters =
		type === 'tractorBookingApi' ? {} : { resource: 'catalogue', authentication: 'bearerToken' };
	const node = nodeOf('HTTP Request', ACTION, parameters, credentials);
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const additionalData = additionalDataFor(credentials, 'trigger', workflow);
	return new PollContext(workflow, node, additionalData, 'trigger', 'update');
}

const path = '/booking-services/partner/booking/100001';

/** The helpers that nodes have for requests: that of HTTP Request, and that of newer nodes. */
const HELPERS = {
	requestWithAuthentication: async (type: string, url: string) => {
		const context = anotherNode(type);
		const request = { uri: url, method: 'GET', json: true } as const;
		await context.helpers.requestWithAuthentication.call(context, type, request);
	},
	httpRequestWithAuthentication: async (type: string, url: string, baseURL?: string) => {
		const context = anotherNode(type);
		await context.helpers.httpRequestWithAuthentication.call(context, type, { url, baseURL });
	},
};

const TYPES = [
	['tractorBookingApi', path, { authScheme: 'Api-Key', keyName: 'full' }],
	['tractorBookingBearerApi', '/v1/tractors', { authScheme: 'Bearer', keyName: 'token full' }],
] as const;

describe.each(Object.entries(HELPERS))('with %s', (_name, send) => {
	it.each(TYPES)('%s goes to its base URL', async (type, target, secret) => {
		await send(type, `${sandbox.url}${target}`);
		expect(sandbox.requests.find()).toMatchObject([secret]);
	});

	it.each(TYPES)('%s goes nowhere else', async (type) => {
		const host = new URL(sandbox.url).host;
		for (const url of [
			`${elsewhere.url}${path}`,
			elsewhere.url.replace('127.0.0.1', 'localhost'),
			`${elsewhere.url}/?${sandbox.url}`,
			`http://${host}@${new URL(elsewhere.url).host}/`,
			sandbox.url.replace('http:', 'https:'),
			sandbox.url.replace('127.0.0.1', 'localhost'),
			path,
			'',
		]) {
			await expect(send(type, url)).rejects.toThrow(/is only for http:\/\/127\.0\.0\.1/);
		}
		expect(elsewhere.requests).toEqual([]);
		expect(sandbox.requests.find()).toEqual([]);
	});

	it('the secret does not go along with a redirect', async () => {
		sandbox.faults.add({ fault: { kind: 'redirect', location: `${elsewhere.url}/` } });
		await send('tractorBookingApi', `${sandbox.url}${path}`);
		expect(elsewhere.requests).toMatchObject([{ method: 'GET' }]);
		expect(elsewhere.requests[0]?.authorization).toBeUndefined();
	});
});

it('a relative address counts with its base', async () => {
	const send = HELPERS.httpRequestWithAuthentication;
	await send('tractorBookingApi', path, sandbox.url);
	expect(sandbox.requests.find()).toMatchObject([{ keyName: 'full' }]);
	for (const [url, base] of [
		[path, elsewhere.url],
		[`${elsewhere.url}/`, sandbox.url],
	] as const)
		await expect(send('tractorBookingApi', url, base)).rejects.toThrow(
			/but the request goes elsewhere/,
		);
	expect(elsewhere.requests).toEqual([]);
});
