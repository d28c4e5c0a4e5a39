import type { ServiceErrorKind } from '../errors';
import { isTransient, settle, ServiceError } from '../errors';
import { PageKeys } from './end';
import type { Page } from './envelope';
import type { PagedList } from './list';
import { pageOrUndefined } from './request';

/** Failures that say nothing about the page, and are not gone a moment later. */
const NOT_ABOUT_THE_PAGE: ReadonlySet<ServiceErrorKind> = new Set([
	'rateLimited',
	'unreachable',
	'stopped',
	'cancelled',
]);

/** Whether a failure may be what the service says to a page that it does not have; others say nothing about it. */
export function isAboutThePage({ kind }: ServiceError): boolean {
	return !NOT_ABOUT_THE_PAGE.has(kind);
}

/** Whether the client has repeated a request that failed so, after a pause each time. */
function isRepeatedByClient(failure: ServiceError): boolean {
	// A 500 is not, since that may be the final response.
	return failure.status !== 500 && (isTransient(failure) || failure.kind === 'notJson');
}

/** The page 0 of a list, if it has one: whether pages count from 0 or from 1 is not documented. */
export class PageZero {
	/** Page 0, if there is one that is not page 1 once more. */
	page?: Page;

	/** Whether the service said if there is one, or is taken to have said so. */
	isKnown = false;

	/**
	 * Whether it really said so: two failures in a row may also be a fault, and of a list of one page it may also be
	 * page 1 that is page 0 once more.
	 */
	isProven = false;

	/** Whether page 0 was page 1 once more. */
	isRepeated = false;

	/** Why that is not known after it was asked. */
	failure?: ServiceError;

	/**
	 * @param fetch asks for page 0
	 * @param first page 1, if there is one
	 */
	constructor(
		private readonly fetch: () => Promise<Page | undefined>,
		private readonly first: Page | undefined,
		private readonly keyOf: PagedList['keyOf'],
	) {}

	/**
	 * Asks for page 0. A failure has answered nothing. Only two 500s in a row count as "there is none", unless page 1
	 * says that something comes before it: a negative offset is what services stumble over.
	 *
	 * @throws ServiceError if the failure is not about the page
	 */
	async look(): Promise<void> {
		let answer = await settle(pageOrUndefined(this.fetch()));
		if (answer instanceof ServiceError && isAboutThePage(answer) && !isRepeatedByClient(answer)) {
			answer = await settle(pageOrUndefined(this.fetch()));
		}
		if (!(answer instanceof ServiceError)) {
			this.know(answer);
			return;
		}
		if (!isAboutThePage(answer)) throw answer;
		this.failure = answer;
		if (answer.status !== 500 || this.first?.hasPrevious === true) return;
		this.know(undefined);
		this.isProven = false;
	}

	/** Number of the list's first page; undefined as long as the service did not show it. */
	get origin(): 0 | 1 | undefined {
		if (this.page) return 0;
		return this.isProven ? 1 : undefined;
	}

	/** Takes in what the service said to the question for page 0; undefined for none. */
	know(page: Page | undefined): void {
		this.isKnown = true;
		this.failure = undefined;
		const { first, keyOf } = this;
		// Some services give page 1 once more.
		this.isRepeated = !!page && !!first && new PageKeys(first, keyOf).holdsMostOf(page);
		this.isProven = !this.isRepeated;
		const isNew = page && (!first || page.items.length > 0) && !this.isRepeated;
		if (isNew) this.page = page;
	}
}
