import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { BOOKING_STATUS_LABELS } from '../nodes/TractorBooking/api/status';
import { asText, fold } from '../nodes/TractorBooking/utils/text';
import { KEYS, TOKENS } from './auth.cts';
import type { Booking } from './bookings.cts';
import type { Context } from './context.cts';
import type { FaultRule } from './faults.cts';
import { requestsToTry } from './sheet/farmerRequests.cts';
import { makeSpreadsheet, spreadsheetType } from './sheet/makeSpreadsheet.cts';
import type { App } from './typebox.cts';

/** The faults that the page can switch on. */
const SWITCHES: Record<string, FaultRule> = {
	'Slow: 2 s a request': { fault: { kind: 'latency', ms: 2_000 } },
	'503 for a third of the requests': { probability: 1 / 3, fault: { kind: 'status', status: 503 } },
	'A third of the connections reset': { probability: 1 / 3, fault: { kind: 'reset' } },
	'HTML instead of JSON': { fault: { kind: 'html' } },
	'429 without Retry-After': { probability: 1 / 3, fault: { kind: 'rateLimited' } },
	'Booked, but the response is lost': {
		match: { endpoint: 'create' },
		probability: 1 / 3,
		fault: { kind: 'lostAnswer' },
	},
	'Never answers': { fault: { kind: 'hang' } },
};

/** Of the newest bookings, so many are searched, and so many shown. */
const SEARCHED = 10_000;
const SHOWN = 200;

/** The page at `/`, and what it asks for under `/sandbox/`. Not part of the service. */
export function controlRoutes(app: App, context: Context): void {
	const { store, faults } = context;
	const { bookings } = store;
	const active = (rule?: FaultRule) => faults.list().find((fault) => fault.rule === rule);

	app.get('/', async (_request, reply) => {
		const page = await readFile(join(__dirname, 'page', 'index.html'), 'utf8');
		const filled = page.replace('%API_KEY%', KEYS.full).replace('%BEARER_TOKEN%', TOKENS.full);
		return reply.type('text/html').send(filled);
	});

	app.get(
		'/sandbox/state',
		{
			schema: {
				querystring: Type.Object({
					status: Type.Optional(Type.String()),
					search: Type.Optional(Type.String()),
				}),
			},
		},
		async ({ query: { status = '', search = '' } }) => ({
			total: bookings.count('A'),
			moving: bookings.moving().length,
			bookings: bookings
				.page('A', 0, status || search ? SEARCHED : SHOWN)
				.filter((booking) => ['', String(booking.bookingStatus)].includes(status))
				.filter((booking) => isFound(booking, search))
				.slice(0, SHOWN)
				.map((booking) => ({ ...booking, next: bookings.nextStatus(booking.bookingID) ?? null })),
			labels: Object.fromEntries(BOOKING_STATUS_LABELS),
			messages: store.outbox,
			faults: Object.entries(SWITCHES).map(([name, rule]) => [name, active(rule)?.hits ?? null]),
		}),
	);

	app.post(
		'/sandbox/bookings/:id/advance',
		{
			schema: {
				params: Type.Object({ id: Type.String() }),
				querystring: Type.Object({ status: Type.String() }),
			},
		},
		async ({ params: { id }, query: { status } }, reply) => {
			if (!bookings.get(id)) return await reply.code(404).send({ detail: 'Not found.' });
			return bookings.advance(id, Number(status));
		},
	);

	app.get(
		'/sandbox/farmer-requests.xlsx',
		{ schema: { querystring: Type.Object({ mistakes: Type.Optional(Type.String()) }) } },
		async ({ query: { mistakes } }, reply) => {
			const requests = requestsToTry.filter(({ faults }) => mistakes === 'true' || !faults);
			const name = mistakes === 'true' ? 'farmer-requests-with-mistakes' : 'farmer-requests';
			return reply
				.type(spreadsheetType)
				.header('Content-Disposition', `attachment; filename="${name}.xlsx"`)
				.send(await makeSpreadsheet(new Date(context.now()), requests));
		},
	);

	app.delete('/sandbox/outbox', async () => {
		store.outbox.length = 0;
		return {};
	});

	app.post(
		'/sandbox/faults/:name',
		{ schema: { params: Type.Object({ name: Type.String() }) } },
		async ({ params: { name } }, reply) => {
			const rule = SWITCHES[name];
			if (!rule) return await reply.code(404).send({ detail: 'Not found.' });
			const on = active(rule);
			if (on) on.remove();
			else faults.add(rule);
			return {};
		},
	);

	app.post('/sandbox/reset', async () => {
		const { nextID } = bookings;
		context.reset();
		// A service gives no identifier twice, and n8n remembers those that it was given.
		bookings.skipTo(nextID);
		return {};
	});
}

/** Whether a booking holds what was typed: a part of its ID, of the phone in any form, or of the farmer's name. */
function isFound({ bookingID, farmerPhone, farmerName }: Booking, search: string): boolean {
	const digits = search.replace(/[\s()+-]/g, '').replace(/^0+/, '');
	return /^\d*$/.test(digits)
		? `${bookingID} ${farmerPhone}`.includes(digits)
		: fold(asText(farmerName)).includes(fold(search));
}
