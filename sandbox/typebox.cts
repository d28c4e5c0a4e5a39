import type { Static, TSchema } from '@sinclair/typebox';
import type {
	FastifyBaseLogger,
	FastifyInstance,
	FastifyTypeProvider,
	RawReplyDefaultExpression,
	RawRequestDefaultExpression,
	RawServerDefault,
} from 'fastify';

/**
 * Gives route handlers the types of their TypeBox schemas. The published provider rests on a
 * TypeBox that is an ES module only, which Jest cannot load.
 */
interface TypeBoxProvider extends FastifyTypeProvider {
	validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
	serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
}

/** The sandbox's HTTP server. */
export type App = FastifyInstance<
	RawServerDefault,
	RawRequestDefaultExpression,
	RawReplyDefaultExpression,
	FastifyBaseLogger,
	TypeBoxProvider
>;
