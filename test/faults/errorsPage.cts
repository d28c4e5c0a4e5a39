import { readFileSync } from 'node:fs';

/**
 * The list of all messages, which is written by hand but for its last column: for each message, faults that lead to
 * it. `…` is any text.
 */
export const ERRORS_PAGE = 'docs/errors.md';

/** Faults that a row of the page names at most. */
const MAX_FAULTS = 6;

/** A row of the page's table: the message in bold, and before the last column everything else. */
const ROW = /^\| \*\*(?<words>.*?)\*\* \|.* \| (?=[^|]* \|$)/;

const lines = () => readFileSync(ERRORS_PAGE, 'utf8').split('\n');

const wordsOf = (line: string): string | undefined => ROW.exec(line)?.groups?.words;

/** Every message that the faults can lead to; the first that fits is meant. */
export const MESSAGES: readonly string[] = lines().flatMap((line) => wordsOf(line) ?? []);

/** The message that a text is, whichever column it names; credential tests append the description to it. */
export function knownMessage(said: string): string | undefined {
	const text = said.replace(/^Row \d+: /, '').replace(/^([\w ]+) \(column ".*?"\)/, '$1');
	return MESSAGES.find((message) => {
		const words = message.split('…').map((part) => part.replace(/[()[\]{}.*+?^$|\\]/g, '\\$&'));
		return new RegExp(`^${words.join('.+')}(?:$|[.;: ])`, 's').test(text);
	});
}

/** The page with the faults that led to each message in its last column. */
export function errorsPage(faultsOf: (message: string) => readonly string[]): string {
	const filled = lines().map((line) => {
		const message = wordsOf(line);
		if (message === undefined) return line;
		const faults = faultsOf(message);
		const more = faults.length > MAX_FAULTS ? `; and ${faults.length - MAX_FAULTS} more` : '';
		const [start] = ROW.exec(line) ?? [''];
		return `${start}${faults.slice(0, MAX_FAULTS).join('; ')}${more} |`;
	});
	return filled.join('\n');
}
