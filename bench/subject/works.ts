import axios from 'axios';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { LIMIT, WINDOW_MS, type WorkResult, type WorkTask } from '../task';
import { CREDENTIAL, type BenchNode, type BenchWorkflow, type Engine } from './engine';

/** An HTTP Request node with the credential, configured as n8n's documentation says. */
export function httpRequest(parameters: INodeParameters, settings: Partial<BenchNode> = {}) {
	const authentication = 'predefinedCredentialType';
	return {
		name: 'HTTP',
		type: 'n8n-nodes-base.httpRequest',
		parameters: { authentication, nodeCredentialType: CREDENTIAL, ...parameters },
		...settings,
	} satisfies BenchNode;
}

/** Parameters of an HTTP Request node that requests all pages of the bookings. */
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

function ours(parameters: INodeParameters): BenchWorkflow {
	return { nodes: [{ name: 'Ours', type: 'TractorBooking', parameters }] };
}

function returnAll({ node, url }: WorkTask): BenchWorkflow {
	return node === 'ours'
		? ours({ resource: 'booking', operation: 'getAll', returnAll: true })
		: { nodes: [httpRequest(allPages(url))] };
}

/** A booking for each row: ours, or HTTP Request with one of n8n's own means against rate limits. */
function create({ node, url }: WorkTask): BenchWorkflow {
	if (node === 'ours') {
		const operation = 'createFromSpreadsheet';
		return ours({ resource: 'booking', operation, phoneCountry: 'none', tractorSelection: 'id' });
	}
	const batching = { batch: { batchSize: LIMIT, batchInterval: WINDOW_MS } };
	const parameters: INodeParameters = {
		method: 'POST',
		url: `${url}/booking-services/booking-agent/service-booking/`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ JSON.stringify($json) }}',
		options: {
			response: { response: { fullResponse: true } },
			...(node === 'httpBatching' && { batching }),
		},
	};
	// n8n's longest wait between tries is 5 s; the windows of the bench are shorter than the service's minute.
	const waitBetweenTries = (5_000 * WINDOW_MS) / 60_000;
	const retry = { retryOnFail: true, maxTries: 5, waitBetweenTries };
	const http = httpRequest(parameters, node === 'httpRetry' ? retry : {});
	if (node !== 'loopAndWait') return { nodes: [http] };
	return {
		nodes: [
			{ name: 'Loop', type: 'n8n-nodes-base.splitInBatches', parameters: { batchSize: LIMIT } },
			http,
			{
				name: 'Wait',
				type: 'n8n-nodes-base.wait',
				parameters: { resume: 'timeInterval', amount: WINDOW_MS / 1_000, unit: 'seconds' },
			},
		],
		connections: [
			['Loop', 'HTTP', 1],
			['HTTP', 'Wait'],
			['Wait', 'Loop'],
		],
		last: 'Loop',
	};
}

function inputRows({ work, rows }: WorkTask): IDataObject[] {
	if (work === 'returnAll') return [{}];
	return Array.from({ length: rows }, (_, row) => ({
		tractorId: 201,
		serviceType: 1,
		serviceDate: '2099-05-04',
		farmerName: `Row ${row}`,
		farmerPhone: `+23480${12_345_000 + row}`,
	}));
}

/** The bookings of an output: an item each, or the HTTP Request node's item for each page. */
const countRecords = (items: IDataObject[]) =>
	items.reduce((sum, { results }) => sum + (Array.isArray(results) ? results.length : 1), 0);

/** Runs a work in the engine. */
export async function measureWork(engine: Engine, task: WorkTask): Promise<WorkResult> {
	const workflow = task.work === 'returnAll' ? returnAll(task) : create(task);
	const rows = inputRows(task);
	if (task.work === 'returnAll') {
		// As in an n8n that has been running for long.
		await engine.run(workflow, rows);
		await axios.post(`${task.url}/sandbox/reset`);
	}
	if (task.work === 'createOne') {
		const first = { ...rows[0], farmerName: 'First', farmerPhone: '+2348099999999' };
		await engine.run(workflow, [first]);
		await axios.delete(`${task.url}/sandbox/requests`);
	}
	const start = performance.now();
	const { items } = await engine.run(workflow, rows);
	const seconds = (performance.now() - start) / 1_000;
	return { seconds, records: countRecords(items.map(({ json }) => json)) };
}
