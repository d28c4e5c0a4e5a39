import { BodyTooLarge, MAX_BODY_BYTES } from './body';
import type { Endpoint, ServiceErrorKind } from './errors';
import { CHECK_URL, ServiceError } from './errors';
import { asText } from '../utils/text';

const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);
/** Codes with which a connection may also end after the request was sent. */
const NO_ROUTE = new Set(['EHOSTUNREACH', 'ENETUNREACH']);
const TIMED_OUT = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT']);
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|EPROTO/;

/** A network error and what n8n has wrapped in it, outermost first. */
function causesOf(error: unknown): object[] {
	const causes: object[] = [];
	for (let cause = error; cause instanceof Error && causes.length < 5; cause = cause.cause)
		causes.push(cause);
	return causes;
}

/** The code of a network error (`ECONNRESET`, …), however often it is wrapped. */
function networkCode(error: unknown): string {
	const codes = causesOf(error).map((cause) => ('code' in cause ? asText(cause.code) : ''));
	return codes.find(Boolean) ?? '';
}

/** Whether a network error came while the connection was being made; Node gathers those of several addresses. */
function isConnectError(error: unknown): boolean {
	for (const cause of causesOf(error)) {
		if (cause instanceof AggregateError) {
			return cause.errors.length > 0 && cause.errors.every(isConnectError);
		}
		if ('syscall' in cause) return cause.syscall === 'connect';
	}
	return false;
}

/** What an error of the network means; the caller adds what was wanted to the message: "to list bookings". */
function explain(
	error: unknown,
	host: string,
): [kind: ServiceErrorKind, message: string, description: string] {
	if (error instanceof BodyTooLarge) {
		return [
			'unreadable',
			`The response was larger than ${MAX_BODY_BYTES / 1024 ** 2} MB when asked`,
			'Ask for fewer records at a time. If that does not help, tell the operator of the service.',
		];
	}
	const code = networkCode(error);
	const cause = code || (error instanceof Error ? error.message : '');
	const detail = cause && ` (${cause})`;
	const mayHaveConnected = TIMED_OUT.has(code) || NO_ROUTE.has(code);
	if (NEVER_CONNECTED.has(code) || (mayHaveConnected && isConnectError(error))) {
		return [
			'unreachable',
			`Could not connect to ${host}`,
			`The service cannot be reached${detail}. ${CHECK_URL} and the network of the machine that runs n8n. Nothing was sent.`,
		];
	}
	if (CERTIFICATE.test(code)) {
		return [
			'unreachable',
			`Could not connect securely to ${host}`,
			`The service offers no secure connection, or its certificate was not accepted${detail}. ${CHECK_URL}. Nothing was sent.`,
		];
	}
	if (TIMED_OUT.has(code)) {
		return [
			'timeout',
			`${host} did not answer in time when asked`,
			`The service may be too slow, or nothing answers at its address${detail}. ${CHECK_URL}, then try again later.`,
		];
	}
	return [
		'interrupted',
		`The connection to ${host} was lost while trying`,
		`No response arrived${detail}. Check the network, then try again.`,
	];
}

/**
 * Why a response did not arrive, or not all of it.
 *
 * @param isCancelled whether it is no longer wanted
 */
export function networkError(
	error: unknown,
	{ purpose }: Endpoint,
	baseUrl: string,
	isCancelled: boolean,
): ServiceError {
	if (isCancelled)
		return new ServiceError('cancelled', `The execution was stopped while waiting to ${purpose}`);
	const [kind, message, description] = explain(error, new URL(baseUrl).host);
	return new ServiceError(kind, `${message} to ${purpose}`, { description });
}
