import type { Endpoint } from './settings.cts';

/** A request as the sandbox received it. */
export interface LoggedRequest {
	method: string;
	/** Without the query. */
	path: string;
	query: Record<string, unknown>;
	endpoint?: Endpoint;
	/** Scheme of the `Authorization` header. */
	authScheme?: string;
	/** Name of the key, if it is known. */
	keyName?: string;
	body?: unknown;
	/** Status of the response; undefined until it is sent, or if a fault kept it back. */
	status?: number;
}

/** What the sandbox was asked, oldest first. */
export class RequestLog {
	/** Requests under way. */
	inFlight = 0;
	/** The most requests that were under way at once. */
	peakInFlight = 0;
	#entries: LoggedRequest[] = [];

	add(entry: LoggedRequest): LoggedRequest {
		this.#entries.push(entry);
		return entry;
	}

	/** The requests, narrowed by endpoint, path (its beginning) or response status. */
	find(filter: Partial<Pick<LoggedRequest, 'endpoint' | 'path' | 'status'>> = {}) {
		const { endpoint, path, status } = filter;
		return this.#entries.filter(
			(entry) =>
				(endpoint === undefined || entry.endpoint === endpoint) &&
				(path === undefined || entry.path.startsWith(path)) &&
				(status === undefined || entry.status === status),
		);
	}

	/** All requests to an endpoint, or only those with this response status. */
	count(endpoint: Endpoint, status?: number): number {
		return this.find({ endpoint, status }).length;
	}

	clear(): void {
		this.#entries = [];
		this.peakInFlight = this.inFlight;
	}
}
