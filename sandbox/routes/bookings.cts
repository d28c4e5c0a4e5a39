import { Type } from '@sinclair/typebox';
import { BookingBody, type Booking, type BookingRequest } from '../bookings.cts';
import type { Context } from '../context.cts';
import { callerOf, InvalidRequest } from '../guard.cts';
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
			check(request.body, context);
			const { organisation } = callerOf(request);
			const { bookingID, clusterID } = store.bookings.create(organisation, request.body);
			return { bookingID, clusterID };
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
		const { shapeBooking } = context.hooks;
		return shapeBooking ? shapeBooking({ ...booking }) : booking;
	}
}

/** What a believable service finds wrong beyond types. @throws InvalidRequest */
function check({ tractorId, serviceDate }: BookingRequest, { store, now }: Context): void {
	if (!store.tractors.has(tractorId))
		throw new InvalidRequest(`tractorId has no tractor ${tractorId}`);
	const day = new Date(`${serviceDate}T00:00:00Z`);
	if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(serviceDate))
		throw new InvalidRequest('serviceDate is not a date');
	// Twelve hours ago was today in the last timezone.
	if (serviceDate < new Date(now() - 43_200_000).toISOString().slice(0, 10))
		throw new InvalidRequest('serviceDate must not be in the past');
}
