import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';
import { mapConcurrent } from '../../nodes/TractorBooking/utils/mapConcurrent';
import { rowsNode } from '../../test/support/execution.cts';
import { ACTION, nodeOf, to, TRIGGER_NODE } from '../../tools/workflow.cts';
import { CREDENTIAL, type BenchWorkflow, type Engine } from './engine.cts';

/** Requests to book that the service lets through in a minute (interface, "Limits"). */
export const LIMIT = 50;

const COMPLETED = 3;
/** No list of the bench fills it; with the default of 10,000, Remove Duplicates fails on the longer ones. */
const LARGE_HISTORY = 10_000_000;

/** Our nodes, or what users would take instead. */
export interface Contender {
	/** One execution on these rows, or one poll. @returns the bookings that come out, or pages of them. */
	run(rows: IDataObject[]): Promise<IDataObject[]>;
	/** What n8n's database holds for it from one poll to the next. */
	bytesKept?(): number | Promise<number>;
}

type Start = (engine: Engine) => Contender | Promise<Contender>;

function execution(workflow: (engine: Engine) => BenchWorkflow): Start {
	return (engine) => ({ run: async (rows) => await engine.run(workflow(engine), rows) });
}

/** Our action node. */
function ours(parameters: INodeParameters): BenchWorkflow {
	return { nodes: [nodeOf('Ours', ACTION, 1, parameters)] };
}

/** An HTTP Request node with the credential, configured as n8n's documentation says. */
function httpRequest(parameters: INodeParameters): INode {
	const authentication = 'predefinedCredentialType';
	const access = { authentication, nodeCredentialType: CREDENTIAL };
	return nodeOf('HTTP', 'httpRequest', 4.5, { ...access, ...parameters });
}

/** A page of the list, as the sandbox gives it. */
type Page = { count: number; next: string | null; results: IDataObject[] };

const PAGE_SIZE = 100;

const pageUrl = ({ environment: { url } }: Engine, page: number) =>
	`${url}/booking-services/partner/booking/${page}/${PAGE_SIZE}`;

/** An HTTP Request node that requests all pages of the bookings. */
function allPages(engine: Engine): INode {
	const pagination = {
		pagination: {
			paginationMode: 'responseContainsNextURL',
			nextURL: '={{ $response.body.next }}',
			paginationCompleteWhen: 'other',
			completeExpression: '={{ !$response.body.next }}',
		},
	};
	return httpRequest({ url: pageUrl(engine, 1), options: { pagination } });
}

/** As many pages at a time as our node, by n8n's helper and with no care at all: no node can be faster. */
function helperAlone(engine: Engine): INodeType {
	return {
		description: { ...rowsNode.description, credentials: [{ name: CREDENTIAL }] },
		async execute() {
			const read = async (page: number) =>
				(await this.helpers.httpRequestWithAuthentication.call(this, CREDENTIAL, {
					url: pageUrl(engine, page),
					json: true,
				})) as Page;
			const first = await read(1);
			const numbers = Array.from({ length: Math.ceil(first.count / PAGE_SIZE) }, (_, at) => at + 1);
			const pages = [first, ...(await mapConcurrent(numbers.slice(1), read))];
			return [this.helpers.returnJsonArray(pages.flatMap(({ results }) => results))];
		},
	};
}

/** An HTTP Request node that books each row. */
function booking({ environment: { url } }: Engine, options: INodeParameters = {}): INode {
	return httpRequest({
		method: 'POST',
		url: `${url}/booking-services/booking-agent/service-booking/`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ JSON.stringify($json) }}',
		options,
	});
}

/** As many rows as the limit allows, then a wait, then the next ones. */
function loopAndWait(engine: Engine): BenchWorkflow {
	const pause = { resume: 'timeInterval', amount: 1, unit: 'minutes' };
	return {
		nodes: [
			nodeOf('Loop', 'splitInBatches', 3, { batchSize: LIMIT }),
			booking(engine),
			nodeOf('Wait', 'wait', 1.1, pause),
		],
		connections: {
			Loop: { main: [[], ...to('HTTP').main] },
			HTTP: to('Wait'),
			Wait: to('Loop'),
		},
		last: 'Loop',
	};
}

/** A trigger node: n8n calls its poll and writes its static data as JSON. */
function trigger(engine: Engine, type: string, parameters: INodeParameters): Contender {
	const polled = engine.polled(nodeOf('Trigger', type, 1, parameters));
	return { run: polled.poll, bytesKept: () => Buffer.byteLength(polled.staticData()) };
}

/**
 * The trigger as it is written first: all pages one after the other, and the status of every booking in an
 * object in static data.
 */
function mapInStaticData(firstUrl: string): INodeType {
	return {
		description: {
			...rowsNode.description,
			group: ['trigger'],
			polling: true,
			credentials: [{ name: CREDENTIAL }],
		},
		async poll() {
			const kept = this.getWorkflowStaticData('node');
			const isFirst = kept.statuses === undefined;
			const statuses = (kept.statuses ??= {}) as IDataObject;
			const completed: INodeExecutionData[] = [];
			let next: string | null = firstUrl;
			while (next) {
				const page = (await this.helpers.httpRequestWithAuthentication.call(this, CREDENTIAL, {
					url: next,
					json: true,
				})) as Page;
				for (const booking of page.results) {
					const id = booking.bookingID as number;
					const isCompleted = booking.bookingStatus === COMPLETED;
					if (!isFirst && isCompleted && statuses[id] !== COMPLETED) {
						completed.push({ json: booking });
					}
					statuses[id] = booking.bookingStatus;
				}
				({ next } = page);
			}
			return completed.length > 0 ? [completed] : null;
		},
	};
}

/** The workflow after a Schedule Trigger that reads all bookings and drops the completed ones it knows. */
function completedOnce(engine: Engine): BenchWorkflow {
	const isCompleted = {
		leftValue: '={{ $json.bookingStatus }}',
		rightValue: COMPLETED,
		operator: { type: 'number', operation: 'equals' },
	};
	const conditions = {
		combinator: 'and',
		options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
		conditions: [isCompleted],
	};
	const removal = {
		operation: 'removeItemsSeenInPreviousExecutions',
		logic: 'removeItemsWithAlreadySeenKeyValues',
		dedupeValue: '={{ $json.bookingID }}-{{ $json.bookingStatus }}',
		options: { historySize: LARGE_HISTORY },
	};
	return {
		nodes: [
			allPages(engine),
			nodeOf('Split', 'splitOut', 1, { fieldToSplitOut: 'results', options: {} }),
			nodeOf('Completed', 'filter', 2.3, { conditions }),
			nodeOf('New', 'removeDuplicates', 2, removal),
		],
	};
}

/** Contenders that do the same. */
export type Group = 'returnAll' | 'create' | 'polls';

/** What is compared, ours first. */
export const CONTENDERS: Readonly<Record<Group, Record<string, Start>>> = {
	returnAll: {
		'Tractor Booking': execution(() =>
			ours({ resource: 'booking', operation: 'getAll', returnAll: true }),
		),
		'HTTP Request, pagination': execution((engine) => ({ nodes: [allPages(engine)] })),
		"n8n's helper, 8 pages at a time": execution((engine) => {
			engine.add('bench.helperAlone', helperAlone(engine));
			return { nodes: [nodeOf('Helper', 'bench.helperAlone', 1, {})] };
		}),
	},
	create: {
		'Tractor Booking': execution(() =>
			ours({
				resource: 'booking',
				operation: 'createFromSpreadsheet',
				phoneCountry: 'none',
				tractorSelection: 'id',
			}),
		),
		// Without anything, and with each of n8n's own means against rate limits.
		'HTTP Request': execution((engine) => ({ nodes: [booking(engine)] })),
		'HTTP Request, batching': execution((engine) => {
			const batch = { batchSize: LIMIT, batchInterval: 60_000 };
			return { nodes: [booking(engine, { batching: { batch } })] };
		}),
		'HTTP Request, Retry On Fail': execution((engine) => {
			// The most that n8n allows.
			const retry = { retryOnFail: true, maxTries: 5, waitBetweenTries: 5_000 };
			return { nodes: [{ ...booking(engine), ...retry }] };
		}),
		'Loop + HTTP Request + Wait': execution(loopAndWait),
	},
	polls: {
		'Tractor Booking Trigger': (engine) =>
			trigger(engine, TRIGGER_NODE, {
				events: ['bookingCompleted'],
			}),
		'a node with a map in static data': (engine) => {
			engine.add('bench.mapInStaticData', mapInStaticData(pageUrl(engine, 1)));
			return trigger(engine, 'bench.mapInStaticData', {});
		},
		'Schedule + HTTP Request + Remove Duplicates': async (engine) => ({
			// The row is the one item that a Schedule Trigger gives.
			...(await execution(completedOnce)(engine)),
			bytesKept: engine.bytesStored,
		}),
	},
};
