/** What parent and child process of a measurement tell each other, as JSON, and what both must know. */

/** Requests to book that the service lets through in a window. */
export const LIMIT = 50;
/** Shorter than a minute: then the bench takes minutes, not hours. In whole seconds, as in `Retry-After`. */
export const WINDOW_MS = 6_000;

/** Where a child process finds the service, n8n and our package. */
export interface Environment {
	/** URL of the sandbox. */
	url: string;
	apiKey: string;
	/** The `node_modules` of the n8n in whose engine the nodes run. */
	modules: string;
	/** The built package, installed. */
	packageFolder: string;
}

export type WorkName = 'returnAll' | 'create' | 'createOne' | 'createSlow';

/** Who does a work. */
export type NodeName =
	'ours' | 'httpPagination' | 'httpPlain' | 'httpBatching' | 'httpRetry' | 'loopAndWait';

export interface WorkTask extends Environment {
	work: WorkName;
	node: NodeName;
	/** Rows to book. */
	rows: number;
}

export interface WorkResult {
	seconds: number;
	/** Bookings in the output, which were read or made. */
	records: number;
}

/** Who watches the bookings. */
export type WatcherName = 'ours' | 'mapInStaticData' | 'removeDuplicates';

export interface PollTask extends Environment {
	watcher: WatcherName;
	/** Ids of the bookings to complete before each poll that follows the first scan. */
	completions: number[][];
	/** Bookings to add before each of these polls. */
	additions: number;
}

export interface Poll {
	requests: number;
	seconds: number;
	cpuMs: number;
	/** Bytes that n8n's database holds for the watcher after it. */
	bytesKept: number;
	/** Bookings completed since the previous poll, and those of them that were emitted. */
	changes: number;
	changesEmitted: number;
	/** All bookings that were emitted. */
	emitted: number;
}

export interface PollResult {
	/** The polls of the first scan, and those after it. */
	first: Poll[];
	later: Poll[];
}
