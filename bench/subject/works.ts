import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Task } from '../task';
import type { BenchNode, BenchWorkflow, Engine } from './engine';
import { CREDENTIAL } from './engine';
import { engineFor } from './nodes';

/** A work that is ready to be run, as often as wanted. */
export interface Work {
	workflow: BenchWorkflow;
	rows: IDataObject[];
	/** How many input items and records an output stands for. */
	count(items: IDataObject[]): { records: number; served: number };
}

const HTTP = 'n8n-nodes-base.httpRequest';

function ours(parameters: INodeParameters): BenchWorkflow {
	return { nodes: [{ name: 'Ours', type: 'ours', parameters }], last: 'Ours' };
}

/** An HTTP Request node, as n8n's documentation tells users to configure it. */
export function http(
	name: string,
	parameters: INodeParameters,
	more: Partial<BenchNode> = {},
): BenchNode {
	const authentication = 'predefinedCredentialType';
	return {
		name,
		type: HTTP,
		parameters: { authentication, nodeCredentialType: CREDENTIAL, ...parameters },
		...more,
	};
}

/** What an HTTP Request node needs to read all pages of the bookings. */
export function allPages(url: string): INodeParameters {
	const pagination = {
		pagination: {
			paginationMode: 'responseContainsNextURL',
			nextURL: '={{ $response.body.next }}',
			paginationCompleteWhen: 'other',
			completeExpression: '={{ !$response.body.next }}',
		},
	};
	return { url: `${url}/booking-services/partner/booking/1/100`, options: { pagination } };
}

/** Makes items of the records on the pages. */
export function splitOut(name: string): BenchNode {
	const parameters = { fieldToSplitOut: 'results', options: {} };
	return { name, type: 'n8n-nodes-base.splitOut', parameters };
}

/** One request for each row, with n8n's own means against rate limits. */
function limited(
	{ peer, limit, windowMs }: Task,
	steps: Array<{ name: string; parameters: INodeParameters }>,
): BenchWorkflow {
	const response = { response: { fullResponse: true } };
	const batching = { batch: { batchSize: limit, batchInterval: windowMs } };
	const options: INodeParameters = peer === 'httpBatching' ? { response, batching } : { response };
	// n8n's longest wait between tries is 5 s; windows of the bench are shorter than the service's minute.
	const waitBetweenTries = (5_000 * windowMs) / 60_000;
	const retry = { retryOnFail: true, maxTries: 5, waitBetweenTries };
	const settings: Partial<BenchNode> = peer === 'httpRetry' ? retry : {};
	const requests = steps.map(({ name, parameters }) =>
		http(name, { ...parameters, options }, settings),
	);
	if (peer !== 'loopAndWait') {
		const names = requests.map(({ name }) => name);
		return {
			nodes: requests,
			connections: names.slice(1).map((name, index) => [names[index] ?? '', name]),
			last: names.at(-1) ?? '',
		};
	}
	const [first = '', ...others] = [...requests.map(({ name }) => name), 'Wait', 'Loop'];
	const nodes: BenchNode[] = [
		{ name: 'Loop', type: 'n8n-nodes-base.splitInBatches', parameters: { batchSize: limit } },
		...requests,
		{
			name: 'Wait',
			type: 'n8n-nodes-base.wait',
			parameters: { resume: 'timeInterval', amount: windowMs / 1_000, unit: 'seconds' },
		},
	];
	const connections: NonNullable<BenchWorkflow['connections']> = [['Loop', first, 1]];
	for (const [index, name] of others.entries()) {
		connections.push([others[index - 1] ?? first, name]);
	}
	return { nodes, connections, last: 'Loop' };
}

function bookingRows({ rows, firstRow }: Task): IDataObject[] {
	return Array.from({ length: rows }, (_, index) => ({
		tractorId: 201,
		serviceType: 1,
		serviceDate: '2099-05-04',
		farmerName: `Row ${firstRow + index}`,
		farmerPhone: `+23480${12_345_000 + firstRow + index}`,
	}));
}

const all = (items: IDataObject[]) => ({ records: items.length, served: items.length });

/** Bookings > Get Many of everything. */
function returnAll({ peer, url }: Task): Work {
	const rows = [{}];
	if (peer === 'ours') {
		const parameters = { resource: 'booking', operation: 'getAll', returnAll: true };
		return { workflow: ours(parameters), rows, count: all };
	}
	if (peer !== 'httpPagination' && peer !== 'httpAndSplitOut') {
		const nodes = [{ name: 'Peer', type: peer, parameters: {} }];
		return { workflow: { nodes, last: 'Peer' }, rows, count: all };
	}
	const nodes: BenchNode[] = [http('Peer', allPages(url))];
	if (peer === 'httpAndSplitOut') {
		nodes.push(splitOut('Split'));
		return {
			workflow: { nodes, connections: [['Peer', 'Split']], last: 'Split' },
			rows,
			count: all,
		};
	}
	const count = (pages: IDataObject[]) => {
		const records = pages.flatMap(({ results }) => results as IDataObject[]).length;
		return { records, served: records };
	};
	return { workflow: { nodes, last: 'Peer' }, rows, count };
}

/** Details of the tractors that the rows name, most of them more than once. */
function details({ peer, url, rows: count, tractorIds }: Task): Work {
	const rows = Array.from({ length: count }, (_, row) => ({
		tractor: tractorIds[row % tractorIds.length],
	}));
	const workflow =
		peer === 'ours'
			? ours({ resource: 'tractor', operation: 'get', tractorIds: '={{ $json.tractor }}' })
			: {
					nodes: [
						http('Peer', { url: `=${url}/booking-services/tractor/{{ $json.tractor }}/detail/` }),
					],
					last: 'Peer',
				};
	return { workflow, rows, count: all };
}

/** A booking for each row. */
function create(task: Task): Work {
	const rows = bookingRows(task);
	const workflow =
		task.peer === 'ours'
			? ours({
					resource: 'booking',
					operation: 'create',
					mapping: 'columns',
					tractorSelection: 'id',
				})
			: limited(task, [
					{
						name: 'Create',
						parameters: {
							method: 'POST',
							url: `${task.url}/booking-services/booking-agent/service-booking/`,
							sendBody: true,
							specifyBody: 'json',
							jsonBody: '={{ JSON.stringify($json) }}',
						},
					},
				]);
	return { workflow, rows, count: all };
}

/** The tractors near each row's farm, and details of the nearest. */
function nearby(task: Task): Work {
	const rows = task.places.map((place) => ({ ...place }));
	if (task.peer === 'ours') {
		const workflow = ours({
			resource: 'tractor',
			operation: 'findNearby',
			latitude: '={{ $json.latitude }}',
			longitude: '={{ $json.longitude }}',
			returnAll: false,
			limit: 1,
			options: { includeDetails: true },
		});
		return { workflow, rows, count: all };
	}
	const base = `=${task.url}/booking-services/tractor`;
	const workflow = limited(task, [
		{
			name: 'Search',
			parameters: { url: `${base}/nearby/{{ $json.latitude }}/{{ $json.longitude }}/` },
		},
		{ name: 'Details', parameters: { url: `${base}/{{ $json.body[0].TractorID }}/detail/` } },
	]);
	return { workflow, rows, count: all };
}

const works: Record<Exclude<Task['load'], 'start'>, (task: Task) => Work> = {
	returnAll,
	memory: returnAll,
	details,
	create,
	nearby,
};

/** The engine, and the work of a task. */
export function prepare(task: Task): { engine: Engine; work: Work } {
	if (task.load === 'start') throw new Error('Loading is not run in the engine');
	return { engine: engineFor(task), work: works[task.load](task) };
}
