import { setMaxListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Clock } from './clock';
import type { Context, Hooks } from './context';
import { Faults } from './faults';
import { RateLimiter } from './rateLimit';
import { RequestLog } from './requestLog';
import { buildServer } from './server';
import { isLoopback } from './control';
import { changeSettings, defaultSettings, type Settings, type SettingsPatch } from './settings';
import { Store, type SeedSizes } from './store';

export { KEYS, TOKENS } from './auth';
export { BookingBody, type Booking } from './bookings';
export type { Fault, FaultRule } from './faults';
export { SERVICES, TOWNS, type Service, type Town } from './seedData';
export {
	defaultSettings,
	ENDPOINTS,
	type Endpoint,
	type Settings,
	type SettingsPatch,
} from './settings';
export type { Contract, SmsMessage } from './store';
export { distanceKm, type Tractor } from './tractors';

/** How a sandbox starts. All of the settings can be changed later, too. */
export interface SandboxOptions extends SettingsPatch, Partial<SeedSizes> {
	/** Default 127.0.0.1. */
	host?: string;
	/** Lets `host` be an address that other machines reach. The keys of the sandbox are public. */
	exposed?: boolean;
	/** Default 0: any free port. */
	port?: number;
	/** The service's time, in milliseconds since 1970. */
	now?: () => number;
}

/** A running sandbox: the whole service on one machine. */
export interface Sandbox {
	/** Base URL, without a trailing slash. */
	readonly url: string;
	readonly port: number;
	/** Bookings, tractors, contracts and the SMS outbox, for direct reading and changing. */
	readonly store: Store;
	/** Changes hold from the next request on. */
	readonly settings: Settings;
	readonly faults: Faults;
	readonly requests: RequestLog;
	readonly clock: Clock;
	readonly hooks: Hooks;
	/** Puts data, settings, faults, counts and clock back to how they were at the start. */
	reset(): void;
	/** Closes the server and every connection, at once. */
	close(): Promise<void>;
}

/**
 * Starts the service as a real HTTP server.
 *
 * @throws Error if other machines may reach the host, and `exposed` does not say so
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const {
		host = '127.0.0.1',
		exposed = false,
		port = 0,
		now = Date.now,
		bookings = 300,
		otherBookings = 80,
		tractors = 60,
		contracts = 40,
		...patch
	} = options;

	if (!exposed && !isLoopback(host)) {
		throw new Error(`Other machines may reach ${host}; to listen there, say so (--exposed).`);
	}
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
		clock: new Clock(store),
		hooks: {},
		now,
		closing: closing.signal,
		reset() {
			changeSettings(settings, structuredClone(initial));
			store.reset();
			context.faults.clear();
			context.requests.clear();
			context.limiter.reset();
			context.clock.reset();
			delete context.hooks.beforeListPage;
			delete context.hooks.shapeBooking;
		},
	};

	const app = buildServer(context);
	await app.listen({ host, port });
	const address = app.server.address() as AddressInfo;

	return {
		url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
		port: address.port,
		store,
		settings,
		faults: context.faults,
		requests: context.requests,
		clock: context.clock,
		hooks: context.hooks,
		reset: context.reset,
		async close() {
			context.clock.stop();
			closing.abort();
			await app.close();
		},
	};
}
