import ora from 'ora';

/** Shows how far a long task is, e.g. `1,204 of 2,065 packages`. */
export type Note = (text: string) => void;

/**
 * Runs one step of a long job with a spinner, and prints how long it took.
 * @returns what the step returns. @throws what the step throws.
 */
export async function step<T>(title: string, run: (note: Note) => Promise<T>): Promise<T> {
	const started = Date.now();
	// Reading standard input would keep Ctrl-C from the signal handlers.
	const spinner = ora({ text: title, stream: process.stdout, discardStdin: false }).start();
	try {
		const result = await run((text) => (spinner.suffixText = text));
		const seconds = Math.round((Date.now() - started) / 1_000);
		spinner.succeed(`${title} (${seconds} s)`);
		return result;
	} catch (error) {
		spinner.fail();
		throw error;
	}
}
