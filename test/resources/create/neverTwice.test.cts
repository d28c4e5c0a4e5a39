import { join } from 'node:path';
import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';

import type { SheetSummary } from '../../../nodes/TractorBooking/resources/booking/create/say/report';
import { asText } from '../../../nodes/TractorBooking/utils/text';
import {
	bookSheet,
	farmers,
	mapping,
	outcomeOf,
	saidOf,
	type Outcome,
} from '../../support/bookings.cts';
import { processedData } from '../../support/engine.cts';
import { asDocumented, pageOf, type Fate, type LateService } from '../../support/lateService.cts';
import { load } from '../../support/loads.cts';
import { OutcomePage } from '../../support/page.cts';
import { lateServiceForTests, Worker } from '../../support/worker.cts';
import { dayFromNow } from './jobs/stories.cts';

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
const daysLater = (days: number) => () => {
	restart();
	jest.setSystemTime(Date.now() + days * 24 * 60 * MINUTE_MS);
};
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
const hideList = () => {
	restart();
	service.listedAfterMs = 1_000 * MINUTE_MS;
};
const showAll = () => {
	service.render = (booking) => booking;
};

const moved = { ...amina, 'Service date': later };
/** As a text, the day of the service comes before today. */
const midMonth =
	Array.from({ length: 40 }, (_, days) => dayFromNow(days + 10)).find((day) => /-1\d$/.test(day)) ??
	'';
const asDayMonth = { serviceDate: midMonth.split('-').reverse().join('/') };
/** In Lagos it is tomorrow. */
const asInstant = { serviceDate: `${dayFromNow(0)}T23:00:00.000Z` };
const slip = { ...amina, Name: 'Aminah Bello' };
const larger = { ...amina, Area: '3 ha' };
const numbered = (first: number) => sheet.map((cells, at) => ({ ...cells, 'S/N': first + at }));
const withRef = (rows: IDataObject[]) => rows.map((cells, at) => ({ ...cells, Ref: at + 1 }));
const [ref1 = {}, ref2 = {}] = withRef(sheet);
const withId = sheet.map((cells, at) => ({ ...cells, 'Booking ID': 5001 + at }));
const [id1 = {}, id2 = {}] = withId;

const jalingo = { ...amina, Latitude: 8.89, Longitude: 11.36 };
/** With the two exchanged, it is near these. */
const kano = [1, 2, 3].map((at) =>
	row(20 + at, `Farmer ${'ABCD'[at]}`, { Latitude: 12, Longitude: 8.5 }),
);

const ALREADY = 'already booked';
const POSSIBLE = 'possible duplicate';
const ASKED = `${POSSIBLE}: mayBeBooked`;
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
	/** What comes of each row, and the code of what is said of it. */
	results: string[],
];

// prettier-ignore
const byMemory: Case[] = [
	['the same, numbered again', numbered(1), restart, numbered(2), {}, [ALREADY, ALREADY, ALREADY]],
	['the same, and the list is empty', [amina], () => (restart(), (service.bookings = [])), [amina], {}, ['already booked: notListed']],
	['the same, and the list is empty, in the same process', [amina], () => (service.bookings = []), [amina], {}, ['already booked: notListed']],
	['the same, and the list does not show it, in the same process', [amina], () => (service.listedAfterMs = 1_000 * MINUTE_MS), [amina], {}, [ALREADY]],
	['the same, declined', [amina], after({ bookingStatus: 4 }), [amina], {}, ['already booked: declined']],
	['declined, with a no to another booking', [amina], after({ bookingStatus: 4 }), [answered(amina, 'not 4000')], {}, ['already booked: declined']],
	['the same, unpaired', [amina], after({ bookingStatus: 5 }), [amina], {}, ['already booked: unpaired']],
	['the same, moved by its owner', [amina], after({ serviceDate: later }), [amina], {}, ['already booked: bookingDiffers']],
	['another crop, moved by its owner', [{ ...amina, Crop: 'Maize' }], after({ serviceDate: later }), [{ ...amina, Crop: 'Rice' }], {}, ['already booked: otherCells']],
	['another tractor', [amina], restart, [{ ...amina, Tractor: 202 }], {}, ['already booked: otherCells']],
	['another tractor, with a no to another booking', [answered(amina, 'not 4000')], restart, [{ ...answered(amina, 'not 4000'), Tractor: 202 }], {}, ['already booked: otherCells']],
	['another of its job above it, for another tractor', [amina], restart, [{ ...amina, Tractor: 202 }, amina], {}, ['already booked: otherCells', ASKED]],
	['its place, which is right, among others that are far from it', [jalingo], restart, [jalingo, ...kano], {}, [ALREADY, 'created', 'created', 'created']],
	['another field, in a column that is not read', [{ ...amina, Field: 'A' }], restart, [{ ...amina, Field: 'B' }], {}, ['already booked: otherCells']],
	['a crop and a village, filled in', sheet, restart, sheet.map((cells) => ({ ...cells, Crop: 'Maize', Village: 'Ede' })), {}, ['already booked: otherCells', 'already booked: otherCells', 'already booked: otherCells']],
	['another field, which only its crop tells, above the first', [{ ...amina, Crop: 'Maize' }], restart, [{ ...amina, Crop: 'Rice' }, { ...amina, Crop: 'Maize' }], {}, ['already booked: otherCells', ASKED]],
	['another field, which only its crop tells, and that is said', [{ ...amina, Crop: 'Maize' }], restart, [notFirst({ ...amina, Crop: 'Rice' }), { ...amina, Crop: 'Maize' }], {}, ['created', ALREADY]],
	['a no in the quotes of the message', [amina], after({ bookingStatus: 4 }), [answered(amina, '"not 5001"')], {}, ['created']],
	['declined, and is wanted again', [amina], after({ bookingStatus: 4 }), [notFirst(amina)], {}, ['created']],
	['an answer that belongs to another row', [amina, bala], restart, [notFirst(amina), bala], {}, [ASKED, ALREADY]],
	['an answer that belongs to another row, and a plot', [amina], restart, [notFirst({ ...amina, Plot: 'North' })], {}, ['created']],
	['its plot', [amina], restart, [{ ...amina, Plot: 'North' }], {}, [ASKED]],
	['another plot', [{ ...amina, Plot: 'North' }], restart, [{ ...amina, Plot: 'River' }], {}, [ASKED]],
	['its plot and its Booking ID, beside a second field, and nothing is compared', [amina], restart, [answered({ ...amina, Plot: 'North' }, '5001'), { ...amina, Plot: 'River' }], uncompared, [ALREADY, 'created']],
	['its area, with a Row ID, and nothing is compared', [ref1], restart, [{ ...ref1, Area: '3 ha' }], uncompared, ['already booked: otherCells']],
	['the same, and it is another field', [ref1], restart, [notFirst({ ...ref1, Area: '3 ha' })], uncompared, ['created']],
	['its plot, in another form', [{ ...amina, Plot: 1 }], restart, [{ ...amina, Plot: '01' }], {}, [ALREADY]],
	['a larger area, below a new farmer of its phone', [amina], restart, [{ ...amina, Name: 'Efe Ade' }, larger], {}, [ASKED, ASKED]],
	['its phone in full, and the list is late', [{ ...amina, Phone: '08031234510' }], hideList, [amina], {}, ['already booked: notListed']],
	['a slip in the name', [amina], restart, [slip], {}, [ASKED]],
	['names that begin with each other, in one sheet', [], restart, [amina, { ...amina, Name: 'A. Bello' }], {}, ['created', ASKED]],
	['a short name in two ways, in one sheet', [], restart, [{ ...amina, Name: 'Awa Diarra' }, { ...amina, Name: 'Hawa Diarra' }], {}, ['created', ASKED]],
	['a service in two ways, in one sheet', [], restart, [{ ...amina, Service: 'Ploughing' }, { ...amina, Service: '3 - ploughing' }], {}, ['created', ASKED]],
	['services with different numbers, in one sheet', [], restart, [{ ...amina, Service: 'Ploughing' }, { ...amina, Service: '5' }, { ...amina, Service: 'Planting (5)' }], {}, ['created', ASKED, ASKED]],
	['a name whose slip changes the order of its words, in one sheet', [], restart, [{ ...amina, Name: 'Hawa Bello' }, { ...amina, Name: 'Awa Belo' }], {}, ['created', ASKED]],
	['a phone in two forms without a country, and a slip in the name, in one sheet', [], restart, [{ ...amina, Phone: '08031234510' }, { ...amina, Phone: '8031234510', Name: 'Amina Belo' }], {}, ['created', ASKED]],
	['a service in two words for one, in one sheet', [], restart, [{ ...amina, Service: 'Ploughing' }, { ...amina, Service: 'Labour' }], { serviceNames: 'labour = Ploughing (3)' }, ['created', ASKED]],
	['a slip in the name, and a person says that it is another farmer', [amina], restart, [notFirst(slip), amina], {}, ['created', ALREADY]],
	['another phone', [amina], restart, [{ ...amina, Phone: '+2348039990001' }], {}, [ASKED]],
	['another phone, with the same ending', [amina], restart, [{ ...amina, Phone: '+2348039994510' }], {}, [ASKED]],
	['the name of another one of its phone in its own', [amina, { ...amina, Name: 'Yusuf Bello' }], restart, [{ ...amina, Name: 'Amina Yusuf Bello' }, { ...amina, Name: 'Yusuf Bello' }], {}, [ASKED, ALREADY]],
	['another area, and its old cells in a new row', [amina], restart, [larger, { ...amina, Tractor: 202 }], {}, [ASKED, 'already booked: otherCells']],
	['another area, in the same process, and the list is late', [amina], () => (service.listedAfterMs = 20 * MINUTE_MS), [larger], {}, [ASKED]],
	['another area, and the bookings are not compared', [amina], restart, [larger], uncompared, ['created']],
	['the same, and the bookings are not compared', [amina], restart, [amina], uncompared, [ALREADY]],
	['another day', [amina], restart, [moved], {}, [ASKED]],
	['another day and another area', [amina], restart, [{ ...moved, Area: '3 ha' }], {}, [ASKED]],
	['another day, as the first one has passed', [amina], daysLater(4), [moved], {}, [ASKED]],
	['another day, as the first one has passed, and it is completed', [amina], after({ bookingStatus: 3 }, daysLater(4)), [moved], {}, ['created']],
	['another day, weeks later', [amina], daysLater(20), [{ ...amina, 'Service date': dayFromNow(30) }], {}, ['created']],
	['a past day', [amina], restart, [{ ...amina, 'Service date': '2020-01-02' }], {}, [ASKED]],
];

const asked = (cells: IDataObject, possibleBookingIDs = '5001'): IDataObject => ({
	...cells,
	possibleBookingIDs,
});

// prettier-ignore
const byList: Case[] = [
	['the same', [amina], loseMemory, [amina], {}, [ASKED]],
	['the same, where the list shows service and area', [amina], () => (loseMemory(), showAll()), [amina], {}, [ASKED]],
	['one of two that it may be', [amina, larger], loseMemory, [amina], {}, [ASKED]],
	['none of two that it may be', [amina, larger], loseMemory, [answered(amina, 'not 5002, 5001')], {}, ['created']],
	['not one of two that it may be', [amina, larger], loseMemory, [notFirst(amina)], {}, [ASKED]],
	['another job', [amina], loseMemory, [notFirst(amina)], {}, ['created']],
	['another row that it may be', [amina], loseMemory, [amina, { ...amina, Name: 'Joy Obi' }], {}, [ASKED, ASKED]],
	['nothing, but its answer is in another line', [amina], loseMemory, [{ ...id1, 'Service date': later }, amina], {}, ['already booked: bookingDiffers', ASKED]],
	['another farmer of that phone and day', [amina], loseMemory, [{ ...amina, Name: 'Halima' }], {}, [ASKED]],
	['another day, beside a row that may be booked', [amina, bala], loseMemory, [moved, bala], {}, [ASKED, ASKED]],
	['another day, which the service writes otherwise', [{ ...amina, 'Service date': midMonth }, bala], after(asDayMonth), [moved, bala], {}, [ASKED, ALREADY]],
	['another day, after it was asked about', [amina], after({ bookingStatus: 3 }, loseMemory), [asked(moved)], {}, [ASKED]],
	['all in another way, after it was asked about', [amina], after({ farmerName: 'X', farmerPhone: '1', serviceDate: later }, loseMemory), [asked(amina)], {}, [ASKED]],
	['a question that was answered', [amina], loseMemory, [asked(notFirst(amina))], {}, ['created']],
	['a question about a booking that is gone', [bala], loseMemory, [asked(amina, '9999')], {}, ['created']],
];

// prettier-ignore
const byRowId: Case[] = [
	['nothing', [ref1], restart, [ref1], {}, [ALREADY]],
	['its day', [ref1], restart, [{ ...moved, Ref: 1 }], {}, [ASKED]],
	['its day, which the service writes as an instant', [ref1], after(asInstant), [{ ...moved, Ref: 1 }], {}, [ASKED]],
	['its day, as its owner moved it', [ref1], after({ serviceDate: later }), [{ ...moved, Ref: 1 }], {}, ['already booked: otherCells']],
	['its day, the first one done', [ref1], after({ bookingStatus: 3 }), [{ ...moved, Ref: 1 }], {}, [ASKED]],
	['its day, and a person says that it is another job', [ref1], restart, [notFirst({ ...moved, Ref: 1 })], {}, ['created']],
	['its farmer', [ref1], restart, [{ ...bala, Ref: 1 }], {}, ['to fix: rowIdOfOtherJob']],
	['the way it is written', [{ ...ref1, Ref: '001' }], restart, [{ ...ref1, Ref: '1.0' }], {}, [ALREADY]],
	['Row ID, the first one declined', [ref1], after({ bookingStatus: 4 }), [{ ...ref1, Ref: 9 }], {}, [ASKED]],
	['Row ID, and the list is empty', [ref1], () => (restart(), (service.bookings = [])), [{ ...ref1, Ref: 9 }], {}, [ASKED]],
	['its name, to that of a farmer who has another Row ID and its phone', [ref1, { ...ref2, Phone: amina.Phone }], restart, [{ ...ref2, Phone: amina.Phone, Ref: 1 }], {}, ['already booked: otherCells']],
	['its first Row ID, and its phone', [amina], restart, [{ ...amina, Ref: 9, Phone: '+2348039990001' }], {}, [ASKED]],
	['Row ID, which is new', [amina], restart, [ref1], {}, [ASKED]],
	['Row ID, which is that of another column now, and the list is late', [{ ...amina, No: 7 }], hideList, [{ ...amina, No: 7 }], { rowIdColumn: 'No' }, [ASKED]],
	['day, after n8n has forgotten all', [ref1], loseMemory, [{ ...moved, Ref: 1 }], {}, [ASKED]],
	['its sheet, which has another Booking ID', [ref1, ref2], restart, [{ ...id2, Ref: 1 }], {}, ['already booked: bookingDiffers']],
];

// prettier-ignore
const byBookingId: Case[] = [
	['nothing', sheet, loseMemory, withId, {}, [ALREADY, ALREADY, ALREADY]],
	['its cells, which are wrong', [amina], restart, [{ ...amina, bookingID: '#5001', Tractor: 'any', Phone: '' }], {}, [ALREADY]],
	['nothing, and the day of a new row is a text', [amina], restart, [{ ...id1, 'Service date': '2026-03-05T00:00:00' }, { ...bala, 'Service date': '13/03/2026' }], {}, [ALREADY, 'created']],
	['nothing, and its day contradicts the heading', [{ ...amina, 'Service date': '13/03/2026' }], restart, [{ ...id1, 'Service date': undefined, 'Service date (mm/dd/yyyy)': '13/03/2026' }], {}, [ALREADY]],
	['its day, which cannot be read', [amina], restart, [{ ...id1, 'Service date': 'soon' }], {}, ['to fix: date']],
	['its day, and it is completed', [amina], after({ bookingStatus: 3 }), [{ ...id1, 'Service date': later }], {}, ['to fix: bookingOfOtherDay']],
	['its day, under way', [amina], after({ bookingStatus: 6 }), [{ ...id1, 'Service date': later }], {}, ['already booked: bookingDiffers']],
	['its day, as the first one has passed', [amina], daysLater(4), [{ ...id1, 'Service date': later }], {}, ['already booked: bookingDiffers']],
	['its farmer', sheet, restart, [{ ...id2, 'Booking ID': 5001 }], {}, ['to fix: bookingOfOtherFarmer']],
	['its farmer, without all other cells', [amina], restart, [{ Name: 'Grace Otieno', Phone: '+2348030000001', 'Booking ID': 5001 }], {}, ['to fix: bookingOfOtherFarmer']],
	['its area, and its old cells are in a new row', [amina], restart, [answered(larger, '5001'), amina], {}, ['already booked: bookingDiffers', ASKED]],
	['its area, and the answer of its old cells in a new row is no', [amina], restart, [answered(larger, '5001'), notFirst({ ...amina, Plot: 'River' })], {}, ['already booked: bookingDiffers', 'created']],
	['its name, and its old cells are in a new row', [amina], restart, [answered(slip, '5001'), amina], {}, ['already booked: bookingDiffers', ASKED]],
	['nothing, and its ID is filled down, and the bookings are not compared', [amina], restart, [id1, { ...bala, 'Booking ID': 5001 }], uncompared, ['to fix: bookingOfRows', 'to fix: bookingOfRows']],
	['its day, and it is unpaired', [amina], after({ bookingStatus: 5 }), [{ ...id1, 'Service date': later }], {}, ['already booked: unpaired']],
	['nothing, and is in another row of another service', [amina], restart, [id1, { ...id1, Service: 4 }], {}, ['to fix: bookingOfRows', 'to fix: bookingOfRows']],
	['its day, and its denied booking is declined', [amina], after({ bookingStatus: 4 }), [notFirst(moved)], {}, ['created']],
	['its crop, and a column that is not read', [amina], restart, [{ ...id1, Crop: 'Maize', Paid: 'yes' }], {}, [ALREADY]],
	['its first Row ID', [amina], restart, [{ ...id1, Ref: 7 }], {}, [ALREADY]],
	['its service', [amina], restart, [{ ...id1, Service: 4 }], {}, ['already booked: bookingDiffers']],
	['its ID, to that of the other job of its farmer and day', [amina, larger], restart, [{ ...amina, 'Booking ID': 5002 }, { ...larger, 'Booking ID': 5001 }], {}, ['already booked: bookingDiffers', 'already booked: bookingDiffers']],
	['its name', [amina], restart, [{ ...id1, Name: 'Dauda Sani' }], {}, ['already booked: bookingDiffers']],
	['its name and its area, and is known as another row', [amina], restart, [{ ...id1, Name: 'Dauda Sani', Area: '3 ha' }], {}, ['to fix: bookingOfOtherFarmer']],
	['its Row ID', [ref1], restart, [{ ...id1, Ref: 9 }], {}, ['already booked: bookingDiffers']],
	['its day, which is over, as is its booking', [amina], after({ bookingStatus: 3 }), [{ ...id1, 'Service date': dayFromNow(-9) }], {}, ['already booked: bookingDiffers']],
	['its Row ID, which is empty now', [ref1], restart, [{ ...id1, Ref: '' }], {}, ['already booked: bookingDiffers']],
	['its farmer, who is in another row, and cannot be read', [amina], loseMemory, [{ ...id1, Name: '#REF!', Phone: '12' }, amina], {}, [ALREADY, ASKED]],
	['nothing, and is in another row with the same cells', [amina], restart, [id1, id1], {}, [ALREADY, ALREADY]],
	['its village, and is in another row', [amina], restart, [id1, { ...id1, Village: 'Ede' }], {}, ['to fix: bookingOfRows', 'to fix: bookingOfRows']],
	['its ID, which is unknown', [amina], restart, [{ ...amina, 'Booking ID': 9999 }], {}, ['to fix: unknownBooking']],
	['nothing, and the list is empty, in the same process', [amina], () => (service.bookings = []), [id1], {}, ['to fix: unknownBooking']],
	['its ID, which is words', [amina], restart, [{ ...amina, 'Booking ID': 'by Musa' }], {}, ['to fix: notABooking']],
	['its ID, and a no to another booking', [amina], restart, [{ ...id1, bookingID: 'not 4000' }], {}, [ALREADY]],
	['its ID, and a no to it', [amina], restart, [{ ...id1, bookingID: 'not 5001' }], {}, ['to fix: yesAndNo']],
	['its ID, and another one', [amina, bala], restart, [{ ...id1, bookingID: '5002' }], {}, ['to fix: twoBookings']],
	['its ID, and the bookings are not compared', [amina], loseMemory, [id1], uncompared, [ALREADY]],
];

// prettier-ignore
const inSheet: Case[] = [
	['twice', [], nothing, [amina, amina], {}, ['created', ASKED]],
	['twice, once with a note', [], nothing, [{ ...amina, Note: 'A' }, amina], {}, ['created', ASKED]],
	['with another remark', [], nothing, [{ ...amina, No: 13 }, { ...amina, No: 96 }], {}, ['created', ASKED]],
	['at two times', [], nothing, [{ ...amina, Timestamp: 46_346.34309027778 }, { ...amina, Timestamp: 46_347 }], {}, ['created', ASKED]],
	['with a plot each', [], nothing, [{ ...amina, Plot: 'North' }, { ...amina, Plot: 'River' }], {}, ['created', 'created']],
	['with one plot for both', [], nothing, [{ ...amina, Plot: 'North', No: 1 }, { ...amina, Plot: 'north', No: 2 }], {}, ['created', ASKED]],
	['with a plot in one of the two', [], nothing, [{ ...amina, Plot: 'North' }, amina], {}, ['created', ASKED]],
	['with the service in words', [], nothing, [amina, { ...amina, Service: 'Ploughing' }], {}, ['created', ASKED]],
	['with a Row ID each, for another tractor', [], nothing, [ref1, { ...ref1, Ref: 2, Tractor: 202 }], {}, ['created', ASKED]],
	['with a Row ID each, and nothing else', [], nothing, [ref1, { ...ref1, Ref: 2 }], {}, ['created', ASKED]],
	['with one Row ID for two rows', [], nothing, [ref1, { ...ref2, Ref: 1 }], {}, ['created', 'to fix: rowIdOfRows']],
	['with neither name nor phone', [], nothing, [{ ...amina, Name: '', Phone: '' }], { notInSheet: ['farmerName', 'farmerPhone'] }, ['to fix: noFarmer']],
	['twice with one answer', [amina], after({ bookingStatus: 4 }), [notFirst(amina), notFirst(amina)], {}, ['created', ASKED]],
];

const cases = Object.entries({
	'is remembered, then comes': byMemory,
	'is only listed, then comes': byList,
	'with a Row ID changes': byRowId,
	'with a Booking ID changes': byBookingId,
	'is in a sheet': inSheet,
}).flatMap(([how, some]) => some.map((one) => ({ how, what: one[0], one })));

const bare = (result: string) => result.replace(/: .*$/, '');

/** What is said of rows, by its code, or by what they come to: `SHEETS=write npx jest neverTwice` writes the page. */
const page = new OutcomePage(join(__dirname, 'sheets/neverTwice.txt'));
const sentences = new Map<string, Set<string>>();

function note(heading: string, record: IDataObject): void {
	// Which of many rows it is.
	const said = saidOf(record).replace(/^.* (was booked before, as booking) \d+ \(new\)$/, '… $1 …');
	if (said) sentences.set(heading, (sentences.get(heading) ?? new Set()).add(said));
}
const isCode = (heading: string) => /^[a-z]+[A-Z]/.test(heading);

/** What a Dry Run shows of each row: the result that a run would have, and the codes of what is said of it. */
function shownOf({ records, results }: Outcome): string[] {
	const { issues, notices } = records[0]?.summary as unknown as SheetSummary;
	for (const { text } of notices) note('above the rows', { reason: text });
	return records.map((record, at) => {
		const codes = issues.filter(({ row }) => row === record.row_number).map(({ code }) => code);
		const result = String(results[at]).replace('would create', 'created');
		const shown = [result, codes.join(', ')].filter(Boolean).join(': ');
		note(codes.join(', ') || result, record);
		return shown;
	});
}

function tell(outcome: Outcome): Outcome {
	for (const record of outcome.records) note(asText(record.result), record);
	return outcome;
}

it.each(cases)('a row that $how: $what', async ({ one }) => {
	const [, first, meanwhile, second, more, results] = one;
	if (first.length > 0) await run(first);
	const before = service.bookings.length;
	meanwhile();
	service.counts.create = 0;
	// What Dry Run shows is what the run does.
	expect(shownOf(await run(second, { ...more, dryRun: true }))).toEqual(results);
	expect((await run(second, more)).results).toEqual(results.map(bare));
	const made = results.filter((one) => one === 'created').length;
	expect(service.counts.create).toBe(made);
	if (before > service.bookings.length) return;
	// What was booked is remembered, whatever a person has answered.
	restart();
	const again = await run(second, more);
	expect(again.results).toEqual(
		results.map(bare).map((one) => (one === 'created' ? ALREADY : one)),
	);
	expect(service.counts.create).toBe(made);
});

// Where bookings are not compared, a row that was about to be sent is asked about.
const dyingCases = cases.filter(({ one: [, , , second, more, results] }) => {
	const isAnswered = second.some((cells) => /^not /.test(asText(cells['Booking ID'])));
	return more !== uncompared && (isAnswered || results.includes('created'));
});

it.each(dyingCases)('a row that $how, and n8n dies before it sends: $what', async ({ one }) => {
	const [, first, meanwhile, second, more, wanted] = one;
	const results = wanted.map(bare);
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
	const every = load(1, 4);
	for (const diesAt of [...steps].filter((_, at) => at % every === 0)) {
		await start();
		const dying = Object.assign(new Worker(service), { diesAt });
		await Promise.race([run(second, more, 'continueErrorOutput', dying), dying.death]);
		restart();
		const outcome = await run(second, more);
		// A row with an answer may have been sent: it is asked for its plot.
		const isAsked = outcome.results.includes(POSSIBLE) && !results.includes(POSSIBLE);
		const asked = results.map((one) => (one === 'created' ? POSSIBLE : one));
		expect(outcome.results).toEqual(isAsked ? asked : results);
		if (isAsked) expect(outcome.table.join()).toContain('write in Plot');
	}
});

/** What becomes of the next requests to book, and of all later ones what became of the last. */
const fated =
	(...fates: Fate[]) =>
	() => {
		let sent = 0;
		service.fate = () => fates[Math.min(sent++, fates.length - 1)] ?? 'booked';
	};

it('a node that stops says of twelve rows which cell to write, and where to see the others', async () => {
	const many = Array.from({ length: 14 }, (_, at) =>
		row(20 + at, `Farmer ${'ABCDEFGHIJKLMN'[at]}`),
	);
	await run(many);
	loseMemory();
	const { error } = await run([...many, { ...amina, Phone: '' }], {}, 'stopWorkflow');
	const lines = asText(error?.description).split('\n');
	const asked = lines.filter((line) =>
		/write 50\d\d in .*; if it is another job, write "not 50\d\d";/.test(line),
	);
	expect(asked).toHaveLength(12);
	// n8n renders descriptions as HTML.
	expect(lines.join('\n')).toMatch(
		/Row 16 .* has no value\. .*More problems: 2\.<br>\nTurn on Dry Run/s,
	);
});

it('a node that stops names all rows that it asks for their plot', async () => {
	const denying = [amina, bala].map(({ Name, Phone, 'Service date': serviceDate, ...more }) => {
		const { bookingID } = service.add({ farmerName: Name, farmerPhone: Phone, serviceDate });
		const cells = { Name, Phone, 'Service date': serviceDate, ...more };
		return answered(cells, `not ${bookingID}`);
	});
	service.fate = () => (worker.kill(), 'dropped');
	void run(denying);
	await worker.death;
	restart();
	const { error } = await run(denying, {}, 'stopWorkflow');
	expect(error?.description).toMatch(
		/booking 5001 .* in Plot .*\nRow 3 .*booking 5002 .* in Plot /,
	);
});

it('a row with a slip is asked about the row that it repeats, not about the booking that this one has', async () => {
	const rows = [amina, { ...slip, possibleBookingIDs: '' }];
	const { records } = await run(rows);
	const { records: again, results } = await run([amina, asked(slip)]);
	expect(results).toEqual([ALREADY, POSSIBLE]);
	expect(again.map(({ toDo }) => toDo)).toEqual([null, records[1]?.toDo]);
	expect(records[1]?.toDo).not.toContain('5001');
});

it.each<[heading: string, options: INodeParameters]>([
	['Parcelle', {}],
	['Corner', mapping({ Corner: 'plot' })],
])('a row is asked for its plot in the column of the plots: %s', async (heading, more) => {
	const rows = [1, 2].map((No) => ({ ...amina, [heading]: 'North', No }));
	const { records } = await run(rows, more);
	expect(records[1]?.toDo).toContain(`write in ${heading} of both rows`);
});

it('a booking that the service has lost is made again, as its row says', async () => {
	await run([amina]);
	service.bookings = [];
	const { records } = await run([amina]);
	expect(records[0]?.toDo).toMatch(/write in Plot which field .* write "not 5001" in/);
	const { results } = await run([notFirst({ ...amina, Plot: 'again' })]);
	expect(results).toEqual(['created']);
});

it.each([
	['is edited', slip, POSSIBLE],
	['stays as it is', amina, ALREADY],
])(
	'a booking that was deleted before it was listed is made again, as its row says, which %s',
	async (_, cells, result) => {
		await run([amina]);
		service.bookings = [];
		const { results: first } = await run([cells]);
		expect(first).toEqual([result]);
		const { records } = await run([answered(cells, '5001')]);
		expect(records[0]?.result).toBe('to fix');
		expect(records[0]?.toDo).toMatch(/if it was deleted, .* write "not 5001" in this cell/);
		endClaims();
		const { results } = await run([notFirst(cells)]);
		expect(results).toEqual(['created']);
	},
);

it('what a long list shows is there, although it is unknown by its ID', async () => {
	const pad = (count: number) => {
		const other = { farmerName: 'Other', farmerPhone: '1', serviceDate: later };
		for (let at = 0; at < count; at++) service.add(other, 0);
	};
	service.page = (records, number, size) => pageOf(records, number, Math.min(size, 10));
	pad(400);
	await run([amina, bala]);
	const { bookingID } = service.bookings.at(-1) ?? {};
	pad(60);
	await run([row(13, 'Efe Ade')]);
	pad(60);
	service.knowsIds = false;
	const { results } = await run([slip, answered(bala, asText(bookingID))]);
	expect(results).toEqual([POSSIBLE, ALREADY]);
});

it('a node that stops at a lost response, and is tried again, asks about its row', async () => {
	fated('booked', 'lost')();
	const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const settings = { ...worker.settings, node, onError: 'stopWorkflow' } as const;
	const { error } = await outcomeOf(bookSheet, service, sheet, {}, settings);
	expect(error?.description).toMatch(/booking 5002 .* write "not 5002"/);
	expect(service.counts.create).toBe(2);
});

const listedAfter = (minutes: number) => () => (service.listedAfterMs = minutes * MINUTE_MS);
const endClaims = () => jest.setSystemTime(Date.now() + 25 * MINUTE_MS);
const anotherWorker = () => (worker = new Worker(service));
/** While the first row is sent, another worker books another one, and the first is not booked. */
const bookBeside = () => {
	service.fate = async (_request, count) => {
		if (count > 1) return 'booked';
		await run([larger], {}, 'continueErrorOutput', new Worker(service));
		return 'dropped';
	};
};

/** What happens, or a run: its rows, their results, and their bookings. */
type Step =
	| (() => unknown)
	| [rows: IDataObject[], results: string[], ids?: string[], options?: INodeParameters];

const dry = { dryRun: true };
const all = (rows: readonly unknown[], result: string) => rows.map(() => result);
const dieSending = (cells: IDataObject) => async () => {
	service.fate = () => (worker.kill(), 'dropped');
	void run([cells], uncompared);
	await worker.death;
	restart();
	service.fate = () => 'booked';
};
const endAllButFirst = () => {
	restart();
	for (const booking of service.bookings.slice(1)) booking.bookingStatus = 3;
};

const lost = [listedAfter(1), fated('lost')];
const cutPages = () =>
	(service.page = (records, number, size) => pageOf(records, number, Math.min(size, 2)));
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
const UNREADABLE = {
	phone: { farmerPhone: '', farmerName: '' },
	day: { serviceDate: '03/04/2030' },
	ID: { bookingID: null },
};
const hide = (change: IDataObject) => () =>
	(service.render = (booking) => ({ ...asDocumented(booking), ...change }));
const rigasa = { ...amina, Village: 'Rigasa' };
const kawo = notFirst({ ...amina, Village: 'Kawo' });
const second = { ...ref1, Ref: 2, Note: 'B' };
/** Numbers of two tables may be the same. */
const twoTables = [ref1, { ...bala, row_number: 2 }, second];
const edited = asked({ ...larger, Plot: 'River' });
/** More farmers with one phone, and more days of one farmer, than one question names bookings. */
const ofAgent = [...'abcdefghijklmnopqrstuvwxy'].map((letter) => row(10, letter.repeat(6)));
const onDays = ofAgent.map((_, at) => ({ ...amina, 'Service date': dayFromNow(at + 1) }));
const atLast = { ...amina, 'Service date': dayFromNow(40) };
const [firstOfAgent = {}, ...othersOfAgent] = ofAgent;
const zara = { ...firstOfAgent, Name: 'Zara' };

// prettier-ignore
it.each<[string, ...Step[]]>([
	['a new Row ID with the cells of a row that is asked about is asked about, too', [[ref1], ['created']], [[{ ...moved, Ref: 1 }, { ...moved, Ref: 9 }], [POSSIBLE, POSSIBLE]]],
	['a lost row that is said not to be the booking that appeared is booked by its plot', ...lost, [[amina], ['unknown']], restart, fated('booked'), listedAfter(0), [[amina], [POSSIBLE]], [[notFirst(amina)], [POSSIBLE]], [[north], ['created'], ['5002']], restart, [[north], [ALREADY], ['5002']]],
	['a lost row that denies its booking is sent again once that was deleted', fated('lost'), [[amina], ['unknown']], restart, () => service.bookings.pop(), fated('booked'), [[notFirst(amina)], ['created']]],
	['a lost row that denies the booking of another row is sent again', [[amina], ['created']], restart, fated('dropped'), [[notFirst(larger)], ['unknown']], restart, fated('booked'), [[notFirst(larger)], ['created']]],
	['another job with the key of one that was just booked waits until its claim has ended', [[amina], ['created']], [[rice], ['unknown']], restart, [[rice], ['created']]],
	['a lost booking is not that of another row of its farmer and day', listedAfter(1), fated('lost', 'dropped'), [[amina], ['unknown']], anotherWorker, [[larger], ['unknown']], restart, [[larger], [POSSIBLE]], [[amina], [POSSIBLE]]],
	['a lost booking is not that of another Row ID of its farmer and day', listedAfter(1), fated('lost', 'dropped'), [[refA], ['unknown']], anotherWorker, [[{ ...refB, Area: '3 ha' }], ['unknown']], restart, [[{ ...refB, Area: '3 ha' }], [POSSIBLE]], [[refA], [POSSIBLE]]],
	['a declined row does not take the lost booking of another row of its farmer and day', [[amina], ['created']], after({ bookingStatus: 4 }), ...lost, [otherService, [ALREADY, 'unknown']], restart, [otherService, [ALREADY, POSSIBLE]]],
	['of two rows that may be one, both are asked about once the response of one was lost', listedAfter(1), fated('lost', 'booked'), [[refA, refB], ['unknown', POSSIBLE]], restart, [[refB, refA], [POSSIBLE, POSSIBLE]]],
	['a booking whose response came as an undocumented status is unknown', fated('booked', '409', 'booked'), [sheet, ['created', 'unknown', 'created']]],
	['lost responses of every row end the run after five', fated('500'), [farmers(8), [...Array(5).fill('unknown'), ...Array(3).fill('not sent')]]],
	['a lost row does not take the booking that another run made meanwhile for another row', bookBeside, [[amina], ['unknown']], restart, fated('booked'), [[amina, larger], ['created', ALREADY]]],
	['a lost row does not take a booking of its phone and day whose name the list hides', hide({ farmerName: null }), [[bala], ['created']], fated('dropped', 'lost', 'booked'), [three, ['unknown', 'unknown', 'created']], restart, [three, [POSSIBLE, POSSIBLE, ALREADY]]],
	['a row that is booked again has its new booking', [[amina], ['created']], after({ bookingStatus: 4 }), [[notFirst(amina)], ['created']], restart, [[notFirst(amina)], [ALREADY], ['5002']]],
	['a row that is booked again has no third booking if the second is not listed', [[amina], ['created']], after({ bookingStatus: 4 }), [[notFirst(amina)], ['created']], hideList, [[notFirst(amina)], [ALREADY]]],
	['a row that is booked again, and lost, is asked about', [[amina], ['created']], after({ bookingStatus: 4 }), fated('lost'), [[notFirst(amina)], ['unknown']], restart, [[notFirst(amina)], [POSSIBLE]]],
	['a row that was another job does not take the booking that it is not', [[amina], ['created']], loseMemory, fated('dropped'), [[notFirst(amina)], ['unknown']], restart, [[amina], [POSSIBLE]], fated('booked'), [[notFirst(amina)], [POSSIBLE]]],
	['a lost row that was another job is asked about again, not sent', [[amina], ['created']], fated('lost'), endClaims, listedAfter(10), [[notFirst(larger)], ['unknown']], [[larger], [POSSIBLE]], [[notFirst(larger)], ['unknown']], restart, [[notFirst(larger)], [POSSIBLE]]],
	['a declined booking and the one that was made after it are each that of their row', [[amina], ['created']], decline, [afterDeclined, ['created', ALREADY]], restart, [afterDeclined, [ALREADY, ALREADY], ['5002', '5001']], [[notFirst(amina), amina], [ALREADY, ALREADY], ['5002', '5001']], [[amina], [ALREADY], ['']]],
	['a row that was declined twice is asked about with all that it is not', [[amina], ['created']], decline, [[notFirst(amina)], ['created']], decline, [[answered(amina, 'not 5002')], [POSSIBLE]], [[notBoth], ['created'], ['5003']], [[notBoth], [ALREADY], ['5003']]],
	...[['5001', 'not 5001'], ['not 5001', '5001']].map((answers, at): [string, ...Step[]] =>
		[`of two rows of one job, that which is booked keeps its booking: ${at}`, [[{ ...oneJob[at], Ref: '' }], ['created']], restart, [oneJob, [POSSIBLE, POSSIBLE]], [answeredJob(...answers), at === 0 ? [ALREADY, 'created'] : ['created', ALREADY]], restart, [answeredJob(...answers), [ALREADY, ALREADY], at === 0 ? ['5001', '5002'] : ['5002', '5001']]]),
	['a booking that is gone is unknown, although it was listed before', cutPages, [sheet, Array(3).fill('created')], [sheet, Array(3).fill(ALREADY)], () => service.bookings.shift(), [[id1], ['to fix']]],
	['a booking that is listed, and unknown by its ID, is that of its row', [[amina], ['created']], loseMemory, () => (service.knowsIds = false), [[id1], [ALREADY]]],
	['of two rows without responses, the one that is not the booking is asked for its plot', listedAfter(1), fated('lost', 'dropped'), [[ref1, { ...larger, Ref: 2 }], ['unknown', 'unknown']], restart, fated('booked'), [[answered(ref1, '5001'), notFirst({ ...larger, Ref: 2 })], [ALREADY, POSSIBLE]]],
	['a row changes its name, among the farmers of its agent', [ofAgent, all(ofAgent, 'created')], restart, [[zara, ...othersOfAgent], [POSSIBLE, ...all(othersOfAgent, ALREADY)]]],
	['a row with a Row ID does so', [withRef(ofAgent), all(ofAgent, 'created')], restart, [withRef([zara, ...othersOfAgent]), all(ofAgent, ALREADY)]],
	['a row changes its day, among the days of its farmer', [onDays, all(onDays, 'created')], restart, [[atLast, ...onDays.slice(1)], [POSSIBLE, ...all(othersOfAgent, ALREADY)]], endAllButFirst, [[atLast], [POSSIBLE]]],
	['a row that n8n was sending when it died is asked about if bookings are not compared', dieSending(amina), [[amina], [POSSIBLE], [''], uncompared], [[{ ...amina, Plot: 'North' }], ['created'], ['5001'], uncompared]],
	['a row that n8n was sending when it died is asked about, unless it has another Row ID', dieSending(ref1), [[ref1], [POSSIBLE], [''], uncompared], [[{ ...ref1, Ref: 9 }], ['created'], ['5001'], uncompared]],
	['a row that denies another booking is asked about, too, once its response is lost', fated('lost', 'booked'), [[answered(amina, 'not 4001')], ['unknown'], [''], uncompared], restart, [[answered(amina, 'not 4001')], [POSSIBLE], [''], uncompared]],
	['of two fields with one key, each has its own booking if one has its answer', [[rigasa], ['created']], endClaims, [[kawo], ['created'], ['5002']], restart, [[kawo], [ALREADY], ['5002']], [[rigasa, kawo], [ALREADY, ALREADY], ['5001', '5002']], [[kawo, rigasa], [ALREADY, ALREADY], ['5002', '5001']], after({ bookingStatus: 4 }), [[rigasa], ['already booked: unsureWhich'], [''], dry], [[{ ...amina, Village: 'Kawo' }], ['already booked: unsureWhich'], [''], dry]],
	['a booking that its owner has changed is not said to be made for another service', [[amina], ['created']], after({ farmerPhone: bala.Phone }), [[ref1], [ASKED], [''], dry]],
	['an ID in the line of another field does not hide the booking of a lost response', fated('booked', 'lost', 'booked'), [[amina, larger], ['created', 'unknown']], restart, [[answered(amina, '5002'), answered(larger, '5001')], [ALREADY, ALREADY]], [[answered(amina, '5002'), notFirst(larger)], [ALREADY, POSSIBLE]]],
	['a row that is typed twice names the booking of the first once that has one', [[amina], ['created']], loseMemory, [[amina, amina], [POSSIBLE, POSSIBLE]], [[answered(amina, '5001'), amina], [ALREADY, POSSIBLE]], [Array(2).fill(answered(amina, '5001')), [ALREADY, ALREADY]]],
	['a row that was asked about stays so if it is edited, until both rows have their plots', [[amina, amina], ['created', POSSIBLE]], [[id1, edited], [ALREADY, POSSIBLE]], [[{ ...id1, Plot: 'North' }, edited], [ALREADY, 'created']]],
	['a row that may be another one names the booking of that', [twoTables, ['created', 'created', POSSIBLE]], [twoTables, [ALREADY, ALREADY, POSSIBLE]], [[ref1, answered(second, 'not 5001')], [ALREADY, 'created']]],
	['the cell that is typed stays in its row until that is booked', [[amina], ['created']], [[{ ...slip, bookingID: 'not 4000' }], [POSSIBLE], ['not 4000']], [[asked({ ...slip, bookingID: 'not 4000, 5001' })], ['created'], ['5002']]],
	...Object.entries(UNREADABLE).map(([what, hidden]): [string, ...Step[]] =>
		[`a list without a readable ${what} stops the run`, [sheet, all(sheet, 'created')], hide(hidden), loseMemory, [sheet, all(sheet, 'not sent')], hide({}), [sheet, all(sheet, POSSIBLE)]]),
	['a lost row does not take the booking of another field, whose phone is written otherwise', fated('dropped', 'booked'), [[amina, { ...larger, Phone: '08031234510' }], ['unknown', 'created']]],
	['a row that was refused is claimed no more', fated('refused', 'booked'), [[amina], ['failed']], [[amina], ['created']]],
	['a response with the booking of the row before is no success', fated('booked', 'merged'), [[amina, bala], ['created', 'unknown']]],
	['a response with an older booking is no success', [[amina], ['created']], restart, fated('merged'), [[bala], ['unknown']]],
])('%s', async (_what, ...steps) => {
	for (const step of steps) {
		if (typeof step === 'function') {
			await step();
			continue;
		}
		const [rows, results, ids, options] = step;
		const outcome = await run(rows, options);
		expect(options?.dryRun ? shownOf(outcome) : tell(outcome).results).toEqual(results);
		if (ids) expect(outcome.ids).toEqual(ids);
	}
});

it('a declined row is booked again, as it says, among more of a long list than are read by their IDs', async () => {
	const others = Array.from({ length: 60 }, (_, at) =>
		row(20 + at, `${'ABCDEFGHIJ'[at % 10]}a ${'KLMNOP'[Math.floor(at / 10)]}o`),
	);
	cutPages();
	await run([amina, ...others]);
	after({ bookingStatus: 4 })();
	const named = others.map((cells, at) => answered(cells, String(5002 + at)));
	await run([amina, ...named]);
	const { results } = await run([notFirst(amina), ...named]);
	expect(results[0]).toBe('created');
});

it.each([amina, ref1])(
	'a row is not booked again once n8n drops its oldest entries: %j',
	async (cells) => {
		for (let dropped = 1, size = 1; dropped <= size; dropped++) {
			begin();
			await run([cells]);
			({ size } = processedData);
			processedData.dropOldest(dropped);
			restart();
			const { results } = await run([cells]);
			expect([dropped, results]).not.toEqual([dropped, ['created']]);
		}
	},
);

it('what is said of rows is known', () => {
	const ofCodes = [...sentences].flatMap(([code, texts]) => (isCode(code) ? [...texts] : []));
	for (const [heading, texts] of sentences) {
		const own = [...texts].filter((text) => isCode(heading) || !ofCodes.includes(text));
		page.tell(heading, own.join('\n'));
	}
	page.judge();
});
