import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';

import { networkError, parseResponse, rateLimited, redirectTarget } from './responses';
import { parseBaseUrl } from './baseUrl';
import { readBodyText } from './body';
import type { Endpoint } from './types';
import { ServiceError } from './errors';
import { Limits, limitsFor } from './limits';
import { GaveUp, type Verdict } from './rateLimiter';
import { pause, WAIT_CANCELLED } from './abort';
import { asText } from '../utils/text';

/** The n8n contexts from which the service is called. */
export type Context = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** How a request is authenticated (interface, "Authentication"): `Api-Key <key>` or `Bearer <token>`. */
export type AuthScheme = 'apiKey' | 'bearerToken';

/** The credential type of each scheme. */
export const CREDENTIAL_TYPES: Readonly<Record<AuthScheme, string>> = {
	apiKey: 'tractorBookingApiKeyApi',
	bearerToken: 'tractorBookingBearerTokenApi',
};

/** A request below the base URL. `path` starts with a slash and is already encoded. */
export interface ServiceRequest {
	endpoint: Endpoint;
	path: string;
	query?: IDataObject;
	/** Sent as JSON with POST; without it the request is a GET. */
	body?: object;
	/** Says, when its turn has come, whether the answer is still needed; otherwise it is not sent. */
	isNeeded?: () => boolean;
	/** Whether it may ask for what is not there, so that a 500 may be the answer for good. */
	isGuess?: boolean;
}

/** How patient a client is. All times in milliseconds. */
export interface RetryPolicy {
	/** How long an answer may take to begin, and once more its body. */
	timeoutMs: number;
	/**
	 * How long to wait for a rate limit while the service lets nothing through to the endpoint; 0 for not at
	 * all. As long as some requests get through, the others wait for their turn.
	 */
	rateLimitWaitMs: number;
	/** How often a read is tried again after a failure that may pass; a POST never is. */
	retries: number;
}

/**
 * For the action node: an execution may wait for the limits of the service. A quarter of an hour is many
 * windows of a minute, in which other processes with the same key may be faster again and again.
 */
export const EXECUTION_POLICY: RetryPolicy = {
	timeoutMs: 60_000,
	rateLimitWaitMs: 900_000,
	retries: 2,
};

/** For polls and for the editor: n8n or the user tries again by itself. */
export const POLL_POLICY: RetryPolicy = { timeoutMs: 30_000, rateLimitWaitMs: 0, retries: 0 };

/** Sends requests with one credential. */
export interface ServiceClient {
	/** Base URL of the credential, as `parseBaseUrl` gives it. */
	readonly baseAddress: string;
	/** Aborted when the execution is stopped. */
	readonly signal?: AbortSignal;
	/**
	 * Sends a request and returns the parsed JSON of a 2xx answer.
	 * It keeps to the rate limit: a 429 is waited for, and is the one answer after which a POST is sent again, since
	 * nothing was done.
	 *
	 * @throws ServiceError
	 */
	send(request: ServiceRequest): Promise<unknown>;
	/**
	 * Runs one task of this process with the same key after the other, so that each finds the bookings of those before.
	 *
	 * @throws ServiceError (`stopped`) if the execution is stopped before the task begins
	 */
	runExclusive<T>(task: () => Promise<T>): Promise<T>;
}

const MAX_REDIRECTS = 3;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Failures of a read that may be gone a moment later. */
const PASSING = new Set(['interrupted', 'timeout', 'server', 'notJson']);

/** What a client works with; the request is sent by whatever helper the n8n context offers. */
interface Connection {
	/** As `parseBaseUrl` gives it. */
	baseAddress: string;
	/** The key or token, which is struck out where the service quotes it. */
	secret?: string;
	patience: RetryPolicy;
	/** Aborted when the execution is stopped. */
	signal?: AbortSignal;
	/** Rate limits; by default those of this client's own requests only. */
	limits?: Limits;
	/** Requests to each endpoint in any 60 seconds, where the user sets a limit. */
	perMinute?: number;
	/** Sends one authenticated request and returns the whole answer, whatever its status. */
	request(options: IHttpRequestOptions): Promise<IN8nHttpFullResponse>;
}

/** An answer whose text may be shown to people: services may quote the key that they refuse. */
function redactSecret(response: IN8nHttpFullResponse, secret: string): IN8nHttpFullResponse {
	const { body, headers, statusCode } = response;
	if (secret === '' || statusCode < 300) return response;
	const strike = (text: unknown) =>
		typeof text === 'string' ? text.replaceAll(secret, '…') : undefined;
	return {
		...response,
		body: strike(body),
		headers: { ...headers, location: strike(headers.location) },
	};
}

function notSent(): ServiceError {
	return new ServiceError('stopped', 'The execution was stopped before this request was sent');
}

/** What the answer to a request tells about the rate limit: any status but 429 got past it. */
function verdictOn(answer: unknown): Verdict {
	if (!(answer instanceof ServiceError)) return { kind: 'accepted' };
	const { kind, status, retryAfterMs } = answer;
	if (kind === 'rateLimited') return { kind: 'refused', retryAfterMs };
	if (kind === 'stopped') return { kind: 'notSent' };
	return { kind: status === undefined ? 'unknown' : 'accepted' };
}

/** A client over a connection. Most callers want `connect`. */
export function createClient(connection: Connection): ServiceClient {
	const { baseAddress, secret = '', patience, signal, perMinute } = connection;
	const { limits = new Limits() } = connection;

	async function once(
		url: string,
		{ endpoint, query, body, isNeeded = () => true }: ServiceRequest,
	): Promise<IN8nHttpFullResponse | ServiceError> {
		if (signal?.aborted || !isNeeded()) {
			return notSent();
		}
		const contentType = body === undefined ? {} : { 'Content-Type': 'application/json' };
		try {
			const response = await connection.request({
				method: body === undefined ? 'GET' : 'POST',
				url,
				qs: query,
				body: body === undefined ? undefined : JSON.stringify(body),
				headers: { Accept: 'application/json', ...contentType },
				// Read and parsed here, so that a page of HTML or a body cut off in the middle can be told from JSON,
				// and since n8n's helper keeps the bytes and the text of all that it reads for many requests.
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				// Redirects are followed below, within the base URL only: the key goes nowhere else.
				disableFollowRedirect: true,
				timeout: patience.timeoutMs,
				abortSignal: signal,
			});
			return { ...response, body: await readBodyText(response.body, patience.timeoutMs) };
		} catch (error) {
			return networkError(error, endpoint, baseAddress, signal?.aborted === true);
		}
	}

	/** Reads follow redirects that stay at the origin of the base URL, e.g. one that adds a slash. */
	async function answerTo(request: ServiceRequest): Promise<unknown> {
		const isRead = request.body === undefined;
		let url = `${baseAddress}${request.path}`;
		let response = await once(url, request);
		for (let hop = 0; hop < MAX_REDIRECTS && isRead; hop++) {
			const target = response instanceof ServiceError ? undefined : redirectTarget(response, url);
			if (target?.origin !== new URL(baseAddress).origin) break;
			url = target.href;
			// The address of the redirect carries the query already, where it keeps one.
			response = await once(url, target.search ? { ...request, query: undefined } : request);
		}
		if (response instanceof ServiceError) return response;
		return parseResponse(redactSecret(response, secret), request.endpoint);
	}

	async function send(request: ServiceRequest): Promise<unknown> {
		const { endpoint } = request;
		const limiter = limits.limiterFor(endpoint.name);
		const attempt = async () => await answerTo(request);
		const wait = { patienceMs: patience.rateLimitWaitMs, perMinute, signal };
		for (let retries = 0; ; retries++) {
			const answer = await limiter.run(attempt, verdictOn, wait);
			if (answer instanceof GaveUp) throw rateLimited(endpoint, answer.retryAfterMs);
			if (!(answer instanceof ServiceError)) return answer;

			const pauseMs = answer.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** retries;
			const isForGood = request.isGuess && answer.status === 500;
			const passing = request.body === undefined && PASSING.has(answer.kind) && !isForGood;
			if (!passing || retries >= patience.retries || pauseMs > LONGEST_PAUSE_MS) throw answer;
			await pause(pauseMs, signal);
		}
	}

	return {
		baseAddress,
		signal,
		send,
		async runExclusive(task) {
			return await limits.creations.runExclusive(task, signal).catch((error: unknown) => {
				throw error === WAIT_CANCELLED ? notSent() : error;
			});
		},
	};
}

/**
 * A client for the credential that the node has for this scheme.
 *
 * @param perMinute requests to each endpoint in any 60 seconds, where the user sets a limit
 * @throws ServiceError (`address`) when the base URL of the credential cannot be used
 */
export async function connect(
	context: Context,
	scheme: AuthScheme,
	patience: RetryPolicy,
	perMinute?: number,
): Promise<ServiceClient> {
	const credentialType = CREDENTIAL_TYPES[scheme];
	const { baseUrl, apiKey, token } = await context.getCredentials(credentialType);
	const baseAddress = parseBaseUrl(baseUrl);
	const secret = asText(apiKey ?? token).trim();
	return createClient({
		baseAddress,
		secret,
		patience,
		limits: limitsFor(baseAddress, secret),
		perMinute,
		signal: 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined,
		// n8n types the answer as any; with `returnFullResponse` it is this.
		request: async (options) =>
			(await context.helpers.httpRequestWithAuthentication.call(
				context,
				credentialType,
				options,
			)) as IN8nHttpFullResponse,
	});
}
