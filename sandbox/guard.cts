import type { FastifyReply, FastifyRequest } from 'fastify';
import { keyIn, type Key, type Scope } from './auth.cts';
import type { Context } from './context.cts';
import type { Endpoint } from './settings.cts';
import type { App } from './typebox.cts';

declare module 'fastify' {
	interface FastifyContextConfig {
		/** The operation of the interface that the route is. */
		endpoint?: Endpoint;
		/** What a key needs to call it; routes without one are open. */
		scope?: Scope;
	}
	interface FastifyRequest {
		/** The caller's key on routes that need one. */
		key?: Key;
	}
}

/** Refuses callers without the right key, and callers that ask too often, before anything is processed. */
export function guard(app: App, context: Context): void {
	const { settings, limiter } = context;

	app.addHook('onRequest', async (request, reply) => {
		const { endpoint, scope } = request.routeOptions.config;
		if (endpoint === undefined) return;

		if (scope !== undefined) {
			const key = keyIn(request.headers.authorization);
			// Only catalogue and contracts take bearer tokens (interface, "Authentication").
			if (!key || (key.scheme === 'Bearer' && scope.startsWith('booking:'))) {
				return refuse(reply, 401, 'Authentication credentials were not provided or are not valid.');
			}
			if (!key.scopes.includes(scope)) {
				return refuse(reply, settings.missingScopeStatus, 'This key may not call this endpoint.');
			}
			request.key = key;
		}

		const waitMs = limiter.take(request.key?.name ?? 'anybody', endpoint);
		if (waitMs === undefined) return;
		reply.header('Retry-After', Math.ceil(waitMs / 1_000));
		return refuse(reply, 429, 'Request was throttled.');
	});
}

/** The caller of a route that needs a key. */
export function callerOf(request: FastifyRequest): Key {
	if (!request.key) throw new Error(`${request.url} is open and has no caller`);
	return request.key;
}

/** A request that is answered with 400. */
export class InvalidRequest extends Error {
	readonly statusCode = 400;
}

function refuse(reply: FastifyReply, status: number, detail: string): FastifyReply {
	return reply.code(status).send({ detail });
}
