import type { Organisation } from './bookings.cts';

/**
 * What a key may do. Of these names the interface gives `booking:bookings:read` only
 * ("Authentication"), and that keys are scoped per endpoint; the others are the sandbox's own.
 */
const SCOPES = [
	'booking:tractors:nearby',
	'booking:tractors:details',
	'booking:bookings:create',
	'booking:bookings:read',
	'catalogue:tractors:read',
	'payg:contracts:read',
] as const;

export type Scope = (typeof SCOPES)[number];

/** An API key or a bearer token. */
export interface Key {
	/** What logs and the page call it, since they never show the secret. */
	name: string;
	secret: string;
	scheme: 'Api-Key' | 'Bearer';
	organisation: Organisation;
	scopes: readonly Scope[];
}

/** API keys that every sandbox knows. */
export const KEYS = {
	/** Organisation A, every scope. */
	full: 'sandbox-key-full',
	/** Organisation A, may only create bookings. */
	bookingOnly: 'sandbox-key-booking-only',
	/** Organisation A, may only find tractors and read their details. */
	discoveryOnly: 'sandbox-key-discovery-only',
	/** Organisation A, may only read bookings. */
	readOnly: 'sandbox-key-read-only',
	/** Organisation B, every scope. */
	other: 'sandbox-key-other-organisation',
	/** Organisation A, valid, without any scope. */
	none: 'sandbox-key-no-scope',
} as const;

/** The bearer token that every sandbox knows, of organisation A. */
export const TOKENS = { full: 'sandbox-token-full' } as const;

const apiKey = (name: keyof typeof KEYS, scopes: readonly Scope[]): Key => ({
	name,
	secret: KEYS[name],
	scheme: 'Api-Key',
	organisation: name === 'other' ? 'B' : 'A',
	scopes,
});

/** What the sandbox takes. */
export const ALL_KEYS: readonly Key[] = [
	apiKey('full', SCOPES),
	apiKey('bookingOnly', ['booking:bookings:create']),
	apiKey('discoveryOnly', ['booking:tractors:nearby', 'booking:tractors:details']),
	apiKey('readOnly', ['booking:bookings:read']),
	apiKey('other', SCOPES),
	apiKey('none', []),
	{
		name: 'token full',
		secret: TOKENS.full,
		scheme: 'Bearer',
		organisation: 'A',
		scopes: ['catalogue:tractors:read', 'payg:contracts:read'],
	},
];

/** The key in an `Authorization` header, if it is known and used with its own scheme. */
export function keyIn(authorization: string | undefined): Key | undefined {
	const { scheme, secret } = splitAuthorization(authorization);
	return ALL_KEYS.find((key) => key.scheme === scheme && key.secret === secret);
}

/** Takes an `Authorization` header apart. */
export function splitAuthorization(header: string | undefined): {
	scheme?: string;
	secret?: string;
} {
	const [, scheme, secret] = /^(\S+) (\S+)$/.exec(header ?? '') ?? [];
	return { scheme, secret };
}
