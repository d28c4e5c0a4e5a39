import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { parseBaseUrl } from '../api/baseUrl';
import type { ServiceClient } from '../api/client';
import { Client, POLL_POLICY } from '../api/client';
import { findNearbyTractors } from '../api/endpoints';
import { isTransient, settle, ServiceError } from '../api/errors';
import type { PagedList } from '../api/pages/fetch';
import { bookingsList, catalogueList, contractsList } from '../api/pages/fetch';
import { usableSecret } from '../api/usableSecret';
import { asText } from '../utils/text';

/** Something that a credential may be allowed to do, and a read-only request that checks it. */
interface Ability {
	name: string;
	/** The part of the credential's Used For that needs it. */
	usedFor?: string;
	probe: (client: ServiceClient) => Promise<unknown>;
}

/** Reads one record of a list. */
const probeOf = (listOf: (client: ServiceClient) => PagedList) => async (client: ServiceClient) =>
	await listOf(client).fetchPage(1, 1);

const catalogueAndContracts: Ability[] = [
	{ name: 'read the catalogue', probe: probeOf(catalogueList) },
	{ name: 'read contracts', probe: probeOf(contractsList) },
];

/** Without creating bookings: that could only be checked by creating one. */
const apiKeyAbilities: Ability[] = [
	{ name: 'read bookings', usedFor: 'status', probe: probeOf(bookingsList) },
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

/** The word before the secret in the header. */
const SCHEMES = { key: 'Api-Key', token: 'Bearer' } as const;

/** What a probe shows: unclear if the service cannot be asked now, or responds oddly. */
interface Probed extends Ability {
	finding: 'can' | 'cannot' | 'unclear';
	failure?: ServiceError;
}

/** Whether the service could not be asked now. */
function isTemporary(failure?: ServiceError): boolean {
	if (!failure) return false;
	return isTransient(failure) || failure.kind === 'unreachable' || failure.kind === 'rateLimited';
}

function failed(message: string): INodeCredentialTestResult {
	return { status: 'Error', message };
}

/** The message of a failure and what to do about it, as sentences. */
function failedWith({ message, description = '' }: ServiceError): INodeCredentialTestResult {
	return failed([message, description].filter(Boolean).join('. '));
}

/** What the credential calls its secret. */
type Secret = 'key' | 'token';

/** The names of what was probed, as a list in a sentence; empty if nothing was. */
function namesOf(probes: readonly Probed[], separator = ', '): string {
	return probes.map(({ name }) => name).join(separator);
}

/**
 * The result of the test, from the responses to all probes (interface, "Authentication" and "Errors").
 *
 * @param needed what the credential is used for
 */
function resultOf(
	what: Secret,
	probed: readonly Probed[],
	needed: readonly string[],
): INodeCredentialTestResult {
	const those = (finding: Probed['finding']) => probed.filter((probe) => probe.finding === finding);
	const can = namesOf(those('can'));
	const cannot = namesOf(those('cannot'));
	const unclear = namesOf(those('unclear'));
	if (can) {
		const isNeeded = ({ usedFor }: Probed) => usedFor && needed.includes(usedFor);
		const lacking = those('cannot').filter(isNeeded);
		if (lacking.length > 0) {
			return failed(
				`The ${what} can ${can}, but may not ${namesOf(lacking, ' or ')}. If it was copied whole, create a new key with this permission (scope) in the partner dashboard, or choose something else in Used For.`,
			);
		}
		// n8n shows no message of a test that passes.
		const untried = those('unclear').find((probe) => isNeeded(probe) && isTemporary(probe.failure));
		if (untried)
			return failed(
				`The ${what} can ${can}. Whether it may ${untried.name} could not be tried: ${untried.failure?.message}. Test it again later.`,
			);
		const sentences = [
			`The ${what} can ${can}.`,
			cannot && `It cannot ${cannot}.`,
			unclear && `No usable response when asked to: ${unclear}.`,
		];
		return { status: 'OK', message: sentences.filter(Boolean).join(' ') };
	}
	const failures = those('unclear').flatMap(({ failure }) => failure ?? []);
	const temporary = failures.find(isTemporary);
	if (temporary) return failedWith(temporary);
	const odd = failures[0]?.message;
	if (!cannot) {
		return failed(
			`The server at this URL responds, but not as the booking service (${odd}). Check the base URL: your partner dashboard shows it.`,
		);
	}
	const others = odd ? `, and gave no usable response when asked to ${unclear} (${odd})` : '';
	const createsOnly =
		what === 'key'
			? ' A key that may only create bookings looks like a wrong one: only creating a booking would show the difference.'
			: '';
	return failed(
		`The service refused the ${what} when asked to ${cannot}${others}. Either it is wrong, or it has none of these scopes: compare it and the base URL with the partner dashboard.${createsOnly}`,
	);
}

/** @throws ServiceError if the credential cannot be used at all */
async function probe(
	context: ICredentialTestFunctions,
	{ baseUrl, apiKey, token, usedFor }: ICredentialDataDecryptedObject,
	what: Secret,
): Promise<INodeCredentialTestResult> {
	const secret = usableSecret(apiKey ?? token, what);
	const client = new Client({
		baseUrl: parseBaseUrl(baseUrl),
		secret,
		policy: POLL_POLICY,
		request: async (options) => await legacyRequest(context, options, `${SCHEMES[what]} ${secret}`),
	});
	const abilities = what === 'key' ? apiKeyAbilities : catalogueAndContracts;
	const probes = abilities.map(async (ability): Promise<Probed> => {
		const result = await settle(ability.probe(client));
		const failure = result instanceof ServiceError ? result : undefined;
		const refused = failure?.kind === 'notAllowed' ? 'cannot' : 'unclear';
		return { ...ability, finding: failure ? refused : 'can', failure };
	});
	return resultOf(what, await Promise.all(probes), asText(usedFor).split(','));
}

async function test(
	context: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
	what: Secret,
): Promise<INodeCredentialTestResult> {
	const result = await settle(probe(context, data, what));
	return result instanceof ServiceError ? failedWith(result) : result;
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
