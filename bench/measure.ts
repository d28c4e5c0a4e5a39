import { join } from 'node:path';

import { runCommand } from '../tools/command';
import type { Sandbox } from '../sandbox';
import { KEYS, startSandbox } from '../sandbox';
import type { Installation } from './installation';
import type { Load } from './loads';
import type { Measurement, PeerName, PollMeasurement, PollTask, Surroundings, Task } from './task';

/** A measurement together with what the service saw of it. */
export interface Sample extends Measurement {
	requests: number;
	/** Requests that were answered with 429. */
	refused: number;
	connections: number;
	peakInFlight: number;
	/** Rows that are booked, where rows were to be booked. */
	booked?: number;
	/** Bookings beyond one for each of those rows. */
	repeated?: number;
}

const root = join(__dirname, '..');

/** Runs a script of `subject/` in a process of its own, under the n8n of the installation. */
async function runScript(
	{ node, modules }: Installation,
	name: string,
	task: object,
	flags: string[] = [],
): Promise<unknown> {
	const script = join(__dirname, 'subject', name);
	const printed = await runCommand(
		node,
		[...flags, '--require', 'tsx/cjs', script, JSON.stringify(task)],
		{ cwd: root, env: { ...process.env, NODE_PATH: modules, N8N_LOG_LEVEL: 'silent' } },
	);
	return JSON.parse(printed.trim().split('\n').at(-1) ?? '') as unknown;
}

async function runSubject(installation: Installation, task: Task): Promise<Measurement> {
	const flags = task.load === 'memory' ? ['--expose-gc'] : [];
	return (await runScript(installation, 'main.ts', task, flags)) as Measurement;
}

function surroundingsOf({ modules, packageFolder }: Installation, { url }: Sandbox): Surroundings {
	return { url, apiKey: KEYS.full, modules, packageFolder };
}

/** Measures the polls of one peer in a process of its own. */
export async function measureWatcher(
	installation: Installation,
	sandbox: Sandbox,
	task: Omit<PollTask, keyof Surroundings>,
): Promise<PollMeasurement> {
	const whole: PollTask = { ...surroundingsOf(installation, sandbox), ...task };
	return (await runScript(installation, 'polls.ts', whole)) as PollMeasurement;
}

/** Bookings that were made of the rows of the task, which carry their number in the farmer's name. */
function bookedRows(names: Array<string | undefined>): { booked: number; repeated: number } {
	const rows = names.filter((name) => name?.startsWith('Row '));
	const booked = new Set(rows).size;
	return { booked, repeated: rows.length - booked };
}

/** What is measured; the title is for people. */
export type Measured = Pick<Load, 'name' | 'sandbox' | 'task'>;

function taskFor(
	installation: Installation,
	sandbox: Sandbox,
	{ name, task }: Measured,
	peer: PeerName,
): Task {
	return {
		load: name,
		peer,
		...surroundingsOf(installation, sandbox),
		rows: 0,
		firstRow: 0,
		places: [],
		tractorIds: [...sandbox.store.tractors.keys()].slice(0, 60),
		limit: 0,
		windowMs: 0,
		warmUp: false,
		...task,
	};
}

/**
 * Measures our node in several processes that share a key and the rows of a load, like workers of n8n.
 *
 * @returns the requests, the refused ones, and the seconds from the first booking to the last
 */
export async function measureWorkers(
	installation: Installation,
	load: Measured,
	workers: number,
): Promise<{ requests: number; refused: number; seconds: number }> {
	const sandbox = await startSandbox(load.sandbox);
	try {
		const task = taskFor(installation, sandbox, load, 'ours');
		const rows = task.rows / workers;
		await Promise.all(
			Array.from(
				{ length: workers },
				async (_, worker) =>
					await runSubject(installation, { ...task, rows, firstRow: worker * rows }),
			),
		);
		const times = sandbox.requests
			.find({ endpoint: 'create', status: 200 })
			.map(({ time }) => time);
		if (times.length !== task.rows) throw new Error(`${times.length} of ${task.rows} rows booked`);
		return {
			requests: sandbox.requests.count('create'),
			refused: sandbox.requests.count('create', 429),
			seconds: (Math.max(...times) - Math.min(...times)) / 1_000,
		};
	} finally {
		await sandbox.close();
	}
}

/** Measures one peer in a process of its own. */
export async function measure(
	installation: Installation,
	load: Measured,
	peer: PeerName,
): Promise<Sample> {
	const sandbox = await startSandbox(load.sandbox);
	try {
		const measurement = await runSubject(installation, taskFor(installation, sandbox, load, peer));
		const counts = Object.values(sandbox.requests.counts());
		const names =
			load.name === 'create'
				? sandbox.store.bookings.ids('A').map((id) => sandbox.store.bookings.get(id)?.farmerName)
				: undefined;
		return {
			...measurement,
			requests: counts.reduce((sum, { total }) => sum + total, 0),
			refused: counts.reduce((sum, { byStatus }) => sum + (byStatus[429] ?? 0), 0),
			connections: sandbox.requests.connections,
			peakInFlight: sandbox.requests.peakInFlight,
			...(names && bookedRows(names)),
		};
	} finally {
		await sandbox.close();
	}
}
