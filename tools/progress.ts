/** Where a long task says how far it is, e.g. `1,204 of 2,065 packages`. */
export type Note = (text: string) => void;

const clock = (milliseconds: number): string => {
	const seconds = Math.round(milliseconds / 1000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

const isTerminal = process.stdout.isTTY;
/** A terminal's line is redrawn every second; a log file gets a line now and then. */
const interval = isTerminal ? 1_000 : 15_000;

/**
 * Runs one step of a long job and shows that it lives: its title, the time since it began and its last note.
 * @returns what the step returns. @throws what the step throws.
 */
export async function step<T>(title: string, run: (note: Note) => Promise<T>): Promise<T> {
	const started = Date.now();
	let note = '';
	const show = (mark: string, end: string) => {
		const line = `${mark} ${title} ${clock(Date.now() - started)}${note && `  ${note}`}`;
		process.stdout.write(isTerminal ? `\r\x1b[K${line}${end}` : `${line}\n`);
	};
	if (isTerminal) show('…', '');
	const timer = setInterval(() => show('…', ''), interval);
	try {
		const result = await run((text) => (note = text));
		show('✓', '\n');
		return result;
	} catch (error) {
		show('✗', '\n');
		throw error;
	} finally {
		clearInterval(timer);
	}
}
