import type { IHttpRequestOptions } from 'n8n-workflow';

import { parseSecret } from '../nodes/TractorBooking/api/secret';

/**
 * Adds the `Authorization` header to a request (interface, "Authentication"). A function instead of n8n's generic
 * `authenticate` template: n8n evaluates a template per request, which fails if two polls of a workflow overlap.
 *
 * @param scheme the word in front of the secret
 * @param secret as typed or pasted
 */
export function withAuthorization(
	request: IHttpRequestOptions,
	scheme: 'Api-Key' | 'Bearer',
	secret: unknown,
): IHttpRequestOptions {
	const Authorization = `${scheme} ${parseSecret(secret)}`;
	return { ...request, headers: { ...request.headers, Authorization } };
}
