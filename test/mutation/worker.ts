import { readConfig } from 'jest-config';
import TestRunner from 'jest-runner';
import Runtime from 'jest-runtime';

import type { Job, Verdict } from './job';

/** What the instrumenter's code looks at. */
interface Switches {
	activeMutant?: string;
	mutantCoverage?: { static: Record<string, number> };
	hitCount?: number;
	hitLimit?: number;
	/** For `environment.cjs`. */
	timeoutMs?: number;
}

const switches: Switches = {};
Object.assign(globalThis, { __stryker__: switches });

/** How often code with an active mutant may run: a loop that it makes endless is broken off. */
const MAX_HITS = 10_000_000;

// What a mutant leaves behind may fail when its run is over.
process.on('unhandledRejection', () => undefined);
process.on('uncaughtException', () => undefined);

async function startRunner() {
	const options = {
		testEnvironment: '<rootDir>/test/mutation/environment.cjs',
		transform: JSON.stringify({ '\\.ts$': '<rootDir>/test/mutation/transform.cjs' }),
	};
	const { globalConfig, projectConfig } = await readConfig(
		{ _: [], $0: 'jest', ...options },
		process.cwd(),
	);
	const context = await Runtime.createContext(projectConfig, { maxWorkers: 1, watchman: false });
	/** Runs one suite; its first failure in words, if there is one. */
	return async (path: string): Promise<string | undefined> => {
		let failure: string | undefined;
		const runner = new TestRunner(globalConfig, {});
		runner.on('test-file-success', ([, { testResults, testExecError }]) => {
			const failed = testResults.find(({ status }) => status === 'failed');
			failure = failed
				? `${failed.fullName}: ${failed.failureMessages.join(' ')}`
				: testExecError?.message;
		});
		runner.on('test-file-failure', ([, error]) => void (failure = error.message));
		await runner.runTests([{ context, path }], { isInterrupted: () => false } as never, {
			serial: true,
		});
		return failure;
	};
}

const runner = startRunner();

async function judge({ mutant, suite, timeoutMs }: Job): Promise<Verdict> {
	const run = await runner;
	const mutantCoverage = { static: {} };
	Object.assign(switches, { activeMutant: mutant, mutantCoverage, timeoutMs });
	Object.assign(switches, mutant === undefined ? {} : { hitCount: 0, hitLimit: MAX_HITS });
	const started = performance.now();
	const failure = await run(suite);
	const ms = performance.now() - started;
	return { failure, ms, covered: Object.keys(mutantCoverage.static) };
}

process.on('message', (job: Job) => {
	void judge(job).then((verdict) => process.send?.(verdict));
});
void runner.then(() => process.send?.('ready'));
