import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from './client';
import { listCataloguePage } from './endpoints';
import { identifierOf } from './identifiers';
import { ListSoFar } from './pages/collect';
import type { ListAnswer } from './pages/envelope';
import { PAGE_SIZE, unlessOutside } from './pages/pages';

/** How the next page is asked for, `step` counting from 1; undefined where the scheme leads no further. */
type PagingStrategy = (previous: ListAnswer, got: number, step: number) => IDataObject | undefined;

const byNext: PagingStrategy = (previous) => previous.nextQuery;
const byPage: PagingStrategy = (_previous, _got, step) => ({ page: step });
const byOffset: PagingStrategy = (_previous, got) => ({ offset: got });
const byGrowingLimit: PagingStrategy = (_previous, got) => ({ limit: 2 * got });

function likelySchemes(first: ListAnswer): PagingStrategy[] {
	const guesses = first.countsByOffset ? [byOffset, byPage] : [byPage, byOffset];
	return [...(first.nextQuery ? [byNext] : []), ...guesses, byGrowingLimit];
}

/** Default page sizes are between 10 and 25 items (interface, "Pagination of list endpoints"). */
const SHORTEST_PAGE = 10;

/**
 * Reads the tractor catalogue to its end or up to `limit` tractors. The name of its page parameter is not
 * documented (interface, "List tractors (v1)"), so this finds out how the service pages: by the query of
 * its `next`, by a page number, by an offset, or only by a growing limit. The first scheme that brings
 * tractors not seen before is followed to its end.
 *
 * @throws ServiceError: of a request, or `unreadable` where the service says that it has more than it gives
 */
export async function listCatalogue(client: ServiceClient, limit: number): Promise<IDataObject[]> {
	const wished: IDataObject = { limit: Math.min(limit, PAGE_SIZE) };
	const answer = await unlessOutside(listCataloguePage(client, wished));
	// The largest limit is not documented: a service that refuses this one is asked without any.
	const always = answer ? wished : {};
	const first = answer ?? (await listCataloguePage(client, always));

	const soFar = new ListSoFar(
		{ what: 'tractors', keyOf: (tractor) => identifierOf(tractor, 'tractor') },
		limit,
	);
	// A count of just these tractors may be that of the page; lists shorter than any usual page are whole.
	const mayBePage = first.hasMore === undefined && first.items.length >= SHORTEST_PAGE;
	const goesOn = soFar.add(first) && (first.total === undefined || soFar.lacksSome || mayBePage);
	for (const scheme of goesOn ? likelySchemes(first) : []) {
		if (await leadsToTheEnd(client, { scheme, first, soFar, always })) break;
	}
	return soFar.finish();
}

interface Attempt {
	scheme: PagingStrategy;
	first: ListAnswer;
	soFar: ListSoFar;
	/** Query that goes with every page. */
	always: IDataObject;
}

async function leadsToTheEnd(client: ServiceClient, attempt: Attempt): Promise<boolean> {
	const { scheme, first, soFar, always } = attempt;
	const before = soFar.length;
	let previous = first;
	for (let step = 1; ; step++) {
		const query = scheme(previous, soFar.length, step);
		if (!query) return soFar.length > before && !soFar.lacksSome && previous.hasMore !== true;
		const answer = await unlessOutside(listCataloguePage(client, { ...always, ...query }));
		// A service that does not know the parameter refuses it or sends the first page again.
		if (!answer && step === 1) return false;
		const goesOn = soFar.add(answer);
		const broughtSome = soFar.length > before;
		if (!goesOn) {
			// Whether pages count from 1 or 0 is not documented: page 1 may be the one that is here already.
			if (scheme === byPage && step === 1 && !broughtSome) continue;
			return (broughtSome || answer?.items.length === 0) && !soFar.lacksSome;
		}
		previous = answer ?? previous;
	}
}
