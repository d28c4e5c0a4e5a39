import { Type } from '@sinclair/typebox';
import type { Context } from '../context';
import { cursorOf, offsetOfCursor, offsetOfPage, pageSize, servePage } from '../lists';
import type { Tractor } from '../tractors';
import type { App } from '../typebox';

const digits = Type.String({ pattern: '^\\d{1,15}$' });

const CatalogueQuery = Type.Object({
	limit: Type.Optional(digits),
	page: Type.Optional(digits),
	offset: Type.Optional(digits),
	cursor: Type.Optional(Type.String()),
});

/** The tractor catalogue (interface, "List tractors (v1)" and "Retrieve a tractor (v1)"). */
export function catalogueRoutes(app: App, context: Context): void {
	const { settings, store } = context;

	app.get(
		'/v1/tractors',
		{
			config: { endpoint: 'tractors', scope: 'catalogue:tractors:read' },
			schema: { querystring: CatalogueQuery },
		},
		async (request, reply) => {
			const { limit } = request.query;
			const standard = settings.catalogueDefaultPageSize;
			const size =
				settings.cataloguePaging === 'none'
					? standard
					: pageSize(limit === undefined ? undefined : Number(limit), settings, standard);
			const offset = offsetOf(request.query, size);
			const tractors = [...store.tractors.values()];
			return await servePage(context, request, reply, {
				endpoint: 'tractors',
				offset,
				size,
				envelope: settings.catalogueEnvelope,
				source: () => ({
					total: tractors.length,
					slice: (from, count) => tractors.slice(from, from + count).map(shape),
				}),
				pathOf: (other) => `/v1/tractors?limit=${size}${position(other.offset, size)}`,
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

	function offsetOf(
		query: { page?: string; offset?: string; cursor?: string },
		size: number,
	): number | undefined {
		switch (settings.cataloguePaging) {
			case 'page':
				return offsetOfPage(Number(query.page ?? settings.firstPage), size, settings);
			case 'offset':
				return Number(query.offset ?? 0);
			case 'cursor':
				return query.cursor === undefined ? 0 : offsetOfCursor(query.cursor);
			default:
				return 0;
		}
	}

	function position(offset: number, size: number): string {
		switch (settings.cataloguePaging) {
			case 'page':
				return `&page=${offset / size + settings.firstPage}`;
			case 'cursor':
				return `&cursor=${cursorOf(offset)}`;
			default:
				return `&offset=${offset}`;
		}
	}

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
