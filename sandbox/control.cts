import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { BOOKING_STATUS_LABELS, statusLabel } from '../nodes/TractorBooking/api/status';
import { asText, fold } from '../nodes/TractorBooking/utils/text';
import { KEYS, TOKENS } from './auth.cts';
import type { Booking } from './bookings.cts';
import type { Context } from './context.cts';
import { FaultRuleSchema, type ActiveFault } from './faults.cts';
import { requestsToTry } from './sheet/farmerRequests.cts';
import { makeSpreadsheet, spreadsheetType } from './sheet/makeSpreadsheet.cts';
import { changeSettings, SettingsPatchSchema } from './settings.cts';
import type { App } from './typebox.cts';

const organisation = Type.Unsafe<'A' | 'B'>({ enum: ['A', 'B'] });
const digits = Type.String({ pattern: '^\\d{1,9}$' });

/** The sandbox's switches under `/sandbox/`, and the page at `/` that uses them. Not part of the service. */
export function controlRoutes(app: App, context: Context): void {
	const { settings, store, faults, requests, clock } = context;

	app.addHook('onRequest', async (request, reply) => {
		// Not the address as it was written: `/%73andbox/` is the same route.
		const own = /^\/(?:$|sandbox\/)/.test(request.routeOptions.url ?? '');
		if (own && !isOwnPage(request.headers)) {
			return reply.code(403).send({ detail: 'Only from this machine, and its own page.' });
		}
	});

	app.get('/', async (_request, reply) => {
		const page = await readFile(join(__dirname, 'page', 'index.html'), 'utf8');
		const filled = page.replace('%API_KEY%', KEYS.full).replace('%BEARER_TOKEN%', TOKENS.full);
		return reply.type('text/html').send(filled);
	});

	app.get('/sandbox/state', async () => ({
		bookings: { A: store.bookings.count('A'), B: store.bookings.count('B') },
		moving: store.bookings.moving('A').length + store.bookings.moving('B').length,
		tractors: store.tractors.size,
		messages: store.outbox.length,
		clock: { running: clock.running },
		settings,
		faults: faults.list().map(describe),
		requests: requests.counts(),
		statusLabels: Object.fromEntries(BOOKING_STATUS_LABELS),
	}));

	app.get(
		'/sandbox/bookings',
		{
			schema: {
				querystring: Type.Object({
					organisation: Type.Optional(organisation),
					status: Type.Optional(Type.String()),
					search: Type.Optional(Type.String()),
					limit: Type.Optional(digits),
				}),
			},
		},
		async (request) => {
			const { organisation: of = 'A', status, search = '', limit = '200' } = request.query;
			const isFound = finder(search);
			const found = [];
			const total = store.bookings.count(of);
			// Read page by page, and not to the end, so that a million bookings are not built to show a few.
			const searched = Math.min(total, 10_000);
			for (let offset = 0; offset < searched && found.length < Number(limit); offset += 500) {
				for (const booking of store.bookings.page(of, offset, 500)) {
					if (status !== undefined && String(booking.bookingStatus) !== status) continue;
					if (!isFound(booking)) continue;
					const next = store.bookings.nextStatus(booking.bookingID);
					found.push({
						...booking,
						bookingStatusLabel: statusLabel(booking.bookingStatus),
						nextStatusLabel: next === undefined ? null : statusLabel(next),
					});
				}
			}
			return { total, bookings: found.slice(0, Number(limit)) };
		},
	);

	app.post(
		'/sandbox/bookings/:booking_id/advance',
		{
			schema: {
				params: Type.Object({ booking_id: Type.String() }),
				body: Type.Union([Type.Null(), Type.Object({ status: Type.Optional(Type.Integer()) })]),
			},
		},
		async (request, reply) => {
			const { booking_id: id } = request.params;
			if (!store.bookings.get(id)) return await reply.code(404).send({ detail: 'Not found.' });
			const booking = store.bookings.advance(id, request.body?.status);
			return { ...booking, bookingStatusLabel: statusLabel(booking.bookingStatus) };
		},
	);

	app.get(
		'/sandbox/farmer-requests.xlsx',
		{
			schema: {
				querystring: Type.Object({
					mistakes: Type.Optional(Type.Unsafe<'true' | 'false'>({ enum: ['true', 'false'] })),
				}),
			},
		},
		async (request, reply) => {
			const withMistakes = request.query.mistakes === 'true';
			const requests = requestsToTry.filter(({ faults }) => withMistakes || !faults);
			const sheet = await makeSpreadsheet(new Date(context.now()), requests);
			const name = withMistakes ? 'farmer-requests-with-mistakes' : 'farmer-requests';
			return reply
				.type(spreadsheetType)
				.header('Content-Disposition', `attachment; filename="${name}.xlsx"`)
				.send(sheet);
		},
	);

	app.get('/sandbox/outbox', async () => ({ messages: store.outbox }));
	app.delete('/sandbox/outbox', async () => {
		store.outbox.length = 0;
		return { messages: store.outbox };
	});

	app.delete('/sandbox/requests', async () => {
		requests.clear();
		return { counts: requests.counts() };
	});

	app.post('/sandbox/settings', { schema: { body: SettingsPatchSchema } }, async (request) => {
		changeSettings(settings, request.body);
		return settings;
	});

	app.post('/sandbox/faults', { schema: { body: FaultRuleSchema } }, async (request) =>
		describe(faults.add(request.body)),
	);
	app.delete(
		'/sandbox/faults/:id',
		{ schema: { params: Type.Object({ id: digits }) } },
		async (request) => {
			faults.remove(Number(request.params.id));
			return { faults: faults.list().map(describe) };
		},
	);

	app.post(
		'/sandbox/clock',
		{
			schema: {
				body: Type.Object({
					action: Type.Unsafe<'start' | 'stop' | 'tick'>({ enum: ['start', 'stop', 'tick'] }),
					intervalMs: Type.Optional(Type.Integer({ minimum: 10 })),
				}),
			},
		},
		async (request) => {
			const { action, intervalMs = 2_000 } = request.body;
			let moved: number[] = [];
			if (action === 'start') clock.start(intervalMs);
			else if (action === 'stop') clock.stop();
			else moved = clock.tick();
			return { running: clock.running, moved };
		},
	);

	app.post('/sandbox/reset', async () => {
		const { nextID } = store.bookings;
		context.reset();
		// A service gives no identifier twice, and n8n remembers those that it was given.
		store.bookings.skipTo(nextID);
		return { reset: true };
	});
}

function describe({ id, rule, seen, hits }: ActiveFault) {
	const { path } = rule.match ?? {};
	return { id, ...rule, match: { ...rule.match, path: path && String(path) }, seen, hits };
}

/** Whether a booking holds what was typed: a part of the farmer's name, of the phone in any form, or the ID. */
function finder(search: string): (booking: Booking) => boolean {
	const wanted = fold(search);
	const digits = wanted.replace(/\D/g, '').replace(/^0+/, '');
	return ({ bookingID, farmerName, farmerPhone }) =>
		fold(asText(farmerName)).includes(wanted) ||
		String(bookingID) === wanted ||
		(digits !== '' &&
			!/\p{L}/u.test(wanted) &&
			asText(farmerPhone).replace(/\D/g, '').includes(digits));
}

/** Whether a request is not from another website, whose page runs in a browser on this machine. */
function isOwnPage({ host = '', origin }: IncomingHttpHeaders): boolean {
	const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/.test(host);
	return isLocal && (origin === undefined || origin === `http://${host}`);
}
