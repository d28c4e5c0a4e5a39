import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { asText } from '../../nodes/TractorBooking/utils/text';
import { KEYS, TOKENS } from '../../sandbox/index.cts';
import type { OperationName, Settings } from '../support/action.cts';
import { byId, credentialsOf, perform, secretsIn, stopOf } from '../support/action.cts';
import { ASKED, farmers, fromFarmers, sheetRows } from '../support/bookings.cts';
import { searchList, testCredential } from '../support/editor.cts';
import { trigger } from '../support/engine.cts';
import type { EndpointName, Received, World } from './service.cts';

export interface Message {
	message: string;
	description: string;
}

export interface Outcome {
	/** The result in short: ids, results of rows, options of a list. */
	shown: unknown[];
	isOk: boolean;
	messages: Message[];
}

/** How long a request may take if a fault lets it hang, in seconds; the node's Timeout. */
export const SHORT_TIMEOUT = 3;

export interface Run {
	world: World;
	/** Instead of that of the world. */
	baseUrl?: string;
	hangs?: boolean;
}

/** Where faults strike: which run of the nodes, and which of its requests. */
export interface Placement {
	name: string;
	strikes: (request: Received, world: World) => boolean;
	/** Requests at most, whatever goes wrong; pages without end aside. */
	requests: number;
	/** Seconds at most that the node pauses before it tries again; a fault may ask for more. */
	pauses: number;
	/** Whether a list is read to its end, however long it is. */
	readsAll?: boolean;
	run: (run: Run) => Promise<Outcome>;
}

/** The short form of an item: what a mistake would change. */
function shortOf({ bookingID, result, ...record }: IDataObject): unknown {
	const { TractorID, tractor_id: tractorId, contract_id: contractId } = record;
	return result === undefined
		? (bookingID ?? TractorID ?? tractorId ?? contractId ?? record)
		: [result, bookingID];
}

/** What an operation is run with; its parameters are literal where rows do not differ. */
interface Given extends Pick<Settings, 'rows' | 'onError'> {
	fields?: INodeParameters;
}

async function act(
	operation: OperationName,
	{ fields, ...given }: Given,
	{ world, hangs, baseUrl = world.url }: Run,
): Promise<Outcome> {
	const options = { ...(fields?.options as object), ...(hangs ? { timeout: SHORT_TIMEOUT } : {}) };
	const result = await perform(world, operation, { ...fields, options }, { ...given, baseUrl });
	const records = [...result.items, ...result.errors].map(({ json }) => json);
	const stop = result.error ? stopOf(result) : undefined;
	const ofItems = records.flatMap((record) => {
		const { error, errorDescription, result: said, reason, toDo } = record;
		// A record of the service may have an error of its own.
		if (typeof error === 'string' && 'errorDescription' in record)
			return [{ message: error, description: asText(errorDescription) }];
		if (!/^(?:to fix|possible duplicate|failed|unknown|not sent)$/.test(asText(said))) return [];
		return [{ message: asText(reason), description: asText(toDo) }];
	});
	const messages = [...(stop ? [stop] : []), ...ofItems];
	return { shown: records.map(shortOf), isOk: messages.length === 0, messages };
}

async function outcomeOf(work: Promise<unknown[]>): Promise<Outcome> {
	try {
		return { shown: await work, isOk: true, messages: [] };
	} catch (error) {
		expect(secretsIn([error])).toEqual([]);
		const { message, description } = error as Error & { description?: string | null };
		return { shown: [], isOk: false, messages: [{ message, description: description ?? '' }] };
	}
}

const to =
	(endpoint: EndpointName, page = 1) =>
	(request: Received) =>
		request.endpoint === endpoint && (endpoint === 'booking' || request.page >= page);

/** An operation of the action node. @param name the operation, and after a comma which request it is */
function action(
	name: string,
	strikes: Placement['strikes'],
	requests: number,
	given: Given = {},
	more: Partial<Placement> = {},
): Placement {
	const [operation = ''] = name.split(',');
	const run = async (how: Run) => await act(operation as OperationName, given, how);
	// A read is tried again after 1 and after 2 seconds.
	return { name, strikes, requests, pauses: 3, run, ...more };
}

const farm = { latitude: '10.5', longitude: '7.4' };

const create = { fields: fromFarmers, rows: farmers(3) };

const [firstFarmer = {}] = create.rows;

const nearest: Given = {
	fields: { phoneCountry: 'none', tractorSelection: 'nearest' },
	rows: sheetRows(3, { 'Tractor ID': undefined, Latitude: 10.5, Longitude: 7.4 }),
	onError: 'continueErrorOutput',
};

const createOne: Given = { fields: ASKED['booking:create'] };

const watch = (world: World, baseUrl: string, parameters: INodeParameters) =>
	trigger({ workflowId: world.url, parameters, credentials: credentialsOf({ baseUrl }) });

const idsOf = async (poll: Promise<INodeExecutionData[] | null>) =>
	(await poll)?.map(({ json }) => json.bookingID) ?? [];

/** Polls of a trigger. @param first whether the first one is to be struck; else a booking is completed before the second */
async function completions(
	{ world, baseUrl = world.url }: Run,
	first = baseUrl !== world.url,
): Promise<Outcome> {
	const { fault } = world;
	const polled = watch(world, baseUrl, { events: ['bookingCompleted'] });
	if (!first) {
		world.fault = undefined;
		await polled.poll();
		world.fault = fault;
		const [booking] = world.bookings;
		if (booking) booking.bookingStatus = 3;
	}
	const outcome = await outcomeOf(idsOf(polled.poll()));
	expect(secretsIn(polled.memory())).toEqual([]);
	if (outcome.isOk || first) return outcome;
	// A poll that fails has lost nothing.
	world.fault = undefined;
	expect(await idsOf(polled.poll())).toEqual([7001]);
	return outcome;
}

/** What asks once, and leaves it to the next poll or to the user to ask again. */
const once = (
	name: string,
	strikes: Placement['strikes'],
	requests: number,
	run: Placement['run'],
): Placement => ({ name, strikes, requests, pauses: 0, run });

function search(
	name: Parameters<typeof searchList>[0],
	strikes: Placement['strikes'],
	parameters: INodeParameters = {},
): Placement {
	return once(`${name}()`, strikes, 12, async ({ world, baseUrl = world.url }) => {
		const found = searchList(name, credentialsOf({ baseUrl }), { parameters });
		return await outcomeOf(found.then(({ results }) => results.map(({ value }) => value)));
	});
}

function credentialTest(name: 'testApiKey' | 'testBearerToken'): Placement {
	// Four questions for a key, two for a token; each may be redirected three times.
	const requests = name === 'testApiKey' ? 16 : 8;
	return once(
		`${name}()`,
		() => true,
		requests,
		async ({ world, baseUrl = world.url }) => {
			const values = { baseUrl, apiKey: KEYS.full, token: TOKENS.full };
			const { status, message } = await testCredential(name, values);
			expect(secretsIn(message)).toEqual([]);
			if (status === 'OK') return { shown: [message], isOk: true, messages: [] };
			return { shown: [], isOk: false, messages: [{ message, description: message }] };
		},
	);
}

/** Every operation, the polls, the list searches and the credential tests. */
// prettier-ignore
export const PLACEMENTS: readonly Placement[] = [
	action('tractor:findNearby', to('nearby'), 5, { fields: farm }),
	action('tractor:findNearby, details', to('details'), 12, { fields: { ...farm, options: { includeDetails: true } } }),
	action('tractor:get', to('details'), 12, { fields: { tractorIds: '201, 202' } }),
	action('booking:create, list', to('bookings'), 84, create, { readsAll: true }),
	action('booking:create, POST', to('create'), 40, createOne),
	// If one of the other rows is accepted, the limit's wait begins anew.
	action('booking:create, first POST of 3', (request) => to('create')(request) && request.body.includes(asText(firstFarmer.phone)), 40, create, { pauses: 3 * 3 }),
	action(
		'booking:create, POST and what follows',
		(request, { posts }) => to('create')(request) || posts.length > 0,
		56,
		createOne,
	),
	action('booking:createFromSpreadsheet, list', to('bookings'), 84, nearest, { readsAll: true }),
	action('booking:createFromSpreadsheet, nearby', to('nearby'), 12, nearest),
	action('booking:createFromSpreadsheet, details', to('details'), 16, { ...nearest, onError: 'stopWorkflow' }),
	action('booking:createFromSpreadsheet, POSTs', to('create'), 80, nearest),
	action('booking:get', to('booking'), 5, { fields: { bookingId: byId('7001') } }),
	action('booking:getAll, page 1', to('bookings'), 12, { fields: { limit: 2 } }),
	action('booking:getAll, page 2', to('bookings', 2), 20, { fields: { returnAll: true, options: { pageSize: 2 } } }, { readsAll: true }),
	action('catalogue:get', to('catalogueTractor'), 5, { fields: { tractorId: byId('201') } }),
	action('catalogue:getAll', to('catalogue'), 30, { fields: { returnAll: true } }, { readsAll: true }),
	action('contract:getAll', to('contracts'), 16, { fields: { limit: 2 } }),
	once('trigger, first poll', to('bookings'), 16, async (run) => await completions(run, true)),
	once('trigger, later poll', to('bookings'), 16, async (run) => await completions(run)),
	once('trigger, test event', to('bookings'), 16, async ({ world, baseUrl = world.url }) => {
		const polled = watch(world, baseUrl, { events: ['newBooking'] });
		return await outcomeOf(idsOf(polled.poll('manual')));
	}),
	search('searchBookings', to('bookings')),
	search('searchCatalogue', to('catalogue')),
	search('searchTractors', to('nearby'), farm),
	search('searchServices', to('details'), { tractorSelection: 'id', tractorId: byId('201') }),
	credentialTest('testApiKey'),
	credentialTest('testBearerToken'),
];
