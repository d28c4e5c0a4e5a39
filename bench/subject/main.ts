import type { PollTask, WorkTask } from '../task';
import { Engine } from './engine';
import { measurePolls } from './polls';
import { measureWork } from './works';

/** Carries out one task in a process of its own, and prints its result as JSON. */
async function main(): Promise<void> {
	const task = JSON.parse(process.argv[2] ?? '') as PollTask | WorkTask;
	const engine = new Engine(task);
	const result =
		'work' in task ? await measureWork(engine, task) : await measurePolls(engine, task);
	// Requests that are still under way belong to no measurement.
	process.stdout.write(`\n${JSON.stringify(result)}\n`, () => process.exit(0));
}

void main();
