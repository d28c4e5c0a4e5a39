import { ServiceError } from './errors';

const FIX =
	'Open the credential and enter the base URL that your partner dashboard shows, e.g. https://api.example.com';

function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Beginnings of the paths of the interface ("Endpoints"), which people copy along. */
const PATHS = /\/(?:booking-services|v1\/tractors|payg)(?=\/|$)/;

/**
 * The base URL of a credential in the one form that paths are appended to: no stray spaces, no
 * trailing slash. Staging and production differ (interface, "General rules"), so there is no default.
 *
 * @throws ServiceError (`credential`) when it is empty, not an address, carries a user name, a query or a
 * fragment, or is not https (plain http is accepted on loopback only, since the key travels with it)
 */
export function parseBaseUrl(typed: unknown): string {
	const wrong = (what: string, fix = FIX) =>
		new ServiceError('credential', what, { description: fix });
	const text = typeof typed === 'string' ? typed.replace(/\s+/g, '') : '';
	if (text === '') throw wrong('The credential has no base URL');
	// What was typed is not shown: it may be a key that was pasted into the wrong field.
	const httpsMissing = wrong(
		'The base URL must start with https://',
		`${FIX}. Plain http is accepted for this machine only (localhost), because the key travels with every request.`,
	);
	if (!URL.canParse(text)) {
		const isHost = text.includes('.') && URL.canParse(`https://${text}`);
		throw isHost ? httpsMissing : wrong('The base URL is not a web address');
	}
	const { protocol, hostname, username, password, search, hash, origin, pathname } = new URL(text);
	if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname))) throw httpsMissing;
	if (username || password || search || hash) {
		throw wrong('The base URL must not contain a user name, a password, a "?" or a "#"');
	}
	const path = PATHS.exec(pathname)?.[0];
	if (path !== undefined) {
		throw wrong(
			`The base URL must end before ${path}`,
			`${FIX}. The node adds the paths by itself.`,
		);
	}
	return `${origin}${pathname}`.replace(/(?<!\/)\/+$/, '');
}
