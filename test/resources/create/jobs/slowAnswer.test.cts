import { SLOT_MS } from '../../../../nodes/TractorBooking/resources/booking/create/memory/timing';
import { load } from '../../../support/loads.cts';
import { asText } from '../../../../nodes/TractorBooking/utils/text';
import { bookSheet, farmers, outcomeOf } from '../../../support/bookings.cts';
import { processedData } from '../../../support/engine.cts';
import { LateService } from '../../../support/lateService.cts';
import type { StoreCall } from '../../../support/processedData.cts';
import { BEGINNING, virtualClockForTests, wait } from '../../../support/virtualClock.cts';
import { Worker } from '../../../support/worker.cts';

// While one write of a worker to n8n's store is slow, another worker claims the same row and sends it: the slow write erases
// that claim. Times in milliseconds.

const LONGEST = { options: { timeout: 300 } };

const clock = virtualClockForTests();

const [row = {}, other = {}] = farmers(2);

interface Case {
	answerMs: number;
	slow: 'claim' | 'check';
	listedAfterMs: number;
	/** How long before the end of a slot the first worker begins. */
	beforeSlotEnd: number;
	/** Whether the slow worker begins half a second after the other one has. */
	isSecond?: boolean;
}

/** @returns how often the row is booked, and what the runs say of it */
async function play({ answerMs, slow, listedAfterMs, beforeSlotEnd, isSecond }: Case) {
	clock.reset();
	processedData.clear();
	const service = new LateService();
	const book = async () => {
		const { settings } = new Worker(service);
		const { results } = await outcomeOf(bookSheet, service, [row], LONGEST, settings);
		return results;
	};
	// The row of the workflow is there already.
	await outcomeOf(bookSheet, service, [other], LONGEST, new Worker(service).settings);
	Object.assign(service, { bookings: [], counts: { create: 0 }, listedAfterMs });
	service.fate = async (_request, count) =>
		await wait(count === 1 ? answerMs : 300).then(() => 'booked' as const);
	const isOf = (write: Case['slow'], { items }: StoreCall) =>
		items.some((item) => (write === 'claim' ? / claim / : / sent for sure$/).test(asText(item)));
	let beside: Promise<string[]> | undefined;
	let isSlow = false;
	processedData.beforeRead = async (call) => {
		if (!isSecond || beside || !isOf('claim', call)) return;
		beside = wait(500).then(book);
		await wait(900);
	};
	processedData.beforeWrite = async (call) => {
		if (isSlow || !isOf(slow, call)) return;
		isSlow = true;
		beside ??= book();
		await wait(3_000);
	};
	jest.setSystemTime(BEGINNING + SLOT_MS - beforeSlotEnd);
	const said = [await book(), (await beside) ?? []].flat();
	return { times: service.bookings.length, said };
}

const CASES = (['claim', 'check'] as const).flatMap((slow) =>
	[0, 30_000].flatMap((listedAfterMs) =>
		[250, 1_000, 9_000, 300_000].flatMap((beforeSlotEnd) =>
			[false, true].map((isSecond) => ({ slow, listedAfterMs, beforeSlotEnd, isSecond })),
		),
	),
);

const ANSWERS_MS = [300, 20_000, 34_000, 45_000, 59_000, 290_000];

it.each(ANSWERS_MS)(
	'an answer that takes %i ms, beside one slow write: never twice',
	async (answerMs) => {
		const twice: Case[] = [];
		// Full loads play all cases, else each length of an answer has others of them.
		const some = load(1, 3);
		for (const one of CASES.filter((_, at) => at % some === ANSWERS_MS.indexOf(answerMs) % some)) {
			const { times, said } = await play({ answerMs, ...one });
			if (times > 1) twice.push({ answerMs, ...one });
			// Where each leaves it to the other, both say so.
			if (times === 0) expect(said).toEqual(['unknown', 'unknown']);
		}
		expect(twice).toEqual([]);
	},
);
