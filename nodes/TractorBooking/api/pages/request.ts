import { settle, ServiceError } from '../errors';
import type { Page } from './envelope';
import type { PagedList } from './list';

/** How services answer when they are asked for a page that they do not have. */
const NO_SUCH_PAGE: ReadonlySet<number | undefined> = new Set([400, 404, 410, 416, 422]);

/** How services may answer when they are asked for more records in a page than they give. */
const SIZE_REFUSED: ReadonlySet<number | undefined> = new Set([400, 404, 413, 422]);

/** Sizes to try if one is refused: default page sizes are between 10 and 25 (interface, "Limits"). */
const SMALLER_SIZES = [25, 10] as const;

/** The sizes that were accepted after larger ones were refused, by the name of the list; kept with the process. */
const acceptedSizes = new Map<string, number | undefined>();

/** Whether a failure says that the service has no such page. */
export function saysNoSuchPage({ status }: ServiceError): boolean {
	return NO_SUCH_PAGE.has(status);
}

/** The page, or undefined if the service says that there is none; rejects with any other failure. */
export async function pageOrUndefined(
	answer: Promise<Page | undefined>,
): Promise<Page | undefined> {
	const outcome = await settle(answer);
	if (!(outcome instanceof ServiceError)) return outcome;
	if (!saysNoSuchPage(outcome)) throw outcome;
	return undefined;
}

/** The size to ask a list for: the wished one, unless the service is known to accept smaller ones only. */
export function acceptedSize(
	{ name }: Pick<PagedList, 'name'>,
	wished: number,
): number | undefined {
	if (!acceptedSizes.has(name)) return wished;
	const accepted = acceptedSizes.get(name);
	return accepted === undefined ? undefined : Math.min(accepted, wished);
}

function isSmaller(size: number | undefined, than: number | undefined): boolean {
	return than !== undefined && (size === undefined || size < than);
}

/** The page with which the reading of a list begins. */
export interface FirstPage {
	/** Undefined if the service has no such page. */
	page?: Page;
	/** What to ask for the other pages with. */
	size: number | undefined;
	/** What the service said to the wished size, if it has no such page. */
	failure?: ServiceError;
	/** Page 0, if it was found in place of page 1. */
	zero?: Page;
}

/**
 * Asks for the page with which the reading of a list begins, in a smaller size if the wished one is refused. A refusal
 * may as well mean that pages count from 0 and there is no page 1: then there is a page 0 of that size.
 *
 * @throws ServiceError for anything but a refusal that may mean that there is no such page
 */
export async function fetchFirstPage(
	list: PagedList,
	number: number,
	wished: number,
	signal: AbortSignal,
): Promise<FirstPage> {
	const size = acceptedSize(list, wished);
	const { smallerSizes = SMALLER_SIZES } = list;
	// To a page in the middle one comes with a size that is accepted.
	const others = number > 1 ? [] : smallerSizes.filter((smaller) => isSmaller(smaller, size));
	let failure: ServiceError | undefined;
	for (const tried of [size, ...others]) {
		const answer = await settle(list.fetchPage(number, tried, signal));
		if (!(answer instanceof ServiceError)) {
			if (answer && failure) acceptedSizes.set(list.name, tried);
			return { page: answer, size: tried };
		}
		failure ??= answer;
		const { status } = answer;
		if (!SIZE_REFUSED.has(status) && !NO_SUCH_PAGE.has(status)) throw answer;
		if (!SIZE_REFUSED.has(status)) break;
		if (tried === size && number === 1 && !list.isChained && NO_SUCH_PAGE.has(status)) {
			const zero = await settle(list.fetchPage(0, size, signal));
			if (zero && !(zero instanceof ServiceError)) return { size, failure, zero };
		}
	}
	if (failure && !NO_SUCH_PAGE.has(failure.status)) throw failure;
	return { size, failure };
}
