import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { KEYS, type Sandbox } from '../sandbox/index.cts';
import type { Installation } from './bench.cts';
import type { Group } from './subject/contenders.cts';
import type { Environment } from './subject/engine.cts';

/** What a process is started with. */
export interface Setup extends Environment {
	group: Group;
	/** Name of a contender in this group. */
	contender: string;
}

/** What came of one execution or poll. */
export interface Run {
	seconds: number;
	/** Processor time of its process. */
	cpuMs: number;
	/** The bookings that came out. */
	ids: number[];
	/** Bytes that n8n's database holds for it afterwards. */
	bytesKept: number;
	/** What it failed with. */
	error?: string;
}

/** A contender in n8n's engine, in a process of its own. */
export class ContenderProcess {
	private readonly process: ChildProcess;

	constructor(
		installation: Installation,
		sandbox: Sandbox,
		group: Group,
		private readonly contender: string,
	) {
		const { url } = sandbox;
		const setup: Setup = { ...installation, url, apiKey: KEYS.full, group, contender };
		this.process = fork(join(__dirname, 'subject', 'main.cts'), [JSON.stringify(setup)], {
			execPath: installation.node,
			execArgv: ['--require', require.resolve('tsx/cjs')],
			env: { ...process.env, NODE_PATH: installation.modules, N8N_LOG_LEVEL: 'silent' },
		});
	}

	/** Executes its workflow on these rows, or polls once. @throws if its process ends. */
	async run(rows: IDataObject[]): Promise<Run> {
		return await new Promise((resolve, reject) => {
			this.process.removeAllListeners();
			this.process.once('exit', () => reject(new Error(`${this.contender}: its process ended`)));
			this.process.once('message', (run: Run) => resolve(run));
			this.process.send(rows);
		});
	}

	stop(): void {
		this.process.removeAllListeners();
		this.process.kill();
	}
}
