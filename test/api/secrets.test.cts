import '../support/shortPauses.cts';
import { parseSecret, redactor } from '../../nodes/TractorBooking/api/credential';
import { KEYS } from '../../sandbox/index.cts';
import { perform } from '../support/action.cts';
import { testCredential } from '../support/editor.cts';

/** A key with all that the forms write differently. */
const KEY = 'sk/live+AB=cd"12\\34~?>&ef';

const escaped = JSON.stringify(KEY).slice(1, -1);

/** How a service may quote a key. */
const forms: Record<string, string> = {
	plain: KEY,
	'with its scheme': `Api-Key ${KEY}`,
	'URL-encoded': encodeURIComponent(KEY),
	'URL-encoded, in lower case': encodeURIComponent(KEY).replace(/%../g, (code) =>
		code.toLowerCase(),
	),
	'URL-encoded twice': encodeURIComponent(encodeURIComponent(KEY)),
	'as base64': Buffer.from(KEY).toString('base64'),
	'as base64 with its scheme': Buffer.from(`Api-Key ${KEY}`).toString('base64'),
	'as base64 after a name': Buffer.from(`me:${KEY}`).toString('base64'),
	'as base64 for addresses': Buffer.from(KEY).toString('base64url'),
	'escaped as JSON': escaped,
	'escaped as JSON, slashes too': escaped.replaceAll('/', '\\/'),
	'escaped as JSON by code': escaped.replaceAll('+', '\\u002B').replaceAll('&', '\\u0026'),
	'escaped as JSON twice': JSON.stringify(escaped).slice(1, -1),
};

/** Whether six characters in a row of the end of a text, where the key is, are in another one. */
function showsPart(text: string, quoted: string): boolean {
	const end = quoted.slice(-20);
	return [...end].some((_, at) => end.length >= at + 6 && text.includes(end.slice(at, at + 6)));
}

it.each(Object.entries(forms))('a key %s is struck out of a text', (_form, quoted) => {
	for (const text of [`Key ${quoted} is bad`, quoted, `(${quoted})(${quoted})`]) {
		expect(showsPart(text, quoted)).toBe(true);
		expect(redactor(KEY)(text)).toContain('…');
		expect(showsPart(redactor(KEY)(text), quoted)).toBe(false);
	}
});

it('a token of thousands of characters is struck out at once', () => {
	const token = 'eyJhbGciOiJIUzI1NiJ9'.repeat(200);
	expect(redactor(token)(`The token ${token} has expired`)).toBe('The token … has expired');
});

it('nothing else is struck out, and nothing for an empty key', () => {
	const text = 'The service refused to read booking 7: key sk/live is missing';
	expect(redactor(KEY)(text)).toBe(text);
	expect(redactor('')(text)).toBe(text);
	expect(redactor('e')(text)).toBe(text);
});

it.each([
	['Api-Key abc', 'abc'],
	['API-KEY   abc ', 'abc'],
	['Bearer\tabc', 'abc'],
	['Api-Keyabc', 'Api-Keyabc'],
	['my Bearer abc', 'my Bearer abc'],
])('a key that is pasted as %j is sent as %j', (typed, sent) => {
	expect(parseSecret(typed)).toBe(sent);
});

it.each([
	['in both fields', KEYS.readOnly, KEYS.readOnly],
	['in place of the address', KEYS.readOnly, KEYS.other],
	['in place of the address, the address in place of the key', KEYS.readOnly, 'https://a.example'],
	['as the host', `https://${KEYS.readOnly}`, KEYS.readOnly],
	['as the host, with capitals', 'https://SandboxKey', 'SandboxKey'],
	['as a scheme', 'SandboxKey:more', 'other-key'],
])('a key that was typed %s is not shown', async (_where, baseUrl, apiKey) => {
	const { error } = await perform({ url: baseUrl }, 'booking:getAll', {}, { apiKey });
	const { message } = await testCredential('testApiKey', { baseUrl, apiKey });
	for (const shown of [error?.message, JSON.stringify(error), message]) {
		expect(shown).not.toMatch(new RegExp(`${KEYS.readOnly}|SandboxKey`, 'i'));
	}
});
