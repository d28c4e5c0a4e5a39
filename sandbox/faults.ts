import { Type, type Static } from '@sinclair/typebox';
import { Random, SEED } from './random';
import { ENDPOINTS, type Endpoint } from './settings';

/** What can go wrong with a request. */
const FaultSchema = Type.Union([
	/** Waits before processing. */
	Type.Object({ kind: Type.Literal('latency'), ms: Type.Number({ minimum: 0 }) }),
	/** Not processed, answered with this status; the body is JSON unless it is a text. */
	Type.Object({
		kind: Type.Literal('status'),
		status: Type.Integer({ minimum: 200, maximum: 599 }),
		body: Type.Optional(Type.Unknown()),
		headers: Type.Optional(Type.Record(Type.String(), Type.String())),
	}),
	/** Not processed, the connection is reset. */
	Type.Object({ kind: Type.Literal('reset') }),
	/** Not processed, never answered. */
	Type.Object({ kind: Type.Literal('hang') }),
	/** Not processed, a page instead of JSON. */
	Type.Object({ kind: Type.Literal('html'), status: Type.Optional(Type.Integer()) }),
	/** Not processed, an empty body. */
	Type.Object({ kind: Type.Literal('empty'), status: Type.Optional(Type.Integer()) }),
	/** Not processed, sent elsewhere. */
	Type.Object({
		kind: Type.Literal('redirect'),
		location: Type.String(),
		status: Type.Optional(Type.Integer()),
	}),
	/** Not processed, 429; without `Retry-After` unless one is given. */
	Type.Object({ kind: Type.Literal('rateLimited'), retryAfter: Type.Optional(Type.String()) }),
	/** Processed, but the caller gets a closed connection (default), a gateway's error, or nothing at all. */
	Type.Object({
		kind: Type.Literal('lostAnswer'),
		how: Type.Optional(
			Type.Union([
				Type.Literal('close'),
				Type.Literal('hang'),
				Type.Literal(502),
				Type.Literal(504),
			]),
		),
	}),
	/** Processed, but the connection breaks in the middle of the body. */
	Type.Object({ kind: Type.Literal('truncated') }),
]);

export type Fault = Static<typeof FaultSchema>;

/** Faults that strike after the request was processed with success. */
const AFTER: ReadonlySet<Fault['kind']> = new Set(['lostAnswer', 'truncated']);

/** Which requests a fault strikes, and how often. */
export interface FaultRule {
	/** A name by which a list of faults can be read. */
	label?: string;
	/** All of them unless narrowed; a text matches the beginning of the path. */
	match?: { path?: string | RegExp; endpoint?: Endpoint };
	/** Leaves the first so many matching requests alone. */
	skip?: number;
	/** Strikes each so-manieth of the following ones (default 1). */
	every?: number;
	/** Strikes at most so often (default without end). */
	times?: number;
	/** Strikes with this probability (0 to 1), the same at each start. */
	probability?: number;
	fault: Fault;
}

/** The part of a rule that can be sent as JSON. */
export const FaultRuleSchema = Type.Object(
	{
		label: Type.Optional(Type.String()),
		match: Type.Optional(
			Type.Object(
				{
					path: Type.Optional(Type.String()),
					endpoint: Type.Optional(Type.Unsafe<Endpoint>({ enum: ENDPOINTS })),
				},
				{ additionalProperties: false },
			),
		),
		skip: Type.Optional(Type.Integer({ minimum: 0 })),
		every: Type.Optional(Type.Integer({ minimum: 1 })),
		times: Type.Optional(Type.Integer({ minimum: 0 })),
		probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
		fault: FaultSchema,
	},
	{ additionalProperties: false },
);

/** A rule in force. */
export interface ActiveFault {
	readonly id: number;
	readonly rule: FaultRule;
	/** Matching requests so far. */
	seen: number;
	/** How often it struck. */
	hits: number;
	remove(): void;
}

/** The part of a request by which faults are chosen. */
export interface FaultTarget {
	path: string;
	endpoint?: Endpoint;
}

/** The faults in force. */
export class Faults {
	#active: ActiveFault[] = [];
	#nextId = 1;
	#random = new Random(SEED);

	add(rule: FaultRule): ActiveFault {
		const id = this.#nextId++;
		const active: ActiveFault = { id, rule, seen: 0, hits: 0, remove: () => this.remove(id) };
		this.#active.push(active);
		return active;
	}

	list(): readonly ActiveFault[] {
		return this.#active;
	}

	remove(id: number): void {
		this.#active = this.#active.filter((active) => active.id !== id);
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
		const { skip = 0, every = 1, times = Infinity, probability = 1 } = active.rule;
		active.seen += 1;
		const position = active.seen - skip;
		if (position < 1 || position % every !== 0 || active.hits >= times) return false;
		if (probability < 1 && this.#random.next() >= probability) return false;
		active.hits += 1;
		return true;
	}
}

function matches({ match = {} }: FaultRule, target: FaultTarget): boolean {
	const { path, endpoint } = match;
	if (endpoint !== undefined && endpoint !== target.endpoint) return false;
	if (path === undefined) return true;
	return typeof path === 'string' ? target.path.startsWith(path) : path.test(target.path);
}
