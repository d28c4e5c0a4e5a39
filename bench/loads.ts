import type { SandboxOptions } from '../sandbox';
import { TOWNS } from '../sandbox';
import type { LoadName, PeerName, Task } from './task';

/** A work, how the service behaves meanwhile, and who does it. */
export interface Load {
	name: Exclude<LoadName, 'start'>;
	title: string;
	/** Ours first; the others are compared with it. */
	peers: PeerName[];
	rounds: number;
	sandbox: SandboxOptions;
	task: Partial<Task>;
	/** The seconds that the limit itself dictates, where there is one. */
	dictatedSeconds?: number;
}

/** How peers are called in tables. */
export const PEERS: Readonly<Record<PeerName, string>> = {
	ours: 'Tractor Booking',
	httpPagination: 'HTTP Request, pagination',
	httpAndSplitOut: 'HTTP Request, pagination + Split Out',
	httpPlain: 'HTTP Request',
	httpBatching: 'HTTP Request, batching',
	httpRetry: 'HTTP Request, Retry On Fail',
	loopAndWait: 'Loop + HTTP Request + Wait',
	axiosLoop: 'axios, page after page',
	bareHelper: "n8n's helper, 8 at a time",
	undiciPool: 'undici, 8 connections kept alive',
	axiosNode: 'a node with axios inside',
};

/** What each request waits at the service, in milliseconds. */
export const LATENCY_MS = 20;
/** Shorter than a minute, so that the bench is over before long; whole seconds, as `Retry-After` has them. */
const WINDOW_MS = 6_000;

/** Seconds that so many requests take at least, all sent as early as so many a window allow. */
function dictated(requests: number, limit: number): number {
	return ((Math.ceil(requests / limit) - 1) * WINDOW_MS) / 1_000;
}

/** Farms around the towns with tractors, each at a place of its own. */
export function placesOf(count: number): Task['places'] {
	return Array.from({ length: count }, (_, row) => {
		const town = TOWNS[row % TOWNS.length];
		const [latitude = 0, longitude = 0] = [town?.latitude, town?.longitude];
		return { latitude: latitude + row / 100_000, longitude: longitude - row / 100_000 };
	});
}

/** The loads of the bench; `scale` of less than 1 gives smaller ones, to try it out. */
export function loadsOf({ rounds, scale }: { rounds: number; scale: number }): Load[] {
	const size = (number: number) => Math.ceil(number * scale);
	const create = size(500);
	const nearby = size(500);
	return [
		{
			name: 'returnAll',
			title: `Return All, ${size(10_000)} bookings, 100 a page, ${LATENCY_MS} ms a request`,
			peers: ['ours', 'httpPagination', 'axiosLoop', 'bareHelper', 'undiciPool'],
			rounds: 2 * rounds + 1,
			sandbox: { bookings: size(10_000), latencyMs: LATENCY_MS },
			task: { warmUp: true },
		},
		{
			name: 'details',
			title: 'Details of 300 items that name 60 tractors',
			peers: ['ours', 'httpPlain'],
			rounds: 2 * rounds + 1,
			sandbox: { latencyMs: LATENCY_MS, rateLimits: { details: null } },
			task: { rows: 300, warmUp: true },
		},
		{
			name: 'create',
			title: `${create} creations at 50 per window of ${WINDOW_MS / 1_000} s`,
			peers: ['ours', 'httpPlain', 'httpBatching', 'httpRetry', 'loopAndWait'],
			rounds,
			sandbox: { latencyMs: LATENCY_MS, rateLimits: { create: 50 }, rateWindowMs: WINDOW_MS },
			task: { rows: create, limit: 50, windowMs: WINDOW_MS },
			dictatedSeconds: dictated(create, 50),
		},
		{
			name: 'nearby',
			title: `${nearby} nearby searches with details at 60 per window of ${WINDOW_MS / 1_000} s`,
			peers: ['ours', 'httpPlain', 'httpBatching', 'httpRetry', 'loopAndWait'],
			rounds,
			sandbox: {
				latencyMs: LATENCY_MS,
				rateLimits: { nearby: 60, details: 60 },
				rateWindowMs: WINDOW_MS,
			},
			task: { rows: nearby, places: placesOf(nearby), limit: 60, windowMs: WINDOW_MS },
			dictatedSeconds: dictated(nearby, 60),
		},
		{
			name: 'memory',
			title: `Return All, ${size(100_000)} bookings`,
			peers: ['ours', 'httpPagination', 'httpAndSplitOut'],
			rounds,
			sandbox: { bookings: size(100_000) },
			task: {},
		},
	];
}
