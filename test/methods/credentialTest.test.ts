import type { Fault, Sandbox } from '../../sandbox';
import { KEYS, startSandbox, TOKENS } from '../../sandbox';
import { secretsIn } from '../support/action';
import { testCredential } from '../support/editor';
import { startOtherServer } from '../support/otherServer';

let sandbox: Sandbox;

beforeAll(async () => (sandbox = await startSandbox()));
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

/** The test's verdict; it shows no secret, whatever it is. */
async function testKey(apiKey: string, baseUrl = sandbox.url): Promise<string> {
	const { status, message } = await testCredential('testApiKey', { baseUrl, apiKey });
	expect(
		secretsIn(
			message,
			[apiKey].filter((key) => key.trim()),
		),
	).toEqual([]);
	return `${status}: ${message}`;
}

async function testToken(token: string, baseUrl = sandbox.url): Promise<string> {
	const { status, message } = await testCredential('testBearerToken', { baseUrl, token });
	expect(
		secretsIn(
			message,
			[token].filter((secret) => secret.trim()),
		),
	).toEqual([]);
	return `${status}: ${message}`;
}

const EVERYTHING = 'read bookings, find tractors nearby, read the catalogue, read contracts';

describe('the test of an API key', () => {
	it.each([
		['full', `OK: The key is valid. It can ${EVERYTHING}.`],
		['other', `OK: The key is valid. It can ${EVERYTHING}.`],
		[
			'readOnly',
			'OK: The key is valid. It can read bookings. It cannot find tractors nearby, read the catalogue, read contracts.',
		],
		[
			'discoveryOnly',
			'OK: The key is valid. It can find tractors nearby. It cannot read bookings, read the catalogue, read contracts.',
		],
	] as const)('that is %s says what it may do', async (name, verdict) => {
		for (const status of [401, 403] as const) {
			sandbox.settings.missingScopeStatus = status;
			expect(await testKey(KEYS[name])).toBe(verdict);
			expect(await testKey(`  ${KEYS[name]}\n`)).toBe(verdict);
		}
	});

	it('fails if a scope is missing that the credential is used for', async () => {
		const test = async (apiKey: string, usedFor: string) =>
			await testCredential('testApiKey', { baseUrl: sandbox.url, apiKey, usedFor });
		expect(await test(KEYS.readOnly, 'status')).toMatchObject({ status: 'OK' });
		expect(await test(KEYS.full, 'discovery,status')).toMatchObject({ status: 'OK' });
		expect(await test(KEYS.readOnly, 'discovery,status')).toEqual({
			status: 'Error',
			message:
				'The key is valid, but may not find tractors nearby. Create a new key with this permission (scope) in the partner dashboard, or choose something else in Used For.',
		});
	});

	it.each([
		'Api-Key …',
		'api-key  …',
		'Authorization: Api-Key …',
		'"…"',
		" '…' ",
		'“…”',
		'Api-Key "…"',
		'"Authorization: Api-Key …"',
	])('takes a key that was copied with its header, or in quotes: %s', async (text) => {
		expect(await testKey(text.replace('…', KEYS.full))).toMatch(/^OK/);
	});

	it('names the place of a stray character, and takes one that cannot be seen', async () => {
		expect(await testKey(`\u200b${KEYS.full}\ufeff`)).toMatch(/^OK/);
		sandbox.requests.clear();
		expect(await testKey(`${KEYS.full}…`)).toBe(
			`Error: The key of the credential holds a character that no key has, at position ${KEYS.full.length + 1}. Open the credential and enter the key: copy nothing else along.`,
		);
		expect(await testKey(`two ${KEYS.full}`)).toContain('at position 4.');
		expect(sandbox.requests.find()).toEqual([]);
	});

	it('explains a path that was copied along with the base URL', async () => {
		expect(await testKey(KEYS.full, `${sandbox.url}/booking-services/tractor/`)).toBe(
			'Error: The base URL must end before /booking-services. Open the credential and enter the base URL that your partner dashboard shows, e.g. https://api.example.com. The node adds the paths by itself.',
		);
	});

	it('says that the catalogue takes tokens only', async () => {
		sandbox.settings.v1AcceptsApiKey = false;
		expect(await testKey(KEYS.full)).toBe(
			'OK: The key is valid. It can read bookings, find tractors nearby. It cannot read the catalogue, read contracts.',
		);
	});

	it.each([
		['is wrong', 'no-such-key'],
		['may do nothing', KEYS.none],
		['may only create bookings', KEYS.bookingOnly],
	])('that %s says that it was refused everywhere, and why that may be', async (_what, key) => {
		const verdict = await testKey(key);
		expect(verdict).toContain(`Error: The service refused the key when asked to ${EVERYTHING}.`);
		expect(verdict).toContain('Either it is wrong, or it has none of these scopes');
		expect(verdict).toContain(
			'A key that may only create bookings cannot be told apart from a wrong one',
		);
	});

	it('creates nothing', async () => {
		const before = sandbox.store.bookings.count('A');
		await testKey(KEYS.full);
		expect(sandbox.store.bookings.count('A')).toBe(before);
		expect(sandbox.requests.find({ method: 'POST' })).toEqual([]);
	});

	it('does not call something forbidden that only could not be tried', async () => {
		const fault: Fault = { kind: 'rateLimited', retryAfter: '20' };
		sandbox.faults.add({ match: { endpoint: 'nearby' }, fault });
		expect(await testKey(KEYS.full)).toBe(
			'OK: The key is valid. It can read bookings, read the catalogue, read contracts. Could not be tried: find tractors nearby.',
		);
		const discovery = await testKey(KEYS.discoveryOnly);
		expect(discovery).toBe(
			'Error: The rate limit was reached while trying to find tractors near a coordinate. Wait the 20 s that the service asks for, then try again. It states a limit of about 60 a minute.',
		);
	});

	it('advises nothing that only the node has', async () => {
		sandbox.faults.add({ fault: { kind: 'rateLimited' } });
		expect(await testKey(KEYS.full)).toBe(
			'Error: The rate limit was reached while trying to list bookings. Wait a minute or longer, then try again.',
		);
	});

	it('gives one endpoint that is broken no weight', async () => {
		const fault: Fault = { kind: 'status', status: 500 };
		sandbox.faults.add({ match: { endpoint: 'contracts' }, fault });
		expect(await testKey(KEYS.full)).toBe(
			'OK: The key is valid. It can read bookings, find tractors nearby, read the catalogue. Could not be tried: read contracts.',
		);
	});

	it('does not call something forbidden that was not found', async () => {
		const fault: Fault = { kind: 'status', status: 404, body: { detail: 'No tractor near here' } };
		sandbox.faults.add({ match: { endpoint: 'nearby' }, fault });
		expect(await testKey(KEYS.full)).toBe(
			'OK: The key is valid. It can read bookings, read the catalogue, read contracts. No usable response when asked to: find tractors nearby.',
		);
	});

	it('does not say that it was refused if it was not', async () => {
		const fault: Fault = { kind: 'status', status: 400, body: { error: 'count is 10 to 25' } };
		sandbox.faults.add({ match: { endpoint: 'bookings' }, fault });
		expect(await testKey(KEYS.readOnly)).toBe(
			'Error: The service refused the key when asked to find tractors nearby, read the catalogue, read contracts, and gave no usable response when asked to read bookings (The service refused to list bookings: count is 10 to 25). Either it is wrong, or it has none of these scopes: compare it and the base URL with the partner dashboard. A key that may only create bookings cannot be told apart from a wrong one without creating a booking.',
		);
	});

	it('tries each endpoint once, and leaves it to the user to try again', async () => {
		sandbox.faults.add({ fault: { kind: 'reset' } });
		expect(await testKey(KEYS.full)).toMatch(
			/^Error: The connection to .* broke off while trying to list bookings/,
		);
		expect(sandbox.requests.find()).toHaveLength(4);
	});
});

describe('the test of a bearer token', () => {
	it.each([
		['full', 'OK: The token is valid. It can read the catalogue, read contracts.'],
		[
			'catalogueOnly',
			'OK: The token is valid. It can read the catalogue. It cannot read contracts.',
		],
		[
			'contractsOnly',
			'OK: The token is valid. It can read contracts. It cannot read the catalogue.',
		],
	] as const)('that is %s says what it may do', async (name, verdict) => {
		expect(await testToken(TOKENS[name])).toBe(verdict);
		expect(sandbox.requests.find().every(({ authScheme }) => authScheme === 'Bearer')).toBe(true);
	});

	it('that is wrong says so', async () => {
		expect(await testToken(KEYS.full)).toMatch(
			/^Error: The service refused the token when asked to read the catalogue, read contracts\. Either/,
		);
	});
});

describe('the address', () => {
	it.each([
		['', 'The credential has no base URL. Open the credential and enter'],
		['api.example.com', 'The base URL is not a web address'],
		['http://api.example.com', 'The base URL must start with https://'],
		['http://127.0.0.1:9', 'Could not connect to 127.0.0.1:9 to'],
		['https://tractors.invalid', 'Could not connect to tractors.invalid to'],
	])('%p is told apart', async (baseUrl, reason) => {
		expect(await testKey(KEYS.full, baseUrl)).toContain(`Error: ${reason}`);
		expect(await testToken(TOKENS.full, baseUrl)).toContain(`Error: ${reason}`);
	});

	it.each([
		['a site of HTML', '<h1>Welcome</h1>', 200],
		['a site of HTML that knows nothing of it', '<h1>Not here</h1>', 404],
		['another service', { hello: 'world' }, 200],
		['another service that knows nothing of it', { message: 'no route' }, 404],
	])('of %s is told apart', async (_what, answer, status) => {
		const other = await startOtherServer(answer, status);
		const verdicts = [
			await testKey('some-key', other.url),
			await testToken('some-token', other.url),
		];
		await other.close();
		for (const verdict of verdicts) {
			expect(verdict).toMatch(
				/^Error: The server at this URL responds, but not as the booking service \(.+\)\. Check the base URL/,
			);
		}
	});

	it('that redirects elsewhere gets no further', async () => {
		const other = await startOtherServer({ results: [] });
		sandbox.faults.add({ fault: { kind: 'redirect', location: other.url } });
		const verdict = await testKey(KEYS.full);
		const { length } = other.requests;
		await other.close();
		expect(verdict).toMatch(
			/^Error: The server at this URL responds, but not as the booking service \(The address redirects/,
		);
		expect(length).toBe(0);
	});

	it('that is slow or broken is distinguished from a wrong one', async () => {
		sandbox.faults.add({ fault: { kind: 'status', status: 503, body: { detail: 'Maintenance' } } });
		expect(await testKey(KEYS.full)).toMatch(
			/^Error: The service returned an error \(status 503\).*Maintenance/,
		);
	});
});

it.each(['', '  '])('a credential without a secret (%p) asks for it', async (secret) => {
	expect(await testKey(secret)).toBe(
		'Error: The credential has no key. Open the credential and enter the key: copy nothing else along.',
	);
	expect(await testToken(secret)).toBe(
		'Error: The credential has no token. Open the credential and enter the token: copy nothing else along.',
	);
	expect(sandbox.requests.find()).toEqual([]);
});
