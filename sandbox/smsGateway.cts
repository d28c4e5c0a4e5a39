import { Type } from '@sinclair/typebox';
import type { Context } from './context.cts';
import type { App } from './typebox.cts';

/** A gateway that takes text messages and sends none: its outbox shows what would have gone out. */
export function smsRoutes(app: App, { store, now }: Context): void {
	app.post(
		'/sms/messages',
		{
			config: { endpoint: 'sms' },
			schema: {
				body: Type.Object({
					to: Type.String({ pattern: '^\\+\\d{7,15}$' }),
					body: Type.String({ minLength: 1, maxLength: 1600 }),
					reference: Type.Optional(Type.String()),
				}),
			},
		},
		async (request, reply) => {
			// The same reference twice stays two messages, so that a repeat shows.
			const message = {
				sid: `SM${String(store.outbox.length + 1).padStart(8, '0')}`,
				...request.body,
				createdAt: new Date(now()).toISOString(),
			};
			store.outbox.push(message);
			return await reply.code(201).send({ ...message, status: 'queued' });
		},
	);

	app.get(
		'/sms/messages',
		{
			config: { endpoint: 'sms' },
			schema: { querystring: Type.Object({ reference: Type.Optional(Type.String()) }) },
		},
		async ({ query: { reference } }) => ({
			messages: store.outbox.filter(
				(message) => reference === undefined || message.reference === reference,
			),
		}),
	);
}
