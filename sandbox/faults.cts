import { Random, SEED } from './random.cts';
import type { LoggedRequest } from './requestLog.cts';
import type { Endpoint } from './settings.cts';

/** What can go wrong with a request: first what strikes before it is processed, then what keeps back the answer. */
export type Fault =
	/** Waits before processing. */
	| { kind: 'latency'; ms: number }
	/** Answered with this status; the body is JSON unless it is a text. */
	| { kind: 'status'; status: number; body?: unknown; headers?: Record<string, string> }
	/** The connection is reset. */
	| { kind: 'reset' }
	/** Never answered. */
	| { kind: 'hang' }
	/** A page instead of JSON. */
	| { kind: 'html'; status?: number }
	| { kind: 'redirect'; location: string }
	/** 429; without `Retry-After` unless one is given. */
	| { kind: 'rateLimited'; retryAfter?: string }
	/** Processed, but the caller gets a closed connection, or a gateway's error. */
	| { kind: 'lostAnswer'; status?: 504 }
	/** Processed, but the connection breaks in the middle of the body. */
	| { kind: 'truncated' };

/** Faults that strike after the request was processed with success. */
const AFTER: ReadonlySet<Fault['kind']> = new Set(['lostAnswer', 'truncated']);

/** Which requests a fault strikes, and how often. */
export interface FaultRule {
	/** All of them unless narrowed; a text matches the beginning of the path. */
	match?: { path?: string | RegExp; endpoint?: Endpoint };
	/** Leaves the first so many matching requests alone. */
	skip?: number;
	/** Strikes at most so often (default without end). */
	times?: number;
	/** Strikes with this probability (0 to 1), the same at each start. */
	probability?: number;
	fault: Fault;
}

/** A rule in force. */
interface ActiveFault {
	readonly rule: FaultRule;
	/** Matching requests so far. */
	seen: number;
	/** How often it struck. */
	hits: number;
	remove(): void;
}

/** The part of a request by which faults are chosen. */
type FaultTarget = Pick<LoggedRequest, 'path' | 'endpoint'>;

/** The faults in force. */
export class Faults {
	#active: ActiveFault[] = [];
	#random = new Random(SEED);

	add(rule: FaultRule): ActiveFault {
		const remove = () => (this.#active = this.#active.filter((other) => other !== active));
		const active: ActiveFault = { rule, seen: 0, hits: 0, remove };
		this.#active.push(active);
		return active;
	}

	list(): readonly ActiveFault[] {
		return this.#active;
	}

	clear(): void {
		this.#active = [];
		this.#random = new Random(SEED);
	}

	/**
	 * The faults that strike this request, before or after its processing: in the order in which they
	 * were added, any number of delays and then at most one that replaces the response.
	 */
	strike(target: FaultTarget, stage: 'before' | 'after'): Fault[] {
		const struck: Fault[] = [];
		for (const active of this.#active) {
			const { fault } = active.rule;
			if (AFTER.has(fault.kind) !== (stage === 'after')) continue;
			if (!matches(active.rule, target) || !this.#isDue(active)) continue;
			struck.push(fault);
			if (fault.kind !== 'latency') break;
		}
		return struck;
	}

	#isDue(active: ActiveFault): boolean {
		const { skip = 0, times = Infinity, probability = 1 } = active.rule;
		active.seen += 1;
		if (active.seen <= skip || active.hits >= times) return false;
		if (probability < 1 && this.#random.next() >= probability) return false;
		active.hits += 1;
		return true;
	}
}

function matches({ match: { path, endpoint } = {} }: FaultRule, target: FaultTarget): boolean {
	if (endpoint !== undefined && endpoint !== target.endpoint) return false;
	if (path === undefined) return true;
	return typeof path === 'string' ? target.path.startsWith(path) : path.test(target.path);
}
