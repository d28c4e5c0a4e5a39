import type { IDataObject } from 'n8n-workflow';

import { asText } from '../../nodes/TractorBooking/utils/text';
import type { HostAnswer } from './internet.cts';

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

interface Template {
	name: string;
	components: Array<{ parameters: Array<{ text: string }> }>;
}

/** What a farmer reads of a template of the example. */
function filledIn({ name, components }: Template): string {
	const [farmer, booking] = components[0]?.parameters.map(({ text }) => text) ?? [];
	return name === 'booking_completed'
		? `Dear ${farmer}, the tractor has finished the work of booking ${booking}.`
		: `Dear ${farmer}, booking ${booking} was declined: no tractor will come.`;
}

/** A chat that shows what it is sent. */
export const textGateway = () =>
	new Gateway(
		({ to = '', text, body }) => ({ to, text: text ?? body }),
		{ status: 200, body: 'ok' },
		{ status: 500, body: '' },
	);

/** The gateways of the SMS examples, by the name of the example. */
export const smsGateways = () => ({
	'completion-to-sms': anyGateway(),
	'completion-to-sms-simple': anyGateway(),
	'completed-and-declined-to-sms': anyGateway(),
	// WhatsApp fills in the template; it takes phones without their plus.
	'completed-and-declined-to-whatsapp': new Gateway(
		({ to, template }) => ({ to: `+${asText(to)}`, text: filledIn(template as Template) }),
		{ status: 200, body: { messages: [{ id: 'wamid.1' }] } },
		{ status: 400, body: { error: { message: 'Template name does not exist', code: 132_001 } } },
		'Bad request',
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
