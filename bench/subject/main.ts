import type { Measurement, Task } from '../task';
import { prepare } from './works';

const MB = 1024 * 1024;

function heapUsed(): number {
	globalThis.gc?.();
	return process.memoryUsage().heapUsed / MB;
}

/** Does the work of a task once, in a process of its own, and prints what it took. */
async function main(): Promise<void> {
	const task = JSON.parse(process.argv[2] ?? '') as Task;
	const { engine, work } = prepare(task);
	if (task.warmUp) {
		await engine.run(work.workflow, work.rows);
		await fetch(`${task.url}/sandbox/reset`, { method: 'POST' });
	}
	const heapBefore = heapUsed();
	const memoryBefore = process.memoryUsage().rss / MB;
	const start = performance.now();
	const { items, error } = await engine.run(work.workflow, work.rows);
	const seconds = (performance.now() - start) / 1_000;
	const memoryPeak = process.resourceUsage().maxRSS / 1024;
	const measurement: Measurement = {
		seconds,
		...work.count(items.map(({ json }) => json)),
		error,
		memoryBefore,
		memoryPeak,
		heapHeld: globalThis.gc ? heapUsed() - heapBefore : undefined,
	};
	// Whatever is still under way belongs to no measurement any more.
	process.stdout.write(`\n${JSON.stringify(measurement)}\n`, () => process.exit(0));
}

void main();
