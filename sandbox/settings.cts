import { Type, type Static, type TObject, type TSchema } from '@sinclair/typebox';

/** The operations of the interface, as rate limits, request counts and faults name them, with the interface's limits. */
const RATE_LIMITS = {
	nearby: 60,
	details: 60,
	create: 50,
	booking: null,
	bookings: null,
	tractors: null,
	tractor: null,
	contracts: null,
	sms: null,
};

export type Endpoint = keyof typeof RATE_LIMITS;

export const ENDPOINTS = Object.keys(RATE_LIMITS) as Endpoint[];

/** One of some values, of which the first is that of a fresh sandbox. */
function oneOf<const T extends string | number>(...values: T[]) {
	return Type.Unsafe<T>({ enum: values, default: values[0] });
}

/** The outer shape of a list's response. The interface shows one for lists in general, and none for some of them. */
const ListEnvelope = oneOf(
	/** `{count, next, previous, results}` */
	'documented',
	/** `[…]` */
	'array',
	/** `{data: […]}` */
	'data',
	/** `{data: […], pagination: {total, limit, offset}}` */
	'dataPagination',
	/** `{data: […], next: address or null}` */
	'dataNext',
	/** `{data: […], next_cursor?}` */
	'dataCursor',
);

const limit = Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]));

/** Everything about the sandbox that can be changed while it runs; the default is that of a fresh sandbox. */
const SETTINGS = {
	/** Milliseconds that each request waits before it is processed. */
	latencyMs: Type.Number({ minimum: 0, default: 0 }),

	/** Requests per window, key and endpoint; null is no limit. */
	rateLimits: Type.Unsafe<Record<Endpoint, number | null>>(
		Type.Object(Object.fromEntries(ENDPOINTS.map((endpoint) => [endpoint, limit])), {
			additionalProperties: false,
			default: RATE_LIMITS,
		}),
	),
	rateWindowMs: Type.Number({ exclusiveMinimum: 0, default: 60_000 }),
	retryAfter: oneOf('seconds', 'date', 'absent'),

	/** Whether catalogue and contracts take the Api-Key scheme beside Bearer. */
	v1AcceptsApiKey: Type.Boolean({ default: true }),
	missingScopeStatus: oneOf(401, 403),

	/** `error` of a 400: one text, or `{field: [texts]}`. */
	errorShape: oneOf('text', 'object'),
	/** Fields without which a booking is refused. */
	requiredFields: Type.Array(Type.String(), {
		default: ['tractorId', 'serviceType', 'serviceDate'],
	}),
	/** The service's own timezone, in which a service date is past or not. */
	timezone: Type.String({ default: 'UTC' }),

	bookingsEnvelope: ListEnvelope,
	bookingIdsAsText: Type.Boolean({ default: false }),
	bookingStatusAsText: Type.Boolean({ default: false }),

	catalogueEnvelope: { ...ListEnvelope, default: 'data' },
	/** Which parameter moves through the catalogue: `none` always gives the first page. */
	cataloguePaging: oneOf('page', 'offset', 'cursor', 'none'),
	contractsEnvelope: ListEnvelope,

	firstPage: oneOf(1, 0),
	maxPageSize: Type.Integer({ minimum: 1, default: 100 }),
	catalogueDefaultPageSize: Type.Integer({ minimum: 1, default: 25 }),
	/** What a page beyond the end holds. The last two also never say that a page is the last. */
	beyondEnd: oneOf('empty', 'notFound', 'repeatLast', 'repeatFirst'),
	/** Origin of `next` and `previous` addresses instead of the sandbox's own. */
	nextOrigin: Type.Union([Type.String(), Type.Null()], { default: null }),

	nearbyRadiusKm: Type.Number({ minimum: 0, default: 150 }),
	/** `byId`: an object keyed by tractor; `single`: a bare object when one tractor was asked for. */
	detailsEnvelope: oneOf('array', 'data', 'results', 'tractors', 'byId', 'single'),
	unknownTractors: oneOf('absent', 'notFound'),
};

export type Settings = Static<TObject<typeof SETTINGS>>;

/** Settings to change; rate limits may be given in part. */
export type SettingsPatch = Partial<Omit<Settings, 'rateLimits'>> & {
	rateLimits?: Partial<Settings['rateLimits']>;
};

export const SettingsPatchSchema = Type.Unsafe<SettingsPatch>(
	Type.Partial(Type.Object(SETTINGS), { additionalProperties: false }),
);

/** The settings of a fresh sandbox: the interface's limits, no faults, the documented envelope if there is one. */
export function defaultSettings(): Settings {
	const entries = Object.entries<TSchema>(SETTINGS);
	const defaults = entries.map(([name, { default: value }]): [string, unknown] => [name, value]);
	return structuredClone(Object.fromEntries(defaults)) as unknown as Settings;
}

/** Changes settings in place, so that everything that holds them sees the change. */
export function changeSettings(settings: Settings, { rateLimits, ...rest }: SettingsPatch): void {
	Object.assign(settings, rest);
	Object.assign(settings.rateLimits, rateLimits);
}
