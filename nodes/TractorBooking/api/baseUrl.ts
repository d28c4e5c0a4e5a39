import { ServiceError } from './errors';

const FIX =
	'Open the credential and enter the base URL that your partner dashboard shows, e.g. https://api.example.com';

function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/**
 * The base URL of a credential in the one form that paths are appended to: no stray spaces, no
 * trailing slash. Staging and production differ (interface, "General rules"), so there is no default.
 *
 * @throws ServiceError (`address`) when it is empty, not an address, carries a user name, a query or a
 * fragment, or is not https (plain http is accepted on loopback only, since the key travels with it)
 */
export function parseBaseUrl(text: unknown): string {
	const trimmed = typeof text === 'string' ? text.replace(/\s+/g, '') : '';
	if (trimmed === '') {
		throw new ServiceError('address', 'The credential has no base URL', { description: FIX });
	}
	if (!URL.canParse(trimmed)) {
		throw new ServiceError('address', `The base URL "${trimmed}" is not a web address`, {
			description: FIX,
		});
	}
	const url = new URL(trimmed);
	const secure =
		url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
	if (!secure) {
		throw new ServiceError(
			'address',
			`The base URL must start with https://, not ${url.protocol}//`,
			{
				description: `${FIX}. Plain http is accepted for this machine only (localhost), because the key travels with every request.`,
			},
		);
	}
	if (url.username || url.password || url.search || url.hash) {
		throw new ServiceError(
			'address',
			'The base URL must not carry a user name, a password, a "?" or a "#"',
			{ description: FIX },
		);
	}
	return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '');
}
