import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';

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
import { asDocumented, pageOf, type Fate, type LateService } from '../../support/lateService.cts';
import { lateServiceForTests, Worker } from '../../support/worker.cts';

// A sheet runs, something happens, and a sheet runs again. The rules: docs/developers/spreadsheets-internals.md.

const MINUTE_MS = 60_000;

const beginning = lateServiceForTests();
let service: LateService;
let worker: Worker;
const begin = () => void ({ service, worker } = beginning());
beforeEach(begin);

const later = dayFromNow(9);

function row(farmer: number, Name: string, more: IDataObject = {}): IDataObject {
	const Phone = `+23480312345${farmer}`;
	const request = { Name, Phone, 'Service date': dayFromNow(1), Service: 3, Tractor: 201 };
	return { ...request, Area: '2 ha', ...more };
}

const amina = row(10, 'Amina Bello');
const bala = row(11, 'Bala Musa');
const sheet = [amina, bala, row(12, 'Chika Obi')];

const options: INodeParameters = { otherColumns: 'ignore', rowIdColumn: 'Ref' };

async function run(
	rows: IDataObject[],
	more: INodeParameters = {},
	onError: OnError = 'continueErrorOutput',
	by = worker,
): Promise<Outcome> {
	const { dryRun = false, ...own } = more;
	const numbered = rows.map((cells, at) => ({ row_number: at + 2, Ref: '', ...cells }));
	const fields = { dryRun, options: { ...options, ...own } };
	const settings = { timezone: 'Africa/Lagos', onError, ...by.settings };
	return await outcomeOf(bookSheet, service, numbered, fields, settings);
}

const nothing = () => undefined;
/** n8n has restarted, and claims have ended: n8n's database remembers. */
const restart = () => {
	worker = new Worker(service);
	jest.setSystemTime(Date.now() + 25 * MINUTE_MS);
};
/** Nothing remembers but the list. */
const loseMemory = () => {
	restart();
	processedData.clear();
};
const after =
	(change: IDataObject, and = restart) =>
	() => {
		and();
		Object.assign(service.bookings[0] ?? {}, change);
	};
/** The list does not show the bookings yet. */
const hideList = () => {
	restart();
	service.listedAfterMs = 1_000 * MINUTE_MS;
};
const showAll = () => {
	service.render = (booking) => booking;
};

const moved = { ...amina, 'Service date': later };
const tomorrow = dayFromNow(1);
/** As a text, the day of the service comes before today. */
const midMonth =
	Array.from({ length: 40 }, (_, days) => dayFromNow(days + 10)).find((day) => /-1\d$/.test(day)) ??
	'';
const asDayMonth = { serviceDate: midMonth.split('-').reverse().join('/') };
/** In Lagos it is tomorrow. */
const asInstant = { serviceDate: `${dayFromNow(0)}T23:00:00.000Z` };
const slip = { ...amina, Name: 'Aminah Bello' };
const larger = { ...amina, Area: '3 ha' };
const withRef = (rows: IDataObject[]) => rows.map((cells, at) => ({ ...cells, Ref: at + 1 }));
const [ref1 = {}, ref2 = {}] = withRef(sheet);
const withId = sheet.map((cells, at) => ({ ...cells, 'Booking ID': 5001 + at }));
const [id1 = {}, id2 = {}] = withId;

const ALREADY = 'already booked';
const ASKED = 'possible duplicate';
/** The row with what a person has written into its Booking ID. */
const answered = (cells: IDataObject, answer: string): IDataObject => ({
	...cells,
	'Booking ID': answer,
});
const notFirst = (cells: IDataObject) => answered(cells, 'not 5001');
const uncompared = { compareWithBookings: false };

type Case = [
	what: string,
	first: IDataObject[],
	meanwhile: () => void,
	second: IDataObject[],
	options: INodeParameters,
	results: string[],
	/** The issues of rows by their codes, or a message: each once. */
	said?: RegExp | string,
];

// prettier-ignore
const byMemory: Case[] = [
	['the same', sheet, restart, sheet, {}, [ALREADY, ALREADY, ALREADY], /as booking 5001 \(new\)/],
	['the same, and the list is empty', [amina], () => (restart(), (service.bookings = [])), [amina], {}, [ALREADY], /Row 2 \(Amina Bello\): already booked, but the booking is not listed yet, or no longer listed/],
	['the same, and the list is empty, in the same process', [amina], () => (service.bookings = []), [amina], {}, [ALREADY], '2 notListed'],
	['the same, declined', [amina], after({ bookingStatus: 4 }), [amina], {}, [ALREADY], /Row 2 \(Amina Bello\): .* the booking is declined[.;] [Tt]o book the row again, write not before its Booking ID/],
	['the same, unpaired', [amina], after({ bookingStatus: 5 }), [amina], {}, [ALREADY], /the booking is unpaired[.;] [Ii]t may get another tractor: ask the operator/],
	['the same, moved by its owner', [amina], after({ serviceDate: later }), [amina], {}, [ALREADY], /Row 2 \(Amina Bello\): .* the booking has another Service Date, which/],
	['another tractor', [amina], restart, [{ ...amina, Tractor: 202 }], {}, [ALREADY], /was booked before, but some of its cells had other values .* If the row is that booking, write 5001 in the column "bookingID"; if it is another field, write not 5001 in.*Row 2 \(Amina Bello\): .* cells had other values then.*\./s],
	['another of its job above it, for another tractor', [amina], restart, [{ ...amina, Tractor: 202 }, amina], {}, [ALREADY, 'to fix'], /is the same job as row 2 .*, but for Tractor ID \(202, 201\).*write in Plot of each which field it is/],
	['another of its job above it, and it gets a tractor', [amina], restart, [{ ...amina, Tractor: 202 }, { ...amina, Tractor: 203 }], {}, [ALREADY, 'to fix'], '2 otherCells, 3 sameJob'],
	['another field, in a column that is not read', [{ ...amina, Field: 'A' }], restart, [{ ...amina, Field: 'B' }], {}, [ALREADY], '2 otherCells'],
	['a crop and a village, filled in', sheet, restart, sheet.map((cells) => ({ ...cells, Crop: 'Maize', Village: 'Ede' })), {}, [ALREADY, ALREADY, ALREADY], '2 otherCells, 3 otherCells, 4 otherCells'],
	['another field, which only its crop tells, without the first', [{ ...amina, Crop: 'Maize' }], restart, [{ ...amina, Crop: 'Rice' }], {}, [ALREADY], '2 otherCells'],
	['another field, which only its crop tells, above the first', [{ ...amina, Crop: 'Maize' }], restart, [{ ...amina, Crop: 'Rice' }, { ...amina, Crop: 'Maize' }], {}, [ALREADY, 'to fix']],
	['another field, which only its crop tells, and that is said', [{ ...amina, Crop: 'Maize' }], restart, [notFirst({ ...amina, Crop: 'Rice' }), { ...amina, Crop: 'Maize' }], {}, ['created', ALREADY], /another job than booking 5001/],
	['declined, and is wanted again', [amina], after({ bookingStatus: 4 }), [notFirst(amina)], {}, ['created'], /Row 2 \(Amina Bello\): another job than booking 5001\./],
	['an answer that belongs to another row', [amina, bala], restart, [notFirst(amina), bala], {}, [ASKED, ALREADY], /is said not to be booking 5001 \(new\), but its cells are those .*; if not, write 5001 in/],
	['an answer that belongs to another row, and a plot', [amina], restart, [notFirst({ ...amina, Plot: 'North' })], {}, ['created']],
	['its plot', [amina], restart, [{ ...amina, Plot: 'North' }], {}, [ASKED], /5001 \(new\) has the same name, phone and day, and was made for another service, area or plot. If it is the same job, write 5001/],
	['another plot', [{ ...amina, Plot: 'North' }], restart, [{ ...amina, Plot: 'River' }], {}, [ASKED], /booking 5001 \(new\) has the same name/],
	['its plot, in another form', [{ ...amina, Plot: 1 }], restart, [{ ...amina, Plot: '01' }], {}, [ALREADY]],
	['a larger area, below a new farmer of its phone', [amina], restart, [{ ...amina, Name: 'Efe Ade' }, larger], {}, [ASKED, ASKED], /write 5001 in/],
	['its phone in full, and the list is late', [{ ...amina, Phone: '08031234510' }], hideList, [amina], {}, [ALREADY], '2 notListed'],
	['a slip in the name', [amina], restart, [slip], {}, [ASKED], /5001 \(new\) has the same phone and day, but another name, and was made for the same service, area and plot\. .* write 5001 in the column "bookingID"; if it is another job, write not 5001; then run the whole sheet again/],
	['a slip in the name, and a person says that it is another farmer', [amina], restart, [notFirst(slip), amina], {}, ['created', ALREADY]],
	['another phone', [amina], restart, [{ ...amina, Phone: '+2348039990001' }], {}, [ASKED], /^(?!.*12345).*another phone, ending in 510/s],
	['the name of another one of its phone in its own', [amina, { ...amina, Name: 'Yusuf Bello' }], restart, [{ ...amina, Name: 'Amina Yusuf Bello' }, { ...amina, Name: 'Yusuf Bello' }], {}, [ASKED, ALREADY], /5001 \(new\) has the same phone and day, but another name/],
	['another area, and its old cells in a new row', [amina], restart, [larger, { ...amina, Tractor: 202 }], {}, [ASKED, ALREADY], '3 otherCells'],
	['another area, in the same process, and the list is late', [amina], () => (service.listedAfterMs = 20 * MINUTE_MS), [larger], {}, [ASKED], /booking 5001 .*has the same name, phone and day/],
	['another area, and the bookings are not compared', [amina], restart, [larger], uncompared, ['created']],
	['the same, and the bookings are not compared', [amina], restart, [amina], uncompared, [ALREADY], /The bookings can be read now: turn on Options > Compare With Bookings/],
	['a past day', [amina], restart, [{ ...amina, 'Service date': '2020-01-02' }], {}, ['to fix'], /past/],
];

/** What an earlier run has asked about. */
const asked = (cells: IDataObject, possibleBookingIDs = '5001'): IDataObject => ({
	...cells,
	possibleBookingIDs,
});

// prettier-ignore
const byList: Case[] = [
	['the same', [amina], loseMemory, [amina], {}, [ASKED], /has the same name, phone and day/],
	['the same, where the list shows service and area', [amina], () => (loseMemory(), showAll()), [amina], {}, [ASKED]],
	['one of two that it may be', [amina, larger], loseMemory, [amina], {}, [ASKED], /write 5002 or 5001 in the column "bookingID"; if it is another job, write not 5001, 5002;/],
	['none of two that it may be', [amina, larger], loseMemory, [answered(amina, 'not 5002, 5001')], {}, ['created'], /another job than booking 5001 or 5002/],
	['not one of two that it may be', [amina, larger], loseMemory, [notFirst(amina)], {}, [ASKED], /write 5002 in the column "Booking ID"; if it is another job, write not 5001, 5002;/],
	['another job', [amina], loseMemory, [notFirst(amina)], {}, ['created'], /another job than booking 5001/],
	['another row that it may be', [amina], loseMemory, [amina, { ...amina, Name: 'Joy Obi' }], {}, [ASKED, ASKED], /write 5001 in/],
	['another farmer of that phone and day', [amina], loseMemory, [{ ...amina, Name: 'Halima' }], {}, [ASKED]],
	['another day, beside a row that may be booked', [amina, bala], loseMemory, [moved, bala], {}, [ASKED, ASKED]],
	['another day, which the service writes otherwise', [{ ...amina, 'Service date': midMonth }, bala], after(asDayMonth), [moved, bala], {}, [ASKED, ALREADY]],
	['another day, alone, after it was asked about', [amina], after({ bookingStatus: 3 }, loseMemory), [asked(moved)], {}, [ASKED], /booking 5001 \(completed\) has the same name and phone, but another day, /],
	['all in another way, after it was asked about', [amina], after({ farmerName: 'X', farmerPhone: '1', serviceDate: later }, loseMemory), [asked(amina)], {}, [ASKED], /booking 5001 \(new\) has another name/],
	['a question that was answered', [amina], loseMemory, [asked(notFirst(amina))], {}, ['created']],
	['a question about a booking that is gone', [bala], loseMemory, [asked(amina, '9999')], {}, ['created']],
	['another phone', [amina], loseMemory, [{ ...amina, Phone: '+2348039990001' }], {}, [ASKED]],
];

// prettier-ignore
const byRowId: Case[] = [
	['nothing', [ref1], restart, [ref1], {}, [ALREADY], /Row ID "1" was booked before/],
	['its day', [ref1], restart, [{ ...moved, Ref: 1 }], {}, ['to fix'], /was booked for .*, as booking 5001 \(new\)\. If its Row ID was changed, .* write the day of that booking .* write not 5001 in/],
	['its day, which the service writes as an instant', [ref1], after(asInstant), [{ ...moved, Ref: 1 }], {}, ['to fix'], new RegExp(`was booked for ${tomorrow}, as`)],
	['its day, as its owner moved it', [ref1], after({ serviceDate: later }), [{ ...moved, Ref: 1 }], {}, [ALREADY]],
	['its day, the first one done', [ref1], after({ bookingStatus: 3 }), [{ ...moved, Ref: 1 }], {}, ['to fix'], /give it a Row ID that was never used/],
	['its day, and a person says that it is another job', [ref1], restart, [notFirst({ ...moved, Ref: 1 })], {}, ['created']],
	['its farmer', [ref1], restart, [{ ...bala, Ref: 1 }], {}, ['to fix'], /another farmer or another day/],
	['the way it is written', [{ ...ref1, Ref: '001' }], restart, [{ ...ref1, Ref: '1.0' }], {}, [ALREADY]],
	['Row ID, the first one declined', [ref1], after({ bookingStatus: 4 }), [{ ...ref1, Ref: 9 }], {}, [ASKED], /booking 5001 \(declined\) has the same name, phone and day/],
	['Row ID, and the list is empty', [ref1], () => (restart(), (service.bookings = [])), [{ ...ref1, Ref: 9 }], {}, [ASKED], /under another Row ID, or without one/],
	['its name, to that of a farmer who has another Row ID and its phone', [ref1, { ...ref2, Phone: amina.Phone }], restart, [{ ...ref2, Phone: amina.Phone, Ref: 1 }], {}, [ALREADY], '2 otherCells'],
	['its first Row ID, and its phone', [amina], restart, [{ ...amina, Ref: 9, Phone: '+2348039990001' }], {}, [ASKED], /booking 5001/],
	['its first Row ID, and its tractor', [amina], restart, [{ ...amina, Ref: 9, Tractor: 202 }], {}, [ASKED], /booking 5001/],
	['Row ID, which is new', [amina], restart, [ref1], {}, [ASKED], /booking 5001 \(new\) has/],
	['Row ID, which is that of another column now, and the list is late', [{ ...amina, No: 7 }], hideList, [{ ...amina, No: 7 }], { rowIdColumn: 'No' }, [ASKED], /under another Row ID, or without one/],
	['day, alone, after n8n has forgotten all', [ref1], loseMemory, [{ ...moved, Ref: 1 }], {}, [ASKED], /has the same name and phone, but another day/],
	['its sheet, which has another Booking ID', [ref1, ref2], restart, [{ ...id2, Ref: 1 }], {}, ['to fix'], /is the booking of another Row ID/],
];

// prettier-ignore
const byBookingId: Case[] = [
	['nothing', sheet, loseMemory, withId, {}, [ALREADY, ALREADY, ALREADY], /names booking 5001 \(new\)/],
	['its cells, which are wrong', [amina], restart, [{ ...amina, bookingID: '#5001', 'Service date': 'soon', Phone: '' }], {}, [ALREADY]],
	['its day, and it is completed', [amina], after({ bookingStatus: 3 }), [{ ...id1, 'Service date': later }], {}, ['to fix'], /which is completed\. .*write not 5001 in this cell/],
	['its day, with a phone that is wrong, and it is completed', [amina], after({ bookingStatus: 3 }), [{ ...id1, 'Service date': later, Phone: '12' }], {}, ['to fix'], /which is completed\. .*write not 5001 in this cell/],
	['its day, under way', [amina], after({ bookingStatus: 6 }), [{ ...id1, 'Service date': later }], {}, [ALREADY], '2 bookingDiffers'],
	['its farmer', sheet, restart, [{ ...id2, 'Booking ID': 5001 }], {}, ['to fix'], /^(?!.*5001 .*Amina).*"5001" is the booking of another farmer\. .* change one of them back/s],
	['its farmer, without all other cells', [amina], restart, [{ Name: 'Grace Otieno', Phone: '+2348030000001', 'Booking ID': 5001 }], {}, ['to fix'], /"5001" is the booking of another farmer/],
	['nothing, and is in another row of another service', [amina], restart, [id1, { ...id1, Service: 4 }], {}, ['to fix', 'to fix'], /is also the Booking ID of row 3/],
	['its day, and it is declined', [amina], after({ bookingStatus: 4 }), [{ ...id1, 'Service date': later }], {}, ['to fix'], /write not 5001 in this cell/],
	['its day, and its denied booking is declined', [amina], after({ bookingStatus: 4 }), [notFirst(moved)], {}, ['created']],
	['its crop, and a column that is not read', [amina], restart, [{ ...id1, Crop: 'Maize', Paid: 'yes' }], {}, [ALREADY], /^(?!.*other (?:values|cells))/s],
	['its first Row ID', [amina], restart, [{ ...id1, Ref: 7 }], {}, [ALREADY], /^(?!.*other (?:values|cells))/s],
	['its service', [amina], restart, [{ ...id1, Service: 4 }], {}, [ALREADY], /Row 2 \(Amina Bello\): .* booked it for a row with other cells/],
	['its ID, to that of the other job of its farmer and day', [amina, larger], restart, [{ ...amina, 'Booking ID': 5002 }, { ...larger, 'Booking ID': 5001 }], {}, [ALREADY, ALREADY], '2 bookedForOtherCells, 3 bookedForOtherCells'],
	['its name', [amina], restart, [{ ...id1, Name: 'Dauda Sani' }], {}, [ALREADY], '2 bookingDiffers'],
	['its name and its area, and is known as another row', [amina], restart, [{ ...id1, Name: 'Dauda Sani', Area: '3 ha' }], {}, ['to fix'], /is the booking of another row, with another name\. .*if its name was corrected, change it back/],
	['its Row ID', [ref1], restart, [{ ...id1, Ref: 9 }], {}, ['to fix'], /is the booking of another Row ID/],
	['nothing, and is in another row with the same cells', [amina], restart, [id1, id1], {}, [ALREADY, ALREADY]],
	['its village, and is in another row', [amina], restart, [id1, { ...id1, Village: 'Ede' }], {}, ['to fix', 'to fix'], /is also the Booking ID of row 3 .*delete the row if it is the same job/],
	['its ID, which is unknown', [amina], restart, [{ ...amina, 'Booking ID': 9999 }], {}, ['to fix'], /"9999" is unknown/],
	['its ID, which is words', [amina], restart, [{ ...amina, 'Booking ID': 'by Musa' }], {}, ['to fix'], /is not the ID of a booking\. Write 5001 .*, or "not 5001" or "not 5001, 5002"/],
	['its ID, and a no to another booking', [amina], restart, [{ ...id1, bookingID: 'not 4000' }], {}, [ALREADY]],
	['its ID, and a no to it', [amina], restart, [{ ...id1, bookingID: 'not 5001' }], {}, ['to fix'], /Booking ID: "5001 \/ not 5001" says both yes and no/],
	['its ID, and another one', [amina, bala], restart, [{ ...id1, bookingID: '5002' }], {}, ['to fix'], /"5001 \/ 5002" are two bookings/],
	['its ID, and the bookings are not compared', [amina], loseMemory, [id1], uncompared, [ALREADY], /was not looked up/],
];

// prettier-ignore
const inSheet: Case[] = [
	['twice', [], nothing, [amina, amina], {}, ['created', ALREADY], /typed twice: the same as row 2/],
	['twice, once with a note', [], nothing, [{ ...amina, Note: 'A' }, amina], {}, ['created', 'to fix']],
	['with another remark', [], nothing, [{ ...amina, No: 13 }, { ...amina, No: 96 }], {}, ['created', 'to fix'], /the same job as row 2 \(Amina Bello\), but for No \(13, 96\).* delete this row; if not, write in Plot of each/],
	['with a plot each', [], nothing, [{ ...amina, Plot: 'North' }, { ...amina, Plot: 'River' }], {}, ['created', 'created']],
	['with one plot for both', [], nothing, [{ ...amina, Plot: 'North', No: 1 }, { ...amina, Plot: 'north', No: 2 }], {}, ['created', 'to fix'], '3 sameJob'],
	['with a plot in one of the two', [], nothing, [{ ...amina, Plot: 'North' }, amina], {}, ['created', ASKED], /row 2 \(Amina Bello\) is the same but for Plot \(North, empty\)/],
	['with the service in words', [], nothing, [amina, { ...amina, Service: 'Ploughing' }], {}, ['created', ASKED]],
	['with a Row ID each, for another tractor', [], nothing, [ref1, { ...ref1, Ref: 2, Tractor: 202 }], {}, ['created', ASKED]],
	['with a Row ID each, and nothing else', [], nothing, [ref1, { ...ref1, Ref: 2 }], {}, ['created', ASKED], /row 2 \(Amina Bello\) is the same but for Row ID \(1, 2\)/],
	['with one Row ID for two rows', [], nothing, [ref1, { ...ref2, Ref: 1 }], {}, ['created', 'to fix'], /[Ii]f it is the same job, delete this row; if not, give each job a Row ID of its own/],
	['with neither name nor phone', [], nothing, [{ ...amina, Name: '', Phone: '' }], { notInSheet: ['farmerName', 'farmerPhone'] }, ['to fix'], /neither the name nor the phone/],
	['twice with one answer', [amina], after({ bookingStatus: 4 }), [notFirst(amina), notFirst(amina)], {}, ['created', ALREADY], /typed twice/],
];

const cases = Object.entries({
	'is remembered, then comes': byMemory,
	'is only listed, then comes': byList,
	'with a Row ID changes': byRowId,
	'with a Booking ID changes': byBookingId,
	'is in a sheet': inSheet,
}).flatMap(([how, some]) => some.map((one) => ({ how, what: one[0], one })));

interface Summary {
	issues: Array<{ row: number; code: string }>;
}

/** What a Dry Run says of rows: `2 otherCells, 3 sameJob`. */
function codesOf({ records }: Outcome): string {
	const { issues } = records[0]?.summary as unknown as Summary;
	return issues.map(({ row, code }) => `${row} ${code}`).join(', ');
}

it.each(cases)('a row that $how: $what', async ({ one }) => {
	const [, first, meanwhile, second, more, results, said = /./] = one;
	if (first.length > 0) await run(first);
	const before = service.bookings.length;
	meanwhile();
	service.counts.create = 0;
	// What Dry Run shows is what the run does, however often it is asked.
	const shown = ['created', 'would create'];
	for (let preview = 0; preview < 2; preview++) {
		const dry = await run(second, { ...more, dryRun: true });
		expect(dry.results).toEqual(results.map((one) => (one === shown[0] ? shown[1] : one)));
		if (typeof said === 'string') expect(codesOf(dry)).toContain(said);
	}
	const outcome = await run(second, more);
	expect(outcome.results).toEqual(results);
	const table = [...outcome.table, ...hintsOf(outcome)].join('\n');
	if (typeof said !== 'string') expect(table).toMatch(said);
	const made = results.filter((one) => one === 'created').length;
	expect(service.counts.create).toBe(made);
	if (before > service.bookings.length) return;
	// What was booked is remembered, whatever a person has answered.
	restart();
	const again = await run(second, more);
	expect(again.results).toEqual(results.map((one) => (one === 'created' ? ALREADY : one)));
	expect(service.counts.create).toBe(made);
});

// Where bookings are not compared, a row that was about to be sent is asked about.
const dyingCases = cases.filter(({ one: [, , , second, more, results] }) => {
	const isAnswered = second.some((cells) => /^not /.test(asText(cells['Booking ID'])));
	return more !== uncompared && (isAnswered || results.includes('created'));
});

it.each(dyingCases)('a row that $how, and n8n dies before it sends: $what', async ({ one }) => {
	const [, first, meanwhile, second, more, results, said = /./] = one;
	const start = async () => {
		begin();
		if (first.length > 0) await run(first);
		meanwhile();
	};
	await start();
	const before = service.counts.create;
	const living = new Worker(service);
	// The step after each time that it has stored something, until it sends.
	const steps = new Set<number>();
	processedData.afterWrite = async () =>
		void (service.counts.create === before && steps.add(living.steps + 1));
	await run(second, more, 'continueErrorOutput', living);
	for (const diesAt of steps) {
		await start();
		const dying = Object.assign(new Worker(service), { diesAt });
		await Promise.race([run(second, more, 'continueErrorOutput', dying), dying.death]);
		restart();
		const outcome = await run(second, more);
		// A row with an answer may have been sent: it is asked for its plot.
		const isAsked = outcome.results.includes(ASKED) && !results.includes(ASKED);
		const asked = results.map((one) => (one === 'created' ? ASKED : one));
		expect(outcome.results).toEqual(isAsked ? asked : results);
		const table = [...outcome.table, ...hintsOf(outcome)].join('\n');
		if (isAsked) expect(table).toContain('write in Plot');
		else if (typeof said !== 'string') expect(table).toMatch(said);
	}
});

it.each([
	['Plot', amina, { ...amina, Plot: 'North' }],
	['Row ID that was never used', ref1, { ...ref1, Ref: 9 }],
])(
	'a row that n8n was sending when it died is asked about if bookings are not compared: %s',
	async (what, first, other) => {
		service.fate = () => (worker.kill(), 'dropped');
		void run([first], uncompared);
		await worker.death;
		restart();
		service.fate = () => 'booked';
		const { results, table } = await run([first], uncompared);
		expect(results).toEqual([ASKED]);
		expect(table[0]).toMatch(
			new RegExp(`was sent before, and no answer came\\. .* write its Booking ID in .*${what}`),
		);
		expect((await run([other], uncompared)).results).toEqual(['created']);
	},
);

it('bookings whose days are ambiguous are not said to be readable', async () => {
	await run([amina]);
	after({ serviceDate: '05/03/2030' })();
	expect(hintsOf(await run([amina], uncompared)).join()).not.toContain('can be read now');
});

it('a moved booking of a row with other cells may be its own', async () => {
	await run([{ ...amina, Crop: 'Maize' }]);
	after({ serviceDate: later })();
	const { table } = await run([{ ...amina, Crop: 'Rice' }]);
	expect(table[0]).toMatch(/^2: already booked .* If the row is that booking, write 5001 in/);
});

it('a booking that is gone is unknown, although it was listed before', async () => {
	service.page = (records, number, size) => pageOf(records, number, Math.min(size, 2));
	await run(sheet);
	await run(sheet);
	service.bookings.shift();
	expect((await run([id1])).results).toEqual(['to fix']);
});

it('of two rows without responses, one booking is that of the row that names it', async () => {
	service.fate = (_request, count) => (count === 2 ? 'dropped' : 'lost');
	service.listedAfterMs = MINUTE_MS;
	const [one = {}, two = {}] = withRef([amina, { ...larger, Plot: '' }]);
	await run([one, two]);
	restart();
	service.fate = () => 'booked';
	const second = await run([answered(one, '5001'), notFirst(two)]);
	expect(second.results).toEqual([ALREADY, 'created']);
});

it('a booking that is listed, and unknown by its ID, is that of its row', async () => {
	await run([amina]);
	loseMemory();
	service.knowsIds = false;
	expect((await run([id1])).results).toEqual([ALREADY]);
});

it('of two fields with one key, each has its own booking if one has its answer', async () => {
	const [rigasa, kawo] = ['Rigasa', 'Kawo'].map((Village) => ({ ...amina, Village }));
	await run([rigasa ?? {}]);
	jest.setSystemTime(Date.now() + 25 * MINUTE_MS);
	expect((await run([notFirst(kawo ?? {})])).ids).toEqual(['5002']);
	restart();
	for (const rows of [[kawo], [rigasa, kawo], [kawo, rigasa]]) {
		const given = rows.map((one) => one ?? {});
		const ids = given.map((one) => (one === rigasa ? '5001' : '5002'));
		const answered = given.map((one) => (one === kawo ? notFirst(one) : one));
		expect((await run(answered)).ids).toEqual(ids);
	}
	after({ bookingStatus: 4 })();
	for (const one of [rigasa, kawo]) {
		const { table, records } = await run([one ?? {}]);
		expect(table[0]).toMatch(/already booked .*several bookings .*write 5002 or 5001 in/);
		expect(records).toMatchObject([{ bookingID: null, possibleBookingIDs: '5002, 5001' }]);
	}
	expect(service.bookings).toHaveLength(2);
});

it('a row that is typed twice names the same bookings as the first', async () => {
	await run([amina]);
	loseMemory();
	const { records } = await run([amina, amina]);
	const both = { result: ASKED, possibleBookingIDs: '5001' };
	expect(records).toMatchObject([both, both]);
	const said = answered(amina, '5001');
	expect((await run([said, said])).results).toEqual([ALREADY, ALREADY]);
});

it('the cell that is typed stays in its row until that is booked', async () => {
	await run([amina]);
	const rows = [{ ...slip, bookingID: 'not 4000' }];
	const { records } = await run(rows);
	expect(records).toMatchObject([{ bookingID: 'not 4000', possibleBookingIDs: '5001' }]);
	const booked = await run([{ ...records[0], bookingID: 'not 4000, 5001' }]);
	expect(booked.records).toMatchObject([{ bookingID: 5002, possibleBookingIDs: null }]);
});

/** The list cannot be read once two rows are booked. @param times how often */
function breakList(times = Infinity): void {
	let left = times;
	service.beforePage = async () => {
		if (service.bookings.length < 2 || left-- <= 0) return;
		throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
	};
}

const hidden = { serviceDate: 'next week 1', farmerPhone: '*******0001' };
const hideSecond = () =>
	(service.render = (booking) =>
		Object.assign(asDocumented(booking), booking.bookingID === 5002 && hidden));
const loseSecond = (fate: Fate = 'lost') =>
	(service.fate = (_request, count) => (count === 2 ? fate : 'booked'));
const FOUND = /^3: created \(the response was lost; found among the bookings by farmer and day\)$/;

// prettier-ignore
it.each<[string, () => void, RegExp, INodeParameters?]>([
	['is listed ten seconds later', () => (service.listedAfterMs = 10_000), FOUND],
	['came as an undocumented status', () => (loseSecond('409'), (service.listedAfterMs = 10_000)), FOUND],
	['came so, and is not listed', () => (loseSecond('409'), (service.listedAfterMs = 600_000)), /^3: unknown .*says: it is odd\. If that says what is wrong, look .* Otherwise: Wait until/],
	['has a day and a phone that cannot be read', hideSecond, /^3: unknown /],
	['is listed ten minutes later', () => (service.listedAfterMs = 600_000), /^3: unknown \(It is unknown whether .* Wait until \d\d:\d\d, then run .* again, with this row unchanged\./],
	['is in a list that breaks off', breakList, /^3: unknown .* The bookings could not be read: .* Wait until /],
	['is looked for by nobody', breakList, /^3: unknown .* unchanged\./, uncompared],
])('a booking whose response is lost %s', async (_how, happen, said, more = {}) => {
	loseSecond();
	happen();
	const { table } = await run(sheet, more);
	const expected = [/^2: created/, said, /^4: created/];
	expect(table).toEqual(expected.map((one) => expect.stringMatching(one)));
	expect(Object.values(service.timesBooked)).toEqual([1, 1, 1]);
	expect(service.counts.create).toBe(3);
});

it('a node that stops says of twelve rows which cell to write, and where to see the others', async () => {
	const many = Array.from({ length: 14 }, (_, at) =>
		row(20 + at, `Farmer ${'ABCDEFGHIJKLMN'[at]}`),
	);
	await run(many);
	loseMemory();
	const { error } = await run([...many, { ...amina, Phone: '' }], {}, 'stopWorkflow');
	const lines = asText(error?.description).split('\n');
	const asked = lines.filter((line) =>
		/write 50\d\d in .*; if it is another job, write not 50\d\d;/.test(line),
	);
	expect(asked).toHaveLength(12);
	expect(lines.join('\n')).toMatch(/Row 16 .* is empty\. .*More problems: 2\. Turn on Dry Run/s);
});

it('a Dry Run has what is asked about rows as data, for a page', async () => {
	await run([amina]);
	const { records } = await run([slip, bala, { ...bala, Note: 'B' }], { dryRun: true });
	const text =
		'booking 5001 (new) has the same phone and day, but another name, and was made for the same service, area and plot';
	expect(records[0]?.summary).toMatchObject({
		rowQuestions: [
			{ row: 2, farmer: 'Aminah Bello', bookings: [{ bookingID: 5001, text }], needsPlot: false },
			{ row: 4, farmer: 'Bala Musa', bookings: [], earlier: { row: 3 }, needsPlot: true },
		],
	});
});

it('a node that stops at a lost response, and is tried again, books the rest', async () => {
	loseSecond();
	// Four looks, each tried three times.
	breakList(12);
	const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const settings = { ...worker.settings, node, onError: 'stopWorkflow' } as const;
	const { results } = await outcomeOf(bookSheet, service, sheet, {}, settings);
	expect(results).toEqual([ALREADY, ALREADY, 'created']);
	expect(service.counts.create).toBe(3);
});

/** What becomes of the next requests to book, and of all later ones what became of the last. */
const fated =
	(...fates: Fate[]) =>
	() => {
		let sent = 0;
		service.fate = () => fates[Math.min(sent++, fates.length - 1)] ?? 'booked';
	};
const listedAfter = (minutes: number) => () => (service.listedAfterMs = minutes * MINUTE_MS);
const endClaims = () => jest.setSystemTime(Date.now() + 25 * MINUTE_MS);
const anotherWorker = () => (worker = new Worker(service));
const hideNames = () =>
	(service.render = (booking) => ({ ...asDocumented(booking), farmerName: null }));
/** While the first row is sent, another worker books another one, and the first is not booked. */
const bookBeside = () => {
	service.fate = async (_request, count) => {
		if (count > 1) return 'booked';
		await run([larger], {}, 'continueErrorOutput', new Worker(service));
		return 'dropped';
	};
};

/** What happens, or a run: its rows, their results, and what is said of them and above them, and their bookings. */
type Step = (() => unknown) | [rows: IDataObject[], results: string[], said?: RegExp];

const lost = [listedAfter(1), fated('lost')];
const decline = () => {
	restart();
	for (const booking of service.bookings) booking.bookingStatus = 4;
};
const afterDeclined = [notFirst(amina), answered(amina, '5001')];
const notBoth = answered(amina, 'not 5001, 5002');
/** Two rows of one job, of which the one is booked, with a Row ID each; with answers. */
const oneJob = [amina, { ...amina, Tractor: 202 }].map((cells, at) => ({
	...cells,
	Ref: `A${at}`,
}));
const answeredJob = (...answers: string[]) =>
	oneJob.map((cells, at) => answered(cells, answers[at] ?? ''));
const [refA = {}, refB = {}] = ['A', 'B'].map((Ref) => ({ ...amina, Ref }));
const rice = notFirst({ ...amina, Crop: 'Rice' });
const north = notFirst({ ...amina, Plot: 'North' });
const otherService = [amina, { ...amina, Service: 4 }];
const kunle = { ...amina, Name: 'Kunle Eze' };
const three = [amina, kunle, { ...kunle, Area: '3 ha' }];
const EDITS = [{ Name: 'Aminah Bello' }, { Phone: '+2348039990001' }, { 'Service date': later }, { Service: 4 }, { Area: '3 ha' }]; // prettier-ignore

// prettier-ignore
it.each<[string, ...Step[]]>([
	['a question is answered by a person alone, although the row was sent', ...lost, [[amina], ['unknown']], restart, [[asked(amina)], [ASKED]]],
	['a booking that is found in a later run may be another job of that day', ...lost, [[amina], ['unknown']], restart, [[amina], [ALREADY], /Row 2 \(Amina Bello\): already booked, but its response was lost, .*; if that booking is another job, /]],
	['a row that is not the booking it was found to be is booked by its plot', ...lost, [[amina], ['unknown']], restart, fated('booked'), listedAfter(0), [[amina], [ALREADY], /^5001$/m], [[notFirst(amina)], [ASKED], /write in Plot/], [[north], ['created'], /^5002$/m], restart, [[north], [ALREADY], /^5002$/m]],
	['another job with the key of one that was just booked waits until its claim has ended', [[amina], ['created']], [[rice], ['unknown'], /A row with the same job was sent .* again, with this row unchanged\./], restart, [[rice], ['created']]],
	['a lost booking is not that of another row of its farmer and day', listedAfter(1), fated('lost', 'dropped'), [[amina], ['unknown']], anotherWorker, [[larger], ['unknown']], restart, [[larger], [ASKED]], [[amina], [ASKED]]],
	['a lost booking is not that of another Row ID of its farmer and day', listedAfter(1), fated('lost', 'dropped'), [[refA], ['unknown']], anotherWorker, [[{ ...refB, Area: '3 ha' }], ['unknown']], restart, [[{ ...refB, Area: '3 ha' }], [ASKED]], [[refA], [ASKED]]],
	['a declined row does not take the lost booking of another row of its farmer and day', [[amina], ['created']], after({ bookingStatus: 4 }), ...lost, [otherService, [ALREADY, 'unknown']], restart, [otherService, [ALREADY, ASKED], /booking 5001 \(declined\).*booking 5002 \(new\)/s]],
	['of two rows that may be one, the other is asked about, in whatever order they are', listedAfter(1), fated('lost', 'booked'), [[refA, refB], ['unknown', ASKED]], restart, [[refB, refA], [ASKED, ALREADY]]],
	['lost responses of every row end the run after five', fated('500'), [farmers(8), [...Array(5).fill('unknown'), ...Array(3).fill('not sent')], /\(status 500\).*The service says: it is odd\. Wait until.*\(Not sent: the service gave no usable answer .*\. Wait until \d\d:\d\d, then run the whole sheet again: rows booked/s]],
	['a lost row does not take the booking that another run made meanwhile for another row', bookBeside, [[amina], ['unknown']], restart, fated('booked'), [[amina, larger], ['created', ALREADY]]],
	['a lost row does not take a booking of its phone and day whose name the list hides', hideNames, [[bala], ['created']], fated('dropped', 'lost', 'booked'), [three, ['unknown', 'unknown', 'created']], restart, [three, [ASKED, ASKED, ALREADY]]],
	['a row that is booked again has its new booking', [[amina], ['created']], after({ bookingStatus: 4 }), [[notFirst(amina)], ['created']], restart, [[notFirst(amina)], [ALREADY], /^(?!.*declined).*^5002$/ms]],
	['a row that is booked again has no third booking if the second is not listed', [[amina], ['created']], after({ bookingStatus: 4 }), [[notFirst(amina)], ['created']], hideList, [[notFirst(amina)], [ALREADY], /is not listed yet/]],
	['a row that is booked again, and lost, is asked about', [[amina], ['created']], after({ bookingStatus: 4 }), fated('lost'), [[notFirst(amina)], ['unknown']], restart, [[notFirst(amina)], [ASKED], /may be booked already: booking 5002 \(new\)/]],
	['a row that was another job does not take the booking that it is not', [[amina], ['created']], loseMemory, fated('dropped'), [[notFirst(amina)], ['unknown']], restart, [[amina], [ASKED]], fated('booked'), [[notFirst(amina)], [ASKED], /write in Plot/]],
	['a lost row that was another job is asked about again, not sent', [[amina], ['created']], fated('lost'), endClaims, listedAfter(10), [[notFirst(larger)], ['unknown'], /again, with this row unchanged/], [[larger], [ASKED]], [[notFirst(larger)], ['unknown'], /sent a few minutes ago/], restart, [[notFirst(larger)], [ASKED], /The row may be booked already: booking 5002/]],
	['a declined booking and the one that was made after it are each that of their row', [[amina], ['created']], decline, [afterDeclined, ['created', ALREADY]], restart, [afterDeclined, [ALREADY, ALREADY], /^5002\n5001$/m], [[notFirst(amina), amina], [ALREADY, ALREADY], /^5002\n5001$/m], [[amina], [ALREADY], /several bookings/]],
	['a row that was declined twice is asked about with all that it is not', [[amina], ['created']], decline, [[notFirst(amina)], ['created']], decline, [[answered(amina, 'not 5002')], [ASKED], /booking 5001 \(declined\).*write not 5001, 5002;/], [[notBoth], ['created'], /^5003$/m], [[notBoth], [ALREADY], /^5003$/m]],
	...[['5001', 'not 5001'], ['not 5001', '5001']].map((answers, at): [string, ...Step[]] =>
		[`of two rows of one job, that which is booked keeps its booking: ${at}`, [[{ ...oneJob[at], Ref: '' }], ['created']], restart, [oneJob, [ASKED, ASKED]], [answeredJob(...answers), at === 0 ? [ALREADY, 'created'] : ['created', ALREADY]], restart, [answeredJob(...answers), [ALREADY, ALREADY], at === 0 ? /^5001\n5002$/m : /^5002\n5001$/m]]),
	['a response with an older booking is no success', [[amina], ['created']], fated('merged'), [[bala], ['unknown'], /booking 5001, which already existed/]],
	...EDITS.map((edit): [string, ...Step[]] =>
		[`a row that is edited after a lost response, while the list is late: ${Object.keys(edit).join()}`, listedAfter(5), fated('lost'), [[amina], ['unknown']], fated('booked'), [[{ ...amina, ...edit }], ['unknown'], /was sent at \d\d:\d\d without an answer, .* Wait until \d\d:\d\d/], endClaims, [[{ ...amina, ...edit }], [ASKED]]]),
])('%s', async (_what, ...steps) => {
	for (const step of steps) {
		if (typeof step === 'function') {
			step();
			continue;
		}
		const [rows, results, said = /./] = step;
		const outcome = await run(rows);
		expect(outcome.results).toEqual(results);
		expect([...outcome.table, ...hintsOf(outcome), ...outcome.ids].join('\n')).toMatch(said);
	}
});

it.each([
	['phone', { farmerPhone: '', farmerName: '' }, 'Farmer Name and Farmer Phone'],
	['day', { serviceDate: '03/04/2030' }, 'Service Date'],
	['ID', { bookingID: null }, 'Booking ID'],
])('a list without a readable %s stops the run', async (_what, hidden, fields) => {
	await run(sheet);
	service.render = (booking) => ({ ...asDocumented(booking), ...hidden });
	loseMemory();
	const { errors } = await run(sheet);
	expect(asText(errors[0]?.json.reason)).toContain(`without a readable ${fields}`);
	service.render = asDocumented;
	expect((await run(sheet)).results).toEqual([ASKED, ASKED, ASKED]);
});

it('a booking has the same fields in the output, whether it is made or found again', async () => {
	const made = await run([amina]);
	const remembered = await run([amina]);
	const named = await run(made.records);
	const fieldsOf = ({ records }: Outcome) => Object.keys(records[0] ?? {});
	for (const again of [remembered, named]) expect(fieldsOf(again)).toEqual(fieldsOf(made));
});
