import type { IHttpRequestOptions } from 'n8n-workflow';

/**
 * A request with the header `Authorization` (interface, "Authentication"). Credentials set it by this function and not
 * by a template: n8n would evaluate that for each request, and fails to where two polls of one workflow overlap.
 *
 * @param scheme the word in front of the secret
 * @param secret as it was typed or pasted, perhaps with blanks around it
 */
export function withAuthorization(
	request: IHttpRequestOptions,
	scheme: 'Api-Key' | 'Bearer',
	secret: unknown,
): IHttpRequestOptions {
	const Authorization = `${scheme} ${String(secret).trim()}`;
	return { ...request, headers: { ...request.headers, Authorization } };
}
