import { MAX_CONCURRENCY } from '../utils/mapConcurrent';
import { nextTurn } from '../utils/turns';
import { callAfter, monotonicNow, pause, raceAbort } from './waits';

/** How many paced requests may be under way. */
export const MAX_PACED = 4;

/** After this many milliseconds without a request, a refusal is the first of a new wait: limits are by the minute. */
const SILENCE_MS = 120_000;

/** The pause after a refusal that names none: it doubles with each one. */
const MIN_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 2_500;

/** What an attempt tells of the limit; a refusal, how long to wait. */
export type LimitFeedback = 'accepted' | 'not sent' | { retryAfterMs?: number };

export interface WaitOptions {
	/**
	 * How long to wait, in milliseconds, while nothing is accepted; all requests of the limiter wait this long
	 * together. After that, and always with 0, a request is sent at once, and not again.
	 */
	maxWaitMs: number;
	/** Aborts the wait; the attempt must check the signal itself. */
	signal?: AbortSignal;
	/** How long a request is under way alone, in milliseconds: after that, the next one does not wait for its end. */
	intervalMs?: number;
}

/**
 * Keeps requests within a rate limit that is known only by its refusals (429): a refused request costs nothing.
 *
 * Requests are sent at once until one is refused. Then all wait for as long as the service asks, else for a backoff with
 * jitter; one probes, and with each one that is accepted one more may be under way, so that they double with each round
 * trip. A request that hangs holds its slot until it ends: whoever sends it has to set a timeout.
 */
export class RateLimiter {
	/** How many requests may be under way. */
	private slots = MAX_CONCURRENCY;

	private inFlight = 0;

	private waiting: Array<() => void> = [];

	/** The request that is under way alone. */
	private alone?: object;

	private availableAt = -Infinity;

	/** Refusals since a request was accepted. */
	private refusals = 0;

	/** When a request was accepted last, or the first one refused after that. */
	private waitingSince = 0;

	/** Makes an attempt, and again after each refusal. @returns its result: a refusal if the wait is over */
	async run<T>(
		attempt: () => Promise<T>,
		feedbackIn: (result: T) => LimitFeedback,
		options: WaitOptions,
	): Promise<T> {
		for (;;) {
			const onEnd = await this.acquire(options);
			try {
				const result = await attempt();
				const feedback = feedbackIn(result);
				const isRefused = typeof feedback === 'object';
				// Too long a wait is ignored: other requests are paced as before.
				if (isRefused && (feedback.retryAfterMs ?? 0) >= options.maxWaitMs) return result;
				if (isRefused) this.onRefused(feedback.retryAfterMs);
				else if (feedback === 'accepted') this.onAccepted();
				if (!isRefused || this.isOver(options)) return result;
			} finally {
				this.inFlight -= 1;
				onEnd();
			}
		}
	}

	/** Begins the time in which a request is under way alone. @returns what is to be called when the request has ended */
	private begin({ intervalMs }: WaitOptions): () => void {
		const request = {};
		const end = () => {
			if (this.alone === request) this.alone = undefined;
			// All check again, in the order in which they came.
			for (const wake of this.waiting.splice(0)) wake();
		};
		if (intervalMs === undefined) return end;
		this.alone = request;
		const stopTimer = callAfter(intervalMs, end);
		return () => {
			stopTimer();
			// A turn later, its sender has seen what came of it, and may not want the next one any more.
			void nextTurn().then(end);
		};
	}

	/** Waits until a request may begin. @returns what is to be called when it has ended */
	private async acquire(options: WaitOptions): Promise<() => void> {
		const { signal, intervalMs } = options;
		const most = intervalMs === undefined ? MAX_CONCURRENCY : MAX_PACED;
		while (!this.isOver(options) && !signal?.aborted) {
			const waitMs = this.availableAt - monotonicNow();
			if (waitMs > 0) await pause(Math.ceil(waitMs), signal);
			else if (this.inFlight < Math.min(this.slots, most) && !this.alone) break;
			else await raceAbort(new Promise<void>((wake) => this.waiting.push(wake)), signal);
		}
		this.inFlight += 1;
		return this.begin(options);
	}

	/** Whether nothing is accepted for longer than a request may wait. */
	private isOver({ maxWaitMs }: WaitOptions): boolean {
		return maxWaitMs === 0 || this.availableAt - this.waitingSince >= maxWaitMs;
	}

	private onAccepted(): void {
		this.waitingSince = monotonicNow();
		this.refusals = 0;
		this.slots = Math.min(this.slots + 1, MAX_CONCURRENCY);
	}

	private onRefused(retryAfterMs = 0): void {
		if (this.refusals === 0 || monotonicNow() > this.availableAt + SILENCE_MS)
			this.waitingSince = monotonicNow();
		const backoffMs = Math.min(MIN_BACKOFF_MS * 2 ** this.refusals, MAX_BACKOFF_MS);
		// Jitter, so that processes which share a key do not march in step.
		const pauseMs = retryAfterMs || backoffMs * (1 - Math.random() / 4);
		this.availableAt = Math.max(this.availableAt, monotonicNow() + pauseMs);
		this.refusals += 1;
		this.slots = 1;
	}
}
