import { settle, ServiceError } from '../../api/errors';
import type { PagedList } from '../../api/pages/list';
import type { ListPage } from '../../api/pages/pages';
import { readPages } from '../../api/pages/pages';
import { bookingKey } from '../bookings';
import type { Outcome, ScanPage } from './budgetedReader';
import { CUT } from './budgetedReader';

/**
 * The pages of the list from one on, the last one with its `end`; page 0 is left to the caller.
 *
 * @param read asks for a page; a `CUT` in its place comes last, and no `end` then
 * @throws ServiceError that `read` returns or throws
 */
export async function* pagesFrom(
	from: number,
	read: (page: number) => Promise<Outcome<ScanPage | undefined>>,
): AsyncGenerator<ListPage | typeof CUT, void, undefined> {
	let stop: typeof CUT | ServiceError | undefined;
	const list: PagedList = {
		what: 'bookings',
		name: '',
		keyOf: bookingKey,
		async fetchPage(number) {
			const outcome = await settle(read(number));
			if (outcome !== CUT && !(outcome instanceof ServiceError)) return outcome;
			stop = outcome;
			// A 404, thrown as it is, would be taken for the end of the list.
			throw new Error('The reading of the list was stopped');
		},
		smallerSizes: [],
	};
	try {
		yield* readPages(list, { from, mayBeHidden: true });
	} catch (error) {
		if (stop !== CUT) throw stop ?? error;
		yield CUT;
	}
}
