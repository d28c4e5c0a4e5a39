import { asText } from '../utils/text';
import { ServiceError } from './errors';

const LOOPBACK = /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/;

/** The base URL of a credential, without blanks and without a slash at its end. @throws ServiceError (`credential`) */
export function parseBaseUrl(typed: unknown): string {
	const description =
		'In the credential, enter the base URL from your partner dashboard, e.g. https://api.example.com. Plain http is accepted for localhost only: each request carries the key.';
	const wrong = (what: string) => new ServiceError('credential', what, { description });
	const text = typeof typed === 'string' ? typed.replace(/\s+/g, '') : '';
	if (text === '') throw wrong('The credential has no base URL');
	const url = URL.canParse(text) ? new URL(text) : undefined;
	const isLocal = url?.protocol === 'http:' && LOOPBACK.test(url.hostname);
	// What was typed is not shown: it may be a key that was pasted into the wrong field.
	if (!url || (url.protocol !== 'https:' && !isLocal))
		throw wrong('The base URL must start with https://');
	if (url.username || url.password || url.search || url.hash)
		throw wrong('The base URL must not contain a user name, a password, a "?" or a "#"');
	return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '');
}

/**
 * The key or token of a credential as it is sent: without blanks around it, and without the word of the header, which
 * people copy along (interface, "Authentication").
 */
export function parseSecret(typed: unknown): string {
	return asText(typed)
		.trim()
		.replace(/^(?:api-key|bearer)\s+/i, '');
}

/** The key or token of a credential, if it can be sent in a header. @throws ServiceError (`credential`) */
export function requireSecret(typed: unknown, what: 'key' | 'token'): string {
	const secret = parseSecret(typed);
	const stray = /[^\x21-\x7e]/u.exec(secret);
	if (secret && !stray) return secret;
	const problem = stray
		? `Character ${stray.index + 1} of the ${what} in the credential cannot be part of a ${what}`
		: `The credential has no ${what}`;
	throw new ServiceError('credential', problem, {
		description: `Open the credential and enter the ${what} alone.`,
	});
}

/** One character of a secret: plain, URL-encoded, or escaped as in JSON (`\/`, `\u002B`), also more than once. */
function characterPattern(character: string): string {
	const code = character.charCodeAt(0).toString(16);
	const plain = `[${character.replace(/[\\\]^-]/, '\\$&')}]`;
	const bytes = [...Buffer.from(character)].map((byte) => byte.toString(16).padStart(2, '0'));
	const encoded = bytes.map((byte) => `%(?:25)*${byte}`).join('');
	return `(?:\\\\{0,8}(?:${plain}|u${code.padStart(4, '0')})|${encoded})`;
}

/** What base64 makes of a secret, wherever it is in the encoded text, without the ends that its neighbours change. */
function base64Forms(secret: string): string[] {
	const bytes = Buffer.from(secret);
	return [0, 1, 2].map((before) => {
		const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
		const isWhole = (before + bytes.length) % 3 === 0;
		const unpadded = text.replaceAll('=', '');
		return unpadded.slice([0, 2, 3][before], isWhole ? undefined : -1);
	});
}

/**
 * This many characters identify a secret; all up to the next blank is struck out: a token may have thousands, and an
 * expression of all of them would stop n8n for seconds.
 */
const TOLD_BY = 24;

/**
 * Makes a function that strikes a secret out of a text, in every form in which a service may quote it: plain, in
 * any case (host names are lower case), URL-encoded, as base64, escaped as in JSON.
 */
export function redactor(secret: string): (text: string) => string {
	// A text so short is no secret, and striking it out would leave nothing to read.
	if (secret.length < 4) return (text) => text;
	const base64 = base64Forms(secret);
	const urlForms = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
	const forms = [secret, ...base64, ...urlForms];
	const begins = forms.map((form) => Array.from(form.slice(0, TOLD_BY), characterPattern).join(''));
	const matcher = new RegExp(`(?:${begins.join('|')})\\S*`, 'giu');
	return (text) => text.replace(matcher, '…');
}
