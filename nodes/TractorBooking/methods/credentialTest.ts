import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { parseBaseUrl } from '../api/baseUrl';
import type { ServiceClient } from '../api/client';
import { createClient, POLL_POLICY } from '../api/client';
import {
	findNearbyTractors,
	listBookingsPage,
	listCataloguePage,
	listContractsPage,
} from '../api/endpoints';
import { isTransient, settle, ServiceError } from '../api/errors';
import { parseSecret } from '../api/secret';
import { usableSecret } from '../api/usableSecret';
import { asText } from '../utils/text';

/** Something that a credential may be allowed to do, and a read-only request that checks it. */
interface Ability {
	name: string;
	/** The part of the credential's Used For that needs it. */
	usedFor?: string;
	probe: (client: ServiceClient) => Promise<unknown>;
}

const catalogueAndContracts: Ability[] = [
	{
		name: 'read the catalogue',
		probe: async (client) => await listCataloguePage(client, { limit: 1 }),
	},
	{ name: 'read contracts', probe: async (client) => await listContractsPage(client, 1, 1) },
];

/** Without creating bookings: that could only be checked by creating one. */
const apiKeyAbilities: Ability[] = [
	{
		name: 'read bookings',
		usedFor: 'status',
		probe: async (client) => await listBookingsPage(client, 1, 1),
	},
	{
		name: 'find tractors nearby',
		usedFor: 'discovery',
		probe: async (client) => await findNearbyTractors(client, 0, 0),
	},
	...catalogueAndContracts,
];

/** Credential tests of n8n have no `httpRequest` helper, only the deprecated `request`. */
async function legacyRequest(
	context: ICredentialTestFunctions,
	{ url, method, qs, headers, timeout }: IHttpRequestOptions,
	authorization: string,
): Promise<IN8nHttpFullResponse> {
	// n8n types the response as any; with `resolveWithFullResponse` it has this type.
	return (await context.helpers.request({
		uri: url,
		method,
		qs,
		headers: { ...headers, Authorization: authorization },
		timeout,
		useStream: true,
		simple: false,
		resolveWithFullResponse: true,
		followRedirect: false,
		followAllRedirects: false,
	})) as IN8nHttpFullResponse;
}

/** What a probe shows that the credential can do: unknown if the service cannot be asked now, or answers oddly. */
type Finding = 'can' | 'cannot' | 'untried' | 'unclear';

interface Probed {
	name: string;
	/** Whether Used For says that the credential needs it. */
	isNeeded: boolean;
	finding: Finding;
	failure?: ServiceError;
}

function findingOf(answer: unknown): Finding {
	if (!(answer instanceof ServiceError)) return 'can';
	if (answer.kind === 'notAllowed') return 'cannot';
	const isTemporary =
		isTransient(answer) || answer.kind === 'unreachable' || answer.kind === 'rateLimited';
	return isTemporary ? 'untried' : 'unclear';
}

/** A failed test; the parts of its text are joined as sentences. */
function failed(...parts: Array<string | undefined>): INodeCredentialTestResult {
	return { status: 'Error', message: parts.filter(Boolean).join('. ') };
}

/** The result of the test, from the responses to all probes (interface, "Authentication" and "Errors"). */
function verdict(what: 'key' | 'token', probed: Probed[]): INodeCredentialTestResult {
	const found = (finding: Finding) => probed.filter((probe) => probe.finding === finding);
	const namesOf = (probes: Probed[], separator = ', ') =>
		probes.map(({ name }) => name).join(separator);
	const [can, cannot, untried, unclear] = (['can', 'cannot', 'untried', 'unclear'] as const).map(
		(finding) => namesOf(found(finding)),
	);
	const lacking = found('cannot').filter(({ isNeeded }) => isNeeded);
	if (can && lacking.length > 0) {
		return failed(
			`The ${what} is valid, but may not ${namesOf(lacking, ' or ')}. Create a new key with this permission (scope) in the partner dashboard, or choose something else in Used For.`,
		);
	}
	if (can) {
		const limits = [
			cannot && ` It cannot ${cannot}.`,
			untried && ` Could not be tried: ${untried}.`,
			unclear && ` No usable response when asked to: ${unclear}.`,
		];
		return { status: 'OK', message: `The ${what} is valid. It can ${can}.${limits.join('')}` };
	}
	const [temporary] = found('untried');
	if (temporary) return failed(temporary.failure?.message, temporary.failure?.description);
	const odd = found('unclear')[0]?.failure?.message;
	if (!cannot) {
		return failed(
			`The server at this URL responds, but not as the booking service (${odd}). Check the base URL: your partner dashboard shows it.`,
		);
	}
	if (unclear) {
		return failed(
			`The service refused the ${what} when asked to ${cannot}, and gave no usable response when asked to ${unclear} (${odd}). Compare the base URL and the ${what} with the partner dashboard.`,
		);
	}
	const createsOnly =
		what === 'key'
			? ' A key that may only create bookings cannot be told apart from a wrong one without creating a booking.'
			: '';
	return failed(
		`The service refused the ${what} everywhere (tried to ${cannot}). Either it is wrong, or it has none of these scopes: compare it with the partner dashboard.${createsOnly}`,
	);
}

async function test(
	context: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
	what: 'key' | 'token',
): Promise<INodeCredentialTestResult> {
	const { baseUrl: typed, apiKey, token, usedFor } = credential.data ?? {};
	const needed = asText(usedFor).split(',');
	const secret = parseSecret(what === 'key' ? apiKey : token);
	const authorization = what === 'key' ? `Api-Key ${secret}` : `Bearer ${secret}`;
	if (secret === '') return failed(`The credential has no ${what}. Enter it.`);

	const baseUrl = await settle((async () => parseBaseUrl(typed, usableSecret(secret, what)))());
	if (baseUrl instanceof ServiceError) return failed(baseUrl.message, baseUrl.description);
	const client = createClient({
		baseUrl,
		secret,
		policy: POLL_POLICY,
		request: async (options) => await legacyRequest(context, options, authorization),
	});
	const abilities = what === 'key' ? apiKeyAbilities : catalogueAndContracts;
	const probed = abilities.map(async ({ name, usedFor: use, probe }): Promise<Probed> => {
		const answer = await settle(probe(client));
		const failure = answer instanceof ServiceError ? answer : undefined;
		const isNeeded = use !== undefined && needed.includes(use);
		return { name, isNeeded, finding: findingOf(answer), failure };
	});
	return verdict(what, await Promise.all(probed));
}

/** Tests the API key credential; the message says what the key may do, or what to fix. */
export async function testApiKey(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await test(this, credential, 'key');
}

/** Tests the bearer token credential; the message says what the token may do, or what to fix. */
export async function testBearerToken(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await test(this, credential, 'token');
}
