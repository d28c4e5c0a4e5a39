import { Type } from '@sinclair/typebox';
import type { Booking, BookingRequest, Organisation } from '../bookings';
import type { Context } from '../context';
import { callerOf } from '../guard';
import { InvalidRequest } from '../invalidRequest';
import type { ListSource } from '../lists';
import { absolute, offsetOfPage, pageSize, readPage, renderPage } from '../lists';
import type { App } from '../typebox';

const textOrNumber = Type.Unsafe<string | number>({ type: ['string', 'number'] });

/**
 * Body of a booking (interface, "Booking create request"). Types are checked if the interface gives
 * one; which fields are required is not documented and a setting.
 */
const BookingBody = Type.Object({
	tractorId: Type.Optional(Type.Integer()),
	serviceType: Type.Optional(Type.Integer()),
	serviceDate: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
	landArea: Type.Optional(Type.Number({ minimum: 0 })),
	areaType: Type.Optional(Type.Unsafe<'ha' | 'ac'>({ enum: ['ha', 'ac'] })),
	farmerName: Type.Optional(Type.String()),
	farmerPhone: Type.Optional(textOrNumber),
	gender: Type.Optional(Type.Integer()),
	latitude: Type.Optional(textOrNumber),
	longitude: Type.Optional(textOrNumber),
	farmLocation: Type.Optional(Type.String()),
	farmNote: Type.Optional(Type.String()),
	crop: Type.Optional(Type.Unknown()),
	crops: Type.Optional(Type.Unknown()),
	custom_crop: Type.Optional(Type.Unknown()),
});

const PLAIN_FIELDS = [
	'bookingID',
	'bookingStatus',
	'tractorPairedTo',
	'serviceDate',
	'hectaresServiced',
	'farmerName',
	'farmerPhone',
	'createdAt',
	'updatedAt',
] as const;

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
			const size = pageSize(Number(request.params.count), settings.defaultPageSize, settings);
			const offset = offsetOfPage(Number(request.params.page), size, settings);
			const page =
				offset === undefined
					? undefined
					: await readPage(context, () => listOf(organisation), {
							endpoint: 'bookings',
							organisation,
							offset,
							size,
						});
			if (!page) return await reply.code(404).send({ detail: 'Invalid page.' });
			return renderPage(settings.bookingsEnvelope, page, (other) =>
				absolute(
					request,
					settings,
					`/booking-services/partner/booking/${other.offset / size + settings.firstPage}/${size}`,
				),
			);
		},
	);

	/** An organisation's list, without the bookings that are not in it yet. */
	function listOf(organisation: Organisation): ListSource {
		const { bookingsOrder, bookingsListedAfterMs } = settings;
		const page = (from: number, count: number) =>
			store.bookings.page(organisation, bookingsOrder, from, count);
		const invent = (index: number) => shape(store.bookings.invent(index));
		if (bookingsListedAfterMs === 0) {
			const total = store.bookings.count(organisation);
			return { total, slice: (from, count) => page(from, count).map(shape), invent };
		}
		const listedUntil = context.now() - bookingsListedAfterMs;
		const listed = page(0, Infinity).filter(
			({ createdAt }) => Date.parse(createdAt) <= listedUntil,
		);
		const slice = (from: number, count: number) => listed.slice(from, from + count).map(shape);
		return { total: listed.length, slice, invent };
	}

	/** A booking's record as callers see it. */
	function shape(booking: Booking): unknown {
		const shown: Record<string, unknown> = { ...booking };
		if (settings.bookingIdsAsText) shown.bookingID = String(shown.bookingID);
		if (settings.bookingStatusAsText) shown.bookingStatus = String(shown.bookingStatus);
		const record = settings.plainBookings
			? Object.fromEntries(PLAIN_FIELDS.map((field) => [field, shown[field]]))
			: shown;
		return context.hooks.shapeBooking ? context.hooks.shapeBooking(record) : record;
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
	for (const [field, most] of [
		['latitude', 90],
		['longitude', 180],
	] as const) {
		const value = body[field];
		if (value === undefined) continue;
		if (value === '' || !(Math.abs(Number(value)) <= most)) {
			addIssue(field, `must be a number from -${most} to ${most}`);
		}
	}
	return issues;
}

function isDate(text: string): boolean {
	const date = new Date(`${text}T00:00:00Z`);
	return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** YYYY-MM-DD in the service's timezone. */
function today({ settings, now }: Context): string {
	// The Swedish form of a date is the ISO one.
	return new Intl.DateTimeFormat('sv-SE', { timeZone: settings.timezone }).format(now());
}
