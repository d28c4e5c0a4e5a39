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

/**
 * The outer shape of a list's response. The interface shows `{count, next, previous, results}` for lists in general, and
 * none for some of them. The others: `[…]`, `{data: […]}`, and this with `pagination: {total, limit, offset}`, with
 * `next: address or null`, or with `next_cursor?`.
 */
type ListEnvelope = 'documented' | 'array' | 'data' | 'dataPagination' | 'dataNext' | 'dataCursor';

/** Everything about the sandbox that can be changed while it runs. */
export interface Settings {
	/** Milliseconds that each request waits before it is processed. */
	latencyMs: number;
	/** Requests per window, key and endpoint; null is no limit. */
	rateLimits: Record<Endpoint, number | null>;
	rateWindowMs: number;
	missingScopeStatus: 401 | 403;
	bookingsEnvelope: ListEnvelope;
	catalogueEnvelope: ListEnvelope;
	contractsEnvelope: ListEnvelope;
	/** Which parameter moves through the catalogue. */
	cataloguePaging: 'page' | 'offset' | 'cursor';
	firstPage: 0 | 1;
	maxPageSize: number;
	/** What a page beyond the end holds. The last two also never say that a page is the last. */
	beyondEnd: 'empty' | 'notFound' | 'repeatLast' | 'repeatFirst';
	nearbyRadiusKm: number;
}

/** Settings to change; rate limits may be given in part. */
export type SettingsPatch = Partial<Omit<Settings, 'rateLimits'>> & {
	rateLimits?: Partial<Settings['rateLimits']>;
};

/** The settings of a fresh sandbox: the interface's limits, the documented envelope if there is one. */
export const defaultSettings = (): Settings => ({
	latencyMs: 0,
	rateLimits: { ...RATE_LIMITS },
	rateWindowMs: 60_000,
	missingScopeStatus: 401,
	bookingsEnvelope: 'documented',
	catalogueEnvelope: 'data',
	contractsEnvelope: 'documented',
	cataloguePaging: 'page',
	firstPage: 1,
	maxPageSize: 100,
	beyondEnd: 'empty',
	nearbyRadiusKm: 150,
});

/** Changes settings in place, so that everything that holds them sees the change. */
export function changeSettings(settings: Settings, { rateLimits, ...rest }: SettingsPatch): void {
	Object.assign(settings, rest);
	Object.assign(settings.rateLimits, rateLimits);
}
