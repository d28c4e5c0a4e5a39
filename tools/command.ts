import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface CommandOptions {
	cwd?: string;
	env?: NodeJS.ProcessEnv;
	/** The user and group to run as, by number; only root may choose. */
	uid?: number;
	gid?: number;
	/** Called with each line that the command prints, on either stream. */
	onLine?: (line: string) => void;
}

/** A command that could not be started, ended with an error, or was killed. */
export class CommandError extends Error {
	override name = 'CommandError';
}

/** How many of the last lines an error quotes. */
const quotedLines = 40;

/**
 * Runs a command to its end.
 * @returns what it printed on standard output.
 * @throws CommandError when it fails, with the last lines that it printed.
 */
export async function runCommand(
	file: string,
	args: string[],
	options: CommandOptions = {},
): Promise<string> {
	const { cwd, env, uid, gid } = options;
	const child = spawn(file, args, {
		cwd,
		env,
		uid,
		gid,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const stop = () => void child.kill();
	process.once('exit', stop);
	const all: string[] = [];
	const output: string[] = [];
	for (const stream of [child.stdout, child.stderr]) {
		createInterface(stream).on('line', (line) => {
			all.push(line);
			if (stream === child.stdout) output.push(line);
			options.onLine?.(line);
		});
	}
	await new Promise<void>((resolve, reject) => {
		const fail = (reason: string) => {
			const quote = all.slice(-quotedLines).join('\n');
			reject(new CommandError(`${[file, ...args].join(' ')} ${reason}\n${quote}`.trim()));
		};
		child.on('error', (error) => fail(`could not be started: ${error.message}`));
		child.on('close', (code, signal) => {
			process.removeListener('exit', stop);
			if (code === 0) resolve();
			else fail(signal ? `was ended by ${signal}` : `ended with code ${code}`);
		});
	});
	return output.join('\n');
}

/**
 * Runs npm: the one that started this script if there is one, else the one on the path.
 * @throws CommandError when it fails.
 */
export async function runNpm(args: string[], options: CommandOptions = {}): Promise<string> {
	const npm = process.env.npm_execpath;
	return npm?.endsWith('npm-cli.js')
		? await runCommand(process.execPath, [npm, ...args], options)
		: await runCommand('npm', args, options);
}
