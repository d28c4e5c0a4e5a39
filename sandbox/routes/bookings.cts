import { DateTime } from 'luxon';
import { Type } from '@sinclair/typebox';
import { BookingBody, type Booking, type BookingRequest } from '../bookings.cts';
import type { Context } from '../context.cts';
import { callerOf } from '../guard.cts';
import { InvalidRequest } from '../invalidRequest.cts';
import { offsetOfPage, pageSize, servePage } from '../lists.cts';
import type { App } from '../typebox.cts';

const digits = Type.String({ pattern: '^\\d{1,15}$' });

/** Creating, polling and listing bookings. */
export function bookingRoutes(app: App, context: Context): void {
	const { settings, store } = context;

	app.post(
		'/booking-services/booking-agent/service-booking/',
		{
			config: { endpoint: 'create', scope: 'booking:bookings:create' },
			schema: { body: BookingBody },
		},
		async (request) => {
			const issues = check(request.body, context);
			if (Object.keys(issues).length > 0) throw new InvalidRequest(issues);
			const { tractorId = 0, serviceType = 0, serviceDate = today(context) } = request.body;
			const { bookingID, clusterID } = store.bookings.create(callerOf(request).organisation, {
				...request.body,
				tractorId,
				serviceType,
				serviceDate,
			} satisfies BookingRequest);
			return { bookingID: settings.bookingIdsAsText ? String(bookingID) : bookingID, clusterID };
		},
	);

	app.get(
		'/booking-services/partner/booking/:booking_id',
		{
			config: { endpoint: 'booking', scope: 'booking:bookings:read' },
			schema: { params: Type.Object({ booking_id: Type.String() }) },
		},
		async (request, reply) => {
			const id = request.params.booking_id;
			const booking = store.bookings.get(id);
			if (!booking || store.bookings.organisationOf(id) !== callerOf(request).organisation) {
				return await reply.code(404).send({ detail: 'Not found.' });
			}
			return shape(booking);
		},
	);

	app.get(
		'/booking-services/partner/booking/:page/:count',
		{
			config: { endpoint: 'bookings', scope: 'booking:bookings:read' },
			schema: { params: Type.Object({ page: digits, count: digits }) },
		},
		async (request, reply) => {
			const { organisation } = callerOf(request);
			const size = pageSize(Number(request.params.count), settings);
			const offset = offsetOfPage(Number(request.params.page), size, settings);
			return await servePage(context, request, reply, {
				endpoint: 'bookings',
				organisation,
				offset,
				size,
				envelope: settings.bookingsEnvelope,
				source: () => ({
					total: store.bookings.count(organisation),
					slice: (from, count) => store.bookings.page(organisation, from, count).map(shape),
				}),
				pathOf: (other) =>
					`/booking-services/partner/booking/${other.offset / size + settings.firstPage}/${size}`,
			});
		},
	);

	/** A booking's record as callers see it. */
	function shape(booking: Booking): unknown {
		const shown: Record<string, unknown> = { ...booking };
		if (settings.bookingIdsAsText) shown.bookingID = String(shown.bookingID);
		if (settings.bookingStatusAsText) shown.bookingStatus = String(shown.bookingStatus);
		return context.hooks.shapeBooking ? context.hooks.shapeBooking(shown) : shown;
	}
}

/** What a believable service finds wrong beyond types. */
function check(body: Record<string, unknown>, context: Context): Record<string, string[]> {
	const issues: Record<string, string[]> = {};
	const addIssue = (field: string, issue: string) => (issues[field] ??= []).push(issue);

	for (const field of context.settings.requiredFields) {
		if (body[field] === undefined || body[field] === '') addIssue(field, 'is required');
	}
	const { tractorId, serviceDate } = body;
	if (typeof tractorId === 'number' && !context.store.tractors.has(tractorId)) {
		addIssue('tractorId', `has no tractor ${tractorId}`);
	}
	if (typeof serviceDate === 'string') {
		if (!isDate(serviceDate)) addIssue('serviceDate', 'is not a date');
		else if (serviceDate < today(context)) addIssue('serviceDate', 'must not be in the past');
	}
	return issues;
}

function isDate(text: string): boolean {
	const date = new Date(`${text}T00:00:00Z`);
	return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** YYYY-MM-DD in the service's timezone. */
function today({ settings, now }: Context): string {
	return DateTime.fromMillis(now(), { zone: settings.timezone }).toFormat('yyyy-MM-dd');
}
