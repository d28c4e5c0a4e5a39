import type { Endpoint } from './settings.cts';

/** A request as the sandbox received it. */
export interface LoggedRequest {
	method: string;
	/** Without the query. */
	path: string;
	query: Record<string, unknown>;
	/** Without the secret. */
	headers: Record<string, unknown>;
	endpoint?: Endpoint;
	/** Scheme of the `Authorization` header. */
	authScheme?: string;
	/** Name of the key, if it is known. */
	keyName?: string;
	body?: unknown;
	/** Status of the response; undefined until it is sent, or if a fault kept it back. */
	status?: number;
	/** Kind of the last fault that struck it. */
	fault?: string;
}

/** Counts of one endpoint's requests. */
export interface EndpointCounts {
	total: number;
	byStatus: Record<string, number>;
}

/** How many requests are kept whole. */
const KEPT = 20_000;

/** What the sandbox was asked, oldest first. The last requests are kept whole, all of them are counted. */
export class RequestLog {
	/** Requests under way. */
	inFlight = 0;
	/** The most requests that were under way at once. */
	peakInFlight = 0;
	#entries: LoggedRequest[] = [];
	#counts = new Map<string, EndpointCounts>();

	add(entry: LoggedRequest): LoggedRequest {
		this.#entries.push(entry);
		// Trimmed in large steps, since moving the array for each request would cost more than the request.
		if (this.#entries.length > 2 * KEPT) this.#entries = this.#entries.slice(-KEPT);
		this.#countsOf(entry).total += 1;
		return entry;
	}

	/** Notes how a request was answered. */
	answered(entry: LoggedRequest, status: number): void {
		entry.status = status;
		const { byStatus } = this.#countsOf(entry);
		byStatus[status] = (byStatus[status] ?? 0) + 1;
	}

	/** The kept requests, narrowed by endpoint, method, path (its beginning) or response status. */
	find(filter: Partial<Pick<LoggedRequest, 'endpoint' | 'method' | 'path' | 'status'>> = {}) {
		const { endpoint, method, path, status } = filter;
		return this.#entries.filter(
			(entry) =>
				(endpoint === undefined || entry.endpoint === endpoint) &&
				(method === undefined || entry.method === method) &&
				(path === undefined || entry.path.startsWith(path)) &&
				(status === undefined || entry.status === status),
		);
	}

	/** All requests to an endpoint, or only those with this response status. */
	count(endpoint: Endpoint, status?: number): number {
		const counts = this.#counts.get(endpoint);
		return (status === undefined ? counts?.total : counts?.byStatus[status]) ?? 0;
	}

	counts(): Record<string, EndpointCounts> {
		return Object.fromEntries(this.#counts);
	}

	clear(): void {
		this.#entries = [];
		this.#counts.clear();
		this.peakInFlight = this.inFlight;
	}

	#countsOf(entry: LoggedRequest): EndpointCounts {
		const name = entry.endpoint ?? 'other';
		let counts = this.#counts.get(name);
		if (!counts) this.#counts.set(name, (counts = { total: 0, byStatus: {} }));
		return counts;
	}
}
