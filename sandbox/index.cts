import { setMaxListeners } from 'node:events';
import type { Context } from './context.cts';
import { Faults } from './faults.cts';
import { RateLimiter } from './rateLimit.cts';
import { RequestLog } from './requestLog.cts';
import { buildServer } from './server.cts';
import { changeSettings, defaultSettings, type SettingsPatch } from './settings.cts';
import { Store, type SeedSizes } from './store.cts';

export { KEYS, TOKENS } from './auth.cts';
export { BookingBody, type Booking } from './bookings.cts';
export type { Fault, FaultRule } from './faults.cts';
export { TOWNS } from './seedData.cts';
export type { Settings } from './settings.cts';
export { distanceKm, type Tractor } from './tractors.cts';

/** How a sandbox starts. All of the settings can be changed later, too. */
export interface SandboxOptions extends SettingsPatch, Partial<SeedSizes> {
	/** Default 0: any free port. */
	port?: number;
	/** The service's time, in milliseconds since 1970. */
	now?: () => number;
}

/** A running sandbox: the whole service on one machine. */
export interface Sandbox extends Readonly<Omit<Context, 'limiter' | 'now' | 'closing'>> {
	/** Base URL, without a trailing slash. */
	readonly url: string;
	/** Closes the server and every connection, at once. */
	close(): Promise<void>;
}

/** Only this machine reaches the sandbox: its keys are public. */
const HOST = '127.0.0.1';

/** Starts the service as a real HTTP server. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const {
		port = 0,
		now = Date.now,
		bookings = 300,
		otherBookings = 80,
		tractors = 60,
		contracts = 40,
		...patch
	} = options;

	const settings = defaultSettings();
	changeSettings(settings, patch);
	const initial = structuredClone(settings);
	const store = new Store({ bookings, otherBookings, tractors, contracts }, now);
	const closing = new AbortController();
	setMaxListeners(0, closing.signal);

	const context: Context = {
		settings,
		store,
		faults: new Faults(),
		requests: new RequestLog(),
		limiter: new RateLimiter(settings, now),
		hooks: {},
		now,
		closing: closing.signal,
		reset() {
			changeSettings(settings, structuredClone(initial));
			store.reset();
			context.faults.clear();
			context.requests.clear();
			context.limiter.reset();
			delete context.hooks.beforeListPage;
			delete context.hooks.shapeBooking;
		},
	};

	const app = buildServer(context);
	return {
		...context,
		url: await app.listen({ host: HOST, port }),
		async close() {
			closing.abort();
			await app.close();
		},
	};
}
