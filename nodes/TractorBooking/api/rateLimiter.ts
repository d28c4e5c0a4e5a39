import { createHmac, randomBytes } from 'node:crypto';

import { rateLimited } from './responses';
import type { Endpoint } from './types';
import { ServiceError } from './errors';
import { MAX_CONCURRENCY } from '../utils/mapConcurrent';
import { raceAbort, WAIT_CANCELLED, pause } from './abort';

/** All limits of the interface are counted by the minute ("Limits"). */
const MINUTE_MS = 60_000;

/** Pauses where the service does not say how long to wait: the shortest, and the longest. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;

/** Where requests go one by one and one hangs, the next goes when nothing was sent for so long. */
const LONGEST_SILENCE_MS = 10_000;

/** A refusal after fewer requests than these came too soon: the pause was too short. */
const FEW = 4;

/** How much of a place each request that passes gives back, after a refusal has halved their number. */
const RECOVERY = 1 / 32;

/** After so many refusals in a row, about two minutes of them, the lane is silent for a whole minute. */
const MANY_IN_VAIN = 24;

/** Credentials whose limits are remembered; the one that was idle longest is forgotten first. */
const MOST_CREDENTIALS = 200;

/** How a request may be held back. */
export interface Holding {
	endpoint: Endpoint;
	/**
	 * How long to wait, in milliseconds, while the service lets nothing through. 0 for not at all: then the
	 * service itself is asked, whatever is known of it.
	 */
	patienceMs: number;
	/** Requests to this endpoint in any 60 seconds, where the user sets a limit. */
	perMinute?: number;
	/** Aborted when the execution is stopped: then nothing is held back any more. */
	signal?: AbortSignal;
}

/** Monotonic, so that a clock that is set cannot keep a lane closed. */
function now(): number {
	return performance.now();
}

/** Whether the service answered, with whatever status, so that the request got past its rate limit. */
function hasPassed(answer: unknown): boolean {
	return !(answer instanceof ServiceError) || answer.status !== undefined;
}

/**
 * The requests to one endpoint with one credential, shared by all nodes of the process.
 *
 * The service is the authority on its limit: requests are sent at once until it refuses one (429), which
 * costs nothing, since a refused request is not processed. Then the lane is closed for as long as the
 * service asks (`Retry-After`), or for a pause that doubles while it keeps refusing. One request tries
 * whether it is open again; the others follow it, several at a time. Where the next refusal is
 * expected they go one by one, so that the limit is found with one refused request.
 */
export class Lane {
	private underWay = 0;

	private underWayInBurst = 0;

	/** Those who wait until another request is over, the first one in front. */
	private readonly waiting = new Set<() => void>();

	/** Instants at which the requests of the last minute were sent, oldest first. */
	private readonly sent: number[] = [];

	private closedUntil = 0;

	/** Counts the times that the lane was closed; requests between two of them are a burst. */
	private burst = 0;

	/** Requests of this burst that the service let through. */
	private passed = 0;

	/** How many it lets through in a burst, as far as is known. */
	private expected: number;

	private lastPassed = 0;

	/** Refusals since something passed, counted anew after each minute of silence. */
	private inVain = 0;

	/** Whether the last refusal made the pause longer. */
	private isLonger = false;

	/** How many may be under way: fewer after a refusal, since the limit may be one on simultaneous requests. */
	private atOnce = MAX_CONCURRENCY;

	private lastRefused = -Infinity;

	/** Since when all was refused, without a long silence on our side. */
	private refusedSince = Infinity;

	/** The pause after a refusal, in milliseconds, where the service does not ask for a longer one. */
	private pauseMs = 0;

	/** @param perMinute the limit that the interface states, a first guess */
	constructor(perMinute = Infinity) {
		this.expected = perMinute;
	}

	/**
	 * Sends a request when its turn has come, and again after each refusal.
	 *
	 * @param attempt sends it once; a failure is returned, not thrown
	 * @returns the answer, or a ServiceError (`rateLimited`, returned, not thrown) once the service has let
	 * nothing through for longer than the patience, or says that it will not
	 */
	async send(attempt: () => Promise<unknown>, holding: Holding): Promise<unknown> {
		const since = now();
		for (;;) {
			const burst = await this.turn(holding, since);
			if (burst === undefined) {
				return rateLimited(holding.endpoint, Math.max(this.closedUntil - now(), 0));
			}
			const answer = await this.follow(attempt, burst);
			const isRefusal = answer instanceof ServiceError && answer.kind === 'rateLimited';
			if (!isRefusal || this.isHopeless(holding, since)) return answer;
		}
	}

	/** Takes a place among the requests under way, and tells the burst that it belongs to. */
	private enter(): number {
		this.underWay += 1;
		this.underWayInBurst += 1;
		const minuteAgo = now() - MINUTE_MS;
		while ((this.sent[0] ?? Infinity) <= minuteAgo) this.sent.shift();
		this.sent.push(now());
		return this.burst;
	}

	/** Sends one request and learns from its answer. */
	private async follow(attempt: () => Promise<unknown>, burst: number): Promise<unknown> {
		try {
			const answer = await attempt();
			this.learn(answer, burst);
			return answer;
		} finally {
			this.underWay -= 1;
			if (burst === this.burst) this.underWayInBurst -= 1;
			this.wakeNext();
		}
	}

	private learn(answer: unknown, burst: number): void {
		// What was not sent after all counts for no limit; its instant is the last one, or as good as that.
		if (answer instanceof ServiceError && answer.kind === 'stopped') this.sent.pop();
		if (answer instanceof ServiceError && answer.kind === 'rateLimited') {
			// After a long silence nobody knows whether it would have refused.
			const lastKnown = Math.max(this.lastRefused, this.closedUntil) + 2 * MINUTE_MS;
			if (this.lastPassed > this.lastRefused || now() > lastKnown) this.refusedSince = now();
			this.lastRefused = now();
			this.close(answer.retryAfterMs, burst);
		} else if (hasPassed(answer)) {
			this.lastPassed = now();
			if (burst !== this.burst) return;
			this.passed += 1;
			this.atOnce = Math.min(this.atOnce + RECOVERY, MAX_CONCURRENCY);
			this.closedUntil = 0;
		}
	}

	/** Closes the lane after a refusal. What is refused of a burst that is over already is no news. */
	private close(retryAfterMs: number | undefined, burst: number): void {
		if (burst === this.burst) {
			this.adapt();
			this.passed = 0;
			this.burst += 1;
			this.underWayInBurst = 0;
			this.closedUntil = Math.max(this.closedUntil, now() + this.nextPause(retryAfterMs));
		} else if (retryAfterMs !== undefined) {
			this.closedUntil = Math.max(this.closedUntil, now() + retryAfterMs);
		}
	}

	/** Draws the conclusions from a burst that ended with a refusal. */
	private adapt(): void {
		this.inVain = this.passed > 0 ? 0 : (this.inVain + 1) % MANY_IN_VAIN;
		if (this.underWay > 1) this.atOnce = Math.max(this.atOnce / 2, 1);
		// A longer pause that let no more through than a shorter one is no use.
		const isNoUse = this.isLonger && this.passed > 0 && this.passed <= this.expected;
		this.isLonger = this.passed < FEW && !isNoUse;
		const pauseMs = this.isLonger ? this.pauseMs * 2 : this.pauseMs / 2;
		this.pauseMs = Math.min(Math.max(pauseMs, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
		if (this.passed > 0) this.expected = this.passed;
	}

	private nextPause(retryAfterMs: number | undefined): number {
		// Some services count refused requests too.
		if (this.inVain === MANY_IN_VAIN - 1) return Math.max(retryAfterMs ?? 0, MINUTE_MS);
		// Up to a quarter shorter by chance, so that processes which share a key do not march in step.
		const backOffMs = this.pauseMs * (1 - Math.random() / 4);
		if (retryAfterMs === undefined) return backOffMs;
		// The service knows best, unless what it says leads to one refusal after the other.
		return this.pauseMs > FIRST_PAUSE_MS ? Math.max(retryAfterMs, backOffMs) : retryAfterMs;
	}

	/** Waits until a request may be sent, and enters it; undefined where that is not worth waiting for. */
	private async turn(holding: Holding, since: number): Promise<number | undefined> {
		const { patienceMs, signal } = holding;
		while (patienceMs > 0 && !signal?.aborted) {
			const isHopeless = this.isHopeless(holding, since);
			if (isHopeless && now() - this.lastRefused < LONGEST_PAUSE_MS) {
				this.wakeNext();
				return undefined;
			}
			// Now and then somebody asks all the same, since the service may have changed its mind.
			const waitMs = isHopeless ? 0 : this.opensAt(holding) - now();
			if (waitMs > 0) {
				this.wakeNext();
				await pause(Math.ceil(waitMs), signal);
			} else if (this.hasRoom) break;
			else await this.woken(signal);
		}
		const burst = this.enter();
		if (this.hasRoom) this.wakeNext();
		return burst;
	}

	/** Waits to be woken. Whoever is stopped leaves the line, or would be woken in another's place. */
	private async woken(signal: AbortSignal | undefined): Promise<void> {
		const sleep = new AbortController();
		const wake = () => sleep.abort(WAIT_CANCELLED);
		this.waiting.add(wake);
		// A request that hangs wakes nobody; where all places are taken, somebody will be woken by the others.
		const isWoken =
			this.underWay < MAX_CONCURRENCY
				? pause(Math.ceil(LONGEST_SILENCE_MS - this.silenceMs), sleep.signal)
				: raceAbort(new Promise(() => undefined), sleep.signal);
		await raceAbort(isWoken, signal);
		wake();
		this.waiting.delete(wake);
	}

	/**
	 * Lets the one who waits longest look whether its turn has come. Whoever was woken and does not take the last
	 * place wakes the next one, so that none is left to wait while there is room.
	 */
	private wakeNext(): void {
		const [wake] = this.waiting;
		if (wake === undefined) return;
		this.waiting.delete(wake);
		wake();
	}

	/** Instant from which the service and the user's own limit allow a request. */
	private opensAt({ perMinute }: Holding): number {
		const freesAPlace = perMinute === undefined ? undefined : this.sent.at(-perMinute);
		return Math.max(this.closedUntil, (freesAPlace ?? -MINUTE_MS) + MINUTE_MS);
	}

	/** For how long nothing was sent. */
	private get silenceMs(): number {
		return now() - (this.sent.at(-1) ?? 0);
	}

	/** Whether one more may go; now and then one does although those that the burst allows hang. */
	private get hasRoom(): boolean {
		const isStill = this.silenceMs >= LONGEST_SILENCE_MS;
		return (
			this.underWay < MAX_CONCURRENCY && (isStill || this.underWayInBurst < this.atOnceInBurst)
		);
	}

	/** How many of this burst may be under way; requests of an earlier one that hang do not count. */
	private get atOnceInBurst(): number {
		const isReopening = this.burst > 0 && this.passed === 0;
		if (isReopening) return 1;
		if (this.passed + this.underWayInBurst < this.expected) return Math.floor(this.atOnce);
		// Each two that pass show anew that the limit is higher than expected.
		return Math.min(1 + Math.max(this.passed - this.expected, 0) / 2, Math.floor(this.atOnce));
	}

	/** Whether the service lets nothing through for longer than a request may wait. */
	private isHopeless({ patienceMs }: Holding, since: number): boolean {
		const waitsSince = Math.max(this.lastPassed, Math.min(since, this.refusedSince));
		return this.closedUntil - waitsSince > patienceMs;
	}
}

/** What all nodes of this process share that use one credential at one base URL. */
export class Pacing {
	/** By the name of the endpoint. */
	private readonly lanes = new Map<string, Lane>();

	private lastTurn: Promise<void> = Promise.resolve();

	laneTo({ name, perMinute }: Endpoint): Lane {
		const lane = this.lanes.get(name) ?? new Lane(perMinute);
		this.lanes.set(name, lane);
		return lane;
	}

	/**
	 * Does one work after the other, in the order in which they come, so that each one finds what those
	 * before it did. A stopped execution waits no longer: what it sends is refused by its client.
	 */
	async inTurn<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
		const before = this.lastTurn;
		const turn = raceAbort(before, signal).then(work);
		// What the work gives is not kept.
		const over = async () => await before;
		this.lastTurn = turn.then(over, over);
		return await turn;
	}
}

/** Makes the marks of keys worthless outside this process. */
const SALT = randomBytes(32);

const pacings = new Map<string, Pacing>();

/**
 * The pacing of all nodes of this process that use a key at a base URL. It goes by the key itself, as
 * the service does: two credentials with one key share its limits. The key is not kept, only a mark of it.
 *
 * @param baseAddress as `parseBaseUrl` gives it
 */
export function pacingOf(baseAddress: string, key: string): Pacing {
	const mark = createHmac('sha256', SALT).update(`${baseAddress}\n${key}`).digest('base64');
	const pacing = pacings.get(mark) ?? new Pacing();
	// Set anew, so that the map runs from the one that was idle longest to the one used last.
	pacings.delete(mark);
	pacings.set(mark, pacing);
	const [oldest] = pacings.keys();
	if (pacings.size > MOST_CREDENTIALS && oldest !== undefined) pacings.delete(oldest);
	return pacing;
}
