import type { LimitFeedback, WaitOptions } from '../../nodes/TractorBooking/api/rateLimiter';
import { RateLimiter } from '../../nodes/TractorBooking/api/rateLimiter';
import { Random } from '../../sandbox/random.cts';
import { RateLimiter as Limit } from '../../sandbox/rateLimit.cts';
import { defaultSettings } from '../../sandbox/settings.cts';
import { load } from '../support/loads.cts';
import { VirtualClock, wait } from '../support/virtualClock.cts';

// Time is simulated here, so that minutes pass at once and durations are exact.
const LATENCY_MS = 100;
const HOUR_MS = 3_600_000;

const PATIENT: WaitOptions = { maxWaitMs: 900_000 };

const RETRY_AFTER = ['seconds', 'absent'] as const;

const MINUTE_MS = 60_000;

/** A limit of so many requests in any minute: says in how many milliseconds a request may pass, if not now. */
function limitTo(most: number): () => number | undefined {
	const settings = { ...defaultSettings(), rateWindowMs: MINUTE_MS };
	settings.rateLimits.create = most;
	const limit = new Limit(settings, () => performance.now());
	return () => limit.take('key', 'create');
}

/** The earliest instant, in milliseconds, at which so many requests can have passed such a limit, asking all the time. */
const dictated = (requests: number, most: number) => (Math.ceil(requests / most) - 1) * MINUTE_MS;

class Service {
	passed = 0;
	refused = 0;
	underWay = 0;
	peak = 0;
	lastPassed = 0;

	constructor(
		private readonly limit: ReturnType<typeof limitTo>,
		private readonly retryAfter: (typeof RETRY_AFTER)[number],
	) {}

	readonly attempt = async (): Promise<LimitFeedback> => {
		this.underWay += 1;
		this.peak = Math.max(this.peak, this.underWay);
		await latency();
		const waitMs = this.limit();
		await latency();
		this.underWay -= 1;
		if (waitMs === undefined) {
			this.passed += 1;
			this.lastPassed = performance.now();
			return 'accepted';
		}
		this.refused += 1;
		const seconds = Math.ceil(waitMs / 1_000) * 1_000;
		return { retryAfterMs: this.retryAfter === 'seconds' ? seconds : undefined };
	};
}

async function latency(ms = LATENCY_MS): Promise<void> {
	await wait((ms / 2) * (0.8 + 0.4 * Math.random()));
}

async function run(
	limiter: RateLimiter,
	attempt: () => Promise<LimitFeedback>,
	options: WaitOptions = PATIENT,
): Promise<LimitFeedback> {
	return await limiter.run(attempt, (result) => result, options);
}

/** Sends so many requests, so many at a time; returns the refusals that were not waited for. */
async function sendAll(
	service: Service,
	requests: number,
	atOnce: number,
	options: Partial<WaitOptions> = {},
	limiter = new RateLimiter(),
) {
	const failures: LimitFeedback[] = [];
	let left = requests;
	async function worker() {
		while (left-- > 0) {
			const verdict = await run(limiter, service.attempt, { ...PATIENT, ...options });
			if (typeof verdict === 'object') failures.push(verdict);
		}
	}
	await Promise.all(Array.from({ length: atOnce }, worker));
	return failures;
}

let clock: VirtualClock;

beforeEach(() => {
	clock = VirtualClock.start();
	const random = new Random(1);
	jest.spyOn(Math, 'random').mockImplementation(() => random.next());
});

afterEach(() => {
	jest.restoreAllMocks();
	clock.stop();
});

describe.each(RETRY_AFTER)(
	'500 requests under a limit of 50 a minute, with Retry-After %s',
	(retryAfter) => {
		it.each([1, 8])('all pass, %i at a time, as early as the limit allows', async (atOnce) => {
			const service = new Service(limitTo(50), retryAfter);
			const failures = await sendAll(service, 500, atOnce);

			expect(failures).toEqual([]);
			expect(service.passed).toBe(500);
			expect(service.peak).toBe(atOnce);
			expect(service.lastPassed / dictated(500, 50)).toBeLessThan(1.1);
			// Two refusals to each request that passes at most, as in a bucket that gains one at a time.
			expect(service.refused).toBeLessThan(1_000);
		});

		it.each([2, 10])('all pass to %i processes that share nothing', async (processes) => {
			const service = new Service(limitTo(50), retryAfter);
			const requests = load(50 * processes, 100);
			const outcomes = Array.from(
				{ length: processes },
				async () => await sendAll(service, requests, 1),
			);
			const failures = (await Promise.all(outcomes)).flat();

			expect(failures).toEqual([]);
			expect(service.passed).toBe(requests * processes);
			expect(service.lastPassed / dictated(requests * processes, 50)).toBeLessThan(1.1);
		});
	},
);

it('waits as long as the service asks, whatever comes for requests that were sent before', async () => {
	const limiter = new RateLimiter();
	const sentAt: number[] = [];
	const attempt = async (): Promise<LimitFeedback> => {
		sentAt.push(performance.now());
		await latency();
		return sentAt.length === 1 ? { retryAfterMs: 30_000 } : 'accepted';
	};
	const refusedOnce = run(limiter, attempt);
	const slow = run(limiter, async () => {
		await latency(5_000);
		return 'accepted';
	});
	const later = slow.then(async () => await run(limiter, attempt));
	await Promise.all([refusedOnce, later]);
	const [first = 0, ...others] = sentAt;
	expect(others).toHaveLength(2);
	for (const other of others) expect(other - first).toBeGreaterThan(30_000);
});

it.each([
	[0, [0, 1_000, 3_000, 5_500, 8_000]],
	[1, [0, 750, 2_250, 4_125, 6_000]],
])(
	'without a Retry-After, pauses grow from 1 to 2.5 s, by chance a quarter shorter (%i)',
	async (random, expected) => {
		jest.spyOn(Math, 'random').mockReturnValue(random);
		const begun = performance.now();
		const sentAt: number[] = [];
		const attempt = async (): Promise<LimitFeedback> => {
			sentAt.push(performance.now() - begun);
			return sentAt.length === expected.length ? 'accepted' : {};
		};
		await run(new RateLimiter(), attempt);
		expect(sentAt).toEqual(expected);
	},
);

it('a paced request begins once the last one has ended, or its interval later; four are under way at most', async () => {
	const limiter = new RateLimiter();
	const beganAt: number[] = [];
	const takes = [100, 5_000, 9_000, 9_000, 9_000, 100, 100];
	const attempt = async (): Promise<LimitFeedback> => {
		beganAt.push(performance.now());
		await wait(takes[beganAt.length - 1] ?? 0);
		return 'accepted';
	};
	const paced = async () => await run(limiter, attempt, { ...PATIENT, intervalMs: 1_200 });
	const start = performance.now();
	await Promise.all(takes.map(paced));
	expect(beganAt.map((at) => at - start)).toEqual([0, 100, 1_300, 2_500, 3_700, 5_100, 5_200]);
});

it('a paced request that waits for a slow one begins when that has ended', async () => {
	const limiter = new RateLimiter();
	const verdicts: Array<[takes: number, verdict: LimitFeedback]> = [
		[8_000, 'accepted'],
		[100, {}],
		[100, 'accepted'],
		[100, 'accepted'],
	];
	const attempt = async (): Promise<LimitFeedback> => {
		const [takes, verdict] = verdicts.shift() ?? [0, 'not sent'];
		await wait(takes);
		return verdict;
	};
	const paced = async () => await run(limiter, attempt, { ...PATIENT, intervalMs: 1_200 });
	expect(await Promise.all([1, 2, 3].map(paced))).toEqual(['accepted', 'accepted', 'accepted']);
	expect(performance.now()).toBeLessThan(9_000);
});

describe('patience', () => {
	const closed = () => 60_000;

	it.each([
		['seconds', 10],
		['absent', 165],
	] as const)('ends when nothing gets through, with Retry-After %s', async (retryAfter, most) => {
		const service = new Service(closed, retryAfter);
		const failures = await sendAll(service, 3, 3, { maxWaitMs: 300_000 });
		expect(failures).toHaveLength(3);
		expect(performance.now()).toBeGreaterThan(230_000);
		expect(performance.now()).toBeLessThan(310_000);
		expect(service.refused).toBeLessThan(most);
	});

	it.each([60_000, 300_000])('is shared by all, with a Retry-After of %i ms', async (waitMs) => {
		const service = new Service(() => waitMs, 'seconds');
		const limiter = new RateLimiter();
		const failures = await sendAll(service, 500, 1, {}, limiter);
		expect(failures).toHaveLength(500);
		expect(performance.now()).toBeLessThan(PATIENT.maxWaitMs + 60_000);

		// Later it may be different.
		await wait(HOUR_MS);
		const start = performance.now();
		await sendAll(service, 1, 1, {}, limiter);
		expect(performance.now() - start).toBeGreaterThan(PATIENT.maxWaitMs - 2 * waitMs);
	});

	it('does not begin again with a request that is given up', async () => {
		const service = new Service(closed, 'absent');
		let attempts = 0;
		const attempt = async () =>
			++attempts % 10 === 0 ? ('not sent' as const) : await service.attempt();
		const limiter = new RateLimiter();
		while ((await run(limiter, attempt)) === 'not sent' && performance.now() < HOUR_MS);
		expect(performance.now()).toBeLessThan(PATIENT.maxWaitMs + 60_000);
	});
});

it('a stopped execution does not wait any longer, and what waits is not sent', async () => {
	const service = new Service(limitTo(2), 'seconds');
	const stop = new AbortController();
	const options = { ...PATIENT, signal: stop.signal };
	let sent = 0;
	const attempt = async (): Promise<LimitFeedback> => {
		if (stop.signal.aborted) return 'not sent';
		sent += 1;
		return await service.attempt();
	};
	const limiter = new RateLimiter();
	const answers = Promise.all(
		Array.from({ length: 9 }, async () => await run(limiter, attempt, options)),
	);
	await wait(5_000);
	const sentBefore = sent;
	stop.abort();
	const verdicts = await answers;
	expect(performance.now()).toBeLessThan(5_200);
	expect(verdicts.filter((verdict) => verdict === 'not sent')).toHaveLength(7);
	expect(sent).toBe(sentBefore);
});
