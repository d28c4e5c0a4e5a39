import type { IDataObject } from 'n8n-workflow';

import type { HostAnswer } from './internet';

/** A gateway of the internet, which refuses the message of one booking and closes the connection at that of another. */
export class Gateway {
	readonly messages: Array<{ to: string; text: string }> = [];
	refusing?: number;
	closing?: number;

	constructor(
		private readonly read: (body: IDataObject) => { to: unknown; text: unknown },
		private readonly taken: { status: number; body: unknown },
		private readonly refused: { status: number; body: unknown },
		/** What n8n shows of a refusal. */
		readonly quoted = '',
	) {}

	readonly answer: HostAnswer = ({ body }) => {
		const { to, text } = this.read((body ?? {}) as IDataObject);
		const isOf = (booking?: number) => String(text).includes(`booking ${booking}.`);
		if (isOf(this.refusing)) return this.refused;
		if (isOf(this.closing)) return undefined;
		this.messages.push({ to: String(to), text: String(text) });
		return this.taken;
	};
}

/** Africa's Talking answers with success whatever it does with the message. */
const africasTalking = (statusCode: number, status: string) => ({
	status: 201,
	body: {
		SMSMessageData: { Recipients: [{ statusCode, status, number: '+234', messageId: 'x' }] },
	},
});

/** A gateway for the HTTP Request nodes of the examples. */
const anyGateway = () =>
	new Gateway(
		({ to, body }) => ({ to, text: body }),
		{ status: 201, body: {} },
		{ status: 503, body: { error: 'Out of credit' } },
		'Out of credit',
	);

/** A chat that shows what it is sent. */
export const textGateway = () =>
	new Gateway(
		({ text }) => ({ to: '', text }),
		{ status: 200, body: 'ok' },
		{ status: 500, body: '' },
	);

/** The gateways of the SMS examples, by the name of the example. */
export const smsGateways = () => ({
	'completion-to-sms': anyGateway(),
	'completion-to-sms-simple': anyGateway(),
	'completed-and-declined-to-sms': anyGateway(),
	'completion-to-sms-twilio': new Gateway(
		({ To, Body }) => ({ to: To, text: Body }),
		{ status: 201, body: { sid: 'SM1' } },
		{ status: 400, body: { code: 21_211, message: "The 'To' number is not valid" } },
		'Bad request',
	),
	'completion-to-sms-africas-talking': new Gateway(
		({ to, message }) => ({ to, text: message }),
		africasTalking(101, 'Success'),
		africasTalking(403, 'InvalidPhoneNumber'),
		'InvalidPhoneNumber',
	),
});
