import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asText } from '../../../nodes/TractorBooking/utils/text';
import { hintsOf } from '../../support/action.cts';
import {
	bookSheet,
	dayFromNow,
	farmers,
	outcomeOf,
	type Outcome,
} from '../../support/bookings.cts';
import { processedData } from '../../support/engine.cts';
import { type LateService, pageOf } from '../../support/lateService.cts';
import { lateServiceForTests, Worker } from '../../support/worker.cts';

// A booking changes its status after the process has read the list, and its page is not read again.

const begin = lateServiceForTests();
let service: LateService;
let worker: Worker;
beforeEach(() => {
	({ service, worker } = begin());
	// A list of up to 30 pages would be read whole.
	service.page = (records, number, size) => pageOf(records, number, Math.min(size, 5));
});

const everyone = farmers(60);
const [first = {}, second = {}, third = {}] = everyone;

async function run(rows: IDataObject[], fields: INodeParameters = {}): Promise<Outcome> {
	service.reads = [];
	return await outcomeOf(bookSheet, service, rows, fields, worker.settings);
}

/** The rows are booked, others book until no page of them is new, and the process has read all that. */
async function bookAndForget(rows: IDataObject[]): Promise<string[]> {
	const { ids } = await run(rows);
	for (const { phone, date } of farmers(250).slice(-190))
		service.add({ farmerName: 'Efe', farmerPhone: phone, serviceDate: date });
	await run(rows.slice(0, 1), { dryRun: true });
	return ids;
}

const change = (id: string, bookingStatus: number) =>
	Object.assign(service.bookings.find(({ bookingID }) => String(bookingID) === id) ?? {}, {
		bookingStatus,
	});

const readById = () => service.reads.filter((path) => /\/booking\/\d+$/.test(path)).length;

const statusesOf = ({ records }: Outcome) => records.map((one) => one.bookingStatusLabel);

it.each([
	['by what n8n remembers', (rows: IDataObject[]) => rows],
	[
		'by the IDs in the rows',
		(rows: IDataObject[], ids: string[]) =>
			rows.map((row, at) => ({ ...row, 'Booking ID': ids[at] })),
	],
])('the status of a booking is that of now: %s', async (_how, again) => {
	const rows = [first, second, third];
	const ids = await bookAndForget(rows);
	change(ids[1] ?? '', 4);
	change(ids[2] ?? '', 3);
	const outcome = await run(again(rows, ids), { dryRun: true });
	expect(outcome.results).toEqual(Array(3).fill('already booked'));
	expect(statusesOf(outcome)).toEqual(['new', 'declined', 'completed']);
	expect(readById()).toBe(3);
	expect(hintsOf(outcome).join()).toMatch(
		/2 already booked, 1 already booked but declined\. .*Farmer 2 .*it was declined/,
	);
});

it.each<[string, (id: string) => unknown]>([
	['was declined', (id) => change(id, 4)],
	[
		'has another day',
		() => Object.assign(service.bookings[0] ?? {}, { serviceDate: dayFromNow(9) }),
	],
])('a booking that %s is asked about until the day of its row has passed', async (_, happen) => {
	const [id = ''] = await bookAndForget([first]);
	happen(id);
	const asked = async () => {
		const { records } = await run([{ ...first, 'Booking ID': id }], { dryRun: true });
		return records[0]?.summary;
	};
	expect(await asked()).toMatchObject({ rowQuestions: [{ row: 2, bookings: [{}] }] });
	jest.setSystemTime(Date.parse(asText(first.date)) + 2 * 86_400_000);
	expect(await asked()).toMatchObject({ rowQuestions: [] });
});

it.each([false, true])(
	'what a person is asked about is read first; the other rows name their bookings: %p',
	async (areNamed) => {
		const ids = await bookAndForget(everyone);
		const id = ids.at(-1) ?? '';
		change(id, 2);
		const others = everyone
			.slice(0, -1)
			.map((row, at) => (areNamed ? { ...row, 'Booking ID': ids[at] } : row));
		const asked = { ...everyone.at(-1), area: '9 ha' };
		const { records } = await run([...others, asked], { dryRun: true });
		expect(readById()).toBe(50);
		expect(records.at(-1)?.reason).toContain(`booking ${id} (confirmed) has the same name`);
	},
);

it('a booking that was given up is none of those that a page asks about all at once', async () => {
	const ids = await bookAndForget([first, second]);
	change(ids[1] ?? '', 4);
	processedData.clear();
	worker = new Worker(service);
	const { records } = await run([first, second], { dryRun: true });
	expect(records[0]?.summary).toMatchObject({
		rowQuestions: [{ bookings: [{ isSame: true }] }, { bookings: [{ isSame: false }] }],
	});
});

it('beyond fifty requests no status is shown', async () => {
	await bookAndForget(everyone);
	const outcome = await run(everyone, { dryRun: true });
	expect(readById()).toBe(50);
	expect(outcome.results).toEqual(Array(60).fill('already booked'));
	expect(statusesOf(outcome)).toEqual([...Array(50).fill('new'), ...Array(10).fill(null)]);
	expect(outcome.table.at(-1)).toMatch(/as booking \d+\)$/);
});

it('whether a booking was given up is decided by its status of now', async () => {
	const [id = ''] = await bookAndForget([first]);
	const denial = { ...first, 'Booking ID': `not ${id}` };
	expect((await run([denial], { dryRun: true })).results).toEqual(['possible duplicate']);
	change(id, 4);
	// The claim of the first run has ended.
	jest.setSystemTime(Date.now() + 25 * 60_000);
	expect((await run([denial])).results).toEqual(['created']);
});

it('a lost booking that was declined, is hidden by the list, and is denied, is booked again', async () => {
	const isListed = ({ bookingStatus }: IDataObject) => bookingStatus !== 4;
	service.page = (records, number, size) => pageOf(records.filter(isListed), number, size);
	service.fate = () => 'lost';
	service.listedAfterMs = 120_000;
	await run([first]);
	service.fate = () => 'booked';
	jest.setSystemTime(Date.now() + 25 * 60_000);
	const id = String(service.bookings[0]?.bookingID);
	const answered = (answer: string) => run([{ ...first, 'Booking ID': answer }]);
	change(id, 4);
	expect((await answered(id)).table).toEqual([expect.stringMatching(/To book the row again/)]);
	expect((await answered(`not ${id}`)).results).toEqual(['created']);
});

it('a row whose bookings were deleted is booked again at once', async () => {
	const answered = async (answer: string) => {
		const outcome = await run([{ ...first, 'Booking ID': answer }]);
		service.bookings = [];
		jest.setSystemTime(Date.now() + 25 * 60_000);
		return outcome;
	};
	for (const answer of ['', 'not 5001', 'not 5002', 'not 5003'])
		expect((await answered(answer)).results).toEqual(['created']);
});

it('a row whose booking was declined twice is booked again as its message says', async () => {
	const book = async (answer: string) => {
		const { ids, table } = await run([{ ...first, 'Booking ID': answer }]);
		if (ids[0]) change(ids[0], 4);
		// The claim of this run has ended by the next one.
		jest.setSystemTime(Date.now() + 25 * 60_000);
		return { id: ids[0], said: asText(table[0]) };
	};
	const { id = '' } = await book('');
	const { id: second = '' } = await book(`not ${id}`);
	// The first answer is written over.
	const { said } = await book(`not ${second}`);
	const [, answer = ''] = /must be booked again, write "(not [^"]+)"/.exec(said) ?? [];
	expect(answer).toBe(`not ${id}, ${second}`);
	expect((await book(answer)).said).toContain('created');
});
