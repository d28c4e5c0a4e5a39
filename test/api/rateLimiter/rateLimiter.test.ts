import { rateLimited } from '../../../nodes/TractorBooking/api/responses';
import { ServiceError } from '../../../nodes/TractorBooking/api/errors';
import type { Holding } from '../../../nodes/TractorBooking/api/rateLimiter';
import { Lane, pacingOf } from '../../../nodes/TractorBooking/api/rateLimiter';
import { collectGarbage } from '../../support/garbage';
import type { Limiter } from './limiters';
import { fixed, sliding, tokenBucket } from './limiters';

// Time is simulated here, so that minutes pass at once and durations are exact.
const LATENCY_MS = 100;
const HOUR_MS = 3_600_000;

const endpoint = { name: 'create', purpose: 'create the booking', perMinute: 50 };
const EXECUTION_POLICY: Holding = { endpoint, patienceMs: 900_000 };

type RetryAfter = 'seconds' | 'absent';

/** A service behind a limiter, and what became of the requests to it. */
class Service {
	passed = 0;
	refused = 0;
	underWay = 0;
	peak = 0;
	lastPassed = 0;

	constructor(
		private readonly limiter: Limiter,
		private readonly retryAfter: RetryAfter,
		private readonly latencyMs = LATENCY_MS,
	) {}

	readonly attempt = async (): Promise<unknown> => {
		this.underWay += 1;
		this.peak = Math.max(this.peak, this.underWay);
		await latency(this.latencyMs);
		const waitMs = this.limiter.take();
		await latency(this.latencyMs);
		this.underWay -= 1;
		if (waitMs === undefined) {
			this.passed += 1;
			this.lastPassed = performance.now();
			return { bookingID: this.passed };
		}
		this.refused += 1;
		const seconds = Math.ceil(waitMs / 1_000) * 1_000;
		return rateLimited(endpoint, this.retryAfter === 'seconds' ? seconds : undefined);
	};
}

async function latency(ms = LATENCY_MS): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, (ms / 2) * (0.8 + 0.4 * random())));
}

/** A request whose answer never comes. */
async function hang(): Promise<unknown> {
	return await new Promise(() => undefined);
}

let seed = 1;
function random(): number {
	seed = (seed * 48_271) % 2_147_483_647;
	return seed / 2_147_483_647;
}

/** Sends so many requests, so many at a time; returns the failures. */
async function sendAll(
	lane: Lane,
	service: Service,
	{
		requests,
		atOnce,
		holding = EXECUTION_POLICY,
	}: { requests: number; atOnce: number; holding?: Holding },
): Promise<ServiceError[]> {
	const failures: ServiceError[] = [];
	let left = requests;
	async function worker() {
		while (left > 0) {
			left -= 1;
			const answer = await lane.send(service.attempt, holding);
			if (answer instanceof ServiceError) failures.push(answer);
		}
	}
	await Promise.all(Array.from({ length: atOnce }, worker));
	return failures;
}

/** Lets simulated time pass until the work is done. */
async function done<T>(work: Promise<T>, longestMs = 2 * HOUR_MS): Promise<T> {
	let isDone = false;
	void work.finally(() => (isDone = true));
	const start = performance.now();
	while (!isDone && performance.now() - start < longestMs) await jest.advanceTimersByTimeAsync(100);
	if (!isDone) throw new Error('Not done in time');
	return await work;
}

beforeEach(() => {
	jest.useFakeTimers();
	seed = 1;
	jest.spyOn(Math, 'random').mockImplementation(random);
});

afterEach(() => {
	jest.restoreAllMocks();
	jest.useRealTimers();
});

describe.each([
	['a sliding window', sliding],
	['a fixed window', fixed],
	['a token bucket', tokenBucket],
])('500 requests under %s of 50 a minute', (_kind, limiterOf) => {
	describe.each<RetryAfter>(['seconds', 'absent'])('with Retry-After %s', (retryAfter) => {
		it.each([1, 8])('all pass, %i at a time, as early as the limit allows', async (atOnce) => {
			const limiter = limiterOf(50);
			const service = new Service(limiter, retryAfter);
			const failures = await done(sendAll(new Lane(50), service, { requests: 500, atOnce }));

			expect(failures).toEqual([]);
			expect(service.passed).toBe(500);
			expect(service.peak).toBe(atOnce);
			expect(service.lastPassed / limiter.dictated(500)).toBeLessThan(1.1);
			// Less than one refusal to each request that passes, and less than one in two seconds.
			expect(service.refused).toBeLessThan(350);
		});

		it.each([3, 10])('all pass to %i processes that share nothing', async (processes) => {
			const limiter = limiterOf(50);
			const service = new Service(limiter, retryAfter);
			const requests = 50 * processes;
			const outcomes = Array.from(
				{ length: processes },
				async () => await sendAll(new Lane(50), service, { requests, atOnce: 1 }),
			);
			const failures = (await done(Promise.all(outcomes))).flat();

			expect(failures).toEqual([]);
			expect(service.passed).toBe(requests * processes);
			expect(service.lastPassed / limiter.dictated(requests * processes)).toBeLessThan(1.1);
		});
	});
});

it('is not slower than a service that allows more than the documented limit', async () => {
	const service = new Service({ take: () => undefined, dictated: () => 0 }, 'absent');
	await done(sendAll(new Lane(50), service, { requests: 500, atOnce: 8 }));
	expect(service.refused).toBe(0);
	expect(service.lastPassed).toBeLessThan(1.15 * (500 / 8) * LATENCY_MS);
});

it('finds a limit that it knows with one refused request a window, however many are sent at once', async () => {
	const service = new Service(sliding(50), 'seconds');
	await done(sendAll(new Lane(50), service, { requests: 400, atOnce: 8 }));
	expect(service.refused).toBeLessThanOrEqual(8);
});

it('finds a limit that is not documented, and knows it from then on', async () => {
	const service = new Service(sliding(35), 'seconds');
	await done(sendAll(new Lane(), service, { requests: 350, atOnce: 8 }));
	expect(service.refused).toBeLessThanOrEqual(8 + 9);
});

it('sends at once again when the service no longer refuses', async () => {
	let limiter = sliding(5);
	const service = new Service({ take: () => limiter.take(), dictated: () => 0 }, 'absent');
	const lane = new Lane();
	await done(sendAll(lane, service, { requests: 20, atOnce: 8 }));
	limiter = sliding(Infinity);
	const start = performance.now();
	await done(sendAll(lane, service, { requests: 400, atOnce: 8 }));
	expect(service.lastPassed - start).toBeLessThan(1.3 * (400 / 8) * LATENCY_MS);
});

it('does not wait for a request that hangs to try again after a refusal', async () => {
	const service = new Service(sliding(5), 'seconds');
	const lane = new Lane();
	void lane.send(hang, EXECUTION_POLICY);
	await done(sendAll(lane, service, { requests: 20, atOnce: 4 }));
	expect(service.passed).toBe(20);
	expect(performance.now()).toBeLessThan(200_000);
});

it('does not wait for a request that hangs where the limit is expected', async () => {
	const service = new Service(sliding(Infinity), 'absent');
	const lane = new Lane(5);
	await done(sendAll(lane, service, { requests: 4, atOnce: 1 }));
	void lane.send(hang, EXECUTION_POLICY);
	await done(sendAll(lane, service, { requests: 100, atOnce: 8 }));
	expect(service.passed).toBe(104);
	expect(performance.now()).toBeLessThan(30_000);
	expect(jest.getTimerCount()).toBe(0);
});

it('does not wait for a request that hangs to be open again', async () => {
	const service = new Service(sliding(5), 'seconds');
	const lane = new Lane();
	await done(sendAll(lane, service, { requests: 5, atOnce: 1 }));
	const start = performance.now();
	let hasHung = false;
	const attempt = async () => {
		if (hasHung || performance.now() - start < 30_000) return await service.attempt();
		hasHung = true;
		return await hang();
	};
	for (let request = 0; request < 6; request++) void lane.send(attempt, EXECUTION_POLICY);
	await jest.advanceTimersByTimeAsync(start + 90_000 - performance.now());
	expect(hasHung).toBe(true);
	expect(service.passed).toBe(10);
	expect(service.peak).toBeLessThanOrEqual(8);
	expect(jest.getTimerCount()).toBe(0);
});

it.each<RetryAfter>(['seconds', 'absent'])(
	'does not take slow answers for requests that hang, with Retry-After %s',
	async (retryAfter) => {
		const slowMs = 6_000;
		const limiter = sliding(50);
		const service = new Service(limiter, retryAfter, slowMs);
		await done(sendAll(new Lane(50), service, { requests: 500, atOnce: 24 }));
		const lastBurstMs = (50 / 8) * slowMs;
		expect(service.lastPassed).toBeLessThan(1.15 * (limiter.dictated(500) + lastBurstMs));
		expect(service.refused).toBeLessThan(60);
	},
);

describe('limits of other kinds', () => {
	it.each<[RetryAfter, number, number]>([
		['absent', 1, 2],
		['seconds', 1, 2],
		['absent', 8, 3],
		['seconds', 8, 3],
	])(
		'a bucket that holds one, with Retry-After %s, %i at a time',
		async (retryAfter, atOnce, times) => {
			const limiter = tokenBucket(60, 60_000, 1);
			const service = new Service(limiter, retryAfter);
			expect(await done(sendAll(new Lane(60), service, { requests: 200, atOnce }))).toEqual([]);
			expect(service.lastPassed / limiter.dictated(200)).toBeLessThan(times);
		},
	);

	it.each<RetryAfter>(['seconds', 'absent'])(
		'three at the same time, with Retry-After %s: fewer are sent at once',
		async (retryAfter) => {
			const limiter: Limiter = {
				take: () => (service.underWay > 3 ? 1 : undefined),
				dictated: (requests) => (requests / 3) * LATENCY_MS,
			};
			const service: Service = new Service(limiter, retryAfter);
			const requests = 1_000;
			expect(await done(sendAll(new Lane(), service, { requests, atOnce: 8 }))).toEqual([]);
			expect(service.refused).toBeLessThan(100);
			expect(service.lastPassed / limiter.dictated(requests)).toBeLessThan(2.5);
		},
	);

	it('a window that counts refused requests too: the lane is silent now and then', async () => {
		const service = new Service(sliding(5, 60_000, true), 'absent');
		expect(await done(sendAll(new Lane(50), service, { requests: 20, atOnce: 1 }))).toEqual([]);
		expect(service.passed).toBe(20);
		expect(performance.now()).toBeLessThan(4 * 4 * 60_000);
	});
});

it('gives its place back when a request fails in an unforeseen way', async () => {
	const lane = new Lane();
	for (let i = 0; i < 20; i++) {
		const failing = lane.send(async () => {
			throw new Error('unforeseen');
		}, EXECUTION_POLICY);
		await expect(failing).rejects.toThrow('unforeseen');
	}
	const service = new Service(sliding(50), 'seconds');
	expect(await done(sendAll(lane, service, { requests: 20, atOnce: 8 }))).toEqual([]);
});

it('lets all go on together once it is open again, those too who waited for a place', async () => {
	let closed = true;
	const limiter: Limiter = { take: () => (closed ? 1_000 : undefined), dictated: () => 0 };
	const service = new Service(limiter, 'seconds');
	const sent = sendAll(new Lane(), service, { requests: 40, atOnce: 40 });
	await jest.advanceTimersByTimeAsync(500);
	closed = false;
	const start = performance.now();
	expect(await done(sent)).toEqual([]);
	expect(service.lastPassed - start).toBeLessThan(1_000 + 10 * LATENCY_MS);
});

it('lets those behind go while one waits for a limit of its own', async () => {
	const service = new Service(sliding(Infinity), 'absent');
	const lane = new Lane();
	for (let place = 1; place < 8; place++) void lane.send(hang, EXECUTION_POLICY);
	const [first, second] = [service, service].map(async ({ attempt }) => {
		return await lane.send(attempt, EXECUTION_POLICY);
	});
	const limited = lane.send(service.attempt, { ...EXECUTION_POLICY, perMinute: 9 });
	const behind = lane.send(service.attempt, EXECUTION_POLICY);
	await done(Promise.all([first, second, behind]), 10_000);
	expect(service.passed).toBe(3);
	await done(limited);
	expect(performance.now()).toBeGreaterThanOrEqual(60_000);
});

describe('patience', () => {
	const closed: Limiter = { take: () => 60_000, dictated: () => 0 };

	it.each<RetryAfter>(['seconds', 'absent'])(
		'ends when nothing gets through, with Retry-After %s',
		async (retryAfter) => {
			const service = new Service(closed, retryAfter);
			const holding = { endpoint, patienceMs: 300_000 };
			const failures = await done(
				sendAll(new Lane(50), service, { requests: 3, atOnce: 3, holding }),
			);
			expect(failures.map(({ kind }) => kind)).toEqual(Array(3).fill('rateLimited'));
			expect(performance.now()).toBeGreaterThan(230_000);
			expect(performance.now()).toBeLessThan(310_000);
			// One of them tries, the others do not.
			expect(service.refused).toBeLessThan(retryAfter === 'seconds' ? 10 : 80);
		},
	);

	it.each([60_000, 300_000])(
		'is that of all requests together, with Retry-After of %i ms',
		async (waitMs) => {
			const service = new Service({ ...closed, take: () => waitMs }, 'seconds');
			const lane = new Lane(50);
			const failures = await done(sendAll(lane, service, { requests: 500, atOnce: 1 }));
			expect(failures).toHaveLength(500);
			expect(performance.now()).toBeLessThan(EXECUTION_POLICY.patienceMs + 60_000);

			// Later it may be different.
			await jest.advanceTimersByTimeAsync(HOUR_MS);
			const start = performance.now();
			await done(sendAll(lane, service, { requests: 1, atOnce: 1 }));
			expect(performance.now() - start).toBeGreaterThan(EXECUTION_POLICY.patienceMs - 2 * waitMs);
		},
	);

	it('does not end for a request whose limit lets others through', async () => {
		const service = new Service(tokenBucket(1), 'seconds');
		const holding = { endpoint, patienceMs: 150_000 };
		const failures = await done(
			sendAll(new Lane(50), service, { requests: 30, atOnce: 8, holding }),
		);
		expect(failures).toEqual([]);
		expect(service.passed).toBe(30);
	});

	it('does not wait where the service says that it would take too long, and asks now and then', async () => {
		const service = new Service({ ...closed, take: () => HOUR_MS }, 'seconds');
		const lane = new Lane(50);
		const failures = await done(sendAll(lane, service, { requests: 500, atOnce: 1 }));
		expect(failures).toHaveLength(500);
		expect(failures.at(-1)?.retryAfterMs).toBeGreaterThan(HOUR_MS - 10_000);
		expect(service.refused).toBe(1);

		await jest.advanceTimersByTimeAsync(10_000);
		await done(sendAll(lane, service, { requests: 500, atOnce: 1 }));
		expect(service.refused).toBe(2);

		await jest.advanceTimersByTimeAsync(10_000);
		const fixed = new Service(sliding(50), 'seconds');
		expect(await done(sendAll(lane, fixed, { requests: 50, atOnce: 1 }))).toEqual([]);
		expect(performance.now()).toBeLessThan(60_000);
	});

	it('that is over lets one ask now and then, however many there are', async () => {
		const service = new Service(closed, 'absent');
		const lane = new Lane(50);
		await done(sendAll(lane, service, { requests: 1, atOnce: 1 }));
		await jest.advanceTimersByTimeAsync(10_000);
		const refusedBefore = service.refused;
		const failures = await done(sendAll(lane, service, { requests: 40, atOnce: 40 }));
		expect(failures).toHaveLength(40);
		expect(service.refused - refusedBefore).toBeLessThanOrEqual(2);
		for (const { retryAfterMs = 0 } of failures) expect(retryAfterMs).toBeGreaterThanOrEqual(0);
	});

	it('of none sends at once, and returns the refusal', async () => {
		const service = new Service(sliding(1), 'seconds');
		const holding = { endpoint, patienceMs: 0 };
		const failures = await done(
			sendAll(new Lane(50), service, { requests: 4, atOnce: 1, holding }),
		);
		expect(failures).toHaveLength(3);
		expect(performance.now()).toBeLessThan(1_000);
	});
});

describe("the user's own limit", () => {
	it('is kept in every minute, by all who use the key', async () => {
		const times: number[] = [];
		const lane = new Lane(50);
		const attempt = async () => {
			times.push(performance.now());
			await latency();
			return {};
		};
		const worker = async () => {
			for (let i = 0; i < 30; i++) await lane.send(attempt, { ...EXECUTION_POLICY, perMinute: 20 });
		};
		await done(Promise.all([worker(), worker(), worker()]));

		expect(times).toHaveLength(90);
		for (const [index, time] of times.entries()) {
			const later = times[index + 20];
			if (later !== undefined) expect(later - time).toBeGreaterThanOrEqual(60_000);
		}
		expect(performance.now()).toBeLessThan(1.01 * 4 * 60_000);
	});

	it('is not used up by requests that were not sent after all', async () => {
		const lane = new Lane(50);
		const limited = { ...EXECUTION_POLICY, perMinute: 5 };
		for (let i = 0; i < 20; i++) {
			await lane.send(async () => new ServiceError('stopped', 'Stopped'), limited);
		}
		const service = new Service(sliding(Infinity), 'absent');
		await done(sendAll(lane, service, { requests: 5, atOnce: 1, holding: limited }));
		expect(service.lastPassed).toBeLessThan(1_000);
	});
});

it('a stopped execution does not wait any longer, and what waits is not sent', async () => {
	const service = new Service(sliding(2), 'seconds');
	const stop = new AbortController();
	const holding = { ...EXECUTION_POLICY, signal: stop.signal };
	let sent = 0;
	const attempt = async () => {
		if (stop.signal.aborted) return new ServiceError('stopped', 'Stopped');
		sent += 1;
		return await service.attempt();
	};
	const lane = new Lane(50);
	const answers = Promise.all(
		Array.from({ length: 9 }, async () => await lane.send(attempt, holding)),
	);
	await jest.advanceTimersByTimeAsync(5_000);
	const sentBefore = sent;
	stop.abort();
	const stopped = (await done(answers, 200)).filter((answer) => answer instanceof ServiceError);
	expect(stopped).toHaveLength(7);
	expect(sent).toBe(sentBefore);
});

it('a stopped execution takes no turn from those that wait beside it', async () => {
	const lane = new Lane();
	const service = new Service(sliding(Infinity), 'absent');
	const going = sendAll(lane, service, { requests: 16, atOnce: 16 });
	const stop = new AbortController();
	const attempt = async () => new ServiceError('stopped', 'Stopped');
	for (let waiting = 0; waiting < 8; waiting++) {
		void lane.send(attempt, { ...EXECUTION_POLICY, signal: stop.signal });
	}
	stop.abort();
	expect(await done(going, 10_000)).toEqual([]);
	expect(service.passed).toBe(16);
	expect(jest.getTimerCount()).toBe(0);
});

it('what a turn gives is not kept until the next one', async () => {
	jest.useRealTimers();
	const pacing = pacingOf('https://turns.example', 'key');
	const given = await Promise.all(
		[1, 2, 3].map(async () => {
			const rows = await pacing.inTurn(async () => ({ rows: [] }), undefined);
			return new WeakRef(rows);
		}),
	);
	await new Promise((resolve) => setTimeout(resolve, 10));
	collectGarbage();
	expect(given.map((ref) => ref.deref())).toEqual([undefined, undefined, undefined]);
});

describe('lanes', () => {
	const pacing = pacingOf('https://a.example', 'key');

	it('are shared by credentials with the same key at the same address', () => {
		expect(pacingOf('https://a.example', 'key')).toBe(pacing);
		expect(pacing.laneTo(endpoint)).toBe(pacing.laneTo({ ...endpoint, purpose: 'anything' }));
	});

	it('are not shared by other keys, addresses and endpoints', () => {
		expect(pacingOf('https://a.example', 'other')).not.toBe(pacing);
		expect(pacingOf('https://b.example', 'key')).not.toBe(pacing);
		expect(pacing.laneTo({ ...endpoint, name: 'nearby' })).not.toBe(pacing.laneTo(endpoint));
	});

	it('of the keys used last are kept, of a bounded number', () => {
		const first = pacingOf('https://c.example', 'first');
		const used = pacingOf('https://c.example', 'used');
		for (let i = 0; i < 300; i++) {
			pacingOf('https://c.example', String(i));
			pacingOf('https://c.example', 'used');
		}
		expect(pacingOf('https://c.example', 'used')).toBe(used);
		expect(pacingOf('https://c.example', 'first')).not.toBe(first);
	});
});
