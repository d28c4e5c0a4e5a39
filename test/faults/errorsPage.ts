import type { KnownMessage } from './messages';
import { MESSAGES } from './messages';

/** Faults that a row of the page names at most. */
const MAX_FAULTS = 6;

function listOf(faults: readonly string[]): string {
	const named = faults.slice(0, MAX_FAULTS).map((name) => name.replaceAll('|', '\\|'));
	const more = faults.length - named.length;
	return `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/**
 * The page docs/errors.md.
 *
 * @param faultsOf the faults that led to a message; without it the column is left out
 */
export function errorsPage(faultsOf?: (message: KnownMessage) => readonly string[]): string {
	const head = ['What you see', 'What it means', 'What to do'];
	const rows = MESSAGES.map((message) => [
		`**${message.see}**`,
		message.means,
		message.advice,
		...(faultsOf ? [listOf(faultsOf(message))] : []),
	]);
	const all = faultsOf ? [...head, 'Seen after'] : head;
	const lines = [all, all.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
	return `# Errors

What the nodes, the lists of the editor and the credential tests say if something is wrong with the service or the way to it. \`…\` is a name, a number or the reason. The description beneath each message, in n8n's error panel, has more: what the service said, what became of each row, and what to do. With On Error set to Continue, both are in the fields \`error\` and \`errorDescription\` of the item.

What is wrong with the rows of a spreadsheet is in [spreadsheets.md](spreadsheets.md); that the trigger loses nothing when a poll fails, in [trigger.md](trigger.md).

This page is made by the fault matrix, which tries each fault at each operation: \`ERRORS_PAGE=write npm run test:faults\`. The last column has faults after which the message came there.

${lines.join('\n')}
`;
}

/** A page without its last column, which only a whole run of the matrix can fill. */
export function withoutFaults(page: string): string {
	return page.replace(/^(\|.*) \| (?:\\\||[^|\n])* \|$/gm, '$1 |');
}
