import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';

import { asText, escapeHtml } from '../utils/text';

/** One endpoint of the interface, as far as messages and pacing need to know it. */
export interface Endpoint {
	/** Requests of one name share a rate limit. */
	name: string;
	/** If the interface states a limit ("Limits"). It says "about". A POST is paced by it. */
	perMinute?: number;
	/** To be read after "to", e.g. `list bookings`. */
	purpose: string;
	/** The scope that a key needs, if the interface names it. */
	scope?: string;
	/** What to do about values that are refused; by default to correct them. */
	refusedFix?: string;
	/** What a 404 says about the thing asked for; by default that nothing is at this URL. */
	notFound?: string;
	/** What to do about a 404; by default to check the base URL. */
	notFoundFix?: string;
}

/** What went wrong with a request; the value is {@link ServiceError.outcomeUnknown}. */
const IS_OUTCOME_UNKNOWN = {
	/** The base URL or the key of the credential cannot be used; nothing was sent. */
	credential: false,
	/** No connection (name unknown, refused, certificate). */
	unreachable: false,
	/** The connection broke after the request may have been sent. */
	interrupted: true,
	timeout: true,
	/** The execution was stopped before the request was sent, or while it was under way. */
	stopped: false,
	cancelled: true,
	/** The address redirects elsewhere, perhaps after it did what was asked for. */
	redirected: true,
	/** A response that is not JSON, or not all of it. */
	notJson: true,
	/** JSON that cannot be the documented response. */
	unreadable: true,
	/** A list that ends before all records came. */
	incomplete: false,
	validation: false,
	notAllowed: false,
	notFound: false,
	/** 429, and waiting did not help within the limit. */
	rateLimited: false,
	server: true,
	/** A status that the interface does not show. */
	status: true,
};

export type ServiceErrorKind = keyof typeof IS_OUTCOME_UNKNOWN;

/**
 * A failed request, in words for people and without any secret (interface, "Errors"). n8n logs the message, so that what
 * the service says, which may quote a farmer, is in the description alone.
 */
export class ServiceError extends Error {
	/** What the service says, and what the user can do about it. */
	readonly description?: string;

	/** What the service says, alone. */
	readonly said?: string;

	readonly status?: number;

	/** How long the service asks to wait. */
	readonly retryAfterMs?: number;

	constructor(
		readonly kind: ServiceErrorKind,
		message: string,
		details: Pick<Partial<ServiceError>, 'description' | 'said' | 'status' | 'retryAfterMs'> = {},
	) {
		super(message);
		this.name = 'ServiceError';
		Object.assign(this, details);
	}

	/** Whether the service may have carried the request out all the same. */
	get outcomeUnknown(): boolean {
		return IS_OUTCOME_UNKNOWN[this.kind];
	}
}

/** Whether the same request may succeed later. A page of HTML may come from a gateway in front of the service. */
export function isTransient({ kind }: ServiceError): boolean {
	return ['interrupted', 'timeout', 'server', 'notJson'].includes(kind);
}

export const CHECK_URL = 'Check the base URL in the credential';

export const TRY_LATER = 'Try again later; if it persists, tell the operator of the service.';

/** Why a poll failed, in the words that newer hosts use to back off (n8n, `error.failure`). */
function pollFailureOf(error: ServiceError) {
	const { kind, retryAfterMs } = error;
	if (kind === 'notAllowed') return { cause: 'credential-invalid' as const };
	if (kind === 'rateLimited') return { cause: 'rate-limited' as const, retryAfterMs };
	const mayPass = kind === 'unreachable' || isTransient(error);
	return mayPass ? { cause: 'temporarily-unavailable' as const, retryAfterMs } : undefined;
}

/** What anything thrown says; without a headline (`InvalidInputError`) or a description, these are empty. */
export function toPlainError(thrown: unknown) {
	const error = thrown instanceof Error ? thrown : new Error(String(thrown));
	const textIn = (part: 'headline' | 'description'): string => asText(Reflect.get(error, part));
	const { message } = error;
	return { error, message, headline: textIn('headline'), description: textIn('description') };
}

/**
 * The error that n8n shows for anything thrown while an item was worked on; errors of n8n itself keep what they say.
 * n8n logs the message of an error and of its cause, and not the description: so names, phones and cells are in the
 * description alone (`InvalidInputError` has a headline without them).
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
		const { message, name, description, status } = error;
		const response: JsonObject = { message, name };
		return new NodeApiError(node, response, {
			message,
			description,
			httpCode: status === undefined ? undefined : String(status),
			itemIndex,
			failure: pollFailureOf(error),
		});
	}
	const { error: thrown, message, headline, description } = toPlainError(error);
	const rest = message.startsWith(`${headline}\n`) ? message.slice(headline.length + 1) : message;
	return headline
		? new NodeOperationError(node, headline, { itemIndex, description: rest })
		: new NodeOperationError(node, thrown, { itemIndex, description: description || undefined });
}

/** What a sheet or the service wrote must not be HTML: n8n renders descriptions as such, and some messages. */
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
