import type { IDataObject } from 'n8n-workflow';

import type { HostAnswer } from './internet';

/** A gateway of the internet that can be told to refuse. */
export class Gateway {
	readonly messages: Array<{ to: string; text: string }> = [];
	isRefusing = false;

	constructor(
		private readonly read: (body: IDataObject) => { to: unknown; text: unknown },
		private readonly taken: { status: number; body: unknown },
		private readonly refused: { status: number; body: unknown },
		/** What n8n shows of a refusal. */
		readonly quoted = '',
	) {}

	readonly answer: HostAnswer = ({ body }) => {
		if (this.isRefusing) return this.refused;
		const { to, text } = this.read((body ?? {}) as IDataObject);
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

/** The gateways of the SMS examples, by the name of the example. */
export const smsGateways = () => ({
	'completion-to-sms-simple': new Gateway(
		({ to, body }) => ({ to, text: body }),
		{ status: 201, body: {} },
		{ status: 503, body: { error: 'Out of credit' } },
		'Out of credit',
	),
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
