import type { IDataObject } from 'n8n-workflow';

import type { PollCost, PollMeasurement, PollTask, SteadyPoll } from '../task';
import { engineFor } from './nodes';
import type { Watcher } from './watchers';
import { watcherFor } from './watchers';

const COMPLETED = 3;

/** The sandbox, as another process changes it and asks it what it saw. */
class Control {
	constructor(private readonly url: string) {}

	async requestCount(): Promise<number> {
		const { counts } = await this.send<{ counts: Record<string, { total: number }> }>(
			'GET',
			'requests?limit=1',
		);
		return Object.values(counts).reduce((sum, { total }) => sum + total, 0);
	}

	async change(completed: number[], additions: number): Promise<void> {
		for (const id of completed) {
			await this.send('POST', `bookings/${id}/advance`, { status: COMPLETED });
		}
		await this.send('POST', 'bookings', { count: additions, status: 0 });
		// The sandbox sorts its list anew when it is asked for next, which belongs to no poll.
		await this.send('GET', 'bookings?limit=1');
	}

	private async send<T>(method: string, path: string, body?: object): Promise<T> {
		const answer = await fetch(`${this.url}/sandbox/${path}`, {
			method,
			...(body && {
				headers: { 'Content-Type': 'application/json' },
				body: JSON.stringify(body),
			}),
		});
		if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
		return (await answer.json()) as T;
	}
}

/** One poll, measured. */
async function measured(
	watcher: Watcher,
	control: Control,
): Promise<{ cost: PollCost; items: IDataObject[]; error?: string }> {
	const requestsBefore = await control.requestCount();
	const cpuBefore = process.cpuUsage();
	const start = performance.now();
	let items: IDataObject[] = [];
	let error: string | undefined;
	try {
		items = await watcher.poll();
	} catch (reason) {
		error = String(reason instanceof Error ? reason.message : reason);
	}
	const seconds = (performance.now() - start) / 1_000;
	const { user, system } = process.cpuUsage(cpuBefore);
	const requests = (await control.requestCount()) - requestsBefore;
	return { cost: { requests, seconds, cpuSeconds: (user + system) / 1_000_000 }, items, error };
}

/** The first scan, and a poll after each of the task's changes; ends with the first failure. */
async function measurePolls(watcher: Watcher, task: PollTask): Promise<PollMeasurement> {
	const control = new Control(task.url);
	const first = { polls: 0, told: 0, requests: 0, seconds: 0, cpuSeconds: 0 };
	const steady: SteadyPoll[] = [];
	let bytesKept = 0;
	do {
		const { cost, items, error } = await measured(watcher, control);
		first.polls += 1;
		first.told += items.length;
		first.requests += cost.requests;
		first.seconds += cost.seconds;
		first.cpuSeconds += cost.cpuSeconds;
		bytesKept = Math.max(bytesKept, await watcher.bytesKept());
		if (error !== undefined) return { first, steady, bytesKept, error };
	} while (!watcher.isFirstScanOver());
	for (const completed of task.completions) {
		await control.change(completed, task.additions);
		const { cost, items, error } = await measured(watcher, control);
		const told = new Set(items.map(({ bookingID }) => Number(bookingID)));
		const rightly = completed.filter((id) => told.has(id)).length;
		steady.push({ ...cost, told: rightly, toldFalsely: items.length - rightly });
		bytesKept = Math.max(bytesKept, await watcher.bytesKept());
		if (error !== undefined) return { first, steady, bytesKept, error };
	}
	return { first, steady, bytesKept };
}

/** Does the polls of a task in a process of its own, and prints what they took. */
async function main(): Promise<void> {
	const task = JSON.parse(process.argv[2] ?? '') as PollTask;
	const watcher = await watcherFor(engineFor(task), task);
	const measurement = await measurePolls(watcher, task).finally(async () => await watcher.close());
	process.stdout.write(`\n${JSON.stringify(measurement)}\n`, () => process.exit(0));
}

void main();
