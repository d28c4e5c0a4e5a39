import { AjvCompiler } from '@fastify/ajv-compiler';
import Fastify, { type FastifyError } from 'fastify';
import { guard } from './guard.cts';
import { interfere } from './interference.cts';
import { controlRoutes } from './control.cts';
import type { Context } from './context.cts';
import { bookingRoutes } from './routes/bookings.cts';
import { catalogueRoutes } from './routes/catalogue.cts';
import { contractRoutes } from './routes/contracts.cts';
import { discoveryRoutes } from './routes/discovery.cts';
import { smsRoutes } from './smsGateway.cts';
import type { App } from './typebox.cts';

class UnsupportedMediaType extends Error {
	override readonly message = 'Only application/json is understood.';
	readonly statusCode = 415;
}

/** Of a request's head. */
const MAX_HEADER_SIZE = 256 * 1024;

const buildCompiler = AjvCompiler();
const validators = new Map<string, ReturnType<ReturnType<typeof buildCompiler>>>();

/** Compiles the schemas of a route once, however many sandboxes are started: that took most of a start's time. */
const buildValidator: typeof buildCompiler = (...options) => {
	const compile = buildCompiler(...options);
	return (route) => {
		const key = JSON.stringify(route);
		const validate = validators.get(key) ?? compile(route);
		validators.set(key, validate);
		return validate;
	};
};

/** The HTTP server with all its routes, not yet listening. */
export function buildServer(context: Context): App {
	const app: App = Fastify({
		forceCloseConnections: true,
		http: { maxHeaderSize: MAX_HEADER_SIZE },
		routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_HEADER_SIZE },
		schemaController: { compilersFactory: { buildValidator } },
		// Types are taken as they are sent: a number in quotes is not an integer.
		ajv: {
			customOptions: {
				coerceTypes: false,
				removeAdditional: false,
				useDefaults: false,
				allErrors: true,
				allowUnionTypes: true,
			},
		},
	});

	// A POST without a body may carry any content type.
	app.removeContentTypeParser('text/plain');
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
		body === '' ? done(null) : done(new UnsupportedMediaType()),
	);

	// The body of a 400 (interface, "Errors"): an `error` field.
	app.setErrorHandler<FastifyError>(
		({ validation, message, statusCode = 500 }, _request, reply) => {
			const issues = validation?.map(
				({ instancePath, message: issue }) => `${instancePath.slice(1) || 'request'} ${issue}`,
			);
			const text = issues?.join('; ') ?? message;
			return reply.code(statusCode).send(statusCode === 400 ? { error: text } : { detail: text });
		},
	);
	app.setNotFoundHandler((_request, reply) => reply.code(404).send({ detail: 'Not found.' }));

	interfere(app, context);
	guard(app, context);
	bookingRoutes(app, context);
	catalogueRoutes(app, context);
	contractRoutes(app, context);
	discoveryRoutes(app, context);
	smsRoutes(app, context);
	controlRoutes(app, context);
	return app;
}
