import { KEYS, startSandbox, TOKENS } from '../../sandbox/index.cts';
import { changeSettings } from '../../sandbox/settings.cts';
import { secretsIn } from '../support/action.cts';
import { eachWithSandbox } from '../support/bookings.cts';
import { testCredential } from '../support/editor.cts';
import { startOtherServer } from '../support/otherServer.cts';

const sandbox = eachWithSandbox({ bookings: 3 });

/** `OK: …` or `Error: …`, as the editor shows it; it shows no secret, whatever it is. */
async function verdictOn(
	test: Parameters<typeof testCredential>[0],
	data: { apiKey?: string; token?: string; baseUrl?: string },
): Promise<string> {
	const { status, message } = await testCredential(test, { baseUrl: sandbox.url, ...data });
	const secret = [data.apiKey, data.token].flatMap((typed) => typed?.trim() || []);
	expect(secretsIn(message, secret)).toEqual([]);
	// Advice that only a node has is none.
	expect(message).not.toMatch(/option|\bnode\b/i);
	return `${status}: ${message}`;
}

const testKey = async (apiKey: string, baseUrl = sandbox.url) =>
	await verdictOn('testApiKey', { apiKey, baseUrl });
const testToken = async (token: string, baseUrl = sandbox.url) =>
	await verdictOn('testBearerToken', { token, baseUrl });

it.each([
	['testApiKey', KEYS.full],
	['testApiKey', KEYS.readOnly],
	['testBearerToken', TOKENS.full],
] as const)('%s passes %s with three requests', async (test, secret) => {
	for (const typed of [secret, `  ${secret}\n`])
		expect(await verdictOn(test, { apiKey: typed, token: typed })).toMatch(/^OK/);
	const schemes = sandbox.requests.find().map(({ authScheme }) => authScheme);
	const scheme = test === 'testApiKey' ? 'Api-Key' : 'Bearer';
	// Page 0, which one empty response does not rule out, and page 1.
	expect(schemes).toEqual(Array(6).fill(scheme));
});

it.each([0, 1] as const)(
	'the API key passes without bookings, and pages from %p',
	async (firstPage) => {
		const empty = await startSandbox({ bookings: 0 });
		changeSettings(empty.settings, { firstPage, beyondEnd: 'notFound' });
		const verdict = await testKey(KEYS.full, empty.url);
		await empty.close();
		expect(verdict).toMatch(/^OK/);
	},
);

const REFUSED = ['no-such-key', KEYS.none, KEYS.bookingOnly, KEYS.discoveryOnly];

it.each(REFUSED)('the API key %s is refused, and told its scope', async (key) => {
	for (sandbox.settings.missingScopeStatus of [401, 403] as const)
		expect(await testKey(key)).toMatch(/^Error: .*not allow.*list bookings.*booking:bookings:read/);
});

it('a bearer token that is wrong is refused', async () => {
	expect(await testToken(KEYS.full)).toMatch(
		/^Error: .*not allow.* list the tractor catalogue.*token is wrong/,
	);
});

it.each([
	['a site of HTML', '<h1>Welcome</h1>', 200],
	['a site of HTML that knows nothing of it', '<h1>Not here</h1>', 404],
	['another service', { hello: 'world' }, 200],
	['another service that knows nothing of it', { message: 'no route' }, 404],
])('the base URL of %s is reported', async (_what, answer, status) => {
	const other = await startOtherServer(answer, status);
	const verdicts = [await testKey('some-key', other.url), await testToken('some-token', other.url)];
	await other.close();
	for (const verdict of verdicts) expect(verdict).toMatch(/^Error: .*base URL/);
});

it.each(['', '  '])('a credential without a secret (%p) asks for it', async (secret) => {
	expect(await testKey(secret)).toMatch(/^Error: .*no key.* enter the key/);
	expect(await testToken(secret)).toMatch(/^Error: .*no token.* enter the token/);
	expect(sandbox.requests.find()).toEqual([]);
});
