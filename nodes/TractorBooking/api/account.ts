import { createHash } from 'node:crypto';

import { memoize } from '../utils/memoize';
import type { ListShape, ListName } from './pages/fetch';
import { RateLimiter } from './rateLimiter';
import { Mutex } from './waits';

/** What all clients of this process share that use one key at one base URL. */
export class Account {
	/** For creations: see `runExclusive` of the client. */
	readonly creations = new Mutex();

	/** By the name of an endpoint; each has a limit of its own (interface, "Limits"). */
	readonly limiterFor = memoize<string, RateLimiter>(() => new RateLimiter());

	readonly lists: Record<ListName, ListShape> = { bookings: {}, contracts: {}, tractors: {} };
}

/** Of this process, by a mark of base URL and key: the key itself is not kept. */
export const accounts = new Map<string, Account>();

/** Two credentials with one key share an account. */
export function accountFor(baseUrl: string, key: string): Account {
	const mark = createHash('sha256').update(`${baseUrl}\n${key}`).digest('base64');
	const account = accounts.get(mark) ?? new Account();
	accounts.set(mark, account);
	return account;
}
