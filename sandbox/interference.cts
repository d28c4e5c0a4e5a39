import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { keyIn, splitAuthorization } from './auth.cts';
import type { Context } from './context.cts';
import type { Fault } from './faults.cts';
import type { LoggedRequest } from './requestLog.cts';
import type { App } from './typebox.cts';

declare module 'fastify' {
	interface FastifyRequest {
		logged?: LoggedRequest;
	}
}

const HTML = `<!doctype html>
<html><head><title>Welcome</title></head><body><h1>Please sign in</h1></body></html>
`;

/** Logs what arrives, and does to it what the settings and faults say: what networks and gateways do. */
export function interfere(app: App, context: Context): void {
	const { settings, faults, requests, closing } = context;

	app.addHook('onRequest', async (request, reply) => {
		if (isOwn(request)) return;
		const logged = (request.logged = log(request));
		requests.inFlight += 1;
		requests.peakInFlight = Math.max(requests.peakInFlight, requests.inFlight);
		reply.raw.once('close', () => (requests.inFlight -= 1));

		if (settings.latencyMs > 0) await wait(settings.latencyMs);
		for (const fault of faults.strike(logged, 'before')) {
			await strikeBefore(fault, request, reply);
		}
		// What was kept waiting until the end is not processed any more.
		if (closing.aborted) breakOff(request, reply);
		return reply.sent ? reply : undefined;
	});

	app.addHook('preValidation', async (request) => {
		if (request.logged) request.logged.body = request.body;
	});

	app.addHook('onSend', async (request, reply, payload) => {
		const { logged } = request;
		if (!logged) return payload;
		if (reply.statusCode < 400) {
			const [fault] = faults.strike(logged, 'after');
			if (fault) return strikeAfter(fault, request, reply, payload);
		}
		logged.status = reply.statusCode;
		return payload;
	});

	function log(request: FastifyRequest): LoggedRequest {
		const [path = request.url] = request.url.split('?');
		const { authorization } = request.headers;
		return requests.add({
			method: request.method,
			path,
			query: { ...(request.query as Record<string, unknown>) },
			endpoint: request.routeOptions.config.endpoint,
			authScheme: splitAuthorization(authorization).scheme,
			keyName: keyIn(authorization)?.name,
		});
	}

	/** Ends early when the sandbox closes, as its connections do. */
	async function wait(ms: number): Promise<void> {
		await sleep(ms, undefined, { signal: closing, ref: false }).catch(() => undefined);
	}

	async function strikeBefore(fault: Fault, request: FastifyRequest, reply: FastifyReply) {
		switch (fault.kind) {
			case 'latency':
				return await wait(fault.ms);
			case 'status':
				return await reply
					.code(fault.status)
					.headers(fault.headers ?? {})
					.send(fault.body ?? { detail: `Simulated status ${fault.status}.` });
			case 'html':
				return await reply
					.code(fault.status ?? 200)
					.type('text/html')
					.send(HTML);
			case 'redirect':
				return await reply.code(302).header('Location', fault.location).send();
			case 'rateLimited':
				if (fault.retryAfter !== undefined) reply.header('Retry-After', fault.retryAfter);
				return await reply.code(429).send({ detail: 'Request was throttled.' });
			case 'reset':
				return breakOff(request, reply);
			case 'hang':
				reply.hijack();
				return;
		}
	}

	function strikeAfter(
		fault: Fault,
		request: FastifyRequest,
		reply: FastifyReply,
		payload: unknown,
	) {
		if (fault.kind === 'truncated') return truncated(reply, payload);
		if (fault.kind !== 'lostAnswer') return payload;
		if (fault.status === undefined) {
			request.raw.socket.destroy();
			return payload;
		}
		if (request.logged) request.logged.status = fault.status;
		reply.code(fault.status).type('text/html');
		return '<html><body><h1>504 Gateway Timeout</h1></body></html>';
	}
}

/** Ends a request without a response. */
function breakOff(request: FastifyRequest, reply: FastifyReply): void {
	reply.hijack();
	request.raw.socket.resetAndDestroy();
}

/** The sandbox's own page and switches are not part of the service. */
function isOwn(request: FastifyRequest): boolean {
	return request.url === '/' || request.url.startsWith('/sandbox/');
}

/** Announces the whole body and breaks off in the middle of it. */
function truncated(reply: FastifyReply, payload: unknown): Readable {
	const body = Buffer.from(String(payload));
	reply.header('content-length', body.length);
	return Readable.from(
		(async function* () {
			yield body.subarray(0, Math.floor(body.length / 2));
			await sleep(5);
			throw new Error('connection lost');
		})(),
	);
}
