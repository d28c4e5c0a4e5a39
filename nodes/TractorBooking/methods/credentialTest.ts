import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { parseBaseUrl, usableSecret } from '../api/credential';
import { clientOf, POLL_POLICY, type ServiceClient } from '../api/client';
import { settle, ServiceError } from '../api/errors';
import { bookingsList, catalogueList, type PagedList } from '../api/pages/fetch';

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
 * Tests a credential by reading a list.
 *
 * @param what what the credential calls its secret
 * @param scheme the word before it in the header
 */
async function test(
	context: ICredentialTestFunctions,
	{ data: { baseUrl, apiKey, token } = {} }: ICredentialsDecrypted,
	what: 'key' | 'token',
	scheme: 'Api-Key' | 'Bearer',
	listOf: (client: ServiceClient) => PagedList,
): Promise<INodeCredentialTestResult> {
	// It is deprecated: a later n8n may lack it.
	if (!('request' in context.helpers))
		return failed(
			'This n8n cannot test the credential. Save it and try it with Booking > Get Many.',
		);
	const read = async () => {
		const secret = usableSecret(apiKey ?? token, what);
		const client = clientOf({
			baseUrl: parseBaseUrl(baseUrl),
			secret,
			policy: POLL_POLICY,
			request: async (options) => await legacyRequest(context, options, `${scheme} ${secret}`),
		});
		await listOf(client).fetchPage(1, 1);
	};
	const result = await settle(read());
	if (!(result instanceof ServiceError))
		return { status: 'OK', message: `The service accepts the ${what}.` };
	const { message, description = '' } = result;
	return failed([message, description].filter(Boolean).join('. '));
}

/** Tests the API key by reading a booking, as Create and the trigger do; the message says what to fix. */
export async function testApiKey(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await test(this, credential, 'key', 'Api-Key', bookingsList);
}

/** Tests the bearer token by reading a tractor of the catalogue; the message says what to fix. */
export async function testBearerToken(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await test(this, credential, 'token', 'Bearer', catalogueList);
}
