import '../support/shortPauses.cts';
import { parseBaseUrl } from '../../nodes/TractorBooking/api/credential';
import { KEYS, TOKENS } from '../../sandbox/index.cts';
import { byId, OPERATIONS, perform, stopOf, type OperationName } from '../support/action.cts';
import { ASKED, eachWithSandbox, farmers } from '../support/bookings.cts';
import { otherServerForTests } from '../support/otherServer.cts';

const sandbox = eachWithSandbox({ bookings: 300 });
const elsewhere = otherServerForTests({ results: [], bookingID: 1 });

/** The row of a spreadsheet; what reads no rows ignores it. */
const rows = farmers(1).map(({ date, ...row }) => ({ ...row, serviceDate: date }));

function authsSeen() {
	const seen = sandbox.requests.find().map(({ authScheme, keyName }) => `${authScheme} ${keyName}`);
	return [...new Set(seen)];
}

/** Catalogue and contracts: the interface has them called with a bearer token. */
const takesToken = (name: OperationName) => /^(?:catalogue|contract):/.test(name);

describe('authentication', () => {
	it.each(OPERATIONS)('of %s is by API key, or by token where that is not chosen', async (name) => {
		const settings = { apiKey: ` ${KEYS.full}\n`, token: `${TOKENS.full} `, rows };
		const unset = await perform(sandbox, name, ASKED[name], settings);
		expect(unset.error).toBeUndefined();
		expect(authsSeen()).toEqual([takesToken(name) ? 'Bearer token full' : 'Api-Key full']);

		sandbox.requests.clear();
		// A choice that was made for another resource does not mislead.
		const authentication = takesToken(name) ? 'apiKey' : 'bearerToken';
		const chosen = await perform(sandbox, name, { ...ASKED[name], authentication }, settings);
		expect(chosen.error).toBeUndefined();
		if (takesToken(name)) expect(chosen.items).toEqual(unset.items);
		expect(authsSeen()).toEqual(['Api-Key full']);
	});

	it.each([
		['booking:getAll', { apiKey: 'clé-1234' }, /^Character 3 of the key/],
		['contract:getAll', { token: 'jeton-é' }, /^Character 7 of the token/],
	] as const)('of %s needs a secret that a header can carry', async (name, access, message) => {
		expect(stopOf(await perform(sandbox, name, {}, access)).message).toMatch(message);
		expect(sandbox.requests.find()).toEqual([]);
	});
});

it.each([
	['https://api.example.com//', 'https://api.example.com'],
	[' https://api.example.com/api /v3/ \n', 'https://api.example.com/api/v3'],
	['http://[::1]:8080/', 'http://[::1]:8080'],
	['http://localhost:1', 'http://localhost:1'],
])('the base URL %j is %s', (typed, url) => {
	expect(parseBaseUrl(typed)).toBe(url);
});

it.each([
	[undefined, /no base URL/],
	['  \n', /no base URL/],
	['api.example.com', /must start with https/],
	['pk_live_4711', /must start with https/],
	['ftp://localhost', /must start with https/],
	['http://api.example.com', /must start with https/],
	['http://localhost.example.com', /must start with https/],
	['http://127.0.0.1.example.com', /must start with https/],
	['https://me:secret@api.example.com', /user name, a password/],
	['https://api.example.com/?key=secret', /"\?" or a "#"/],
	['https://api.example.com/#top', /"\?" or a "#"/],
])('%p is no base URL', (typed, message) => {
	expect(() => parseBaseUrl(typed)).toThrow(message);
});

it('a base URL keeps its path, and one that is none is not asked', async () => {
	await perform(sandbox, 'booking:getAll', {}, { baseUrl: `${elsewhere.url}/api/v3/` });
	expect(elsewhere.requests[0]).toEqual({
		method: 'GET',
		url: '/api/v3/booking-services/partner/booking/0/50',
		authorization: `Api-Key ${KEYS.full}`,
	});
	for (const name of ['booking:getAll', 'contract:getAll'] as const) {
		const { said } = stopOf(await perform(sandbox, name, {}, { baseUrl: 'http://a.example' }));
		expect(said).toMatch(/must start with https.*enter the base URL/s);
	}
});

it.each(['../../../sandbox/state', '100001/../100002', '1?limit=5', '100%2F001', 'a#b'])(
	'the id %p cannot change the address',
	async (id) => {
		const result = await perform(sandbox, 'booking:get', { bookingId: byId(id) });
		expect(stopOf(result).httpCode).toBe('404');
		const [request] = sandbox.requests.find();
		expect(decodeURIComponent(request?.path ?? '')).toBe(`/booking-services/partner/booking/${id}`);
	},
);
