import type { IDataObject, INode } from 'n8n-workflow';

import type { ServiceClient } from '../../../nodes/TractorBooking/api/client';
import { ServiceError } from '../../../nodes/TractorBooking/api/errors';
import type { LimitFeedback } from '../../../nodes/TractorBooking/api/rateLimiter';
import { GaveUp, RateLimiter } from '../../../nodes/TractorBooking/api/rateLimiter';
import type { BookingRequest } from '../../../nodes/TractorBooking/resources/booking/create/fields';
import { Claims } from '../../../nodes/TractorBooking/resources/booking/create/claims/claims';
import { BookedRows } from '../../../nodes/TractorBooking/resources/booking/create/claims/bookedRows';
import { ClaimStore } from '../../../nodes/TractorBooking/resources/booking/create/claims/claimStore';
import {
	settling,
	type Helpers,
} from '../../../nodes/TractorBooking/resources/booking/create/claims/hostMemory';
import { readList } from '../../../nodes/TractorBooking/resources/booking/create/match/readBookings';
import type {
	FinishedRow,
	ReadyRow,
} from '../../../nodes/TractorBooking/resources/booking/create/row';
import { sendRows } from '../../../nodes/TractorBooking/resources/booking/create/send/sendRows';
import type { CreateSettings } from '../../../nodes/TractorBooking/resources/booking/create/settings';
import { sliding } from '../../api/rateLimiter/serviceLimits';
import { ProcessedData } from '../../support/processedData';

// Time is simulated, so that minutes pass at once and durations are exact.

/** A service that takes its time for each booking, and lets so many through in a minute. */
class SlowService {
	peak = 0;
	underWay: BookingRequest[] = [];
	passed = 0;
	lastPassed = 0;
	readonly limit = sliding(50);

	/** What its list of bookings shows. */
	listed: IDataObject[] = [];

	/** The numbers of the bookings that it refuses. */
	refused: ReadonlySet<number> = new Set();

	/** Phones that were under way twice at the same moment. */
	readonly collisions: unknown[] = [];

	constructor(private readonly responseMs: number | (() => number)) {}

	async create(body: BookingRequest): Promise<unknown> {
		if (this.limit.take() !== undefined)
			return new ServiceError('rateLimited', 'too many', { retryAfterMs: 1_000 });
		const isSamePhone = ({ farmerPhone }: BookingRequest) => farmerPhone === body.farmerPhone;
		if (this.underWay.some(isSamePhone)) this.collisions.push(body.farmerPhone);
		this.underWay.push(body);
		this.peak = Math.max(this.peak, this.underWay.length);
		const { responseMs } = this;
		const ms = typeof responseMs === 'number' ? responseMs : responseMs();
		await new Promise((resolve) => setTimeout(resolve, ms));
		this.underWay = this.underWay.filter((other) => other !== body);
		this.passed += 1;
		this.lastPassed = performance.now();
		return this.refused.has(this.passed)
			? new ServiceError('validation', `no ${this.passed}`)
			: { bookingID: this.passed };
	}

	/** A client that creates, and reads the list. */
	client(): ServiceClient {
		const limiter = new RateLimiter();
		const feedbackFrom = (response: unknown): LimitFeedback =>
			response instanceof ServiceError && response.kind === 'rateLimited'
				? { kind: 'refused', retryAfterMs: response.retryAfterMs }
				: { kind: 'accepted' };
		return {
			baseUrl: 'https://api.example.com',
			account: {},
			send: async ({ body, isWanted }, parse) => {
				if (!body) return parse({ count: this.listed.length, results: this.listed });
				const attempt = async () => {
					await isWanted?.();
					return await this.create(body);
				};
				const response = await limiter.run(attempt, feedbackFrom, { maxWaitMs: 900_000 });
				if (response instanceof ServiceError) throw response;
				if (response instanceof GaveUp) throw new Error('gave up');
				return parse(response);
			},
			runExclusive: async (task) => await task(),
		};
	}
}

const job = { tractorId: 201, serviceType: 3, serviceDate: '2099-05-04' };

/** Rows that are ready; each two of them have one phone if `households` is true. */
function readyRows(count: number, households = false): ReadyRow[] {
	const matchFields = ['farmerPhone', 'serviceDate'];
	const settings = { ifAlreadyBooked: 'create', matchFields, ignoredStatuses: new Set() };
	return Array.from({ length: count }, (_, itemIndex): ReadyRow => {
		const farmer = households ? Math.floor(itemIndex / 2) : itemIndex;
		const farmerPhone = `+23480310${10_000 + farmer}`;
		return {
			kind: 'ready',
			itemIndex,
			sheetRow: itemIndex + 2,
			settings: settings as Partial<CreateSettings> as CreateSettings,
			request: { ...job, farmerName: `Farmer ${itemIndex}`, farmerPhone },
		};
	});
}

/** Sends rows while simulated time passes. */
async function send(
	service: SlowService,
	rows: ReadyRow[],
	continues = true,
	client = service.client(),
	helpers?: Helpers,
): Promise<Array<FinishedRow | undefined>> {
	let finished: Array<FinishedRow | undefined> | undefined;
	const store = new ClaimStore(client, helpers);
	const work = sendRows(rows, {
		client,
		claims: new Claims(store, client, 'UTC', [], () => ''),
		bookedRows: await BookedRows.read(store, client, []),
		timezone: 'UTC',
		comparedTo: 0,
		continues,
		warn: () => undefined,
	}).then((outcomes) => (finished = outcomes));
	for (let ms = 0; !finished && ms < 7_200_000; ms += 100) await jest.advanceTimersByTimeAsync(100);
	if (!finished) throw new Error('Not done in time');
	return await work;
}

const resultsOf = (finished: ReadonlyArray<FinishedRow | undefined>) =>
	finished.map((row) => row?.result);

/** The pauses of the rate limiter are random: the same each time, so that a run that fails can be repeated. */
function seededRandom(seed: number): () => number {
	let state = seed;
	return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

beforeEach(() => {
	jest.useFakeTimers();
	jest.spyOn(Math, 'random').mockImplementation(seededRandom(1));
});
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

/** n8n's memory, which takes its time for each use. */
function slowMemory(ms: number): Helpers {
	const data = new ProcessedData();
	data.beforeWrite = async () => await new Promise((resolve) => setTimeout(resolve, ms));
	const context = { workflow: { id: 'w', active: true }, node: { id: 'n' } as INode };
	return {
		checkProcessedAndRecord: async (items, scope, options) =>
			await data.checkProcessedAndRecord(items, scope, context, options),
		removeProcessed: async (items, scope, options) =>
			await data.removeProcessed(items, scope, context, options),
	};
}

const compared = (rows: ReadyRow[]) =>
	rows.map((row): ReadyRow => ({ ...row, settings: { ...row.settings, ifAlreadyBooked: 'skip' } }));

it.each<[string, number, boolean]>([
	['40 ms', 40, false],
	['4 s', 4_000, false],
	['2 to 4 s', NaN, false],
	['500 ms, rows claimed', 500, true],
	['2 s, rows claimed', 2_000, true],
])('200 rows end within 1.1 times the limit if responses take %s', async (_what, ms, isClaimed) => {
	jest.replaceProperty(settling, 'ms', 1_000);
	const random = seededRandom(7_919);
	const service = new SlowService(() => (Number.isNaN(ms) ? 2_000 + 2_000 * random() : ms));
	const rows = isClaimed ? compared(readyRows(200)) : readyRows(200);
	const finished = await send(service, rows, true, service.client(), slowMemory(60));
	expect(resultsOf(finished)).toEqual(rows.map(() => 'created'));
	expect(finished.map((row) => row?.itemIndex)).toEqual(rows.map(({ itemIndex }) => itemIndex));
	// Four minutes of 50 each: four at a time cannot send the first 50 at once.
	expect(service.lastPassed).toBeLessThan(1.1 * 4 * 60_000);
});

it.each([
	[1_000, 1],
	[2_000, 2],
	[9_000, 4],
])('responses that take %i ms are waited for %i at a time', async (responseMs, atOnce) => {
	const service = new SlowService(responseMs);
	await send(service, readyRows(40));
	expect(service.peak).toBe(atOnce);
});

it('rows with one match key are sent one after the other', async () => {
	const service = new SlowService(4_000);
	await send(service, readyRows(40, true));
	expect(service.collisions).toEqual([]);
	expect(service.peak).toBe(4);
});

it('a node that stops waits for the rows that are under way, and has their results', async () => {
	const service = new SlowService(4_000);
	service.refused = new Set([6]);
	const finished = await send(service, readyRows(20), false);
	const results = resultsOf(finished);
	expect(results.filter((result) => result === 'failed')).toHaveLength(1);
	expect(results.filter((result) => result === 'created')).toHaveLength(service.passed - 1);
	// Those that were under way with it, and no more.
	expect(service.passed).toBeLessThanOrEqual(6 + 3);
	expect(service.underWay).toEqual([]);
});

it('a service that refuses the key is not asked for every row, four at a time', async () => {
	const service = new SlowService(4_000);
	const create = service.create.bind(service);
	service.create = async (body) =>
		service.passed + service.underWay.length < 8
			? await create(body)
			: new ServiceError('notAllowed', 'no');
	const finished = await send(service, readyRows(40));
	const results = resultsOf(finished);
	expect(results.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => 'created'));
	expect(results.filter((result) => result === 'failed').length).toBeLessThanOrEqual(4);
	expect(results.slice(12)).toEqual(Array.from({ length: 28 }, () => 'not sent'));
});

it('a booking that the list shows before its response comes is that of its row', async () => {
	const service = new SlowService(9_000);
	const create = service.create.bind(service);
	service.create = async (body) => {
		const bookingID = 7001 + service.listed.length;
		service.listed = [...service.listed, { bookingID, ...body }];
		await create(body);
		return { bookingID };
	};
	const client = service.client();
	await readList(client);
	const rows = compared(readyRows(8));
	expect(resultsOf(await send(service, rows, true, client))).toEqual(rows.map(() => 'created'));
});
