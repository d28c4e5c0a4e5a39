import type { Installation } from './installation';
import type { Measured } from './measure';
import { measure, measureWorkers } from './measure';

/** One point of how our cost grows. */
export interface Point {
	what: string;
	requests: number;
	refused: number;
	seconds: number;
}

const LATENCY_MS = 20;
const WINDOW_MS = 6_000;

function reading(bookings: number, pageSize: number): Measured {
	return {
		name: 'returnAll',
		sandbox: { bookings, maxPageSize: pageSize, latencyMs: LATENCY_MS },
		task: {},
	};
}

function creating(rows: number): Measured {
	return {
		name: 'create',
		sandbox: {
			// Rows are compared with the existing bookings, so these are part of the cost.
			bookings: 0,
			latencyMs: LATENCY_MS,
			rateLimits: { create: 50 },
			rateWindowMs: WINDOW_MS,
		},
		task: { rows },
	};
}

/** Measures how our requests and seconds grow with bookings, page size, rows and workers. */
export async function measureGrowth(
	installation: Installation,
	scale: number,
	note: (text: string) => void,
): Promise<Point[]> {
	const works: Array<[what: string, load: Measured]> = [
		...[1_000, 10_000, 100_000].map((bookings): (typeof works)[number] => [
			`Return All of ${bookings * scale} bookings, 100 a page`,
			reading(bookings * scale, 100),
		]),
		...[50, 20].map((size): (typeof works)[number] => [
			`Return All of ${10_000 * scale} bookings, ${size} a page`,
			reading(10_000 * scale, size),
		]),
		...[50, 100, 200, 400].map((rows): (typeof works)[number] => [
			`${rows * scale} creations`,
			creating(rows * scale),
		]),
	];
	const points: Point[] = [];
	for (const [what, load] of works) {
		note(what);
		const { requests, refused, seconds } = await measure(installation, load, 'ours');
		points.push({ what, requests, refused, seconds });
	}
	for (const workers of [2, 4]) {
		const rows = 400 * scale;
		const what = `${rows} creations by ${workers} processes with one key`;
		note(what);
		points.push({ what, ...(await measureWorkers(installation, creating(rows), workers)) });
	}
	return points;
}
