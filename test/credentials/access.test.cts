import '../support/shortPauses.cts';
import 'reflect-metadata';
import { PollContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';

import { parseBaseUrl } from '../../nodes/TractorBooking/api/credential';
import { KEYS, TOKENS } from '../../sandbox/index.cts';
import {
	byId,
	credentialsOf,
	OPERATIONS,
	perform,
	stopOf,
	type OperationName,
} from '../support/action.cts';
import { ASKED, eachWithSandbox, farmers } from '../support/bookings.cts';
import { ACTION, additionalDataFor, nodeOf, nodeTypes } from '../support/engine.cts';
import { otherServerForTests } from '../support/otherServer.cts';

const sandbox = eachWithSandbox({ bookings: 300 });
const elsewhere = otherServerForTests({ results: [], bookingID: 1 });

/** The row of a spreadsheet; what reads no rows ignores it. */
const rows = farmers(1).map(({ date, ...row }) => ({ ...row, serviceDate: date }));

function authsSeen() {
	const seen = sandbox.requests.find().map(({ authScheme, keyName }) => `${authScheme} ${keyName}`);
	return [...new Set(seen)];
}

/** Catalogue and contracts: the interface has them called with a bearer token. */
const takesToken = (name: OperationName) => /^(?:catalogue|contract):/.test(name);

it.each(OPERATIONS)(
	'authentication of %s is by API key, or by token where that is not chosen',
	async (name) => {
		const settings = { apiKey: ` ${KEYS.full}\n`, token: `${TOKENS.full} `, rows };
		const unset = await perform(sandbox, name, ASKED[name], settings);
		expect(unset.error).toBeUndefined();
		expect(authsSeen()).toEqual([takesToken(name) ? 'Bearer token full' : 'Api-Key full']);

		sandbox.requests.clear();
		// A choice that was made for another resource does not mislead.
		const authentication = takesToken(name) ? 'apiKey' : 'bearerToken';
		const chosen = await perform(sandbox, name, { ...ASKED[name], authentication }, settings);
		expect(chosen.error).toBeUndefined();
		if (takesToken(name)) expect(chosen.items).toEqual(unset.items);
		expect(authsSeen()).toEqual(['Api-Key full']);
	},
);

it.each([
	['booking:getAll', { apiKey: 'clé-1234' }, /^Character 3 of the key/],
	['contract:getAll', { token: 'jeton-é' }, /^Character 7 of the token/],
] as const)(
	'authentication of %s needs a secret that a header can carry',
	async (name, access, message) => {
		expect(stopOf(await perform(sandbox, name, {}, access)).message).toMatch(message);
		expect(sandbox.requests.find()).toEqual([]);
	},
);

it.each([
	['https://api.example.com//', 'https://api.example.com'],
	[' https://api.example.com/api /v3/ \n', 'https://api.example.com/api/v3'],
	['http://[::1]:8080/', 'http://[::1]:8080'],
	['http://localhost:1', 'http://localhost:1'],
])('the base URL %j is %s', (typed, url) => {
	expect(parseBaseUrl(typed)).toBe(url);
});

it.each([
	[undefined, /no base URL/],
	['  \n', /no base URL/],
	['api.example.com', /must start with https/],
	['pk_live_4711', /must start with https/],
	['ftp://localhost', /must start with https/],
	['http://api.example.com', /must start with https/],
	['http://localhost.example.com', /must start with https/],
	['http://127.0.0.1.example.com', /must start with https/],
	['https://me:secret@api.example.com', /user name, a password/],
	['https://api.example.com/?key=secret', /"\?" or a "#"/],
	['https://api.example.com/#top', /"\?" or a "#"/],
])('%p is no base URL', (typed, said) => {
	const description = expect.stringContaining('enter the base URL') as string;
	const error = { message: expect.stringMatching(said) as string, description };
	expect(() => parseBaseUrl(typed)).toThrow(expect.objectContaining(error));
});

it('a base URL keeps its path', async () => {
	await perform(sandbox, 'booking:getAll', {}, { baseUrl: `${elsewhere.url}/api/v3/` });
	expect(elsewhere.requests[0]).toEqual({
		method: 'GET',
		url: '/api/v3/booking-services/partner/booking/0/50',
		authorization: `Api-Key ${KEYS.full}`,
	});
});

const PATHS = ['../../../sandbox/state', '100001/../100002', '1?limit=5', '100%2F001', 'a#b'];

it.each(PATHS)('the id %p cannot change the address', async (id) => {
	const result = await perform(sandbox, 'booking:get', { bookingId: byId(id) });
	expect(stopOf(result).httpCode).toBe('404');
	const [request] = sandbox.requests.find();
	expect(decodeURIComponent(request?.path ?? '')).toBe(`/booking-services/partner/booking/${id}`);
});

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
