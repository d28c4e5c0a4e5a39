import getPort from 'get-port';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { runCommand } from '../../tools/command.cts';
import { SetupError } from '../../tools/n8nHost/host.cts';
import { until } from '../../tools/until.cts';

/** Where Debian and Homebrew keep PostgreSQL's programs; only some are on the path. */
const POSTGRES_HOMES = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt'];

const INSTALL =
	'On Debian or Ubuntu: apt-get install -y redis-server postgresql. On macOS: brew install redis postgresql.';

/** PostgreSQL refuses to run as root; its packages make this user. */
export const POSTGRES_USER = 'postgres';

/** @throws SetupError if this machine lacks it */
function program(name: string): string {
	const homes = POSTGRES_HOMES.filter((home) => existsSync(home)).flatMap((home) =>
		readdirSync(home)
			.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
			.map((version) => join(home, version, 'bin')),
	);
	const folders = [...(process.env.PATH ?? '').split(delimiter), ...homes];
	const path = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
	if (!path) throw new SetupError(`There is no ${name} on this machine. ${INSTALL}`);
	return path;
}

export interface Server {
	port: number;
	close: () => Promise<void>;
}

type User = Partial<Record<'uid' | 'gid', number>>;

/** Starts a program, and waits until a question to it is answered. @throws CommandError if it ends before that */
async function startServer(
	file: string,
	args: string[],
	port: number,
	ask: () => Promise<unknown>,
	user: User = {},
): Promise<Server> {
	const ending = new AbortController();
	// For PostgreSQL a "fast" shutdown: it does not wait for its clients.
	const options = { ...user, signal: ending.signal, killSignal: 'SIGINT' } as const;
	const running = runCommand(file, args, options).then(() => undefined);
	const answer = async () => await ask().then(() => true);
	const isReady = async () => await Promise.race([running, answer().catch(() => undefined)]);
	await until(`The start of ${file}`, isReady, { limitMs: 60_000, everyMs: 100 });
	const close = async () => {
		ending.abort();
		await running.catch(() => undefined);
	};
	return { port, close };
}

/** Starts a Redis that keeps nothing on disk. @throws SetupError if this machine has no Redis. */
export async function startRedis(): Promise<Server> {
	const port = await getPort({ host: '127.0.0.1' });
	const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
	const ask = async () => {
		const socket = connect(port, '127.0.0.1');
		await once(socket, 'connect');
		socket.destroy();
	};
	return await startServer(program('redis-server'), args, port, ask);
}

/** The user that PostgreSQL runs as: ourselves, or its own user if we are root. */
async function postgresUser(): Promise<User> {
	if (process.getuid?.() !== 0) return {};
	const id = async (option: string) => Number(await runCommand('id', [option, POSTGRES_USER]));
	return { uid: await id('-u'), gid: await id('-g') };
}

/** Lets a PostgreSQL that was started here do something. @throws CommandError */
export async function runSql({ port }: Pick<Server, 'port'>, sql: string): Promise<void> {
	const access = ['-h', '127.0.0.1', '-p', String(port), '-U', POSTGRES_USER];
	await runCommand(program('psql'), [...access, '-v', 'ON_ERROR_STOP=1', '-c', sql]);
}

/** Starts a PostgreSQL on a folder of its own, which goes when it closes. @throws SetupError if this machine has none */
export async function startPostgres(): Promise<Server> {
	const [initdb, postgres, isReady] = ['initdb', 'postgres', 'pg_isready'].map(program);
	const user = await postgresUser();
	const port = await getPort({ host: '127.0.0.1' });
	// Not below the scenario's folder, which no one else may enter.
	const folder = await mkdtemp(join(tmpdir(), 'tractor-booking-postgres-'));
	// PostgreSQL still writes while it ends.
	const remove = async () => await rm(folder, { recursive: true, force: true, maxRetries: 10 });
	try {
		if (user.uid !== undefined) await chown(folder, user.uid, user.gid ?? user.uid);
		const data = join(folder, 'data');
		const init = ['-D', data, '-U', POSTGRES_USER, '--auth=trust', '--encoding=UTF8', '--no-sync'];
		await runCommand(initdb ?? '', [...init, '--locale=C'], { cwd: folder, ...user });
		// Without fsync: only n8n is killed here, never the machine.
		const args = ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', folder, '-F'];
		const ask = async () =>
			await runCommand(isReady ?? '', ['-h', '127.0.0.1', '-p', String(port)]);
		const server = await startServer(postgres ?? '', args, port, ask, user);
		return { port, close: async () => await server.close().finally(remove) };
	} catch (error) {
		await remove();
		throw error;
	}
}
