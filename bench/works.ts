import { startSandbox, type SandboxOptions } from '../sandbox';
import type { Note } from '../tools/progress';
import { runTask, type Installation } from './installation';
import { mediansOf } from './medians';
import { LIMIT, WINDOW_MS, type NodeName, type WorkName, type WorkResult } from './task';

/** What each request waits at the service, in milliseconds. */
export const LATENCY_MS = 20;

/** What a slow service takes for a booking, in milliseconds. */
const SLOW_ANSWER_MS = 4_000;

/** A work, how the service behaves meanwhile, and who does it; the others are compared with the first. */
export interface Work {
	name: WorkName;
	title: string;
	nodes: NodeName[];
	rounds: number;
	sandbox: SandboxOptions;
	/** What each booking takes beyond the latency, in milliseconds. */
	slowAnswerMs?: number;
	/** Rows to book. */
	rows: number;
}

export const NODES: Readonly<Record<NodeName, string>> = {
	ours: 'Tractor Booking',
	httpPagination: 'HTTP Request, pagination',
	httpPlain: 'HTTP Request',
	httpBatching: 'HTTP Request, batching',
	httpRetry: 'HTTP Request, Retry On Fail',
	loopAndWait: 'Loop + HTTP Request + Wait',
};

/** One node's work in one round, or the medians of all rounds. */
export type WorkSample = WorkResult &
	Record<'requests' | 'refused' | 'rowsBooked' | 'bookedAgain', number>;

export interface WorkSummary {
	work: Work;
	medians: Array<[node: NodeName, medians: WorkSample]>;
}

/** @param scale less than 1 for smaller works, to try the bench */
export function worksOf(rounds: number, scale: number): Record<WorkName, Work> {
	const bookings = 10_000 * scale;
	const rows = 500 * scale;
	const limitSeconds = ((Math.ceil(rows / LIMIT) - 1) * WINDOW_MS) / 1_000;
	return {
		returnAll: {
			name: 'returnAll',
			title: `Return All, ${bookings} bookings, 100 a page, ${LATENCY_MS} ms a request`,
			nodes: ['ours', 'httpPagination'],
			// It takes seconds, and short measurements vary more.
			rounds: 2 * rounds + 1,
			sandbox: { bookings, latencyMs: LATENCY_MS },
			rows: 0,
		},
		create: {
			name: 'create',
			title: `${rows} creations at ${LIMIT} per window of ${WINDOW_MS / 1_000} s (the limit dictates ${limitSeconds} s)`,
			nodes: ['ours', 'httpPlain', 'httpBatching', 'httpRetry', 'loopAndWait'],
			rounds,
			sandbox: { latencyMs: LATENCY_MS, rateLimits: { create: LIMIT }, rateWindowMs: WINDOW_MS },
			rows,
		},
		createOne: {
			name: 'createOne',
			title: `One creation with ${100_000 * scale} bookings before it, not the first of its process`,
			nodes: ['ours'],
			rounds,
			sandbox: { bookings: 100_000 * scale, latencyMs: LATENCY_MS },
			rows: 1,
		},
		createSlow: {
			name: 'createSlow',
			title: `${rows} creations at ${LIMIT} a minute, ${SLOW_ANSWER_MS / 1_000} s for each answer (the limit dictates ${rows / LIMIT} minutes)`,
			nodes: ['ours'],
			// How many go at once depends on true times, so that this one takes minutes.
			rounds: 1,
			sandbox: { rateLimits: { create: LIMIT } },
			slowAnswerMs: SLOW_ANSWER_MS,
			rows,
		},
	};
}

async function measure(
	installation: Installation,
	{ name: work, sandbox: options, slowAnswerMs: ms, rows }: Work,
	node: NodeName,
): Promise<WorkSample> {
	const sandbox = await startSandbox(options);
	if (ms) sandbox.faults.add({ match: { endpoint: 'create' }, fault: { kind: 'latency', ms } });
	try {
		const result = (await runTask(installation, sandbox, { work, node, rows })) as WorkResult;
		const counts = Object.values(sandbox.requests.counts());
		const { bookings } = sandbox.store;
		const names = bookings.ids('A').flatMap((id) => bookings.get(id)?.farmerName ?? []);
		// The rows of a task carry their number in the farmer's name.
		const made = names.filter((name) => name.startsWith('Row '));
		const rowsBooked = new Set(made).size;
		return {
			...result,
			requests: counts.reduce((sum, { total }) => sum + total, 0),
			refused: counts.reduce((sum, { byStatus }) => sum + (byStatus[429] ?? 0), 0),
			rowsBooked,
			bookedAgain: made.length - rowsBooked,
		};
	} finally {
		await sandbox.close();
	}
}

/** Measures the nodes in turn, round after round: other load on the machine then affects all of them. */
export async function measureWork(
	installation: Installation,
	work: Work,
	note: Note,
): Promise<WorkSummary> {
	const samples = new Map<NodeName, WorkSample[]>(work.nodes.map((node) => [node, []]));
	for (let round = 1; round <= work.rounds; round++) {
		for (const [node, list] of samples) {
			note(`round ${round} of ${work.rounds}: ${NODES[node]}`);
			list.push(await measure(installation, work, node));
		}
	}
	note(`${work.rounds} rounds`);
	return { work, medians: [...samples].map(([node, list]) => [node, mediansOf(list)]) };
}
