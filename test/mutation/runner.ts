import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import type { Job, Verdict } from './job';

/** A worker process that runs one suite at a time, and is replaced when it hangs or dies. */
export class SuiteRunner {
	private worker?: Promise<ChildProcess>;

	/** @param mutatedFiles file with the code that has mutants in it, for `transform.cjs` */
	constructor(private readonly mutatedFiles: string) {}

	async run(job: Job): Promise<Verdict> {
		this.worker ??= this.start();
		const worker = await this.worker;
		let timer: NodeJS.Timeout | undefined;
		const verdict = await new Promise<Verdict | string>((resolve) => {
			// A loop without end leaves no time for the timeout of the test.
			timer = setTimeout(() => resolve('never ends'), 3 * job.timeoutMs);
			worker.removeAllListeners();
			worker.once('exit', () => resolve('the process ended'));
			worker.once('message', (message: Verdict) => resolve(message));
			worker.send(job);
		}).finally(() => clearTimeout(timer));
		if (typeof verdict !== 'string') return verdict;
		this.restart();
		return { failure: verdict, ms: 0, covered: [] };
	}

	/** Gives the next job a process without what the last one left behind. */
	restart(): void {
		this.stop();
		this.worker = undefined;
	}

	stop(): void {
		void this.worker?.then((worker) => worker.kill('SIGKILL'));
	}

	private async start(): Promise<ChildProcess> {
		const worker = fork(join(__dirname, 'worker.ts'), {
			execArgv: ['--import', 'tsx'],
			env: { ...process.env, MUTATED_FILES: this.mutatedFiles },
		});
		await once(worker, 'message');
		return worker;
	}
}
