/** The works that are measured. */
export type LoadName = 'returnAll' | 'details' | 'create' | 'nearby' | 'memory' | 'start';

/** Who does the work. */
export type PeerName =
	| 'ours'
	| 'httpPagination'
	| 'httpAndSplitOut'
	| 'httpPlain'
	| 'httpBatching'
	| 'httpRetry'
	| 'loopAndWait'
	| 'axiosLoop'
	| 'bareHelper'
	| 'undiciPool'
	| 'axiosNode';

/** Where a process finds the service, n8n and our package. */
export interface Surroundings {
	/** Address of the sandbox. */
	url: string;
	apiKey: string;
	/** The `node_modules` of the n8n under which the work runs. */
	modules: string;
	/** The built package, installed where that n8n's modules are found. */
	packageFolder: string;
}

/** One measurement, as a process of its own is told to make it. */
export interface Task extends Surroundings {
	load: LoadName;
	peer: PeerName;
	/** Input items, and the number of the first one, where several processes share the rows. */
	rows: number;
	firstRow: number;
	/** Coordinates to search around, and the seeded tractors. */
	places: Array<{ latitude: number; longitude: number }>;
	tractorIds: number[];
	/** Requests in a window, and its length, as a user of n8n would configure a peer. */
	limit: number;
	windowMs: number;
	/** Whether to do the work once before it is measured, as in an n8n that runs since long. */
	warmUp: boolean;
}

/** What a process measured. */
export interface Measurement {
	seconds: number;
	/** Records in the output. */
	records: number;
	/** Input items with a result. */
	served: number;
	/** Why the work failed. */
	error?: string;
	/** Resident memory before the work and at its peak, in MB. */
	memoryBefore: number;
	memoryPeak: number;
	/** What the result holds in the heap when the work is done, in MB; with `node --expose-gc` only. */
	heapHeld?: number;
}

/** Who watches the bookings. */
export type PollPeerName =
	| 'ours'
	| 'mapInStaticData'
	| 'removeDuplicates'
	/** With the history size that the node has unless it is changed. */
	| 'removeDuplicatesDefault';

/** Polls of one peer, as a process of its own is told to make them. */
export interface PollTask extends Surroundings {
	peer: PollPeerName;
	/** The bookings to complete before each poll that follows the first scan. */
	completions: number[][];
	/** Bookings to add before each of them. */
	additions: number;
}

/** What reading the list cost. */
export interface PollCost {
	requests: number;
	seconds: number;
	cpuSeconds: number;
}

/** One poll after the first scan. */
export interface SteadyPoll extends PollCost {
	/** Of the bookings that were completed since the poll before. */
	told: number;
	/** Others, or the same ones again. */
	toldFalsely: number;
}

/** What a process measured of its polls. */
export interface PollMeasurement {
	first: PollCost & { polls: number; told: number };
	/** Ends early where a poll fails. */
	steady: SteadyPoll[];
	/** The most that n8n's database held of it. */
	bytesKept: number;
	/** Why a poll failed. */
	error?: string;
}
