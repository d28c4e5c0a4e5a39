import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from './client';
import { ServiceError } from './errors';
import { identifierOf } from './identifiers';
import { parseListResponse } from './pages/envelope';
import type { Page, PagedList } from './pages/list';
import { Deduplicator, pageOrUndefined } from './pages/list';

/** A way to ask for the next page; undefined if it leads no further. */
type PagingScheme = (previous: Page, received: number) => IDataObject | undefined;

/** Asks for a page by its query; undefined if there is none. */
type Ask = (query: IDataObject) => Promise<Page | undefined>;

const byNext: PagingScheme = (previous) => previous.nextQuery;
const byOffset: PagingScheme = (_previous, received) => ({ offset: received });

/** Page numbers from the one after the first page on, which has the number that this begins with. */
function byPageFrom(number: number): PagingScheme {
	let page = number;
	return () => ({ page: (page += 1) });
}

const keyOf = (tractor: IDataObject) => identifierOf(tractor, 'tractor');

/** The schemes that may lead from the first page to the second, the likeliest first. */
function likelySchemes(first: Page): PagingScheme[] {
	return [
		...(first.nextQuery ? [byNext] : []),
		// Whether pages count from 0 or 1 is not documented: page 1 may be the one that is here already.
		byPageFrom(0),
		byPageFrom(1),
		byOffset,
	];
}

/** Whether a page says whether there is more: then nothing is to be guessed. */
function saysMore({ total, hasMore }: Page): boolean {
	return total !== undefined || hasMore === true;
}

/** Whether a list of this length may be one page of a longer one: as many as were asked for, or 10, 20, 25, 50 or 100. */
function mayBeOnePage(length: number, size: number): boolean {
	return length === size || (length >= 10 && 100 % length === 0);
}

/** Why a catalogue may be longer than its first page, and how to get along. */
function mayBeLonger(length: number): ServiceError {
	return new ServiceError(
		'unreadable',
		`The catalogue cannot be read to its end: the service sent ${length} tractors, which may be one page of several, and does not show how to get more`,
		{
			description: `Set Page Size under Options to more tractors than the catalogue has. If as many come then, set Limit to ${length} instead of Return All. Nothing is returned, so that no tractor is missing unnoticed.`,
		},
	);
}

/**
 * The tractor catalogue as a list to read (interface, "List tractors (v1)"). The name of its page parameter is not
 * documented, so the first page is asked for without any, and the second one in the likely ways: by the query of `next`,
 * by `page` as in other lists, by `offset`. The first way that brings other tractors is followed to the end.
 *
 * One reading at a time: the list remembers how far the present one has come.
 */
export function catalogueList(client: ServiceClient): PagedList {
	/** The way that leads from page to page, once it is found. */
	let scheme: PagingScheme | undefined;
	let previous: Page = { items: [] };
	let received = 0;

	/** The second page; if no way leads to one, the empty or repeated page that shows it. */
	async function findSecond(ask: Ask): Promise<Page | undefined> {
		const met = new Deduplicator(keyOf);
		met.filterNew(previous.items);
		let end: Page | undefined;
		for (const candidate of likelySchemes(previous)) {
			const page = await ask(candidate(previous, received) ?? {});
			if (page && met.filterNew(page.items).length > 0) {
				scheme = candidate;
				return page;
			}
			// A service that does not know the parameter refuses it, or sends the first page again.
			if (page?.items.length === 0 && received >= (previous.total ?? 0)) return page;
			// One that gave the first page for another value knows the parameter, and that there is no such page.
			if (!page && end && !saysMore(previous)) return { items: [] };
			end ??= page;
		}
		// All that is counted is here, and nothing leads to more, whatever `next` says.
		return received >= (previous.total ?? Infinity) ? { items: [], hasMore: false } : end;
	}

	/** @throws ServiceError if no way leads further, and there may be more */
	async function fetchNext(ask: Ask, size: number): Promise<Page | undefined> {
		if (scheme) {
			const query = scheme(previous, received);
			return query && (await ask(query));
		}
		const page = await findSecond(ask);
		const { length } = previous.items;
		const isDoubtful = !scheme && !saysMore(previous) && mayBeOnePage(length, size);
		// An empty page shows that there are no more.
		if (isDoubtful && page?.items.length !== 0) throw mayBeLonger(length);
		return page;
	}

	return {
		what: 'tractors',
		name: `catalogue ${client.baseUrl}`,
		keyOf,
		isChained: true,
		/** By default there are at most 25 tractors in a page. */
		smallerSizes: [0],
		async fetchPage(number, size, signal) {
			const limit = size === 0 ? {} : { limit: size };
			const request = async (query: IDataObject) =>
				await client.send(
					{
						endpoint: { name: 'catalogue', purpose: 'list the tractor catalogue' },
						path: '/v1/tractors',
						query: { ...limit, ...query },
						signal,
					},
					(body) => parseListResponse(body, 'tractors'),
				);
			const isFirst = number === 1;
			if (isFirst) {
				scheme = undefined;
				received = 0;
			}
			const ask: Ask = async (query) => await pageOrUndefined(request(query));
			const page = await (isFirst ? request({}) : fetchNext(ask, size));
			received += page?.items.length ?? 0;
			previous = page ?? previous;
			return page;
		},
	};
}
