import { Type, type Static } from '@sinclair/typebox';
import type { Context } from '../context.cts';
import { cursorOf, offsetOfCursor, offsetOfPage, pageSize, servePage } from '../lists.cts';
import type { Settings } from '../settings.cts';
import type { Tractor } from '../tractors.cts';
import type { App } from '../typebox.cts';

/** For callers that wish none. */
const DEFAULT_PAGE_SIZE = 25;

const digits = Type.String({ pattern: '^\\d{1,15}$' });

const CatalogueQuery = Type.Object({
	limit: Type.Optional(digits),
	page: Type.Optional(digits),
	offset: Type.Optional(digits),
	cursor: Type.Optional(Type.String()),
});

/** How a page of the catalogue is asked for, and how another one is named in the query. */
interface Paging {
	offsetIn: (query: Static<typeof CatalogueQuery>, size: number) => number | undefined;
	queryOf: (offset: number, size: number) => string;
}

/** The tractor catalogue (interface, "List tractors (v1)" and "Retrieve a tractor (v1)"). */
export function catalogueRoutes(app: App, context: Context): void {
	const { settings, store } = context;

	const pagings: Record<Settings['cataloguePaging'], Paging> = {
		page: {
			offsetIn: ({ page }, size) =>
				offsetOfPage(Number(page ?? settings.firstPage), size, settings),
			queryOf: (offset, size) => `&page=${offset / size + settings.firstPage}`,
		},
		offset: {
			offsetIn: ({ offset = 0 }) => Number(offset),
			queryOf: (offset) => `&offset=${offset}`,
		},
		cursor: {
			offsetIn: ({ cursor }) => (cursor === undefined ? 0 : offsetOfCursor(cursor)),
			queryOf: (offset) => `&cursor=${cursorOf(offset)}`,
		},
	};

	app.get(
		'/v1/tractors',
		{
			config: { endpoint: 'tractors', scope: 'catalogue:tractors:read' },
			schema: { querystring: CatalogueQuery },
		},
		async (request, reply) => {
			const { limit } = request.query;
			const size = pageSize(Number(limit ?? 0), settings, DEFAULT_PAGE_SIZE);
			const paging = pagings[settings.cataloguePaging];
			const offset = paging.offsetIn(request.query, size);
			const tractors = [...store.tractors.values()];
			return await servePage(context, request, reply, {
				offset,
				size,
				envelope: settings.catalogueEnvelope,
				source: () => ({
					total: tractors.length,
					slice: (from, count) => tractors.slice(from, from + count).map(shape),
				}),
				pathOf: (other) => `/v1/tractors?limit=${size}${paging.queryOf(other.offset, size)}`,
			});
		},
	);

	app.get(
		'/v1/tractors/:tractor_id',
		{
			config: { endpoint: 'tractor', scope: 'catalogue:tractors:read' },
			schema: { params: Type.Object({ tractor_id: Type.String() }) },
		},
		async (request, reply) => {
			const tractor = store.tractors.get(Number(request.params.tractor_id));
			if (!tractor) return await reply.code(404).send({ detail: 'Not found.' });
			return shape(tractor);
		},
	);

	function shape({ id, name, town, services }: Tractor) {
		const { country, state, city } = town;
		return {
			tractor_id: String(id),
			tractor_name: name,
			tractor_location: { country, state, city },
			implements_attached: services.map(({ implement }) => implement),
		};
	}
}
