import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import { isRecord } from '../utils/record';
import { asText, isEmpty } from '../utils/text';

import type { Endpoint, ServiceErrorKind } from './errors';
import { CHECK_URL, CORRECT_VALUES, ServiceError, TRY_LATER } from './errors';

const MAX_QUOTE = 300;

/** An error as one text: it may be a text, a list, or an object by field. */
function flatten(error: unknown): string {
	if (typeof error === 'string') return error;
	if (Array.isArray(error)) return error.map(flatten).filter(Boolean).join('; ');
	if (!isRecord(error)) return asText(error);
	return Object.entries(error)
		.map(([field, problem]) => `${field}: ${flatten(problem)}`)
		.join('; ');
}

/** The field of a body that gives the reason, or all of its fields. */
function reasonIn({ error, errors, detail, message, ...fields }: IDataObject): unknown {
	// `error: true` says that there is one, not which.
	const reason = typeof error === 'boolean' ? undefined : error;
	return reason ?? errors ?? detail ?? message ?? fields;
}

/**
 * What the body of a refused request says, if anything, shortened for a message (interface, "Errors": an `error`
 * field for status 400; other bodies are not shown).
 *
 * @param body parsed JSON that is not nested deeply, or the text that could not be parsed
 */
export function errorMessageFrom(body: unknown): string {
	// A page of HTML is for browsers.
	if (typeof body === 'string' && /^\s*</.test(body)) return '';
	const text = flatten(isRecord(body) ? reasonIn(body) : body);
	// A lone surrogate cannot be shown, and not every database keeps it.
	const said = text.replace(/\p{Surrogate}/gu, '\uFFFD').trim();
	if (said.length <= MAX_QUOTE) return said;
	// Between words: half a key would not be recognised and redacted.
	return `${said.slice(0, Math.max(said.lastIndexOf(' ', MAX_QUOTE), 0))}…`;
}

/** Whether a body with status 200 says that what was asked for failed: `error` or `errors`, or `success: false`. */
export function saysFailure({ error, errors, success }: IDataObject): boolean {
	return success === false || [error, errors].some((said) => said !== false && !isEmpty(said));
}

const CHECK_URL_OR_REPORT = `${CHECK_URL}; if it is right, tell the operator of the service.`;

/** How deep a response may be nested; n8n and JSON.stringify fail for some thousand levels. */
const MAX_NESTING = 100;

/** Milliseconds that a `Retry-After` header asks to wait: seconds or a date; undefined if it is absent. */
export function parseRetryAfter(header: unknown, nowMs: number): number | undefined {
	const text = asText(header).trim();
	if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1_000);
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

export function isRedirect({ statusCode }: IN8nHttpFullResponse): boolean {
	return statusCode >= 300 && statusCode < 400;
}

/** Where a redirect points; undefined if it names no URL. */
export function redirectTarget(response: IN8nHttpFullResponse, from: string): URL | undefined {
	const { location } = response.headers;
	return typeof location === 'string' && URL.canParse(location, from)
		? new URL(location, from)
		: undefined;
}

function parseJson(text: string): { json: unknown } | undefined {
	try {
		return { json: JSON.parse(text) };
	} catch {
		return undefined;
	}
}

function isNestedDeeper(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some((inner) => isNestedDeeper(inner, levels - 1));
}

/** The failure of a request that the rate limit does not let through in time. */
export function rateLimited(endpoint: Endpoint, retryAfterMs?: number): ServiceError {
	const { purpose, perMinute } = endpoint;
	const limit = perMinute === undefined ? '' : ` Its limit is about ${perMinute} a minute.`;
	const time =
		retryAfterMs === undefined
			? 'a minute or longer'
			: `the ${Math.ceil(retryAfterMs / 1_000)} s that the service asks for`;
	return new ServiceError('rateLimited', `The rate limit was reached while trying to ${purpose}`, {
		status: 429,
		retryAfterMs,
		description: `Wait ${time}, then try again.${limit}`,
	});
}

/**
 * What a status other than 2xx and 3xx means (interface, "Errors").
 *
 * @param said what the service says about it; may be empty
 */
function statusError(status: number, endpoint: Endpoint, said: string, retryAfterMs?: number) {
	const { purpose, scope, refusedFix, notFound, notFoundFix } = endpoint;
	const refused = (kind: ServiceErrorKind, description: string) => {
		const headline = `The service refused to ${purpose}`;
		const message = `${headline}: ${said || 'it gave no reason'}`;
		const parts = said ? { headline, said } : {};
		return new ServiceError(kind, message, { status, retryAfterMs, description, ...parts });
	};
	const failed = (kind: ServiceErrorKind, message: string, advice: string) => {
		const description = said ? `${advice} The service says: ${said}` : advice;
		return new ServiceError(kind, message, { status, retryAfterMs, description });
	};

	if (status === 429) return rateLimited(endpoint, retryAfterMs);
	if (status === 400 || status === 409 || status === 422)
		return refused('validation', refusedFix ?? CORRECT_VALUES);
	if (status === 401 || status === 403) {
		return failed(
			'notAllowed',
			`The service did not allow this credential to ${purpose}`,
			`Status ${status}: the key or token is wrong, or lacks ${scope ? `the scope ${scope}` : 'the scope for this'}. Enter the whole key or token again, or one that has the scope.`,
		);
	}
	if (status === 404) {
		const message = `Nothing was found when asked to ${purpose}: there is nothing yet, or the base URL is wrong`;
		const first = notFound
			? 'Check what was asked for, then the base URL in the credential'
			: CHECK_URL;
		return failed('notFound', notFound ?? message, notFoundFix ?? `${first}.`);
	}
	if (status === 408 || status >= 500) {
		const message = `The service returned an error (status ${status}) when asked to ${purpose}`;
		return failed('server', message, TRY_LATER);
	}
	return refused('status', `The service answered with status ${status}. ${CHECK_URL_OR_REPORT}`);
}

function notJson(text: string, contentType: string, { purpose }: Endpoint, status: number) {
	const came = text === '' ? 'an empty body' : contentType;
	return new ServiceError('notJson', `The response was not JSON when asked to ${purpose}`, {
		status,
		description: `The address answered with ${came}. Try again. If it persists, check that the base URL in the credential is that of the service, not of its website.`,
	});
}

/**
 * A redirect that is not followed.
 *
 * @param from the URL of the request
 */
export function redirectError(
	response: IN8nHttpFullResponse,
	{ purpose }: Endpoint,
	from: string,
): ServiceError {
	const { statusCode: status, headers } = response;
	const target = redirectTarget(response, from);
	// A URL without a host, e.g. of a file, is shown as it came.
	const where = target?.host
		? `${target.origin}${target.pathname}`
		: asText(headers.location ?? 'nowhere').split('?')[0];
	return new ServiceError(
		'redirected',
		`The address redirects elsewhere when asked to ${purpose}`,
		{
			status,
			description: `It points to ${where}. Nothing was sent there, to protect the key. If that is the service, enter a base URL that does not redirect.`,
		},
	);
}

/**
 * The parsed JSON of a 2xx response (null for one without content), or what is wrong with the response (interface, "Errors").
 *
 * @returns the JSON value, or a ServiceError (returned, not thrown)
 */
export function parseResponse(response: IN8nHttpFullResponse, endpoint: Endpoint): unknown {
	const status = response.statusCode;
	// "No content" has nothing to be parsed.
	if (status === 204) return null;
	const text = typeof response.body === 'string' ? response.body : '';
	const parsed = parseJson(text);
	const isTooDeep = parsed !== undefined && isNestedDeeper(parsed.json, MAX_NESTING);
	if (status >= 200 && status < 300) {
		if (isTooDeep) {
			const message = `The response is nested too deeply when asked to ${endpoint.purpose}`;
			const description = `It has more than ${MAX_NESTING} levels, which no response of the service needs. ${CHECK_URL_OR_REPORT}`;
			return new ServiceError('unreadable', message, { status, description });
		}
		const contentType = asText(response.headers['content-type'] ?? 'no content type');
		return parsed ? parsed.json : notJson(text, contentType, endpoint, status);
	}
	// A date is meant by the clock of the service, which its responses show.
	const clock = Date.parse(asText(response.headers.date));
	const nowMs = Number.isNaN(clock) ? Date.now() : clock;
	const retryAfterMs = parseRetryAfter(response.headers['retry-after'], nowMs);
	const said = isTooDeep ? '' : errorMessageFrom(parsed ? parsed.json : text);
	return statusError(status, endpoint, said, retryAfterMs);
}
