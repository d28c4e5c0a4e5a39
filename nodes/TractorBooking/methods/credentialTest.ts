import type {
	ICredentialTestFunction,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { parseBaseUrl, requireSecret } from '../api/credential';
import { clientOf, POLL_POLICY, type ServiceClient } from '../api/client';
import { bookingsList, catalogueList } from '../api/endpoints';
import { settle, ServiceError } from '../api/errors';
import { openList, type PagedList } from '../api/pages/fetch';

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

/** Tests a credential by reading a list; the message says what to fix. */
const testOf = (
	what: 'key' | 'token',
	scheme: 'Api-Key' | 'Bearer',
	listOf: (client: ServiceClient) => PagedList,
): ICredentialTestFunction =>
	async function ({ data: { baseUrl, apiKey, token } = {} }) {
		const read = async () => {
			const secret = requireSecret(apiKey ?? token, what);
			const client = clientOf({
				baseUrl: parseBaseUrl(baseUrl),
				secret,
				policy: POLL_POLICY,
				request: async (options) => await legacyRequest(this, options, `${scheme} ${secret}`),
			});
			const { page } = await openList(listOf(client));
			if (page.error) throw page.error;
		};
		const result = await settle(read());
		if (!(result instanceof ServiceError))
			return { status: 'OK', message: `The service accepts the ${what}.` };
		const { message, description = '' } = result;
		return { status: 'Error', message: [message, description].filter(Boolean).join('. ') };
	};

export const testApiKey = testOf('key', 'Api-Key', bookingsList);

export const testBearerToken = testOf('token', 'Bearer', catalogueList);
