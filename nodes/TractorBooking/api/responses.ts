import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { asText, isRecord } from '../utils/text';
import { CHECK_URL, ServiceError, TRY_LATER, type Endpoint, type ServiceErrorKind } from './errors';
import { onAbort } from './waits';

/** Characters of what the service says that are shown. */
const MAX_QUOTE = 300;

const isStream = (body: unknown): body is AsyncIterable<Uint8Array> & { destroy(): unknown } =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/**
 * The text of a body, which is a stream unless n8n's helper has read it.
 *
 * @param signal closes the stream, and with it the connection, when it is aborted
 * @throws the error that ended the stream
 */
export async function readBodyText(body: unknown, signal: AbortSignal): Promise<string> {
	if (!isStream(body)) return asText(body);
	const unsubscribe = onAbort(signal, () => body.destroy());
	const pieces: Uint8Array[] = [];
	try {
		for await (const piece of body) pieces.push(piece);
		return new TextDecoder().decode(Buffer.concat(pieces));
	} finally {
		unsubscribe();
		body.destroy();
	}
}

/** The code of an error or of its causes: n8n wraps what Node throws, more than once. */
const codeOf = (error: unknown): string =>
	isRecord(error) ? asText(error.code) || codeOf(error.cause) : '';

/** Why a response did not arrive, or not all of it. @param error what was thrown while it was waited for */
export function networkError(error: unknown, { purpose }: Endpoint, baseUrl: string): ServiceError {
	const service = new URL(baseUrl);
	const code = codeOf(error);
	const failure = (kind: ServiceErrorKind, message: string, description: string) =>
		new ServiceError(kind, `${message} to ${purpose}`, { description });
	if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|EPROTO/.test(code))
		return failure(
			'unreachable',
			'Could not connect securely to the service',
			`${service.host} offers no secure connection, or its certificate was not accepted (${code}). ${CHECK_URL}. If your own authority issued the certificate, set NODE_EXTRA_CA_CERTS to the file of that authority, and restart n8n. Nothing was sent.`,
		);
	if (['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(code))
		return failure(
			'unreachable',
			'Could not connect to the service',
			`Nothing answers at ${service.host} (${code}). ${CHECK_URL}, and the network and the proxy, if any, of the machine that runs n8n. Nothing was sent.`,
		);
	const cause = code || (error instanceof Error ? error.message : '');
	const place = `${service.host}${cause && ` (${cause})`}`;
	if (['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT'].includes(code))
		return failure(
			'timeout',
			'The service did not answer in time when asked',
			`It may be too slow, or nothing answers at ${place}. ${CHECK_URL}, then try again later.`,
		);
	return failure(
		'interrupted',
		'The connection to the service was lost while trying',
		`No response arrived from ${place}. Check the network, then try again.`,
	);
}

/** What a body, JSON or text, says in place of what was asked for, shortened (interface, "Errors": only `error` is shown). */
export function errorMessageFrom(body: unknown): string {
	const { error, detail, message } = isRecord(body) ? body : {};
	const text = asText(error ?? detail ?? message ?? body).trim();
	// A page of HTML is for browsers.
	if (text.startsWith('<') || text === '{}') return '';
	if (text.length <= MAX_QUOTE) return text;
	// Between words: half a key would not be recognised and redacted.
	return `${text.slice(0, Math.max(text.lastIndexOf(' ', MAX_QUOTE), 0))}…`;
}

/** The error that a body of JSON names; empty if it names none: what else it has may be farmers' data. */
export function errorIn(body: unknown): string {
	const { error, detail, message } = isRecord(body) ? body : {};
	return errorMessageFrom([error, detail, message].find((one) => typeof one === 'string') ?? '');
}

/** What the service says, if it says anything, then what to do about it. */
export function quoted(said: string, advice: string): string {
	return said ? `The service says: ${said}`.replace(/[^.!?…]$/, '$&.') + ` ${advice}` : advice;
}

/** Milliseconds that a `Retry-After` header asks to wait (seconds or a date); undefined if it is absent. */
export function parseRetryAfter(header: unknown): number | undefined {
	const text = asText(header).trim();
	if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1_000);
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** The value of a JSON text; undefined if it is none. */
function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** What a status other than 2xx and 3xx means (interface, "Errors"), and what to do about it. */
function meaningOf(
	status: number,
	{ purpose, perMinute, scope, refusedFix, notFound, notFoundFix }: Endpoint,
	retryAfterMs: number | undefined,
): [kind: ServiceErrorKind, message: string, advice: string] {
	if (status === 400 || status === 422)
		return [
			'validation',
			`The service refused to ${purpose}`,
			refusedFix ??
				`If the service names a value that you entered, correct it. Otherwise: ${CHECK_URL}.`,
		];
	if (status === 401 || status === 403)
		return [
			'notAllowed',
			`The service did not allow this credential to ${purpose}`,
			`Status ${status}: the key or token is wrong, or lacks ${scope ? `the scope ${scope}` : 'the scope for this'}. Enter the whole key or token again, or one that has the scope.`,
		];
	if (status === 404)
		return [
			'notFound',
			notFound ??
				`Nothing was found when asked to ${purpose}: there is nothing yet, or the base URL is wrong`,
			notFoundFix ?? `If there is nothing yet, try again once there is. Otherwise: ${CHECK_URL}.`,
		];
	if (status === 429) {
		const limit = perMinute === undefined ? '' : ` Its limit is about ${perMinute} a minute.`;
		const time = retryAfterMs
			? `${Math.ceil(retryAfterMs / 1_000)} s, as the service asks`
			: 'a minute or longer';
		const message = `The rate limit was reached while trying to ${purpose}`;
		return ['rateLimited', message, `Wait ${time}, then try again.${limit}`];
	}
	const message = `The service returned an error (status ${status}) when asked to ${purpose}`;
	if (status === 408 || status >= 500) return ['server', message, TRY_LATER];
	return ['status', message, `${CHECK_URL}; if it is right, tell the operator of the service.`];
}

/**
 * The parsed JSON of a 2xx response, or what is wrong with the response (interface, "Errors"): a ServiceError, which is
 * returned, not thrown. No redirect is followed: a key is never sent to an address from a response.
 */
export function parseResponse(
	{ statusCode: status, headers, body }: IN8nHttpFullResponse,
	endpoint: Endpoint,
): unknown {
	const { purpose } = endpoint;
	const text = asText(body);
	const json = parseJson(text);
	if (status >= 300 && status < 400) {
		const [where] = asText(headers.location).split('?');
		const message = `The address redirects elsewhere when asked to ${purpose}`;
		const description = `It points to ${where || 'nowhere'}. Nothing was sent there, to protect the key. If that is the service, enter a base URL that does not redirect.`;
		return new ServiceError('redirected', message, { status, description });
	}
	if (status >= 200 && status < 300) {
		if (json !== undefined) return json;
		const came =
			text === '' ? 'an empty body' : asText(headers['content-type']) || 'no content type';
		const message = `The response was not JSON when asked to ${purpose}`;
		const description = `The address answered with ${came}. Try again. If it persists, check that the base URL is the service's, not its website's.`;
		return new ServiceError('notJson', message, { status, description });
	}
	const retryAfterMs = parseRetryAfter(headers['retry-after']);
	const [kind, message, advice] = meaningOf(status, endpoint, retryAfterMs);
	const said = errorMessageFrom(json === undefined ? text : json);
	const description = quoted(said, advice);
	return new ServiceError(kind, message, { description, said, status, retryAfterMs });
}
