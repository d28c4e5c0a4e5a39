import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';

import { Account, accountFor } from './account';
import { parseBaseUrl, redactor, requireSecret } from './credential';
import { isTransient, ServiceError, type Endpoint } from './errors';
import type { LimitFeedback, WaitOptions } from './rateLimiter';
import { networkError, parseResponse, readBodyText } from './responses';
import { callAfter, monotonicNow, pause, WAIT_CANCELLED, withDeadline } from './waits';

/** How a request is authenticated (interface, "Authentication"): `Api-Key <key>` or `Bearer <token>`. */
export type AuthScheme = 'apiKey' | 'bearerToken';

export const CREDENTIAL_TYPES: Readonly<Record<AuthScheme, string>> = {
	apiKey: 'tractorBookingApi',
	bearerToken: 'tractorBookingBearerApi',
};

/** A request below the base URL. `path` starts with a slash and is already encoded. */
export interface ServiceRequest {
	endpoint: Endpoint;
	path: string;
	query?: IDataObject;
	/** Sent as JSON with POST; without it the request is a GET. */
	body?: object;
	signal?: AbortSignal;
	/** Asked right before each attempt, and must not fail; if it says no, the request fails as `stopped`. */
	isWanted?: () => boolean;
}

export interface RetryPolicy {
	/** How long a request may take as a whole: connecting and the response's body included. */
	timeoutMs: number;
	/** How long to wait for a rate limit, see {@link WaitOptions}; 0 for not at all. */
	rateLimitWaitMs: number;
	/** How often a read is tried again after a failure that may pass; a POST never is. */
	retries: number;
	/** How long all requests of the client may take together; by default as long as they need. */
	totalMs?: number;
}

/** How long a request may take at most, whatever is set. Claims of rows rest on it. */
export const MAX_TIMEOUT_MS = 300_000;

/** For the action node. A quarter of an hour is enough even beside other processes with the same key. */
export const EXECUTION_POLICY: RetryPolicy = {
	timeoutMs: 60_000,
	rateLimitWaitMs: 900_000,
	retries: 2,
};

/** For polls and for the editor: n8n or the user tries again by itself. */
export const POLL_POLICY: RetryPolicy = { timeoutMs: 30_000, rateLimitWaitMs: 0, retries: 0 };

export interface ServiceClient {
	readonly baseUrl: string;
	readonly account: Account;
	readonly signal?: AbortSignal;
	/** Whether a pause of so many milliseconds leaves time for another request. */
	hasTimeFor(ms: number): boolean;
	/**
	 * Sends a request and parses the JSON of a 2xx response. A POST is sent again after a 429 only: nothing was done.
	 *
	 * @throws ServiceError, which shows no secret in any form
	 */
	send<T>(request: ServiceRequest, parse: (body: unknown) => T): Promise<T>;
	/**
	 * Runs the tasks of this process with one key one by one, so that each finds the bookings of those before.
	 *
	 * @throws ServiceError (`stopped`) if the execution is stopped, or its time is over, before the task begins; else what the
	 * task throws
	 */
	runExclusive<T>(task: () => Promise<T>): Promise<T>;
}

const MIN_RETRY_PAUSE_MS = 1_000;
const MAX_RETRY_PAUSE_MS = 30_000;

interface Connection {
	baseUrl: string;
	secret: string;
	policy: RetryPolicy;
	signal?: AbortSignal;
	account?: Account;
	/** Sends one authenticated request and returns the whole response, whatever its status. */
	request(options: IHttpRequestOptions): Promise<IN8nHttpFullResponse>;
}

function redactError(error: unknown, secret: string): unknown {
	if (!(error instanceof ServiceError)) return error;
	const redact = redactor(secret);
	const { kind, message, description = '', said = '' } = error;
	const details = { ...error, description: redact(description), said: redact(said) };
	return new ServiceError(kind, redact(message), details);
}

const notSentError = () =>
	new ServiceError('stopped', 'The execution was stopped before this request was sent');

const noTimeLeftError = () =>
	new ServiceError('stopped', 'There was no time left to send this request', {
		description:
			'A tool of an AI agent has to answer before its client stops waiting. Ask for less, or try again later.',
	});

function feedbackIn(result: unknown): LimitFeedback {
	if (!(result instanceof ServiceError)) return 'accepted';
	if (result.kind === 'rateLimited') return result;
	return result.kind === 'stopped' ? 'not sent' : 'accepted';
}

/**
 * After how many milliseconds a failed request is sent again; undefined if it is not. A refusal (429) is no failure here: the
 * rate limiter sends it again, also a POST.
 *
 * @param retries how often it was sent again so far
 */
function retryPause(
	failure: ServiceError,
	request: ServiceRequest,
	retries: number,
	policy: RetryPolicy,
): number | undefined {
	// A POST may have been carried out, whatever came back.
	if (request.body !== undefined) return undefined;
	// The same request would fail in the same way.
	if (!isTransient(failure)) return undefined;
	// It has failed often enough, or whoever asks tries again by itself.
	if (retries >= policy.retries) return undefined;
	const pauseMs = failure.retryAfterMs ?? MIN_RETRY_PAUSE_MS * 2 ** retries;
	// The user should know rather than wait.
	return pauseMs > MAX_RETRY_PAUSE_MS ? undefined : pauseMs;
}

export function clientOf(connection: Connection): ServiceClient {
	const { baseUrl, secret, policy, account = new Account() } = connection;
	const endsAt = monotonicNow() + (policy.totalMs ?? Infinity);
	const remainingMs = () => endsAt - monotonicNow();

	/** Sends a request once: the JSON of the response, or a ServiceError (returned, not thrown). */
	async function attempt(request: ServiceRequest, signal: AbortSignal): Promise<unknown> {
		const { endpoint, path, query, body: json, isWanted } = request;
		const timeoutMs = Math.min(policy.timeoutMs, Math.ceil(remainingMs()));
		if (timeoutMs <= 0) return noTimeLeftError();
		if (isWanted?.() === false || signal.aborted) return notSentError();
		const contentType = json === undefined ? {} : { 'Content-Type': 'application/json' };
		const options: IHttpRequestOptions = {
			method: json === undefined ? 'GET' : 'POST',
			url: `${baseUrl}${path}`,
			qs: query,
			body: JSON.stringify(json),
			headers: { Accept: 'application/json', ...contentType },
			// Read and parsed here, so that a page of HTML or a body cut off in the middle is distinguished from JSON, and
			// since n8n's helper keeps the bytes and the text of all that it reads for many requests.
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			// The key goes to no address from a response.
			disableFollowRedirect: true,
			timeout: timeoutMs,
		};
		return await withDeadline(timeoutMs, signal, async (deadline) => {
			// In executions, n8n replaces the signal by its own: then only `timeout` closes a silent connection.
			const response = await connection.request({ ...options, abortSignal: deadline });
			const body = await readBodyText(response.body, deadline);
			return parseResponse({ ...response, body }, endpoint);
		}).catch((error: unknown) => {
			if (!signal.aborted) return networkError(error, endpoint, baseUrl);
			const message = `The execution was stopped while waiting to ${endpoint.purpose}`;
			return new ServiceError('cancelled', message);
		});
	}

	async function sendWithRetries(request: ServiceRequest, signal: AbortSignal): Promise<unknown> {
		const { name, perMinute } = request.endpoint;
		// Reads are sent at once until the limit is reached.
		const intervalMs = perMinute && request.body ? 60_000 / perMinute : undefined;
		const maxWaitMs = Math.max(Math.min(policy.rateLimitWaitMs, remainingMs()), 0);
		const wait: WaitOptions = { maxWaitMs, signal, intervalMs };
		const send = async () => await attempt(request, signal);
		for (let retries = 0; ; retries++) {
			const result = await account.limiterFor(name).run(send, feedbackIn, wait);
			if (!(result instanceof ServiceError)) return result;
			const pauseMs = retryPause(result, request, retries, policy);
			if (pauseMs === undefined || remainingMs() <= pauseMs) throw result;
			await pause(pauseMs, signal);
		}
	}

	return {
		baseUrl,
		account,
		signal: connection.signal,
		hasTimeFor: (ms) => remainingMs() > ms,
		async send(request, parse) {
			const signals = [connection.signal, request.signal].filter((signal) => signal !== undefined);
			try {
				return parse(await sendWithRetries(request, AbortSignal.any(signals)));
			} catch (error) {
				throw redactError(error, secret);
			}
		},
		async runExclusive(task) {
			const late = new AbortController();
			const stopTimer = policy.totalMs ? callAfter(remainingMs(), () => late.abort()) : undefined;
			const signals = [connection.signal, late.signal].filter((signal) => signal !== undefined);
			const waiting = account.creations.runExclusive(task, AbortSignal.any(signals));
			return await waiting.finally(stopTimer).catch((error: unknown) => {
				if (error !== WAIT_CANCELLED) throw error;
				throw late.signal.aborted ? noTimeLeftError() : notSentError();
			});
		},
	};
}

/**
 * A client for the credential that the node has for this scheme.
 *
 * @param signal ends all its requests; by default when the execution is stopped
 * @throws ServiceError (`credential`)
 */
export async function connect(
	context: IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions,
	scheme: AuthScheme,
	policy: RetryPolicy,
	signal = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined,
): Promise<ServiceClient> {
	const credentialType = CREDENTIAL_TYPES[scheme];
	const { baseUrl: typed, apiKey, token } = await context.getCredentials(credentialType);
	const secret = requireSecret(apiKey ?? token, scheme === 'apiKey' ? 'key' : 'token');
	const baseUrl = parseBaseUrl(typed);
	return clientOf({
		baseUrl,
		secret,
		policy,
		account: accountFor(baseUrl, secret),
		signal,
		// n8n types the response as any; with `returnFullResponse` it is this.
		request: async (options) =>
			(await context.helpers.httpRequestWithAuthentication.call(
				context,
				credentialType,
				options,
			)) as IN8nHttpFullResponse,
	});
}
