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

/** Something that a credential may be allowed to do, and a read-only request that checks it. */
interface Ability {
	name: string;
	/** The value of the credential's Used For that needs it. */
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

/** Whether a failure is temporary, and says nothing about the credential. */
function isTemporary(failure: ServiceError): boolean {
	return isTransient(failure) || failure.kind === 'unreachable' || failure.kind === 'rateLimited';
}

/** The result of the test, from the responses to all probes (interface, "Authentication" and "Errors"). */
function verdict(
	what: 'key' | 'token',
	answers: Array<{ name: string; isNeeded: boolean; answer: unknown }>,
): INodeCredentialTestResult {
	const lacking = answers.filter(
		({ isNeeded, answer }) =>
			isNeeded && answer instanceof ServiceError && answer.kind === 'notAllowed',
	);
	if (lacking.length > 0 && answers.some(({ answer }) => !(answer instanceof ServiceError))) {
		const names = lacking.map(({ name }) => name).join(' or ');
		return {
			status: 'Error',
			message: `The ${what} is valid, but may not ${names}. Add the scope in the partner dashboard, or take it out of Used For.`,
		};
	}
	const failures = answers.flatMap(({ answer }) =>
		answer instanceof ServiceError ? [answer] : [],
	);
	const namesWhere = (holds: (failure: ServiceError | undefined) => boolean) =>
		answers
			.filter(({ answer }) => holds(answer instanceof ServiceError ? answer : undefined))
			.map(({ name }) => name)
			.join(', ');
	const can = namesWhere((failure) => failure === undefined);
	const cannot = namesWhere((failure) => failure?.kind === 'notAllowed');
	const untried = namesWhere((failure) => failure !== undefined && isTemporary(failure));
	const unclear = namesWhere(
		(failure) => failure !== undefined && failure.kind !== 'notAllowed' && !isTemporary(failure),
	);

	if (can) {
		const limits = [
			cannot && ` It cannot ${cannot}.`,
			untried && ` Could not be tried: ${untried}.`,
			unclear && ` No usable response when asked to: ${unclear}.`,
		];
		return { status: 'OK', message: `The ${what} is valid. It can ${can}.${limits.join('')}` };
	}
	const transient = failures.find(isTemporary);
	if (transient) {
		return {
			status: 'Error',
			message: [transient.message, transient.description].filter(Boolean).join('. '),
		};
	}
	if (cannot && !unclear) {
		const createsOnly =
			what === 'key'
				? ' A key that may only create bookings cannot be told apart from a wrong one without creating a booking.'
				: '';
		return {
			status: 'Error',
			message: `The service refused the ${what} everywhere (tried to ${cannot}). Either it is wrong, or it has none of these scopes: compare it with the partner dashboard.${createsOnly}`,
		};
	}
	if (cannot) {
		return {
			status: 'Error',
			message: `The service refused the ${what} when asked to ${cannot}, and gave no usable response when asked to ${unclear} (${failures.find(({ kind }) => kind !== 'notAllowed')?.message}). Compare the base URL and the ${what} with the partner dashboard.`,
		};
	}
	return {
		status: 'Error',
		message: `The server at this URL responds, but not as the booking service (${failures[0]?.message ?? 'no response'}). Check the base URL: your partner dashboard shows it.`,
	};
}

async function test(
	context: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
	what: 'key' | 'token',
): Promise<INodeCredentialTestResult> {
	const { baseUrl: typed, apiKey, token, usedFor } = credential.data ?? {};
	const needed: unknown[] = Array.isArray(usedFor) ? usedFor : [];
	const secret = parseSecret(what === 'key' ? apiKey : token);
	const authorization = what === 'key' ? `Api-Key ${secret}` : `Bearer ${secret}`;
	if (secret === '')
		return { status: 'Error', message: `The credential has no ${what}. Enter it.` };

	const baseUrl = await settle((async () => parseBaseUrl(typed, usableSecret(secret, what)))());
	if (baseUrl instanceof ServiceError) {
		const { message, description } = baseUrl;
		return { status: 'Error', message: [message, description].filter(Boolean).join('. ') };
	}
	const client = createClient({
		baseUrl,
		secret,
		policy: POLL_POLICY,
		request: async (options) => await legacyRequest(context, options, authorization),
	});
	const abilities = what === 'key' ? apiKeyAbilities : catalogueAndContracts;
	const answers = await Promise.all(
		abilities.map(async ({ name, usedFor, probe }) => ({
			name,
			isNeeded: usedFor !== undefined && needed.includes(usedFor),
			answer: await settle(probe(client)),
		})),
	);
	return verdict(what, answers);
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
