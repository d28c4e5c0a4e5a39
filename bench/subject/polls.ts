import axios from 'axios';
import type { Poll, PollResult, PollTask } from '../task';
import type { Engine } from './engine';
import { watcherFor, type Watcher } from './watchers';

const COMPLETED = 3;

/** Requests that the sandbox has received. */
async function countRequests(url: string): Promise<number> {
	const { data } = await axios.get<{ counts: Record<string, { total: number }> }>(
		`${url}/sandbox/requests?limit=1`,
	);
	return Object.values(data.counts).reduce((sum, { total }) => sum + total, 0);
}

async function changeBookings(url: string, completed: number[], additions: number): Promise<void> {
	for (const id of completed) {
		await axios.post(`${url}/sandbox/bookings/${id}/advance`, { status: COMPLETED });
	}
	await axios.post(`${url}/sandbox/bookings`, { count: additions, status: 0 });
	// The sandbox sorts its list anew at the next request, which is no cost of a poll.
	await axios.get(`${url}/sandbox/bookings?limit=1`);
}

async function measurePoll(watcher: Watcher, url: string, completed: number[]): Promise<Poll> {
	const requestsBefore = await countRequests(url);
	const cpuBefore = process.cpuUsage();
	const start = performance.now();
	const items = await watcher.poll();
	const seconds = (performance.now() - start) / 1_000;
	const { user, system } = process.cpuUsage(cpuBefore);
	const ids = new Set(items.map(({ bookingID }) => Number(bookingID)));
	return {
		requests: (await countRequests(url)) - requestsBefore,
		seconds,
		cpuMs: (user + system) / 1_000,
		bytesKept: await watcher.bytesKept(),
		changes: completed.length,
		changesEmitted: completed.filter((id) => ids.has(id)).length,
		emitted: items.length,
	};
}

/** Polls until the first scan is over, then once after each change of the task. */
export async function measurePolls(engine: Engine, task: PollTask): Promise<PollResult> {
	const { url, completions, additions } = task;
	const watcher = await watcherFor(engine, task);
	const [first, later]: [Poll[], Poll[]] = [[], []];
	try {
		do first.push(await measurePoll(watcher, url, []));
		while (!watcher.isFirstScanOver());
		for (const completed of completions) {
			await changeBookings(url, completed, additions);
			later.push(await measurePoll(watcher, url, completed));
		}
		return { first, later };
	} finally {
		await watcher.close();
	}
}
