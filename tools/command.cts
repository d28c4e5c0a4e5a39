import spawn, { SubprocessError, type Options } from 'nano-spawn';

type CommandOptions = Pick<Options, 'cwd' | 'env' | 'uid' | 'gid' | 'killSignal'> & {
	/** Ends the command. */
	signal?: AbortSignal;
};

/** A command that could not be started, failed, or was killed. Its message ends with what it printed last. */
export class CommandError extends Error {
	override name = 'CommandError';
}

/** How many of the last lines an error quotes. */
const quotedLines = 40;

/** Ends the commands that still run when this process ends. */
const ending = new AbortController();
process.once('exit', () => ending.abort());

/**
 * Runs a command to its end. `env` adds to the environment variables of this process.
 * @returns what it printed on standard output, without the last line break.
 * @throws CommandError if it fails.
 */
export async function runCommand(
	file: string,
	args: string[],
	{ signal = ending.signal, ...options }: CommandOptions = {},
): Promise<string> {
	try {
		const either = AbortSignal.any([signal, ending.signal]);
		const command = spawn(file, args, { ...options, stdin: 'ignore', signal: either });
		return (await command).stdout;
	} catch (error) {
		if (!(error instanceof SubprocessError)) throw error;
		const quote = error.output.split('\n').slice(-quotedLines).join('\n');
		throw new CommandError(`${error.message}\n${quote}`.trim(), { cause: error });
	}
}

/**
 * Runs npm: the one that started this script if there is one, else the one on the path.
 * @throws CommandError if it fails.
 */
export async function runNpm(args: string[], options: CommandOptions = {}): Promise<string> {
	const npm = process.env.npm_execpath;
	return npm?.endsWith('npm-cli.js')
		? await runCommand(process.execPath, [npm, ...args], options)
		: await runCommand('npm', args, options);
}
