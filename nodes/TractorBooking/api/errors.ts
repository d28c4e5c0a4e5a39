import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { asText, escapeHtml } from '../utils/text';

/** One endpoint of the interface, as far as messages and pacing need to know it. */
export interface Endpoint {
	/** Requests of one name share a rate limit. */
	name: string;
	/** Requests a minute, if the interface states a limit ("Limits"). It says "about". */
	perMinute?: number;
	/** What the endpoint is asked for, to be read after "to", e.g. `list bookings`. */
	purpose: string;
	/** The scope that a key needs, if the interface names it. */
	scope?: string;
	/** What to do about values that are refused; by default to correct them. */
	refusedFix?: string;
	/** What a 404 says about the thing asked for; by default that nothing is at this URL. */
	notFound?: string;
	/** What to do about a 404; by default to check what was asked for, and the base URL. */
	notFoundFix?: string;
}

/**
 * What went wrong with a request, as far as it matters to what happens next, and whether the failure alone does not show
 * if the service carried the request out.
 */
const IS_OUTCOME_UNKNOWN = {
	/** The base URL or the key of the credential cannot be used; nothing was sent. */
	credential: false,
	/** No connection (name unknown, refused, certificate); nothing was sent. */
	unreachable: false,
	/** The connection broke after the request may have been sent. */
	interrupted: true,
	timeout: true,
	/** The execution was stopped before the request was sent. */
	stopped: false,
	/** The execution was stopped while the request was under way. */
	cancelled: true,
	/** The address redirects elsewhere. */
	redirected: false,
	/** A response that is not JSON, or not all of it. */
	notJson: true,
	/** JSON that cannot be the documented response, or a response that is too large or nested too deeply. */
	unreadable: true,
	/** 400, 409 or 422. */
	validation: false,
	/** 401 or 403 */
	notAllowed: false,
	/** 404 */
	notFound: false,
	/** 429, and waiting did not help within the limit. */
	rateLimited: false,
	/** 5xx */
	server: true,
	/** Any other status. */
	status: false,
};

export type ServiceErrorKind = keyof typeof IS_OUTCOME_UNKNOWN;

interface ServiceErrorDetails {
	/** What the user can do about it. */
	description?: string;
	/** The message without what the service says. */
	headline?: string;
	/** What the service says, which the message has after the headline. It may quote what was sent. */
	said?: string;
	status?: number;
	/** How long the service asks to wait, in milliseconds. */
	retryAfterMs?: number;
}

/** A failed request, in words for people and without any secret (interface, "Errors"). */
export class ServiceError extends Error implements ServiceErrorDetails {
	readonly description?: string;

	readonly headline?: string;

	readonly said?: string;

	readonly status?: number;

	readonly retryAfterMs?: number;

	constructor(
		readonly kind: ServiceErrorKind,
		message: string,
		{ description, headline, said, status, retryAfterMs }: ServiceErrorDetails = {},
	) {
		super(message);
		this.name = 'ServiceError';
		Object.assign(this, { description, headline, said, status, retryAfterMs });
	}

	/** The same failure, with other advice. */
	withDescription(description: string): ServiceError {
		return new ServiceError(this.kind, this.message, { ...this, description });
	}

	/** Whether the service may have carried the request out although the response is missing. */
	get outcomeUnknown(): boolean {
		// These redirects may follow a request that was carried out, as after a form is sent.
		const isAfterwards = this.status === 302 || this.status === 303;
		return IS_OUTCOME_UNKNOWN[this.kind] || (this.kind === 'redirected' && isAfterwards);
	}
}

export function isTransient({ kind }: ServiceError): boolean {
	return kind === 'interrupted' || kind === 'timeout' || kind === 'server';
}

/** What to do if the base URL may be wrong; without the full stop. */
export const CHECK_URL = 'Check the base URL in the credential';

export const CORRECT_VALUES = 'Correct the values that it names, then try again.';

export const TRY_LATER = 'Try again later; if it persists, tell the operator of the service.';

/** Why a poll failed, in the words that newer hosts use to back off (n8n, `error.failure`). */
function failureOf(error: ServiceError) {
	switch (error.kind) {
		case 'rateLimited':
			return { cause: 'rate-limited' as const, retryAfterMs: error.retryAfterMs };
		case 'notAllowed':
			return { cause: 'credential-invalid' as const };
		default:
			return error.kind === 'unreachable' || isTransient(error)
				? { cause: 'temporarily-unavailable' as const, retryAfterMs: error.retryAfterMs }
				: undefined;
	}
}

/** The texts of a failed request: what the service says is in the description. */
function textsOf({ message, headline = message, description = '', said }: ServiceError) {
	const quote = said ? `The service says: ${said}`.replace(/[^.!?…]$/, '$&.') : '';
	return { message: headline, description: `${quote} ${description}`.trim() };
}

/** The texts of anything thrown; see `InvalidInputError` for the headline. */
export function toPlainError(thrown: unknown) {
	const error = thrown instanceof Error ? thrown : new Error(String(thrown));
	const textIn = (part: 'headline' | 'description'): string => asText(Reflect.get(error, part));
	return {
		error,
		message: error.message,
		headline: textIn('headline'),
		description: textIn('description'),
	};
}

/**
 * The error that n8n shows for anything thrown while an item was worked on.
 * Service errors become a `NodeApiError`; errors of n8n itself keep what they say and gain the item.
 *
 * n8n logs the message of an error and of its cause, and not the description: so names, phones and cells are in the
 * description alone.
 *
 * @param itemIndex the input item that the error belongs to; undefined in a poll
 */
export function toNodeError(
	node: INode,
	error: unknown,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	if (error instanceof ServiceError) {
		const { message, description } = textsOf(error);
		const response: JsonObject = { message, name: error.name };
		return new NodeApiError(node, response, {
			message,
			description,
			httpCode: error.status === undefined ? undefined : String(error.status),
			itemIndex,
			failure: failureOf(error),
		});
	}
	const { error: thrown, message, headline, description } = toPlainError(error);
	const rest = message.startsWith(`${headline}\n`) ? message.slice(headline.length + 1) : message;
	return headline
		? new NodeOperationError(node, headline, { itemIndex, description: rest })
		: new NodeOperationError(node, thrown, { itemIndex, description: description || undefined });
}

/**
 * An error with plain texts as it is thrown: n8n renders descriptions as HTML, and messages in some places, so that what
 * a sheet or the service wrote must not be HTML.
 */
export function withEscapedTexts<T extends NodeApiError | NodeOperationError>(error: T): T {
	error.message = error.message.replace(/</g, '‹');
	if (error.description) error.description = escapeHtml(error.description);
	return error;
}

/** The value of a promise, or the ServiceError that it failed with; any other error stays thrown. */
export async function settle<T>(promise: Promise<T>): Promise<T | ServiceError> {
	return await promise.catch((error: unknown) => {
		if (error instanceof ServiceError) return error;
		throw error;
	});
}
