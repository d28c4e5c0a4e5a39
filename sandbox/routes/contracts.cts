import { Type } from '@sinclair/typebox';
import type { Context } from '../context.cts';
import { offsetOfPage, pageSize, servePage } from '../lists.cts';
import type { App } from '../typebox.cts';

const digits = Type.String({ pattern: '^\\d{1,15}$' });

/** The contracts list (interface, "Pagination of list endpoints"). */
export function contractRoutes(app: App, context: Context): void {
	const { settings, store } = context;

	app.get(
		'/payg/lms/contracts',
		{
			config: { endpoint: 'contracts', scope: 'payg:contracts:read' },
			schema: {
				querystring: Type.Object({ page: Type.Optional(digits), limit: Type.Optional(digits) }),
			},
		},
		async (request, reply) => {
			const { page: number, limit } = request.query;
			const size = pageSize(Number(limit ?? 0), settings);
			const offset = offsetOfPage(Number(number ?? settings.firstPage), size, settings);
			return await servePage(context, request, reply, {
				offset,
				size,
				envelope: settings.contractsEnvelope,
				source: () => ({
					total: store.contracts.length,
					slice: (from, count) => store.contracts.slice(from, from + count),
				}),
				pathOf: (other) =>
					`/payg/lms/contracts?page=${other.offset / size + settings.firstPage}&limit=${size}`,
			});
		},
	);
}
