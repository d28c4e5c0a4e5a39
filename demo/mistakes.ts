import { distanceKm, type Sandbox, type Tractor } from '../sandbox';
import {
	correctedRequests,
	dayOf,
	farmerRequests,
	firstRow,
	repeatedRow,
	type FarmerRequest,
} from '../sandbox/sheet/farmerRequests';
import { readCell } from '../sandbox/sheet/makeSpreadsheet';
import { smsOf, type RowResult } from './mainJob';

/** What there is to compare when the main job is done. */
export interface MainJob {
	/** The day from which the dates in the sheet are counted. */
	now: Date;
	/** Ids of the bookings that there were before. */
	before: ReadonlySet<number>;
	/** What the workflow reported when it ran first, when the same sheet was uploaded once more, and a corrected one. */
	rows: RowResult[];
	again: RowResult[];
	corrected: RowResult[];
	/** Ids of the bookings that were completed. */
	completed: number[];
}

/**
 * Compares what the sandbox holds with what the field officers meant.
 * @returns what is wrong, in plain words; nothing if all is as it should be.
 */
export function findMistakes(sandbox: Sandbox, job: MainJob): string[] {
	return [
		...mistakesInRows(sandbox, job),
		...mistakesInBookings(sandbox, job),
		...mistakesInSms(sandbox, job),
	];
}

function mistakesInRows(sandbox: Sandbox, job: MainJob): string[] {
	return farmerRequests.flatMap((request, index) => {
		const mistakes: string[] = [];
		const expect = expecter(mistakes, `Row ${index + firstRow} (${request.farmer})`);
		const [first, second, third] = [job.rows[index], job.again[index], job.corrected[index]];
		if (!first || !second || !third) expect(false, 'is in no report');
		else if (request.faults) {
			[first, second].forEach((run) => checkFaulty(expect, request, run, job.now));
			const corrected = correctedRequests[index] ?? request;
			expect(third.result === 'created', `is corrected, but ${third.result}: ${third.reason}`);
			checkBooking(expect, corrected, third, sandbox, job.now);
		} else checkGood(expect, request, [first, second, third], sandbox, job);
		return mistakes;
	});
}

/** A faulty row is not booked, and the report names column, value and fix of each fault. */
function checkFaulty(expect: Expect, request: FarmerRequest, run: RowResult, now: Date): void {
	const { result, reason, booking } = run;
	expect(result === 'to fix' && booking === undefined, `is faulty, but ${result}`);
	const faults = request.faults ?? [];
	const mustBeSaid = faults.flatMap(({ column, value, fix }) => [
		column,
		value ?? shown(readCell(request, column, now)),
		fix,
	]);
	for (const text of mustBeSaid) {
		expect(reason.includes(text), `is faulty, but the report does not say ${text}: ${reason}`);
	}
}

/** A good row has the booking that was meant, or that of the row which it repeats, and keeps it. */
function checkGood(
	expect: Expect,
	request: FarmerRequest,
	[first, ...later]: [RowResult, ...RowResult[]],
	sandbox: Sandbox,
	{ now, rows }: MainJob,
): void {
	const repeats = repeatedRow(request, now);
	const wanted = repeats === undefined ? 'created' : 'already booked';
	expect(first.result === wanted, `is ${first.result} instead of ${wanted}: ${first.reason}`);
	for (const { result, booking, reason } of later)
		expect(
			result === 'already booked' && booking === first.booking,
			`is ${result} with booking ${booking} in a later run: ${reason}`,
		);
	if (repeats !== undefined) {
		const isTold = first.reason.includes(`row ${repeats}`);
		const hasItsBooking = first.booking === rows[repeats - firstRow]?.booking;
		expect(isTold && hasItsBooking, `repeats row ${repeats}, which is not reported`);
		return;
	}
	checkBooking(expect, request, first, sandbox, now);
}

/** The booking of a row holds what was meant. */
function checkBooking(
	expect: Expect,
	request: FarmerRequest,
	run: RowResult,
	sandbox: Sandbox,
	now: Date,
): void {
	const meant = bookingOf(request, now, [...sandbox.store.tractors.values()]);
	const booking = { ...sandbox.store.bookings.get(run.booking ?? '') };
	for (const [field, value] of Object.entries(meant)) {
		const actual = JSON.stringify(booking[field as keyof typeof booking]);
		const right = JSON.stringify(value);
		expect(actual === right, `is booked with ${field} ${actual} instead of ${right}`);
	}
}

/** Each good row made one booking, and nothing else made any. */
function mistakesInBookings(sandbox: Sandbox, { before, rows, corrected }: MainJob): string[] {
	const mistakes: string[] = [];
	const expect = expecter(mistakes);
	const created = [...rows, ...corrected]
		.filter(({ result }) => result === 'created')
		.map(({ booking }) => booking);
	const made = sandbox.store.bookings.ids('A').filter((id) => !before.has(id));
	expect(new Set(created).size === created.length, 'Rows share a booking');
	for (const id of made)
		expect(created.includes(id), `Booking ${id} was made, but belongs to no row`);
	expect(
		made.length === created.length,
		`${created.length} rows are created, but ${made.length} bookings were made`,
	);
	return mistakes;
}

function mistakesInSms(sandbox: Sandbox, { completed }: MainJob): string[] {
	const mistakes: string[] = [];
	const expect = expecter(mistakes);
	for (const id of completed) {
		const messages = smsOf(sandbox, id);
		expect(messages.length === 1, `Booking ${id} is completed and has ${messages.length} SMS`);
		const phone = sandbox.store.bookings.get(id)?.farmerPhone;
		expect(
			messages.every(({ to }) => to === phone),
			`An SMS about booking ${id} went to another phone`,
		);
	}
	const sent = sandbox.store.outbox.length;
	expect(
		sent === completed.length,
		`${completed.length} bookings are completed, but ${sent} SMS were sent`,
	);
	expect(completed.length > 0, 'No booking was completed');
	return mistakes;
}

type Expect = (fact: boolean, mistake: string) => void;

function expecter(mistakes: string[], about = ''): Expect {
	return (fact, mistake) => void (fact || mistakes.push(`${about} ${mistake}.`.trim()));
}

const shown = (value: unknown) => (typeof value === 'string' ? `"${value}"` : String(value));

/** The booking that a request means, however it was typed. */
function bookingOf(
	request: FarmerRequest,
	now: Date,
	tractors: Tractor[],
): Record<string, unknown> {
	const { farmer, phone, service, area, unit, crops, gender, latitude, longitude, location, note } =
		request;
	return {
		farmerName: farmer,
		farmerPhone: phone,
		tractorId: request.tractor ?? nearestTractor(request, tractors),
		serviceType: service,
		serviceDate: dayOf(request, now).toISOString().slice(0, 10),
		landArea: area,
		areaType: unit,
		crops,
		gender,
		latitude,
		longitude,
		farmLocation: location,
		farmNote: note,
	};
}

/** The tractor nearest to a farm that offers the service, worked out from what the sandbox knows. */
function nearestTractor(request: FarmerRequest, tractors: Tractor[]): number | undefined {
	return tractors
		.filter(({ services }) => services.some(({ id }) => id === request.service))
		.sort((a, b) => distanceKm(request, a) - distanceKm(request, b))[0]?.id;
}
