import { AsyncLocalStorage } from 'node:async_hooks';

/** How long a run would have waited by itself. Pauses at the same time count once, requests not at all. */
export interface Waits {
	ms: number;
}

/** With `shortPauses.cts`: the waits of the run that is under way. The clock of its rate limits goes on by them. */
export const waits = new AsyncLocalStorage<Waits>();
