import { KEYS, TOKENS, type Fault, type Sandbox } from '../../sandbox';
import { secretsIn } from '../support/action';
import { answer, eachWithSandbox } from '../support/bookings';
import { testCredential } from '../support/editor';
import { startOtherServer } from '../support/otherServer';

let sandbox: Sandbox;
eachWithSandbox({ bookings: 3 }, (started) => (sandbox = started));

/** `OK: …` or `Error: …`, as the editor shows it; it shows no secret, whatever it is. */
async function verdictOn(
	test: Parameters<typeof testCredential>[0],
	data: { apiKey?: string; token?: string; baseUrl?: string; usedFor?: string },
): Promise<string> {
	const { status, message } = await testCredential(test, { baseUrl: sandbox.url, ...data });
	const secret = [data.apiKey, data.token].flatMap((typed) => typed?.trim() || []);
	expect(secretsIn(message, secret)).toEqual([]);
	// Advice that only a node has is none.
	expect(message).not.toMatch(/option|\bnode\b/i);
	return `${status}: ${message}`;
}

const testKey = async (apiKey: string, more: { baseUrl?: string; usedFor?: string } = {}) =>
	await verdictOn('testApiKey', { apiKey, ...more });
const testToken = async (token: string, baseUrl = sandbox.url) =>
	await verdictOn('testBearerToken', { token, baseUrl });

/** What a verdict says of each thing that a credential may do, in its own words. */
const READ = 'read bookings';
const FIND = 'find tractors nearby';
const CATALOGUE = 'read the catalogue';
const CONTRACTS = 'read contracts';
const all = (...what: string[]) => what.join(', ');
const EVERYTHING = all(READ, FIND, CATALOGUE, CONTRACTS);

it.each([
	['testApiKey', KEYS.full, EVERYTHING, undefined],
	['testApiKey', KEYS.other, EVERYTHING, undefined],
	['testApiKey', KEYS.readOnly, READ, all(FIND, CATALOGUE, CONTRACTS)],
	['testApiKey', KEYS.discoveryOnly, FIND, all(READ, CATALOGUE, CONTRACTS)],
	['testBearerToken', TOKENS.full, all(CATALOGUE, CONTRACTS), undefined],
	['testBearerToken', TOKENS.catalogueOnly, CATALOGUE, CONTRACTS],
	['testBearerToken', TOKENS.contractsOnly, CONTRACTS, CATALOGUE],
] as const)('%s says what %s may do, and what not', async (test, secret, can, cannot) => {
	for (sandbox.settings.missingScopeStatus of [401, 403] as const) {
		for (const typed of [secret, `  ${secret}\n`]) {
			const verdict = await verdictOn(test, { apiKey: typed, token: typed });
			expect(verdict).toMatch(/^OK/);
			expect(verdict).toContain(` can ${can}.`);
			expect(/cannot (.*)\./.exec(verdict)?.[1]).toBe(cannot);
		}
	}
	const schemes = new Set(sandbox.requests.find().map(({ authScheme }) => authScheme));
	expect([...schemes]).toEqual([test === 'testApiKey' ? 'Api-Key' : 'Bearer']);
});

describe('the test of an API key', () => {
	it.each([
		[KEYS.readOnly, 'status', /^OK/],
		[KEYS.full, 'discovery,status', /^OK/],
		[KEYS.readOnly, 'discovery,status', /^Error: .* may not find tractors nearby.* Used For/],
	])('fails if a scope is missing that the credential is used for', async (key, usedFor, said) => {
		expect(await testKey(key, { usedFor })).toMatch(said);
	});

	it('says that the catalogue takes tokens only', async () => {
		sandbox.settings.v1AcceptsApiKey = false;
		const parts = [all(READ, FIND), all(CATALOGUE, CONTRACTS)];
		const said = new RegExp(`^OK.* can ${parts[0]}\\..* cannot ${parts[1]}\\.`);
		expect(await testKey(KEYS.full)).toMatch(said);
	});

	it.each(['no-such-key', KEYS.none, KEYS.bookingOnly])('%s is refused everywhere', async (key) => {
		const verdict = await testKey(key);
		expect(verdict).toContain(`Error: The service refused the key when asked to ${EVERYTHING}.`);
		expect(verdict).toMatch(/wrong.* scopes.* only create bookings/);
	});

	const LIMITED: Fault = { kind: 'rateLimited', retryAfter: '20' };
	const status = (code: number, error: string): Fault => {
		return { kind: 'status', status: code, body: { error } };
	};
	const cannotTry = (what: string) =>
		new RegExp(`^OK: .*No usable response when asked to: ${what}`);
	const refusal = /^Error: .* no usable response when asked to read bookings \(.*10 to 25\)/;
	const limit = /^Error: The rate limit .* 20 s .* 60 a minute/;
	const untried =
		/^Error: .* can find .*may read bookings could not be tried: .*status 500.*again later/;
	it.each<[keyof typeof KEYS, 'bookings' | 'nearby' | 'contracts', Fault, RegExp, string?]>([
		['full', 'nearby', LIMITED, cannotTry(FIND)],
		['full', 'contracts', status(500, 'down'), cannotTry(CONTRACTS)],
		['full', 'nearby', status(404, 'No tractor near here'), cannotTry(FIND)],
		['readOnly', 'bookings', status(400, 'count is 10 to 25'), refusal],
		['discoveryOnly', 'nearby', LIMITED, limit],
		['full', 'bookings', status(500, 'down'), untried, 'status'],
	])(
		'%s: what could not be tried is not forbidden: %s',
		async (key, endpoint, fault, said, usedFor = undefined) => {
			sandbox.faults.add({ match: { endpoint }, fault });
			expect(await testKey(KEYS[key], { usedFor })).toMatch(said);
		},
	);

	it('tries each endpoint once, and leaves it to the user to try again', async () => {
		sandbox.faults.add({ fault: { kind: 'reset' } });
		expect(await testKey(KEYS.full)).toMatch(/^Error: The connection .* list bookings/);
		expect(sandbox.requests.find()).toHaveLength(4);
	});
});

it('a bearer token that is wrong is refused', async () => {
	expect(await testToken(KEYS.full)).toMatch(/^Error: The service refused the token .*Either/);
});

describe('the base URL', () => {
	it.each([
		['a site of HTML', '<h1>Welcome</h1>', 200],
		['a site of HTML that knows nothing of it', '<h1>Not here</h1>', 404],
		['another service', { hello: 'world' }, 200],
		['another service that knows nothing of it', { message: 'no route' }, 404],
	])('of %s is reported', async (_what, answer, status) => {
		const other = await startOtherServer(answer, status);
		const verdicts = [
			await testKey('some-key', { baseUrl: other.url }),
			await testToken('some-token', other.url),
		];
		await other.close();
		for (const verdict of verdicts)
			expect(verdict).toMatch(/^Error: .*not as the booking service.*Check the base URL/);
	});

	it('that redirects elsewhere gets no further', async () => {
		const other = await startOtherServer({ results: [] });
		sandbox.faults.add({ fault: { kind: 'redirect', location: other.url } });
		const verdict = await testKey(KEYS.full);
		await other.close();
		expect(verdict).toMatch(/^Error: .*not as the booking service \(The address redirects/);
		expect(other.requests).toEqual([]);
	});

	it('of a service that is down is not called wrong', async () => {
		answer(sandbox, {}, 503, { detail: 'Maintenance' });
		expect(await testKey(KEYS.full)).toMatch(/^Error: .*\(status 503\).*Maintenance/);
	});
});

it.each(['', '  '])('a credential without a secret (%p) asks for it', async (secret) => {
	expect(await testKey(secret)).toMatch(/^Error: .*no key.* enter the key/);
	expect(await testToken(secret)).toMatch(/^Error: .*no token.* enter the token/);
	expect(sandbox.requests.find()).toEqual([]);
});
