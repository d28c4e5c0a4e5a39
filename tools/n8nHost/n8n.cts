import getPort from 'get-port';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdir, open, readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runCommand, runNpm } from '../command.cts';
import { N8nClient } from '../n8nClient.cts';
import type { Host } from './host.cts';
import { n8nVersions } from './host.cts';

interface N8nOptions {
	host: Host;
	/** The folder that holds everything this n8n knows. The same folder again is the same n8n after a restart. */
	userFolder: string;
	/** Which of n8n's processes: the one with the editor, or in queue mode a worker. Default: `start`. */
	command?: 'start' | 'worker';
	/** More of n8n's environment variables. */
	env?: Record<string, string>;
}

/** How long n8n may take to start or stop, in milliseconds. The first start creates the database. */
const startLimit = 600_000;
const stopLimit = 20_000;

/** What n8n needs of our own environment. All else stays away: an `N8N_…` or `DB_…` of yours is for your n8n. */
const inherited = [
	'HOME',
	'PATH',
	'TMPDIR',
	'TEMP',
	'TMP',
	'LANG',
	'LC_ALL',
	'SystemRoot',
	'ComSpec',
	'APPDATA',
];

/** No telemetry, no update check, no template gallery: this n8n calls no one unless a workflow does. */
const offline = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
};

/** No welcome questions, and only the parts that are used here. */
const plain = {
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_PYTHON_ENABLED: 'false',
	N8N_SECURE_COOKIE: 'false',
	N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
};

/** A real n8n process on its own folder, which can be stopped, killed and started again. */
export class N8n {
	readonly client: N8nClient;
	private process?: ChildProcess;
	private exited: Promise<void> = Promise.resolve();

	private constructor(
		private readonly options: N8nOptions,
		private readonly port: number,
		private readonly brokerPort: number,
	) {
		this.client = new N8nClient(this.url);
	}

	/**
	 * Starts n8n on free ports of the loopback address and waits until it is ready.
	 * @throws Error with the end of n8n's log if it does not start.
	 */
	static async start(options: N8nOptions): Promise<N8n> {
		const host = '127.0.0.1';
		const n8n = new N8n(options, await getPort({ host }), await getPort({ host }));
		await n8n.start();
		return n8n;
	}

	/** URL of the editor, which stays the same over restarts. */
	get url(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	get logFile(): string {
		return join(this.options.userFolder, 'n8n.log');
	}

	/** Starts n8n again on the same folder and ports, after {@link stop} or {@link kill}. */
	async start(): Promise<void> {
		const { host, userFolder, command = 'start' } = this.options;
		await mkdir(userFolder, { recursive: true });
		const log = await open(this.logFile, 'a');
		const child = spawn(host.node, [host.n8n, command], {
			// A group of its own: Ctrl-C reaches only the script that started it, and kill() takes n8n's task runner along.
			detached: process.platform !== 'win32',
			stdio: ['ignore', log.fd, log.fd],
			cwd: userFolder,
			env: this.env,
		});
		this.process = child;
		this.exited = new Promise((resolve) => {
			child.once('error', () => resolve());
			child.once('exit', () => resolve());
		});
		process.once('exit', this.killGroup);
		void this.exited.then(() => {
			process.removeListener('exit', this.killGroup);
			if (this.process === child) this.process = undefined;
		});
		await log.close();
		await this.untilReady(child);
	}

	private get env(): NodeJS.ProcessEnv {
		const { host, userFolder, command = 'start', env } = this.options;
		return {
			...Object.fromEntries(inherited.map((name) => [name, process.env[name]])),
			...offline,
			...plain,
			// It asks n8n's server for a list; older n8n lack it, and do not start with its name.
			...(host.version === n8nVersions[0] && { N8N_DISABLED_MODULES: 'mcp-registry' }),
			PATH: [dirname(host.node), process.env.PATH].join(delimiter),
			NODE_ENV: 'production',
			N8N_USER_FOLDER: userFolder,
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_PORT: String(this.port),
			// A worker has no editor; there it says on the same port whether it is ready.
			QUEUE_HEALTH_CHECK_ACTIVE: String(command === 'worker'),
			QUEUE_HEALTH_CHECK_PORT: String(this.port),
			N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
			N8N_RUNNERS_BROKER_PORT: String(this.brokerPort),
			N8N_EDITOR_BASE_URL: this.url,
			WEBHOOK_URL: this.url,
			GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
			...env,
		};
	}

	/** Runs another command of n8n, while this one is stopped. */
	async run(...words: string[]): Promise<void> {
		const { host, userFolder: cwd } = this.options;
		await runCommand(host.node, [host.n8n, ...words], { cwd, env: this.env });
	}

	/** Ends n8n as an operator would: it saves what it has to and lets running executions finish. */
	async stop(): Promise<void> {
		// Windows has no signal that asks a process to end, and leaves its children running.
		if (process.platform === 'win32') return await this.kill();
		this.process?.kill('SIGTERM');
		const stopped = await Promise.race([
			this.exited.then(() => true),
			wait(stopLimit, false, { ref: false }),
		]);
		if (!stopped) await this.kill();
	}

	/** Ends n8n and all its children at once, as a power cut would: nothing is saved or finished. */
	async kill(): Promise<void> {
		this.killGroup();
		await this.exited;
	}

	private readonly killGroup = () => {
		const pid = this.process?.pid;
		if (!pid) return;
		// Windows has no process groups.
		if (process.platform === 'win32') {
			spawnSync('taskkill', ['/pid', String(pid), '/t', '/f']);
			return;
		}
		try {
			process.kill(-pid, 'SIGKILL');
		} catch {
			// It ended in the same moment.
		}
	};

	private async untilReady(child: ChildProcess): Promise<void> {
		const limit = Date.now() + startLimit;
		while (!(await this.client.isReady())) {
			if (this.process !== child)
				throw new Error(`n8n ended while it started.\n${await this.logEnd()}`);
			if (Date.now() > limit) {
				await this.kill();
				throw new Error(`n8n did not start within ${startLimit / 1000} s.\n${await this.logEnd()}`);
			}
			await wait(200);
		}
	}

	/** The last lines of n8n's log. */
	async logEnd(lines = 40): Promise<string> {
		return (await readFile(this.logFile, 'utf8')).trimEnd().split('\n').slice(-lines).join('\n');
	}
}

/**
 * Installs a packed package into the folder of an n8n that is not running, as n8n's documentation tells operators
 * to: with npm, in `.n8n/nodes`. Its nodes are then named `<package>.<node>`.
 * @param tarball the file that `npm pack` made
 */
export async function installCommunityPackage(userFolder: string, tarball: string): Promise<void> {
	const nodes = join(userFolder, '.n8n', 'nodes');
	await mkdir(nodes, { recursive: true });
	// n8n brings n8n-workflow itself, so peer dependencies are not installed a second time.
	const options = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
	await runNpm(['install', tarball, '--prefix', nodes, ...options], { cwd: nodes });
}
