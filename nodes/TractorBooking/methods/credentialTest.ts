import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { parseBaseUrl } from '../api/baseUrl';
import type { ServiceClient } from '../api/client';
import { Client, POLL_POLICY } from '../api/client';
import { findNearbyTractors } from '../api/endpoints';
import { settle, ServiceError } from '../api/errors';
import type { PagedList } from '../api/pages/fetch';
import { bookingsList, catalogueList, contractsList } from '../api/pages/fetch';
import { usableSecret } from '../api/secret';
import { listOf } from '../parse/issue';

/** What a credential calls its secret. */
type Secret = 'key' | 'token';

/** Something that a credential may be allowed to do, and a read-only request that shows whether it may. */
interface Probe {
	name: string;
	send: (client: ServiceClient) => Promise<unknown>;
}

/** Reads one record of a list. */
const probeOf = (name: string, listOf: (client: ServiceClient) => PagedList): Probe => ({
	name,
	send: async (client) => await listOf(client).fetchPage(1, 1),
});

const READ_LISTS = [
	probeOf('read the catalogue', catalogueList),
	probeOf('read contracts', contractsList),
];

/** What each secret may be for, the usual first. Whether a key may create bookings shows only when it creates one. */
const PROBES: Readonly<Record<Secret, readonly Probe[]>> = {
	key: [
		probeOf('read bookings', bookingsList),
		{
			name: 'find tractors nearby',
			send: async (client) => await findNearbyTractors(client, 0, 0),
		},
		...READ_LISTS,
	],
	token: READ_LISTS,
};

/** The word before the secret in the header. */
const SCHEMES: Readonly<Record<Secret, string>> = { key: 'Api-Key', token: 'Bearer' };

/** Credential tests of n8n have no `httpRequest` helper, only the deprecated `request`. */
async function legacyRequest(
	context: ICredentialTestFunctions,
	{ url, method, qs, headers, timeout }: IHttpRequestOptions,
	authorization: string,
): Promise<IN8nHttpFullResponse> {
	// n8n types the response as any; with `resolveWithFullResponse` it has this type.
	return (await context.helpers.request({
		uri: url,
		method,
		qs,
		headers: { ...headers, Authorization: authorization },
		timeout,
		useStream: true,
		simple: false,
		resolveWithFullResponse: true,
		followRedirect: false,
		followAllRedirects: false,
	})) as IN8nHttpFullResponse;
}

const failed = (message: string): INodeCredentialTestResult => ({ status: 'Error', message });

/**
 * Whether the service lets the credential do anything: it asks for one thing after the other until one is allowed
 * (interface, "Authentication"). A scope that is missing is named by the request that needs it.
 *
 * @throws ServiceError if the credential cannot be used, or if the service refuses for another reason than the secret
 */
async function probe(
	context: ICredentialTestFunctions,
	{ baseUrl, apiKey, token }: ICredentialDataDecryptedObject,
	what: Secret,
): Promise<INodeCredentialTestResult> {
	const secret = usableSecret(apiKey ?? token, what);
	const client = new Client({
		baseUrl: parseBaseUrl(baseUrl),
		secret,
		policy: POLL_POLICY,
		request: async (options) => await legacyRequest(context, options, `${SCHEMES[what]} ${secret}`),
	});
	for (const { name, send } of PROBES[what]) {
		const result = await settle(send(client));
		if (!(result instanceof ServiceError))
			return { status: 'OK', message: `The service lets the ${what} ${name}.` };
		if (result.kind !== 'notAllowed') throw result;
	}
	const asked = PROBES[what].map(({ name }) => name);
	return failed(
		`The service refused the ${what} when asked to ${listOf(asked, 'or')}. Copy the whole ${what} again, and compare the base URL with that of your partner dashboard.${what === 'key' ? ' A key that may only create bookings looks the same.' : ''}`,
	);
}

async function test(
	context: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
	what: Secret,
): Promise<INodeCredentialTestResult> {
	// It is deprecated: a later n8n may lack it.
	if (!('request' in context.helpers))
		return failed('This n8n cannot test the credential. Save it, and get some bookings with it.');
	const result = await settle(probe(context, data, what));
	if (!(result instanceof ServiceError)) return result;
	const { message, description = '' } = result;
	return failed([message, description].filter(Boolean).join('. '));
}

/** Tests the API key credential; the message says what to fix. */
export async function testApiKey(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await test(this, credential, 'key');
}

/** Tests the bearer token credential; the message says what to fix. */
export async function testBearerToken(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await test(this, credential, 'token');
}
