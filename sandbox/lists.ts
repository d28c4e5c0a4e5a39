import type { FastifyRequest } from 'fastify';
import type { Context, ListPageEvent } from './context';
import type { Settings } from './settings';

/** A list from which pages are cut. */
export interface ListSource {
	total: number;
	slice: (offset: number, size: number) => unknown[];
	/** An item that does not exist, for a list that never ends. */
	invent: (index: number) => unknown;
}

/** The part of a list that a request asks for. */
export interface PageRequest {
	offset: number;
	size: number;
}

export interface ListPage extends PageRequest {
	items: unknown[];
	total: number;
	hasMore: boolean;
}

/** The page size that a caller gets for the one it asked for. */
export function pageSize(wished: number | undefined, standard: number, settings: Settings): number {
	return Math.min(wished || standard, settings.maxPageSize);
}

/** Where a numbered page begins; undefined for a page before the first one. */
export function offsetOfPage(page: number, size: number, settings: Settings): number | undefined {
	const offset = (page - settings.firstPage) * size;
	return offset < 0 ? undefined : offset;
}

/** Cuts out a page; undefined if the settings say that it does not exist. */
export async function readPage(
	{ settings, hooks }: Context,
	source: () => ListSource,
	event: ListPageEvent,
): Promise<ListPage | undefined> {
	await hooks.beforeListPage?.(event);
	const { offset, size } = event;
	const { total, slice, invent } = source();
	const { beyondEnd } = settings;
	const endless = beyondEnd === 'neverEnds' || beyondEnd.startsWith('repeat');
	const page = { offset, size, total: settings.reportedCount ?? total };

	if (offset >= total && offset > 0) {
		if (beyondEnd === 'notFound') return undefined;
		if (beyondEnd === 'repeatFirst') return { ...page, items: slice(0, size), hasMore: true };
		if (beyondEnd === 'repeatLast') {
			const last = Math.floor(Math.max(0, total - 1) / size) * size;
			return { ...page, items: slice(last, size), hasMore: true };
		}
	}
	const items = slice(offset, size);
	if (beyondEnd === 'neverEnds') {
		while (items.length < size) items.push(invent(offset + items.length));
	}
	return { ...page, items, hasMore: endless || offset + size < total };
}

/** Builds the address of another page of the same list. */
export type AddressOf = (page: PageRequest) => string;

/** Puts a page into the envelope of the settings (interface, "Pagination of list endpoints", and what else servers do). */
export function renderPage(
	envelope: Settings['bookingsEnvelope'],
	page: ListPage,
	addressOf: AddressOf,
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
		case 'dataEnvelope':
			return { data: documented };
		case 'dataNext':
			return { data: items, next };
		case 'dataCursor':
			return { data: items, ...(hasMore && { next_cursor: cursorOf(offset + size) }) };
	}
}

/** An absolute address on the host that the caller asked, or on the one of the settings. */
export function absolute(request: FastifyRequest, settings: Settings, target: string): string {
	return new URL(target, settings.nextOrigin ?? `http://${request.host}`).href;
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
