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
import { settle, ServiceError } from '../api/errors';
import type { PagedList } from '../api/pages/fetch';
import { bookingsList, catalogueList } from '../api/pages/fetch';
import { usableSecret } from '../api/secret';

/** How a credential is tested: what it calls its secret, the word before that in the header, and a list to be read. */
interface Probe {
	what: 'key' | 'token';
	scheme: 'Api-Key' | 'Bearer';
	listOf: (client: ServiceClient) => PagedList;
}

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

/** @throws ServiceError if the credential cannot be used, or if the service does not give the list */
async function readList(
	context: ICredentialTestFunctions,
	{ baseUrl, apiKey, token }: ICredentialDataDecryptedObject,
	{ what, scheme, listOf }: Probe,
): Promise<void> {
	const secret = usableSecret(apiKey ?? token, what);
	const client = new Client({
		baseUrl: parseBaseUrl(baseUrl),
		secret,
		policy: POLL_POLICY,
		request: async (options) => await legacyRequest(context, options, `${scheme} ${secret}`),
	});
	await listOf(client).fetchPage(1, 1);
}

async function test(
	context: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
	probe: Probe,
): Promise<INodeCredentialTestResult> {
	// It is deprecated: a later n8n may lack it.
	if (!('request' in context.helpers))
		return failed(
			'This n8n cannot test the credential. Save it and try it with Booking > Get Many.',
		);
	const result = await settle(readList(context, data, probe));
	if (!(result instanceof ServiceError))
		return { status: 'OK', message: `The service accepts the ${probe.what}.` };
	const { message, description = '' } = result;
	return failed([message, description].filter(Boolean).join('. '));
}

/** Tests the API key by reading a booking, as Create and the trigger do; the message says what to fix. */
export async function testApiKey(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await test(this, credential, { what: 'key', scheme: 'Api-Key', listOf: bookingsList });
}

/** Tests the bearer token by reading a tractor of the catalogue; the message says what to fix. */
export async function testBearerToken(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await test(this, credential, { what: 'token', scheme: 'Bearer', listOf: catalogueList });
}
