import { Type, type Static, type TProperties } from '@sinclair/typebox';
import { Random, SEED } from './random.cts';
import type { LoggedRequest } from './requestLog.cts';
import { ENDPOINTS, type Endpoint } from './settings.cts';

function ofKind<Kind extends string, Properties extends TProperties>(
	kind: Kind,
	properties: Properties,
) {
	return Type.Object({ kind: Type.Literal(kind), ...properties });
}

const status = Type.Optional(Type.Integer());

/** What can go wrong with a request. */
const FaultSchema = Type.Union([
	/** Waits before processing. */
	ofKind('latency', { ms: Type.Number({ minimum: 0 }) }),
	/** Not processed, answered with this status; the body is JSON unless it is a text. */
	ofKind('status', {
		status: Type.Integer({ minimum: 200, maximum: 599 }),
		body: Type.Optional(Type.Unknown()),
		headers: Type.Optional(Type.Record(Type.String(), Type.String())),
	}),
	/** Not processed, the connection is reset. */
	ofKind('reset', {}),
	/** Not processed, never answered. */
	ofKind('hang', {}),
	/** Not processed, a page instead of JSON. */
	ofKind('html', { status }),
	/** Not processed, an empty body. */
	ofKind('empty', { status }),
	/** Not processed, sent elsewhere. */
	ofKind('redirect', { location: Type.String(), status }),
	/** Not processed, 429; without `Retry-After` unless one is given. */
	ofKind('rateLimited', { retryAfter: Type.Optional(Type.String()) }),
	/** Processed, but the caller gets a closed connection (default), a gateway's error, or nothing at all. */
	ofKind('lostAnswer', {
		how: Type.Optional(
			Type.Unsafe<'close' | 'hang' | 502 | 504>({ enum: ['close', 'hang', 502, 504] }),
		),
	}),
	/** Processed, but the connection breaks in the middle of the body. */
	ofKind('truncated', {}),
]);

export type Fault = Static<typeof FaultSchema>;

/** Faults that strike after the request was processed with success. */
const AFTER: ReadonlySet<Fault['kind']> = new Set(['lostAnswer', 'truncated']);

const count = (minimum: number) => Type.Optional(Type.Integer({ minimum }));

/** Which requests a fault strikes, and how often, as JSON. */
export const FaultRuleSchema = Type.Object(
	{
		/** A name by which a list of faults can be read. */
		label: Type.Optional(Type.String()),
		/** All of them unless narrowed; a text matches the beginning of the path. */
		match: Type.Optional(
			Type.Object(
				{
					path: Type.Optional(Type.String()),
					endpoint: Type.Optional(Type.Unsafe<Endpoint>({ enum: ENDPOINTS })),
				},
				{ additionalProperties: false },
			),
		),
		/** Leaves the first so many matching requests alone. */
		skip: count(0),
		/** Strikes each so-manieth of the following ones (default 1). */
		every: count(1),
		/** Strikes at most so often (default without end). */
		times: count(0),
		/** Strikes with this probability (0 to 1), the same at each start. */
		probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
		fault: FaultSchema,
	},
	{ additionalProperties: false },
);

/** The same, whose path may be a pattern. */
export type FaultRule = Omit<Static<typeof FaultRuleSchema>, 'match'> & {
	match?: { path?: string | RegExp; endpoint?: Endpoint };
};

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
type FaultTarget = Pick<LoggedRequest, 'path' | 'endpoint'>;

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
