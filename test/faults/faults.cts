import { gzipSync } from 'node:zlib';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { createServer, type Server, type Socket } from 'node:net';

import { isRecord } from '../../nodes/TractorBooking/utils/text';
import type { Placement } from './placements.cts';
import type { Exchange, Strike } from './service.cts';
import { CERTIFICATE, KEY } from './selfSigned.cts';
import { always, doneThen502, doneThenCut, doneThenReset, reset, respond } from './service.cts';

/** What has to come of a fault: the same as without it, a message, or either of the two. */
type Expected = 'same' | 'message' | 'either';

export interface Fault {
	name: string;
	strike: Strike;
	expected: Expected | ((placement: Placement) => Expected);
	hangs?: boolean;
	/** How many times as long as usual the node pauses, since the service asks for it. */
	slows?: number;
	/** Placements that it is tried at; all by default. */
	at?: (placement: Placement) => boolean;
	/** Whether the node may send as many requests as there are pages. */
	isEndless?: boolean;
}

const server = (onConnection: (socket: Socket) => unknown) => () =>
	createServer((socket) => void onConnection(socket.on('error', () => undefined)));
const closing = server((socket) => socket.destroy());

/** A client that accepts the certificate gets a right answer. */
const tlsServer = (options: TlsOptions) => () =>
	createTlsServer(options, (socket) => {
		socket.on('error', () => undefined);
		socket.on('data', () => socket.end(`${head}Connection: close\r\n\r\n[]`));
	}).on('tlsClientError', () => undefined);

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const noTls = 'HTTP/1.1 400 Bad Request\r\n\r\n';

const http = (port: number) => `http://127.0.0.1:${port}`;
const https = (port: number) => `https://127.0.0.1:${port}`;

/** Faults that strike before there is a request: the base URL, by the port of a server, and that server. */
export const ADDRESS_FAULTS: ReadonlyArray<
	[name: string, baseUrl: (port: number) => string, server: () => Server]
> = [
	['refused', () => http(9), closing],
	['unknown name', () => 'https://no-such-host.invalid', closing],
	['reset before the request', http, server((socket) => socket.resetAndDestroy())],
	['closed before the request', http, closing],
	['TLS: closed at the handshake', https, closing],
	['TLS: plain HTTP', https, server((socket) => socket.once('data', () => socket.end(noTls)))],
	['TLS: refused', https, tlsServer({})],
	['TLS: self-signed certificate', https, tlsServer({ cert: CERTIFICATE, key: KEY })],
];

type Row = readonly [name: string, strike: Strike];

const alike = (kind: Omit<Fault, 'name' | 'strike'>, rows: readonly Row[]): Fault[] =>
	rows.map(([name, strike]) => ({ name, strike, ...kind }));

const raw =
	(text: string | Buffer): Strike =>
	({ socket }) =>
		void socket.end(text);

const altered =
	(alter: (body: unknown, exchange: Exchange) => unknown): Strike =>
	(exchange) => {
		const { status, body } = exchange.healthy();
		respond(exchange.socket, { status, body: alter(body, exchange) });
	};

const encoded =
	(headers: Record<string, string>, encode: (bytes: Buffer) => Buffer): Strike =>
	({ socket, healthy }) => {
		const { body, ...answer } = healthy();
		respond(socket, { ...answer, headers, body: encode(Buffer.from(JSON.stringify(body))) });
	};

const zipped = { 'Content-Encoding': 'gzip' };

/** The first strike is a fault; then all is well. */
const once =
	(strike: Strike): Strike =>
	(exchange) => {
		if (exchange.strike === 1) strike(exchange);
		else respond(exchange.socket, exchange.healthy());
	};

const ID = /^(bookingID|TractorID|tractor_id|contract_id)$/;

/** Each object of an answer that has an identifier, changed. */
function mapRecords(body: unknown, change: (record: object, index: number) => unknown): unknown {
	let index = 0;
	return JSON.parse(JSON.stringify(body), (_key, value: unknown) => {
		const isOne = isRecord(value) && Object.keys(value).some((key) => ID.test(key));
		return isOne ? change(value, index++) : value;
	});
}

const withId = (id: (index: number) => unknown): Strike =>
	altered((body) =>
		mapRecords(body, (record, index) =>
			Object.fromEntries(
				Object.entries(record)
					.filter(([key]) => key !== '_id')
					.map(([key, value]): [string, unknown] => [key, ID.test(key) ? id(index) : value]),
			),
		),
	);

const withEnvelope = (change: (envelope: object, exchange: Exchange) => object): Strike =>
	altered((body, exchange) =>
		isRecord(body) && 'count' in body ? { ...body, ...change(body, exchange) } : body,
	);

const isList = ({ name }: Placement) =>
	/list|getAll|search|trigger|test/i.test(name) && !/POST|by ID/.test(name);

const texts: ReadonlyArray<readonly [name: string, body: unknown]> = [
	['empty', ''],
	['HTML', '<html><body>502 Bad Gateway</body></html>'],
	['a text', 'The tractor is busy'],
	['error: a text', { error: 'landArea must be positive' }],
	['error: fields', { error: { landArea: ['is odd', 'is missing'], farmer: { name: 'is long' } } }],
	['error: null', { error: null }],
	['detail', { detail: 'Not found.' }],
	['null', null],
	['5,000 letters', { error: 'no '.repeat(1_700) }],
];

const statuses = [400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504, 999];

/** Each status with one body, and the statuses that matter with every body. */
const ofStatuses: Fault[] = [
	...statuses.map((status) => [status, 'error: a text', { error: 'it is odd' }] as const),
	[404, 'empty', ''] as const,
	// What a gateway in front of the service says while the service is down.
	[502, 'HTML', '<html><body>502 Bad Gateway</body></html>'] as const,
	...[400, 401, 500].flatMap((status) =>
		texts.map(([name, body]) => [status, name, body] as const),
	),
].map(([status, name, body]) => ({
	name: `${status}, ${name}`,
	strike: always({
		status,
		// The node waits for a rate limit without Retry-After; here it is to give up at once.
		headers: status === 429 ? { 'Retry-After': '86400' } : {},
		body,
	}),
	// A service that knows no page may mean the end of a list.
	expected: status >= 400 && status < 500 ? 'either' : 'message',
}));

/** A service that is down and says for how long. Only a short time is worth waiting for. */
const ofMaintenance = ['1', '30', '31', 'soon'].flatMap((value) =>
	alike({ expected: 'message', slows: value === '30' ? 20 : 1 }, [
		[`503, Retry-After: ${value}`, always({ status: 503, headers: { 'Retry-After': value } })],
	]),
);

const ofRetryAfter: Fault[] = [
	...[undefined, '0', '1', 'soon', '99999999999999999999', 'Wed, 21 Oct 2015 07:28:00 GMT'],
].map((value) => ({
	name: `429, Retry-After: ${value ?? 'none'}`,
	strike: always({
		status: 429,
		headers: value === undefined ? {} : { 'Retry-After': value },
		body: { detail: 'Request was throttled.' },
	}),
	// A rate limit puts the first scan of a trigger off, so that the workflow can be published.
	expected: ({ name }) => (name === 'trigger, first poll' ? 'same' : 'message'),
}));

const ofRedirects: Fault[] = [302, 308].flatMap((status) =>
	(
		[
			['to itself', ({ url, request }) => `${url}${request.path}`],
			['to another server, with the key', ({ elsewhere, secret }) => `${elsewhere}/?key=${secret}`],
			['without an address', () => ''],
		] satisfies Array<[string, (exchange: Exchange) => string]>
	).map(([where, location]) => ({
		name: `${status} ${where}`,
		strike: (exchange) =>
			respond(exchange.socket, {
				status,
				headers: location(exchange) === '' ? {} : { Location: location(exchange) },
			}),
		expected: 'message',
	})),
);

const half = 'Content-Length: 90\r\n\r\n{"results": [';

const ofConnections: Fault[] = [
	...alike({ expected: 'message' }, [
		['reset after the request', reset],
		['closed after the request', ({ socket }) => void socket.end()],
		['reset after all is done', doneThenReset],
		['cut off after all is done', doneThenCut],
		['502 after all is done', doneThen502],
		['closed in the headers', raw(`${head}X-Half: `)],
		['closed in the body', raw(head + half)],
		['closed in a chunk', raw(`${head}Transfer-Encoding: chunked\r\n\r\nff\r\n{"results": [`)],
		['not HTTP', raw('SSH-2.0-OpenSSH_9.7\r\n')],
	]),
	...alike({ expected: 'message', hangs: true }, [
		['hangs before the headers', () => undefined],
		['hangs after all is done', ({ healthy }) => void healthy()],
		['hangs in the body', ({ socket }) => void socket.write(head + half)],
	]),
];

/** Polls and the editor try again by themselves. */
const triesAgain = ({ name }: Placement) => !/trigger|\(\)/.test(name);

/** A failure of one request. Reads are tried again; a booking is not. */
const passing: Fault[] = [
	// Whether a booking was made cannot always be told.
	...alike(
		{ expected: ({ name }) => (name.includes('POST') ? 'either' : 'same'), at: triesAgain },
		[
			['500 once', once(always({ status: 500 }))],
			['HTML 502 once', once(always({ status: 502, body: '<html></html>' }))],
			['503 with Retry-After once', once(always({ status: 503, headers: { 'Retry-After': '1' } }))],
			['reset once', once(reset)],
			['reset after all is done, once', once(doneThenReset)],
		],
	),
	...alike({ expected: 'same', at: triesAgain }, [
		['429 once', once(always({ status: 429, headers: { 'Retry-After': '1' } }))],
	]),
];

const ofBodies: Fault[] = (
	[
		['an empty 200', ''],
		['JSON cut off', '{"results": [{"bookingID": 7001, "farmer'],
		['null', null],
		['a text', '"bookings"'],
		['an error with 200', { error: 'it is odd' }],
		['a bookingID of null', { bookingID: null, clusterID: 1 }],
		['results: null', { results: null }],
		['HTML', '<!doctype html><html><body>Sign in</body></html>'],
	] satisfies Array<[string, unknown]>
).map(([name, body]) => ({
	name,
	strike: always({ body }),
	// The end of a list may be written in many ways, and whatever is JSON proves a credential.
	expected: /null|error/.test(name) ? 'either' : 'message',
}));

const ofJson: Fault[] = [
	...alike({ expected: 'either' }, [
		['204', always({ status: 204 })],
		['an empty object', always({ body: {} })],
		['an empty list', always({ body: [] })],
	]),
];

const asIs = (bytes: Buffer) => bytes;
const halfOf = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);

const withMark = (bytes: Buffer) => Buffer.concat([Buffer.from('\uFEFF'), bytes]);

const ofEncodings: Fault[] = [
	...alike({ expected: 'same' }, [
		['gzip', encoded(zipped, gzipSync)],
		['a byte order mark', encoded({}, withMark)],
		['labelled as text', encoded({ 'Content-Type': 'text/plain' }, asIs)],
	]),
	...alike({ expected: 'message' }, [
		['half of a gzip', encoded(zipped, (bytes) => halfOf(gzipSync(bytes)))],
	]),
];

const withoutPhoneAndDate = { farmerPhone: undefined, serviceDate: undefined };

const freshPage = (page: number) =>
	Array.from({ length: 50 }, (_, index) => {
		const id = 10_000 + page * 50 + index;
		return { bookingID: id, bookingStatus: 6, TractorID: id, tractor_id: id, contract_id: id };
	});

const ofLists = alike({ expected: 'either', at: isList }, [
	['the first page again and again', withEnvelope(() => ({ next: '?page=2', count: 900 }))],
	[
		'one page for all pages',
		always({ body: { count: 900, next: '?page=2', previous: null, results: freshPage(0) } }),
	],
	['next: the page itself', withEnvelope((_, { request }) => ({ next: request.path }))],
	['next: another server', withEnvelope((_, { elsewhere }) => ({ next: `${elsewhere}/?page=2` }))],
	['next: null on each page', withEnvelope(() => ({ next: null }))],
	['count: too high', withEnvelope(() => ({ count: 900 }))],
	['count: too low', withEnvelope(() => ({ count: 1 }))],
	['an empty page that promises more', withEnvelope(() => ({ results: [], next: '?page=2' }))],
	['records of another kind', withEnvelope(() => ({ results: [{ a: 1 }, { b: 2 }] }))],
	[
		'records without phone and date',
		altered((body) => mapRecords(body, (record) => ({ ...record, ...withoutPhoneAndDate }))),
	],
	['numbers among the records', withEnvelope(() => ({ results: [7001, { bookingID: 7002 }] }))],
]);

const endless: Fault = {
	name: 'pages without end',
	strike: ({ socket, request }) =>
		respond(socket, { body: { next: '?page=2', results: freshPage(request.page) } }),
	expected: 'either',
	at: (placement) => isList(placement) && !placement.readsAll,
	isEndless: true,
};

const ofIds = alike({ expected: 'either' }, [
	['id: as text', withId((index) => String(index + 1))],
	['id: null', withId(() => null)],
	['id: with a path', withId(() => '../../1?a=b#c')],
	['id: the same for all', withId(() => 7001)],
]);

const echoed =
	(status: number): Strike =>
	({ socket, secret }) => {
		const base64 = Buffer.from(secret).toString('base64');
		const error = `Key ${secret} ${encodeURIComponent(secret)} ${base64} is odd`;
		respond(socket, { status, body: { error } });
	};

const ofNames: Fault[] = [
	...alike({ expected: 'either' }, [
		['the secret echoed, 400', echoed(400)],
		['the secret echoed, 200', echoed(200)],
	]),
	...alike({ expected: 'message' }, [
		['the secret echoed, 401', echoed(401)],
		['the secret echoed, 500', echoed(500)],
	]),
];

/** All faults of requests. The order is that of the table. */
export const FAULTS: readonly Fault[] = [
	...ofConnections,
	...passing,
	...ofBodies,
	...ofJson,
	...ofEncodings,
	...ofRedirects,
	...ofStatuses,
	...ofMaintenance,
	...ofRetryAfter,
	...ofLists,
	endless,
	...ofIds,
	...ofNames,
];
