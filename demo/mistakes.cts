import { distanceKm, type Sandbox, type Tractor } from '../sandbox/index.cts';
import {
	correctedRequests,
	dayOf,
	farmerRequests,
	firstRow,
	repeatedRow,
	type FarmerRequest,
} from '../sandbox/sheet/farmerRequests.cts';
import { rowOf } from '../sandbox/sheet/makeSpreadsheet.cts';
import { smsOf, type RowResult } from './mainJob.cts';

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

/** What becomes of a row when the sheet is uploaded, uploaded again, and uploaded after it was corrected. */
const RESULTS = {
	good: ['created', 'already booked', 'already booked'],
	repeated: ['possible duplicate', 'possible duplicate', 'possible duplicate'],
	faulty: ['to fix', 'to fix', 'created'],
	leftOut: ['left out', 'left out', 'created'],
};

function kindOf({ faults, isLeftOut }: FarmerRequest, isRepeated: boolean): keyof typeof RESULTS {
	if (isLeftOut) return 'leftOut';
	if (faults) return 'faulty';
	return isRepeated ? 'repeated' : 'good';
}

/** Each row has come to what was meant, in each run. */
function mistakesInRows(sandbox: Sandbox, { now, rows, again, corrected }: MainJob): string[] {
	return farmerRequests.flatMap((request, index) => {
		const about = `Row ${index + firstRow} (${request.farmer})`;
		const runs = [rows, again, corrected].map((run) => run[index]);
		const repeats = repeatedRow(request, now);
		const own = runs[2];
		const kind = kindOf(request, repeats !== undefined);
		const results = RESULTS[kind].map((result) => [
			result,
			result === 'created' || result === 'already booked' ? own?.booking : undefined,
		]);
		const seen = runs.map((run) => [run?.result, run?.booking]);
		const reasons = runs.slice(0, request.faults ? 2 : 1).map((run) => run?.reason ?? '');
		const unsaid = wordsOf(request, repeats, now).filter(
			(text) => !reasons.every((reason) => reason.toLowerCase().includes(text.toLowerCase())),
		);
		const meant = correctedRequests[index] ?? request;
		return [
			...unequal(`${about}, results and bookings`, seen, results),
			...unsaid.map((text) => `${about}: its reason does not say ${text}: ${reasons.join(' / ')}`),
			...(kind === 'repeated' ? [] : mistakesInBooking(about, meant, own?.booking, sandbox, now)),
		];
	});
}

/** What the report has to say of a row: column, value and fix of each fault, or the row that it repeats. */
function wordsOf(request: FarmerRequest, repeats: number | undefined, now: Date): string[] {
	if (repeats !== undefined) return [`row ${repeats}`];
	return (request.faults ?? []).flatMap(({ column, value, fix }) => {
		const { [column]: cell } = rowOf(request, now);
		// Excel shows the day of a number.
		const isDay = typeof cell === 'number' && column === 'Service Date';
		return [
			column,
			value ?? shown(isDay ? dayOf(request, now).toISOString().slice(0, 10) : cell),
			fix,
		];
	});
}

/** The booking of a row holds what was meant. */
function mistakesInBooking(
	about: string,
	request: FarmerRequest,
	id: number | undefined,
	{ store: { bookings, tractors } }: Sandbox,
	now: Date,
): string[] {
	const booking: Record<string, unknown> = { ...bookings.get(id ?? '') };
	return Object.entries(bookingOf(request, now, [...tractors.values()])).flatMap(([field, meant]) =>
		unequal(`${about}, ${field}`, booking[field], meant),
	);
}

/** Each created row made one booking, and nothing else made any. */
function mistakesInBookings({ store }: Sandbox, { before, rows, corrected }: MainJob): string[] {
	const created = [...rows, ...corrected].filter(({ result }) => result === 'created');
	const made = store.bookings.ids('A').filter((id) => !before.has(id));
	return unequal('Bookings made', made, created.map(({ booking }) => booking).sort());
}

/** Each completed booking has one SMS, to its phone, and nothing else has any. */
function mistakesInSms(sandbox: Sandbox, { completed }: MainJob): string[] {
	const { outbox, bookings } = sandbox.store;
	const sent = completed.map((id) => [id, ...smsOf(sandbox, id).map(({ to }) => to)]);
	const wanted = completed.map((id) => [id, bookings.get(id)?.farmerPhone]);
	return [
		...unequal('SMS of the completed bookings', sent, wanted),
		...unequal('SMS in all', outbox.length, completed.length),
		...(completed.length > 0 ? [] : ['No booking was completed.']),
	];
}

/** Says what is not as it must be; nothing if it is. */
function unequal(what: string, seen: unknown, wanted: unknown): string[] {
	const [is, must] = [seen, wanted].map((value) => JSON.stringify(value));
	return is === must ? [] : [`${what}: ${is} instead of ${must}.`];
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
