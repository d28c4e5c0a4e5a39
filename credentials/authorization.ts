import type { IHttpRequestOptions } from 'n8n-workflow';

/**
 * Adds the `Authorization` header to a request (interface, "Authentication"). A function instead of n8n's generic
 * `authenticate` template: n8n evaluates a template per request, which fails if two polls of a workflow overlap.
 *
 * @param scheme the word in front of the secret
 * @param secret as typed or pasted; blanks around it are trimmed
 */
export function withAuthorization(
	request: IHttpRequestOptions,
	scheme: 'Api-Key' | 'Bearer',
	secret: unknown,
): IHttpRequestOptions {
	const Authorization = `${scheme} ${String(secret).trim()}`;
	return { ...request, headers: { ...request.headers, Authorization } };
}
