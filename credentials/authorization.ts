import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { parseBaseUrl, parseSecret } from '../nodes/TractorBooking/api/credential';

/** The Base URL field of both credentials; staging and production have different URLs. */
export const baseUrlField: INodeProperties = {
	displayName: 'Base URL',
	name: 'baseUrl',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://api.example.com',
	description:
		'URL of the service. Staging and production have different URLs; your partner dashboard shows both after sign-in.',
};

/** A request as n8n hands it to a credential; the HTTP Request node has `uri` instead of `url`. */
type Request = IHttpRequestOptions & { uri?: string };

/**
 * Adds the `Authorization` header to a request (interface, "Authentication"), if it goes to the origin of the base URL:
 * the HTTP Request node, which may use the credential as well, must not send the secret anywhere else, nor along with a
 * redirect. A function instead of n8n's generic `authenticate` template: n8n evaluates a template per request, which
 * fails if two polls of a workflow overlap.
 *
 * @param scheme the word in front of the secret
 * @param secret as typed or pasted
 * @throws Error if the request goes elsewhere: it would be sent without the secret, and fail for no reason that shows
 * @throws ServiceError (`credential`) if the base URL of the credential cannot be used
 */
export function withAuthorization(
	request: Request,
	{ baseUrl }: ICredentialDataDecryptedObject,
	scheme: 'Api-Key' | 'Bearer',
	secret: unknown,
): IHttpRequestOptions {
	const { origin } = new URL(parseBaseUrl(baseUrl));
	const target = String(request.url ?? request.uri ?? '');
	const { baseURL } = request;
	if (!URL.canParse(target, baseURL) || new URL(target, baseURL).origin !== origin) {
		throw new Error(
			`This credential is only for ${origin}, but the request goes elsewhere. Nothing was sent. Use another credential, or the address in its Base URL.`,
		);
	}
	const Authorization = `${scheme} ${parseSecret(secret)}`;
	return {
		...request,
		headers: { ...request.headers, Authorization },
		sendCredentialsOnCrossOriginRedirect: false,
	};
}
