import { createServer, STATUS_CODES } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { IDataObject } from 'n8n-workflow';

import { EXECUTION_POLICY, POLL_POLICY } from '../../nodes/TractorBooking/api/client';
import { BookingBody } from '../../sandbox/index.cts';
import { LateService, pageOf } from '../support/lateService.cts';
import { listen, type Listening } from '../support/listen.cts';
import { otherServerForTests } from '../support/otherServer.cts';

/** Endpoints that are read, by the paths that begin so; the first that fits is meant. */
const READS = {
	nearby: /^\/booking-services\/tractor\/nearby\//,
	details: /^\/booking-services\/tractor\/[^/]*\/detail\//,
	bookings: /^\/booking-services\/partner\/booking\/\d+\/\d+$/,
	booking: /^\/booking-services\/partner\/booking\//,
	catalogueTractor: /^\/v1\/tractors\//,
	catalogue: /^\/v1\/tractors/,
	contracts: /^\/payg\/lms\/contracts/,
};

export type EndpointName = keyof typeof READS | 'create' | 'none';

export interface Received {
	method: string;
	path: string;
	endpoint: EndpointName;
	/** Number of the page that a list was asked for; 1 if none was named. */
	page: number;
	headers: IncomingHttpHeaders;
	body: string;
}

export interface Answer {
	status?: number;
	headers?: Record<string, string>;
	/** A text or bytes are sent as they are, anything else as JSON. */
	body?: unknown;
}

/** One request on which a fault strikes, and what the fault may do with it. */
export interface Exchange {
	request: Received;
	socket: Socket;
	/** How many requests the fault has struck by now, this one included. */
	strike: number;
	/** Base URL of the service; of another server, which must not hear of the credential. */
	url: string;
	elsewhere: string;
	secret: string;
	/** What the service answers if nothing is wrong; a booking is made by it. */
	healthy: () => Answer & { body: unknown };
}

export type Strike = (exchange: Exchange) => void;

export function respond(socket: Socket, { status = 200, headers = {}, body = '' }: Answer): void {
	const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
	const bytes = isRaw ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
	const all = {
		'Content-Type': 'application/json',
		'Content-Length': String(bytes.length),
		Connection: 'close',
		...headers,
	};
	const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
	socket.write(
		`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Odd'}\r\n${lines.join('\r\n')}\r\n\r\n`,
	);
	socket.end(bytes);
}

export const always =
	(answer: Answer): Strike =>
	({ socket }) =>
		respond(socket, answer);

export const reset: Strike = ({ socket }) => void socket.resetAndDestroy();

export const doneThenReset: Strike = ({ socket, healthy }) => {
	healthy();
	socket.resetAndDestroy();
};

export const doneThenCut: Strike = ({ socket, healthy }) =>
	respond(socket, { body: JSON.stringify(healthy().body).slice(0, -1) });

export const doneThen502: Strike = ({ socket, healthy }) => {
	healthy();
	respond(socket, { status: 502, body: '<html></html>' });
};

function endpointOf(method: string, path: string): EndpointName {
	if (method === 'POST') return 'create';
	const reads = Object.entries(READS) as Array<[EndpointName, RegExp]>;
	return reads.find(([, pattern]) => pattern.test(path))?.[0] ?? 'none';
}

const StrictBody = Type.Object(BookingBody.properties, { additionalProperties: false });

/** What of a body is against the interface; none if it is as documented. */
export function offencesOf(text: string): string[] {
	const body: unknown = JSON.parse(text);
	const offences = [...Value.Errors(StrictBody, body)].map(
		({ path, message }) => `${path}: ${message}`,
	);
	const { serviceDate } = Value.Check(StrictBody, body) ? body : {};
	// A day before: it may be midnight in another timezone.
	const earliest = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
	const isDay = serviceDate === undefined || !Number.isNaN(Date.parse(`${serviceDate}T00:00:00Z`));
	if (!isDay || (serviceDate ?? earliest) < earliest) offences.push('serviceDate: no day to come');
	return offences;
}

const TRACTORS = [201, 202, 203];

const CONTRACTS = [1, 2, 3].map((contract_id) => ({ contract_id }));

/** The service as one run sees it: its bookings, what it was asked, and what goes wrong. */
export class World extends LateService {
	readonly requests: Received[] = [];
	override render = (booking: IDataObject) => booking;
	strikes = 0;

	fault?: { strike: Strike; strikes: (request: Received, world: World) => boolean };

	constructor(
		override url: string,
		readonly elsewhere: string,
	) {
		super(7001);
		for (let index = 0; index < 3; index++) {
			const farmer = { farmerName: `Farmer ${index}`, farmerPhone: `+23480300000${index}0` };
			const job = { tractorPairedTo: 201, serviceDate: '2026-02-03', hectaresServiced: 1.5 };
			const times = { createdAt: '2026-02-01T08:00:00Z', updatedAt: '2026-02-01T08:00:00Z' };
			Object.assign(this.add({ ...job, ...farmer, ...times }), { bookingStatus: 6 });
		}
	}

	get posts(): string[] {
		return this.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
	}

	answer(request: Received, socket: Socket): void {
		this.requests.push(request);
		const healthy = () => this.healthy(request);
		if (!this.fault?.strikes(request, this)) {
			respond(socket, healthy());
			return;
		}
		this.strikes += 1;
		const secret = request.headers.authorization?.split(' ').at(-1) ?? '';
		const { url, elsewhere, strikes: strike } = this;
		this.fault.strike({ request, socket, strike, url, elsewhere, secret, healthy });
	}

	private healthy(request: Received): Answer & { body: unknown } {
		const body = this.bodyFor(request);
		return body === undefined ? { status: 404, body: { detail: 'Not found.' } } : { body };
	}

	private bodyFor({ endpoint, path, body, page }: Received): unknown {
		if (page < 1) return undefined;
		const [route = '', query] = path.split('?');
		switch (endpoint) {
			case 'nearby':
				return TRACTORS.map((id) => ({
					...{ _id: `65f0${id}`, TractorID: id, PositionLatitude: 10.5, PositionLongitude: 7.4 },
					...{ minsAway: id - 200, distance: id - 200 },
				}));
			case 'create':
				return { bookingID: this.add(JSON.parse(body) as IDataObject).bookingID, clusterID: 1 };
			case 'catalogueTractor':
				return { tractor_id: route.split('/').findLast(Boolean), tractor_name: 'Red' };
			case 'catalogue':
				return { data: page > 1 ? [] : TRACTORS.map((id) => ({ tractor_id: String(id) })) };
			case 'contracts':
				return pageOf(CONTRACTS, page, Number(new URLSearchParams(query).get('limit')));
			default:
				return this.read(path);
		}
	}
}

function pageIn(path: string): number {
	const [, inPath] = /\/partner\/booking\/(\d+)\//.exec(path) ?? [];
	return Number(inPath ?? new URLSearchParams(path.split('?')[1]).get('page') ?? 1);
}

/**
 * A faulty service for the tests of one file, whose answers are written to the sockets as they are, one request a
 * connection; and another server, which must hear of nothing. It is many services: each world has a base URL of its own.
 *
 * @param rateLimitWaitMs how long an execution waits at most for a rate limit
 */
export function faultyServiceForTests(rateLimitWaitMs: number) {
	const worlds: World[] = [];
	const receive = async (request: IncomingMessage) => {
		const { method = '', url = '', headers, socket } = request;
		const body = await text(request);
		const [, index, path = '/'] = /^\/w(\d+)(.*)$/.exec(url) ?? [];
		const received = { method, path, endpoint: endpointOf(method, path), page: pageIn(path) };
		worlds[Number(index)]?.answer({ ...received, headers, body }, socket);
	};
	let service: Listening;
	const elsewhere = otherServerForTests({ bookingID: 1 });
	const policies = { poll: { ...POLL_POLICY }, execution: { ...EXECUTION_POLICY } };
	beforeAll(async () => {
		service = await listen(createServer((request) => void receive(request)));
		EXECUTION_POLICY.rateLimitWaitMs = rateLimitWaitMs;
	});
	afterAll(async () => {
		Object.assign(POLL_POLICY, policies.poll);
		Object.assign(EXECUTION_POLICY, policies.execution);
		await service.close();
	});
	return {
		open(): World {
			const world = new World(`${service.url}/w${worlds.length}`, elsewhere.url);
			worlds.push(world);
			return world;
		},
		/** What reached the other server. */
		strayed: () => elsewhere.requests,
	};
}
