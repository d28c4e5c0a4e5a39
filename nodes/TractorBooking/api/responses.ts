import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';

import type { Endpoint } from './types';
import { ServiceError } from './errors';
import { isRecord } from './pages/envelope';
import { asText } from '../utils/text';

const NEVER_CONNECTED = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
]);
const TIMED_OUT = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT']);
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|EPROTO/;
const LONGEST_QUOTE = 300;

/** The code of a network error (`ECONNRESET`, …), however often n8n has wrapped it. */
function networkCode(error: unknown): string {
	let current = error;
	for (let depth = 0; depth < 5 && current instanceof Error; depth++) {
		if ('code' in current && typeof current.code === 'string') return current.code;
		current = current.cause;
	}
	return '';
}

/** What became of a request that got no answer at all. */
export function networkError(
	error: unknown,
	endpoint: Endpoint,
	baseAddress: string,
	cancelled: boolean,
): ServiceError {
	const { host } = new URL(baseAddress);
	const code = networkCode(error);
	const goal = `to ${endpoint.purpose}`;
	const cause = code || (error instanceof Error ? error.message : '');
	const detail = cause ? ` (${cause})` : '';
	if (cancelled) {
		return new ServiceError('cancelled', `The execution was stopped while waiting ${goal}`);
	}
	if (NEVER_CONNECTED.has(code)) {
		return new ServiceError('unreachable', `Could not connect to ${host} ${goal}`, {
			description: `The service cannot be reached${detail}. Check the base URL in the credential and the network of the machine that runs n8n. Nothing was sent.`,
		});
	}
	if (CERTIFICATE.test(code)) {
		return new ServiceError('unreachable', `Could not connect securely to ${host} ${goal}`, {
			description: `The certificate of the service was not accepted${detail}. Check the base URL in the credential. Nothing was sent.`,
		});
	}
	if (TIMED_OUT.has(code)) {
		return new ServiceError('timeout', `${host} did not answer in time when asked ${goal}`, {
			description: `The service was reached but was too slow${detail}. Try again later, or raise the timeout in the options of the node.`,
		});
	}
	return new ServiceError(
		'interrupted',
		`The connection to ${host} broke off while trying ${goal}`,
		{
			description: `The connection was lost before a response arrived${detail}. Check the network, then try again.`,
		},
	);
}

/** Milliseconds that a `Retry-After` header asks to wait: seconds or a date; undefined where it is absent. */
export function parseRetryAfter(header: unknown, nowMs: number): number | undefined {
	if (typeof header !== 'string' && typeof header !== 'number') return undefined;
	const text = String(header).trim();
	const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
	if (seconds !== undefined) return Math.ceil(seconds * 1_000);
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/** Where a redirect answer points, or undefined for any other answer. */
export function redirectTarget(response: IN8nHttpFullResponse, from: string): URL | undefined {
	const { location } = response.headers;
	const redirects = response.statusCode >= 300 && response.statusCode < 400;
	return redirects && typeof location === 'string' && URL.canParse(location, from)
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

/** The `error` field of a 400 answer as one text: it may be a text, a list, or an object by field. */
function flattenError(error: unknown): string {
	if (typeof error === 'string') return error;
	if (Array.isArray(error)) return error.map(flattenError).filter(Boolean).join('; ');
	if (isRecord(error)) {
		return Object.entries(error)
			.map(([field, problem]) => `${field}: ${flattenError(problem)}`)
			.join('; ');
	}
	return asText(error);
}

/** The field of a body that gives the reason, or all of its fields. */
function reasonIn({ error, detail, message, ...fields }: IDataObject): unknown {
	return error ?? detail ?? message ?? fields;
}

/** What the body of a refused request says, if anything, shortened for a message. */
function errorMessageFrom(body: unknown): string {
	// A page of HTML is for browsers.
	if (typeof body === 'string' && /^\s*</.test(body)) return '';
	const said = flattenError(isRecord(body) ? reasonIn(body) : body).trim();
	return said.length > LONGEST_QUOTE ? `${said.slice(0, LONGEST_QUOTE)}…` : said;
}

function notAllowed(status: number, endpoint: Endpoint, said: string): ServiceError {
	const scope = endpoint.scope ? ` (a key needs the scope ${endpoint.scope})` : '';
	return new ServiceError(
		'notAllowed',
		`The service did not allow this credential to ${endpoint.purpose}${scope}`,
		{
			status,
			description: [
				`Status ${status}: either the key or token is wrong, or it lacks the scope for this endpoint; keys are scoped per endpoint.`,
				'Check it in the partner dashboard, then test the credential in n8n: the test says what the key may do.',
				said && `The service says: ${said}`,
			]
				.filter(Boolean)
				.join(' '),
		},
	);
}

/** The failure of a request that the rate limit does not let through in time. */
export function rateLimited(endpoint: Endpoint, retryAfterMs?: number): ServiceError {
	const { purpose, perMinute } = endpoint;
	const limit = perMinute === undefined ? '' : ` It states a limit of about ${perMinute} a minute.`;
	return new ServiceError('rateLimited', `The rate limit was reached while trying to ${purpose}`, {
		status: 429,
		retryAfterMs,
		description:
			retryAfterMs === undefined
				? `The service asks to send fewer requests a minute and does not say how long to wait.${limit} Run the remaining items later.`
				: `The service asks to wait ${Math.ceil(retryAfterMs / 1_000)} s.${limit} Run the remaining items after that.`,
	});
}

function statusError(status: number, endpoint: Endpoint, said: string, retryAfterMs?: number) {
	const goal = `to ${endpoint.purpose}`;
	const quoted = said ? `The service says: ${said}` : '';
	const advised = (advice: string) => `${advice} ${quoted}`.trim();
	switch (status) {
		case 400:
			return new ServiceError(
				'validation',
				`The service refused ${goal}: ${said || 'it gave no reason'}`,
				{ status, description: 'Correct the values that it names, then run this item again.' },
			);
		case 401:
		case 403:
			return notAllowed(status, endpoint, said);
		case 404:
			return new ServiceError(
				'notFound',
				endpoint.notFound ?? `Nothing was found at the address ${goal}`,
				{
					status,
					description: endpoint.notFound
						? quoted
						: advised('Check the base URL in the credential.'),
				},
			);
		case 408:
			return new ServiceError('timeout', `The service gave up waiting when asked ${goal}`, {
				status,
				description: advised('Try again later.'),
			});
		case 429:
			return rateLimited(endpoint, retryAfterMs);
		default:
			return status >= 500
				? new ServiceError(
						'server',
						`The service returned an error (status ${status}) when asked ${goal}`,
						{
							status,
							retryAfterMs,
							description: advised(
								'Try again later; if it stays, tell the operator of the service.',
							),
						},
					)
				: new ServiceError(
						'status',
						`The service answered with status ${status} when asked ${goal}`,
						{
							status,
							description: quoted,
						},
					);
	}
}

/**
 * The parsed JSON of a 2xx answer (null for one without content), or what is wrong with the answer (interface, "Errors").
 *
 * @returns the JSON value, or a ServiceError (returned, not thrown)
 */
export function parseResponse(response: IN8nHttpFullResponse, endpoint: Endpoint): unknown {
	const status = response.statusCode;
	// "No content" has nothing to be parsed.
	if (status === 204) return null;
	const text = typeof response.body === 'string' ? response.body : '';
	const parsed = parseJson(text);
	if (status >= 200 && status < 300) {
		if (parsed) return parsed.json;
		const contentType = asText(response.headers['content-type'] ?? 'no content type');
		const looksCut = /json/i.test(contentType) && text !== '';
		return new ServiceError(
			'notJson',
			looksCut
				? `The answer was cut off in the middle when asked to ${endpoint.purpose}`
				: `The answer was not JSON when asked to ${endpoint.purpose}`,
			{
				status,
				description: looksCut
					? 'The connection may be unstable. Try again.'
					: `The address answered with ${text === '' ? 'an empty body' : contentType}. Check that the base URL in the credential is the one of the service, not of its website.`,
			},
		);
	}
	if (status >= 300 && status < 400) {
		const target = asText(response.headers.location ?? 'nowhere').split('?')[0];
		return new ServiceError(
			'redirected',
			`The address redirects elsewhere when asked to ${endpoint.purpose}`,
			{
				status,
				description: `It points to ${target}. The key is not sent there. If that is the service, enter its address as the base URL of the credential.`,
			},
		);
	}
	// A date is meant by the clock of the service, which its answers show.
	const clock = Date.parse(asText(response.headers.date));
	const nowMs = Number.isNaN(clock) ? Date.now() : clock;
	const retryAfterMs = parseRetryAfter(response.headers['retry-after'], nowMs);
	return statusError(status, endpoint, errorMessageFrom(parsed ? parsed.json : text), retryAfterMs);
}
