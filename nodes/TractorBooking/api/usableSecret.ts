import { ServiceError } from './errors';
import { parseSecret } from './secret';

/**
 * The key or token of a credential, if it can be sent in a header.
 *
 * @param what what the credential calls it
 * @throws ServiceError (`address`) if it holds a character that no header can carry
 */
export function usableSecret(typed: unknown, what: string): string {
	const secret = parseSecret(typed);
	const stray = /[^\x21-\x7e]/u.exec(secret);
	if (!stray) return secret;
	throw new ServiceError(
		'address',
		`The ${what} of the credential holds a character that no ${what} has, at position ${stray.index + 1}`,
		{ description: `Open the credential and enter the ${what} again: copy nothing else along.` },
	);
}
