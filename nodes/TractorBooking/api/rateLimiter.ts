import { createHmac, randomBytes } from 'node:crypto';

import { MAX_CONCURRENCY } from '../utils/mapConcurrent';
import { Mutex, now, pause, raceAbort } from './waits';

/** Limits are counted by the minute (interface, "Limits"). */
const MINUTE_MS = 60_000;

/** The pause after a refusal that names none: it doubles with each one. */
const MIN_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 4_000;

export type LimitFeedback =
	| { kind: 'accepted' }
	/** Refused for its rate; `retryAfterMs` if the service says how long to wait. */
	| { kind: 'refused'; retryAfterMs?: number }
	/** Whether it was sent, and let pass, is unknown. */
	| { kind: 'unknown' };

export interface WaitOptions {
	/**
	 * How long to wait, in milliseconds, while nothing is accepted; all requests of the limiter wait this long
	 * together. 0 sends at once, whatever is known of the limit, and never again.
	 */
	maxWaitMs: number;
	perMinute?: number;
	/** Ends the wait if it is aborted; the attempt has to check the signal itself. */
	signal?: AbortSignal;
}

/** Given instead of a result if the wait is over, and nothing was sent. */
export class GaveUp {
	/** @param retryAfterMs how long the service asks to wait; undefined if it does not say so */
	constructor(readonly retryAfterMs?: number) {}
}

/**
 * Keeps requests within a rate limit that is known only by its refusals (429): a refused request costs nothing.
 *
 * Requests are sent at once until one is refused. Then all wait for as long as the service asks, else for a backoff with
 * jitter; one probes, and with each one that is accepted one more may be under way, so that they double with each round
 * trip. A request that hangs holds its slot until it ends: whoever sends it has to set a timeout.
 */
export class RateLimiter {
	/** Requests that may be under way, and that are. */
	private slots = MAX_CONCURRENCY;

	private inFlight = 0;

	/** The requests from one refusal to the next are a window: its number. */
	private window = 0;

	private waiting: Array<() => void> = [];

	/** When the requests of the last minute were sent, oldest first. */
	private readonly sentAt: number[] = [];

	/** From when on requests may be sent. */
	private availableAt = 0;

	/** Until when the service has asked to wait. */
	private askedUntil = 0;

	/** Refusals since a request was accepted. */
	private refusals = 0;

	private lastRefusedAt = -Infinity;

	/** When a request was accepted last, or the first one refused after that. */
	private waitingSince = 0;

	/**
	 * Runs a request when it may be sent, and again after each refusal.
	 *
	 * @param attempt sends it once
	 * @param feedbackFrom what its result says about the limit
	 * @returns the result, a refusal if the wait is over with it, or `GaveUp`
	 * @throws what the attempt throws
	 */
	async run<T>(
		attempt: () => Promise<T>,
		feedbackFrom: (result: T) => LimitFeedback,
		options: WaitOptions,
	): Promise<T | GaveUp> {
		for (;;) {
			const window = await this.acquire(options);
			if (window === undefined)
				return new GaveUp(this.askedUntil > now() ? this.askedUntil - now() : undefined);
			try {
				const result = await attempt();
				const feedback = feedbackFrom(result);
				if (feedback.kind === 'accepted') this.onAccepted(window);
				if (feedback.kind === 'refused') this.onRefused(feedback.retryAfterMs);
				if (feedback.kind !== 'refused' || this.isOver(options)) return result;
			} finally {
				this.inFlight -= 1;
				// All check again, in the order in which they came.
				for (const wake of this.waiting.splice(0)) wake();
			}
		}
	}

	/** Waits until a request may be sent, and takes a slot; undefined if that is not worth waiting for. */
	private async acquire(options: WaitOptions): Promise<number | undefined> {
		const { maxWaitMs, perMinute, signal } = options;
		while (maxWaitMs > 0 && !signal?.aborted) {
			const isOver = this.isOver(options);
			// Now and then one is sent all the same: the service may have changed its mind.
			if (isOver && now() - this.lastRefusedAt < MAX_BACKOFF_MS) return undefined;
			const oldest = (perMinute && this.sentAt.at(-perMinute)) ?? -MINUTE_MS;
			const waitMs = isOver ? 0 : Math.max(this.availableAt, oldest + MINUTE_MS) - now();
			const hasSlot = this.inFlight < this.slots;
			if (waitMs > 0) await pause(Math.ceil(waitMs), signal);
			else if (hasSlot) break;
			else await raceAbort(new Promise<void>((wake) => this.waiting.push(wake)), signal);
		}
		const minuteAgo = now() - MINUTE_MS;
		while ((this.sentAt[0] ?? Infinity) <= minuteAgo) this.sentAt.shift();
		this.sentAt.push(now());
		this.inFlight += 1;
		return this.window;
	}

	/** Whether nothing is accepted for longer than a request may wait. */
	private isOver({ maxWaitMs }: WaitOptions): boolean {
		return this.availableAt - this.waitingSince >= maxWaitMs;
	}

	private onAccepted(window: number): void {
		this.waitingSince = now();
		if (window !== this.window) return;
		this.availableAt = 0;
		this.refusals = 0;
		this.slots = Math.min(this.slots + 1, MAX_CONCURRENCY);
	}

	private onRefused(retryAfterMs = 0): void {
		// After a long silence, the service may have changed its mind.
		const lastKnown = Math.max(this.lastRefusedAt, this.availableAt) + 2 * MINUTE_MS;
		if (this.refusals === 0 || now() > lastKnown) this.waitingSince = now();
		this.lastRefusedAt = now();
		const backoffMs = Math.min(MIN_BACKOFF_MS * 2 ** this.refusals, MAX_BACKOFF_MS);
		// Jitter, so that processes which share a key do not march in step.
		const pauseMs = retryAfterMs || backoffMs * (1 - Math.random() / 4);
		this.availableAt = Math.max(this.availableAt, now() + pauseMs);
		this.askedUntil = Math.max(this.askedUntil, now() + retryAfterMs);
		this.refusals += 1;
		this.window += 1;
		this.slots = 1;
	}
}

/** How many keys have their limits remembered; the one that was idle longest is forgotten first. */
const MAX_KEYS = 200;

/** What all nodes of this process share that use one key at one base URL. */
export class Limits {
	/** For creations: each execution must find among the bookings what those before it booked. */
	readonly creations = new Mutex();

	private readonly limiters = new Map<string, RateLimiter>();

	/** @param name of the endpoint; each has a limit of its own (interface, "Limits") */
	limiterFor(name: string): RateLimiter {
		const limiter = this.limiters.get(name) ?? new RateLimiter();
		this.limiters.set(name, limiter);
		return limiter;
	}
}

/** Makes the marks of keys worthless outside this process. */
const SALT = randomBytes(32);

const limitsByMark = new Map<string, Limits>();

/** Forgets all keys, as if the process had just begun; for tests. */
export function forgetKeys(): void {
	limitsByMark.clear();
}

/**
 * The limits of a key at a base URL. They go by the key itself, as the service does: two credentials with one key
 * share them. The key is not kept, only a mark of it.
 *
 * @param baseUrl as `parseBaseUrl` gives it
 */
export function limitsFor(baseUrl: string, key: string): Limits {
	const mark = createHmac('sha256', SALT).update(`${baseUrl}\n${key}`).digest('base64');
	const limits = limitsByMark.get(mark) ?? new Limits();
	// Set again, so that the map runs from the key that was idle longest to the one used last.
	limitsByMark.delete(mark);
	limitsByMark.set(mark, limits);
	const [oldest] = limitsByMark.keys();
	if (limitsByMark.size > MAX_KEYS && oldest !== undefined) limitsByMark.delete(oldest);
	return limits;
}
