import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context, PageRequest } from './context.cts';
import type { Settings } from './settings.cts';

/** A list from which pages are cut. */
interface ListSource {
	total: number;
	slice: (offset: number, size: number) => unknown[];
}

interface ListPage extends PageRequest {
	items: unknown[];
	total: number;
	hasMore: boolean;
}

/** The page size of lists for which a caller wishes none. */
const DEFAULT_PAGE_SIZE = 20;

/** The page size that a caller gets for the one it asked for; 0 is none. */
export function pageSize(
	wished: number,
	{ maxPageSize }: Settings,
	standard = DEFAULT_PAGE_SIZE,
): number {
	return Math.min(wished || standard, maxPageSize);
}

/** Where a numbered page begins; undefined for a page before the first one. */
export function offsetOfPage(page: number, size: number, settings: Settings): number | undefined {
	const offset = (page - settings.firstPage) * size;
	return offset < 0 ? undefined : offset;
}

/** A list that is asked for a page. */
interface AskedList {
	/** Undefined for a page that does not exist. */
	offset: number | undefined;
	size: number;
	source: () => ListSource;
	envelope: Settings['bookingsEnvelope'];
	/** Where another page of the list is, below the base URL. */
	pathOf: (page: PageRequest) => string;
}

/** Answers with a page of a list, or with 404 if the settings say that it does not exist. */
export async function servePage(
	{ settings, hooks }: Context,
	request: FastifyRequest,
	reply: FastifyReply,
	{ offset, size, source, envelope, pathOf }: AskedList,
): Promise<unknown> {
	if (offset !== undefined) await hooks.beforeListPage?.({ offset, size });
	const page = offset === undefined ? undefined : pageOf(source(), { offset, size }, settings);
	if (!page) return await reply.code(404).send({ detail: 'Invalid page.' });
	return renderPage(envelope, page, (other) => `http://${request.host}${pathOf(other)}`);
}

/** Cuts out a page. */
function pageOf(
	{ total, slice }: ListSource,
	{ offset, size }: PageRequest,
	{ beyondEnd }: Settings,
): ListPage | undefined {
	const endless = beyondEnd.startsWith('repeat');
	const page = { offset, size, total };

	if (offset >= total && offset > 0) {
		if (beyondEnd === 'notFound') return undefined;
		if (beyondEnd === 'repeatFirst') return { ...page, items: slice(0, size), hasMore: true };
		if (beyondEnd === 'repeatLast') {
			const last = Math.floor(Math.max(0, total - 1) / size) * size;
			return { ...page, items: slice(last, size), hasMore: true };
		}
	}
	return { ...page, items: slice(offset, size), hasMore: endless || offset + size < total };
}

/** Puts a page into the envelope of the settings (interface, "Pagination of list endpoints", and what else servers do). */
function renderPage(
	envelope: Settings['bookingsEnvelope'],
	page: ListPage,
	addressOf: (page: PageRequest) => string,
): unknown {
	const { items, total, offset, size, hasMore } = page;
	const next = hasMore ? addressOf({ offset: offset + size, size }) : null;
	const previous = offset > 0 ? addressOf({ offset: Math.max(0, offset - size), size }) : null;
	const documented = { count: total, next, previous, results: items };
	switch (envelope) {
		case 'array':
			return items;
		case 'documented':
			return documented;
		case 'data':
			return { data: items };
		case 'dataPagination':
			return { data: items, pagination: { total, limit: size, offset } };
		case 'dataNext':
			return { data: items, next };
		case 'dataCursor':
			return { data: items, ...(hasMore && { next_cursor: cursorOf(offset + size) }) };
	}
}

/** A cursor: opaque to callers. */
export function cursorOf(offset: number): string {
	return Buffer.from(`o=${offset}`).toString('base64url');
}

/** The offset in a cursor; undefined if it is not ours. */
export function offsetOfCursor(cursor: string): number | undefined {
	const [, offset] = /^o=(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
	return offset === undefined ? undefined : Number(offset);
}
