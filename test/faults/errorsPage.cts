import { readFileSync } from 'node:fs';

/** The list of all messages; `…` is any text. */
export const ERRORS_PAGE = 'docs/errors.md';

/** Every message that the faults can lead to; the first that fits is meant. */
export const MESSAGES: readonly string[] = [
	...readFileSync(ERRORS_PAGE, 'utf8').matchAll(/^\| \*\*(.*?)\*\* \|/gm),
].map(([, message = '']) => message);

/** The message that a text is, whichever column it names; credential tests append the description to it. */
export function knownMessage(said: string): string | undefined {
	const text = said.replace(/^Row \d+: /, '').replace(/^([\w ]+) \(column ".*?"\)/, '$1');
	return MESSAGES.find((message) => {
		const words = message.split('…').map((part) => part.replace(/[()[\]{}.*+?^$|\\]/g, '\\$&'));
		return new RegExp(`^${words.join('.+')}(?:$|[.;: ])`, 's').test(text);
	});
}
