import type { IDataObject } from 'n8n-workflow';

import { book, bookSheet, farmers, outcomeOf } from '../../support/bookings.cts';
import { processedData, TOOL } from '../../support/engine.cts';
import type { LateService } from '../../support/lateService.cts';
import { BEGINNING, wait } from '../../support/virtualClock.cts';
import { lateServiceForTests, Worker } from '../../support/worker.cts';

// A row is sent without an answer: how long its claim holds, and what is said until then.

const begin = lateServiceForTests();
let service: LateService;
let worker: Worker;
beforeEach(() => {
	({ service, worker } = begin());
	service.fate = () => 'dropped';
});

const [row = {}, other = {}] = farmers(2);

async function run(rows: IDataObject[], by = worker, dryRun = false): Promise<string[]> {
	const settings = { timezone: 'UTC', ...by.settings };
	const { table } = await outcomeOf(bookSheet, service, rows, { dryRun }, settings);
	return table;
}

const at = (minutes: number, seconds = 0) =>
	jest.setSystemTime(BEGINNING + (minutes * 60 + seconds) * 1_000);

const waiting = expect.stringMatching(/^2: unknown .*Wait 20 minutes, then try all rows/);

it('a claim holds for the slot in which it is made and the next one', async () => {
	at(9, 40);
	expect(await run([row])).toEqual([waiting]);
	service.fate = () => 'booked';
	at(19, 50);
	expect(await run([row])).toEqual([waiting]);
	at(20);
	expect(await run([row])).toEqual(['2: created']);
});

it('a claim that is made seconds before a slot ends holds for the next one on any clock', async () => {
	at(9, 55);
	expect(await run([row])).toEqual([waiting]);
	service.fate = () => 'booked';
	for (const [minutes = 0, seconds] of [[15], [29, 50]]) {
		at(minutes, seconds);
		expect(await run([row])).toEqual([waiting]);
	}
});

it.each([
	['its own', {}, /^2: unknown .*Wait 20 minutes/],
	['that of a namesake', { farmerPhone: '+2348039990001' }, /^2: created/],
])('sent before, while a booking appears that may be %s', async (_, change, result) => {
	await run([row]);
	service.fate = () => 'booked';
	at(25);
	const { name: farmerName, phone: farmerPhone, date: serviceDate } = row;
	let isThere = false;
	service.beforePage = async () => {
		// By then, the rows have been compared with the list, and are claimed.
		if (!isThere && Date.now() > BEGINNING + 25 * 60_000 + 500) {
			service.add({ farmerName, farmerPhone, serviceDate, ...change });
			isThere = true;
		}
		return await Promise.resolve();
	};
	expect(await run([row])).toEqual([expect.stringMatching(result)]);
});

it('a service that was restored from a backup gives new bookings the IDs of lost ones', async () => {
	service.fate = () => 'booked';
	const rows = farmers(4).map((one, at) => ({ ...one, Nr: `n${at}` }));
	const options = { rowIdColumn: 'Nr' };
	const bookAll = async (some: IDataObject[]) =>
		(await outcomeOf(bookSheet, service, some, { options }, worker.settings)).table;
	await bookAll(rows.slice(0, 2));
	service.bookings = [];
	service.nextId = 5_001;
	at(60);
	expect(await bookAll(rows.slice(2))).toEqual(['2: created', '3: created']);
	at(90);
	await bookAll(rows.slice(2));
	expect(service.bookings).toHaveLength(2);
});

it('a Dry Run does not promise a row that its process has claimed', async () => {
	await run([row]);
	expect(await run([row, other], worker, true)).toEqual([waiting, '3: would create']);
	// Another process would have to look into the store of claims.
	expect(await run([row], new Worker(service), true)).toEqual(['2: would create']);
	at(20);
	expect(await run([row], worker, true)).toEqual(['2: would create']);
});

it('a Dry Run beside a run knows what that has claimed', async () => {
	let preview: string[] = [];
	service.fate = async () => {
		preview = await run([row, other], worker, true);
		return 'booked' as const;
	};
	expect(await run([row])).toEqual(['2: created']);
	expect(preview).toEqual([waiting, '3: would create']);
});

describe('a tool answers before its client stops waiting, and sends a row once', () => {
	const never = async <T,>() => await new Promise<T>(() => undefined);
	const stories: Record<string, () => void> = {
		'a status 500': () => (service.fate = () => '500'),
		'no answer': () => (service.fate = never),
		'no list either': () => {
			service.fate = () => '500';
			service.beforePage = async () => (service.counts.create > 0 ? await never() : undefined);
		},
	};

	it.each(Object.keys(stories))('%s', async (story) => {
		stories[story]?.();
		const settings = { ...worker.settings, node: { type: TOOL } };
		const { error } = await book(service, [row], {}, settings);
		expect(Date.now() - BEGINNING).toBeLessThan(45_000);
		expect(error).toMatchObject({
			message: expect.stringMatching(/^It is unknown whether/),
			description: expect.stringContaining('Wait 20 minutes'),
		});
		expect(service.counts.create).toBe(1);
	});

	it("and says at once that n8n's store is too slow", async () => {
		processedData.beforeWrite = async () => await wait(1_100);
		const settings = { ...worker.settings, node: { type: TOOL } };
		const { error } = await book(service, [row], {}, settings);
		expect(Date.now() - BEGINNING).toBeLessThan(10_000);
		expect(error?.description).toMatch(/check the database of n8n/);
		processedData.clear();
		await wait(120_000);
		service.fate = () => 'booked';
		expect((await book(service, [row], {}, settings)).error).toBeUndefined();
	});

	it('of which a person has to decide whether it is booked already', async () => {
		service.fate = () => 'booked';
		const settings = { ...worker.settings, node: { type: TOOL } };
		await book(service, [row], {}, settings);
		const { error } = await book(service, [{ ...row, name: 'Other' }], {}, settings);
		expect(error?.description).toMatch(
			/; ask a person, who alone can decide, .* a tool has neither .*: if it is the same job/,
		);
		const inOtherVillage = { additionalFields: { farmLocation: 'Rigasa' } };
		const { items } = await book(service, [row], inOtherVillage, settings);
		const { toDo } = items[0]?.json ?? {};
		expect(toDo).toMatch(/^Ask a person, .* write 5001 .* write "not 5001"/);
		expect(service.counts.create).toBe(1);
	});

	it('beside an execution that takes long', async () => {
		service.fate = never;
		const long = book(service, farmers(1), {}, worker.settings);
		const { error } = await book(
			service,
			[other],
			{},
			{ ...worker.settings, node: { type: TOOL } },
		);
		expect(Date.now() - BEGINNING).toBeLessThan(45_000);
		expect(error?.message).toContain('no time left');
		await long;
		expect(service.counts.create).toBe(1);
	});
});
