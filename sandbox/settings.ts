import { Type, type Static, type TSchema } from '@sinclair/typebox';

/** The operations of the interface, as rate limits, request counts and faults name them. */
export const ENDPOINTS = [
	'nearby',
	'details',
	'create',
	'booking',
	'bookings',
	'tractors',
	'tractor',
	'contracts',
	'sms',
] as const;

export type Endpoint = (typeof ENDPOINTS)[number];

function oneOf<const T extends string | number>(...values: T[]) {
	return Type.Unsafe<T>({ enum: values });
}

function nullable<T extends TSchema>(schema: T) {
	return Type.Union([schema, Type.Null()]);
}

/** The outer shape of a list's response. The interface shows one for lists in general, and none for some of them. */
const ListEnvelope = oneOf(
	/** `[…]` */
	'array',
	/** `{count, next, previous, results}` */
	'documented',
	/** `{data: […]}` */
	'data',
	/** `{data: […], pagination: {total, limit, offset}}` */
	'dataPagination',
	/** `{data: […], next: address or null}` */
	'dataNext',
	/** `{data: […], next_cursor?}` */
	'dataCursor',
);

const limit = nullable(Type.Integer({ minimum: 0 }));

/** Everything about the sandbox that can be changed while it runs. */
const SettingsSchema = Type.Object(
	{
		/** Milliseconds that each request waits before it is processed. */
		latencyMs: Type.Number({ minimum: 0 }),

		/** Requests per window, key and endpoint; null is no limit. */
		rateLimits: Type.Object(
			{
				nearby: limit,
				details: limit,
				create: limit,
				booking: limit,
				bookings: limit,
				tractors: limit,
				tractor: limit,
				contracts: limit,
				sms: limit,
			},
			{ additionalProperties: false },
		),
		rateWindowMs: Type.Number({ exclusiveMinimum: 0 }),
		retryAfter: oneOf('seconds', 'date', 'absent'),

		/** Whether catalogue and contracts take the Api-Key scheme beside Bearer. */
		v1AcceptsApiKey: Type.Boolean(),
		missingScopeStatus: oneOf(401, 403),

		/** `error` of a 400: one text, or `{field: [texts]}`. */
		errorShape: oneOf('text', 'object'),
		/** Fields without which a booking is refused. */
		requiredFields: Type.Array(Type.String()),
		/** The service's own timezone, in which a service date is past or not. */
		timezone: Type.String(),
		/** Longest request target, in characters; a longer one gets 414. */
		maxAddressLength: Type.Integer({ minimum: 1 }),

		bookingsEnvelope: ListEnvelope,
		bookingIdsAsText: Type.Boolean(),
		bookingStatusAsText: Type.Boolean(),

		catalogueEnvelope: ListEnvelope,
		/** Which parameter moves through the catalogue: `none` always gives the first page. */
		cataloguePaging: oneOf('page', 'offset', 'cursor', 'none'),
		contractsEnvelope: ListEnvelope,

		firstPage: oneOf(0, 1),
		maxPageSize: Type.Integer({ minimum: 1 }),
		catalogueDefaultPageSize: Type.Integer({ minimum: 1 }),
		/** What a page beyond the end holds. The last two also never say that a page is the last. */
		beyondEnd: oneOf('empty', 'notFound', 'repeatLast', 'repeatFirst'),
		/** Origin of `next` and `previous` addresses instead of the sandbox's own. */
		nextOrigin: nullable(Type.String()),

		nearbyRadiusKm: Type.Number({ minimum: 0 }),
		/** `byId`: an object keyed by tractor; `single`: a bare object when one tractor was asked for. */
		detailsEnvelope: oneOf('array', 'data', 'results', 'tractors', 'byId', 'single'),
		unknownTractors: oneOf('absent', 'notFound'),
	},
	{ additionalProperties: false },
);

export type Settings = Static<typeof SettingsSchema>;

/** Settings to change; rate limits may be given in part. */
export type SettingsPatch = Partial<Omit<Settings, 'rateLimits'>> & {
	rateLimits?: Partial<Settings['rateLimits']>;
};

export const SettingsPatchSchema = Type.Unsafe<SettingsPatch>(
	Type.Object(
		{
			...Type.Partial(SettingsSchema).properties,
			rateLimits: Type.Optional(Type.Partial(SettingsSchema.properties.rateLimits)),
		},
		{ additionalProperties: false },
	),
);

/** The settings of a fresh sandbox: the interface's limits, no faults, the documented envelope if there is one. */
export function defaultSettings(): Settings {
	return {
		latencyMs: 0,
		rateLimits: {
			nearby: 60,
			details: 60,
			create: 50,
			booking: null,
			bookings: null,
			tractors: null,
			tractor: null,
			contracts: null,
			sms: null,
		},
		rateWindowMs: 60_000,
		retryAfter: 'seconds',
		v1AcceptsApiKey: true,
		missingScopeStatus: 401,
		errorShape: 'text',
		requiredFields: ['tractorId', 'serviceType', 'serviceDate'],
		timezone: 'UTC',
		maxAddressLength: 8_192,
		bookingsEnvelope: 'documented',
		bookingIdsAsText: false,
		bookingStatusAsText: false,
		catalogueEnvelope: 'data',
		cataloguePaging: 'page',
		contractsEnvelope: 'documented',
		firstPage: 1,
		maxPageSize: 100,
		catalogueDefaultPageSize: 25,
		beyondEnd: 'empty',
		nextOrigin: null,
		nearbyRadiusKm: 150,
		detailsEnvelope: 'array',
		unknownTractors: 'absent',
	};
}

/** Changes settings in place, so that everything that holds them sees the change. */
export function changeSettings(settings: Settings, { rateLimits, ...rest }: SettingsPatch): void {
	Object.assign(settings, rest);
	Object.assign(settings.rateLimits, rateLimits);
}
