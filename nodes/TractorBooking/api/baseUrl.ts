import { ServiceError } from './errors';
import { redactor } from './redact';

const FIX =
	'Open the credential and enter the base URL that your partner dashboard shows, e.g. https://api.example.com';

function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Beginnings of the paths of the interface ("Endpoints"), which people copy along. */
const PATHS = /\/(?:booking-services|v1\/tractors|payg)(?=\/|$)/;

const HOST = /^[a-z0-9-]{1,40}(?:\.[a-z0-9-]{1,40}){1,5}(?:[:/]|$)/i;

/** What was typed, in quotes, if it is words or a host; else it may be a key that was pasted into the wrong field. */
function quoted(typed: string, text: string): string {
	return /\s/.test(typed.trim()) || HOST.test(text) ? ` "${text}"` : '';
}

/**
 * The base URL of a credential in the one form that paths are appended to: no stray spaces, no
 * trailing slash. Staging and production differ (interface, "General rules"), so there is no default.
 *
 * @param secret the key or token of the credential, which is not shown even if it was typed here
 * @throws ServiceError (`address`) when it is empty, not an address, carries a user name, a query or a
 * fragment, or is not https (plain http is accepted on loopback only, since the key travels with it)
 */
export function parseBaseUrl(typed: unknown, secret = ''): string {
	const text = typeof typed === 'string' ? typed : '';
	const trimmed = text.replace(/\s+/g, '');
	if (trimmed === '') {
		throw new ServiceError('address', 'The credential has no base URL', { description: FIX });
	}
	if (!URL.canParse(trimmed)) {
		const what = redactor(secret)(quoted(text, trimmed));
		throw new ServiceError('address', `The base URL${what} is not a web address`, {
			description: FIX,
		});
	}
	const url = new URL(trimmed);
	const secure =
		url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
	if (!secure) {
		throw new ServiceError('address', 'The base URL must start with https://', {
			description: `${FIX}. Plain http is accepted for this machine only (localhost), because the key travels with every request.`,
		});
	}
	if (url.username || url.password || url.search || url.hash) {
		throw new ServiceError(
			'address',
			'The base URL must not carry a user name, a password, a "?" or a "#"',
			{ description: FIX },
		);
	}
	const path = PATHS.exec(url.pathname)?.[0];
	if (path !== undefined) {
		throw new ServiceError('address', `The base URL must end before ${path}`, {
			description: `${FIX}. The node adds the paths by itself.`,
		});
	}
	return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '');
}
