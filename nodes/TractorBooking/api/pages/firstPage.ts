import { settle, ServiceError } from '../errors';
import type { Page, PagedList } from './list';
import { Deduplicator, isAboutThePage, pageOrUndefined, saysNoSuchPage } from './list';

/** Sizes to try if one is refused: default page sizes are between 10 and 25 (interface, "Limits"). */
const SMALLER_SIZES = [25, 10] as const;

const TOO_LARGE = 413;

/** The sizes that were accepted after larger ones were refused, by the name of the list; kept with the process. */
const acceptedSizes = new Map<string, number>();

/** The page with which the reading of a list begins. */
export interface FirstPage {
	/** Undefined if the service has no such page. */
	result?: Page | ServiceError;
	/** What to ask for the other pages with. */
	size: number;
	/** What the service said to the wished size, if it has no such page. */
	refusal?: ServiceError;
	/** Page 0, if it was found in place of page 1. */
	zero?: Page;
}

/**
 * Asks for the page with which the reading of a list begins, in a smaller size if the wished one is refused. A refusal
 * may as well mean that pages count from 0 and there is no page 1: then there is a page 0 of that size.
 */
export async function fetchFirstPage(
	list: PagedList,
	number: number,
	wished: number,
	signal: AbortSignal,
): Promise<FirstPage> {
	const size = Math.min(acceptedSizes.get(list.name) ?? wished, wished);
	const { smallerSizes = SMALLER_SIZES } = list;
	// To a page in the middle one comes with a size that is accepted.
	const others = number > 1 ? [] : smallerSizes.filter((smaller) => smaller < size);
	let refusal: ServiceError | undefined;
	for (const tried of [size, ...others]) {
		const result = await settle(list.fetchPage(number, tried, signal));
		if (!(result instanceof ServiceError)) {
			if (result && refusal) acceptedSizes.set(list.name, tried);
			return { result, size: tried };
		}
		const isMissing = saysNoSuchPage(result);
		if (!isMissing && result.status !== TOO_LARGE) return { result, size };
		refusal ??= result;
		if (number === 1 && !list.isChained && isMissing) {
			const zero = await settle(list.fetchPage(0, tried, signal));
			if (zero && !(zero instanceof ServiceError)) {
				if (tried < size) acceptedSizes.set(list.name, tried);
				return { size: tried, refusal, zero };
			}
		}
	}
	return refusal && saysNoSuchPage(refusal) ? { size, refusal } : { size, result: refusal };
}

/** What the service showed of a page 0: whether pages count from 0 or from 1 is not documented. */
export interface PageZero {
	/** Page 0, if the list begins with it. */
	first?: Page;
	/** Page 0, if it may as well be the last page: it counts if the other pages turn out to lack its records. */
	late?: Page;
	/** Why nobody knows whether there is one. */
	failure?: ServiceError;
}

/**
 * What the response for page 0 says.
 *
 * @param page undefined if there is none
 * @param one what came for page 1; undefined if there is none
 */
export function judgePageZero(
	page: Page | undefined,
	one: Page | ServiceError | undefined,
	keyOf: PagedList['keyOf'],
): PageZero {
	// Without a page 1, it is all that there is.
	if (!one) return { first: page };
	if (!page?.items.length) return {};
	if (one instanceof ServiceError) return { first: page };
	const seen = new Deduplicator(keyOf);
	seen.filterNew(one.items);
	// Some services give page 1 once more. Of a list of one page, it may also be page 1 that is page 0 once more.
	if (seen.filterNew(page.items).length <= page.items.length / 2) return {};
	// Others give their last page, and a first page is not shorter than the next one.
	return page.items.length < one.items.length ? { late: page } : { first: page };
}

/**
 * Asks for page 0, twice if it fails: a failure says nothing. Only two 500s count as "there is none", unless
 * page 1 says that something comes before it: a negative offset is what services stumble over.
 *
 * @param fetch asks for page 0
 * @param one what came for page 1; undefined if there is none
 * @throws ServiceError if the failure is not about the page
 */
export async function findPageZero(
	fetch: () => Promise<Page | undefined>,
	one: Page | ServiceError | undefined,
	keyOf: PagedList['keyOf'],
): Promise<PageZero> {
	let result = await settle(pageOrUndefined(fetch()));
	if (result instanceof ServiceError && isAboutThePage(result)) {
		result = await settle(pageOrUndefined(fetch()));
	}
	if (!(result instanceof ServiceError)) return judgePageZero(result, one, keyOf);
	if (!isAboutThePage(result)) throw result;
	const isAfterIt = !(one instanceof ServiceError) && one?.hasPrevious;
	return result.status === 500 && !isAfterIt ? {} : { failure: result };
}
