import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from './client';
import { listCataloguePage } from './endpoints';
import { ServiceError } from './errors';
import { identifierOf } from './identifiers';
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
class Catalogue implements PagedList {
	readonly what = 'tractors';

	readonly name: string;

	readonly keyOf = keyOf;

	readonly isChained = true;

	/** By default there are at most 25 tractors in a page. */
	readonly smallerSizes = [0];

	/** The way that leads from page to page, once it is found. */
	private scheme?: PagingScheme;

	private previous: Page = { items: [] };

	private received = 0;

	constructor(private readonly client: ServiceClient) {
		this.name = `catalogue ${client.baseUrl}`;
	}

	async fetchPage(number: number, size: number, signal: AbortSignal): Promise<Page | undefined> {
		const limit = size === 0 ? {} : { limit: size };
		const request = async (query: IDataObject) =>
			await listCataloguePage(this.client, { ...limit, ...query }, signal);
		const ask = async (query: IDataObject) => await pageOrUndefined(request(query));
		if (number === 1) {
			this.scheme = undefined;
			this.received = 0;
		}
		const page = await (number === 1 ? request({}) : this.fetchNext(ask, size));
		this.received += page?.items.length ?? 0;
		this.previous = page ?? this.previous;
		return page;
	}

	/** @throws ServiceError if no way leads further, and there may be more */
	private async fetchNext(ask: Ask, size: number): Promise<Page | undefined> {
		const { previous, scheme } = this;
		if (scheme) {
			const query = scheme(previous, this.received);
			return query && (await ask(query));
		}
		const page = await this.findSecond(previous, ask);
		const { items } = previous;
		const isDoubtful = !this.scheme && !saysMore(previous) && mayBeOnePage(items.length, size);
		// An empty page shows that there are no more.
		if (isDoubtful && page?.items.length !== 0) throw mayBeLonger(items.length);
		return page;
	}

	/** The second page; if no way leads to one, the empty or repeated page that shows it. */
	private async findSecond(first: Page, ask: Ask): Promise<Page | undefined> {
		const met = new Deduplicator(keyOf);
		met.filterNew(first.items);
		let end: Page | undefined;
		for (const candidate of likelySchemes(first)) {
			const page = await ask(candidate(first, this.received) ?? {});
			if (page && met.filterNew(page.items).length > 0) {
				this.scheme = candidate;
				return page;
			}
			// A service that does not know the parameter refuses it, or sends the first page again.
			if (page?.items.length === 0 && this.received >= (first.total ?? 0)) return page;
			// One that gave the first page for another value knows the parameter, and that there is no such page.
			if (!page && end && !saysMore(first)) return { items: [] };
			end ??= page;
		}
		// All that is counted is here, and nothing leads to more, whatever `next` says.
		return first.total !== undefined && this.received >= first.total
			? { items: [], hasMore: false }
			: end;
	}
}

/** See {@link Catalogue}. */
export function catalogueList(client: ServiceClient): PagedList {
	return new Catalogue(client);
}
