import { ServiceError } from './errors';
import { parseSecret } from './secret';

/**
 * The key or token of a credential, if it can be sent in a header.
 *
 * @param what what the credential calls it
 * @throws ServiceError (`credential`) if it is missing, or if it holds a character that no header can carry
 */
export function usableSecret(typed: unknown, what: 'key' | 'token'): string {
	const secret = parseSecret(typed);
	const stray = /[^\x21-\x7e]/u.exec(secret);
	if (secret && !stray) return secret;
	const problem = stray
		? `The ${what} of the credential holds a character that no ${what} has, at position ${stray.index + 1}`
		: `The credential has no ${what}`;
	throw new ServiceError('credential', problem, {
		description: `Open the credential and enter the ${what}: copy nothing else along.`,
	});
}
