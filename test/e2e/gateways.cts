import type { IDataObject } from 'n8n-workflow';

import { asText } from '../../nodes/TractorBooking/utils/text';
import type { Settings } from '../../tools/examples.cts';
import type { N8nClient } from '../../tools/n8nClient.cts';
import type { HostAnswer } from './internet.cts';

interface Message {
	to: string;
	text: string;
	reference: string;
}

type Answer = Awaited<ReturnType<HostAnswer>>;

/** What becomes of the message of a booking. One that hangs is not answered, once: it is taken or it is not. */
type Fate = 'refused' | 'closed' | 'hangs' | 'taken, hangs';

/** A gateway of the internet, which can be asked for its messages by their reference. */
export class Gateway {
	readonly messages: Message[] = [];
	/** By booking; others are taken and answered. */
	readonly fates = new Map<number, Fate>();

	constructor(
		private readonly read: (body: IDataObject) => { [Part in keyof Message]?: unknown },
		private readonly taken: Answer,
		private readonly refused: Answer,
		readonly quoted = '',
	) {}

	readonly answer: HostAnswer = ({ method, path, body }) => {
		if (method === 'GET') {
			const asked = new URL(path, 'https://gateway').searchParams.get('reference');
			return { body: { messages: this.messages.filter(({ reference }) => reference === asked) } };
		}
		const message = this.read((body ?? {}) as IDataObject);
		const [to, text] = [asText(message.to), asText(message.text)];
		const isOf = ([id]: [number, Fate]) => text.includes(`booking ${id}.`);
		const [booking = 0, fate] = [...this.fates].find(isOf) ?? [];
		if (fate === 'refused') return this.refused;
		if (fate === 'closed') return undefined;
		if (fate !== 'hangs') this.messages.push({ to, text, reference: asText(message.reference) });
		if (fate === undefined) return this.taken;
		this.fates.delete(booking);
		return new Promise(() => undefined);
	};
}

/** Africa's Talking answers with success whatever it does with the message. */
const africasTalking = (statusCode: number, status: string) => ({
	status: 201,
	body: {
		SMSMessageData: { Recipients: [{ statusCode, status, number: '+234', messageId: 'x' }] },
	},
});

/** A gateway for the HTTP Request nodes of the examples, or a chat. @param taken what it says of a message */
export const anyGateway = (taken: unknown = {}) =>
	new Gateway(
		({ to, body, text = body, reference }) => ({ to, text, reference }),
		{ status: 201, body: taken },
		{ status: 503, body: { error: 'Out of credit' } },
		'Out of credit',
	);

interface Template {
	name: string;
	components: Array<{ parameters: Array<{ text: string }> }>;
}

function filledIn({ name, components }: Template): string {
	const [farmer, booking] = components[0]?.parameters.map(({ text }) => text) ?? [];
	return name === 'booking_completed'
		? `Dear ${farmer}, the tractor has finished the work of booking ${booking}.`
		: `Dear ${farmer}, booking ${booking} was declined: no tractor will come.`;
}

interface SmsExample {
	host: string;
	gateway: Gateway;
	settings: Settings;
}

function withHttp(host: string, ...nodes: string[]): SmsExample {
	const url = `https://${host}/messages`;
	const settings = Object.fromEntries(nodes.map((node) => [node, { url }]));
	return { host, gateway: anyGateway(), settings };
}

/** The examples by name that send a message for each completion, and none twice. */
export const simpleSmsExamples = (): Record<string, SmsExample> => ({
	'completion-to-sms-simple': withHttp('sms-gateway.example.com', 'Send the SMS'),
	'completion-to-sms-twilio': {
		host: 'api.twilio.com',
		gateway: new Gateway(
			({ To, Body }) => ({ to: To, text: Body }),
			{ status: 201, body: { sid: 'SM1' } },
			{ status: 400, body: { code: 21_211, message: "The 'To' number is not valid" } },
			'Bad request',
		),
		settings: { 'Send the SMS with Twilio': { from: '+15005550006' } },
	},
	'completion-to-sms-africas-talking': {
		host: 'api.africastalking.com',
		gateway: new Gateway(
			({ to, message }) => ({ to, text: message }),
			africasTalking(101, 'Success'),
			africasTalking(403, 'InvalidPhoneNumber'),
			'InvalidPhoneNumber',
		),
		settings: {},
	},
	// WhatsApp fills in the template; it takes phones without their plus.
	'completed-and-declined-to-whatsapp': {
		host: 'graph.facebook.com',
		gateway: new Gateway(
			({ to, template }) => ({ to: `+${asText(to)}`, text: filledIn(template as Template) }),
			{ status: 200, body: { messages: [{ id: 'wamid.1' }] } },
			{ status: 400, body: { error: { message: 'Template name does not exist', code: 132_001 } } },
			'Bad request',
		),
		settings: { 'Send the template': { phoneNumberId: '1060' } },
	},
});

/** The examples by name that send messages by themselves. */
export const smsExamples = (): Record<string, SmsExample> => ({
	...simpleSmsExamples(),
	'completion-to-sms': withHttp('sms-references.example.com', 'Send the SMS', 'Ask the gateway'),
	'booking-to-sms': withHttp('sms-all.example.com', 'Send the SMS'),
});

export const hostsOf = (examples: Record<string, SmsExample>) =>
	Object.fromEntries(Object.values(examples).map(({ host, gateway }) => [host, gateway.answer]));

export async function createSmsCredentials(client: N8nClient): Promise<void> {
	const twilio = { authType: 'authToken', accountSid: 'AC1', authToken: 'token' };
	await client.createCredential('Twilio account', 'twilioApi', twilio);
	const apiKey = { name: 'apiKey', value: 'secret' };
	await client.createCredential("Africa's Talking API key", 'httpHeaderAuth', apiKey);
	const whatsApp = { accessToken: 'token', businessAccountId: '1' };
	await client.createCredential('WhatsApp account', 'whatsAppApi', whatsApp);
}

interface TelegramMessage {
	reply_markup: { inline_keyboard: Array<Array<{ text: string; url: string }>> };
}

/** A chat of Telegram with one person, whom n8n asks. */
export class Officer {
	readonly questions: TelegramMessage[] = [];

	readonly answer: HostAnswer = ({ body }) => {
		this.questions.push(body as TelegramMessage);
		return { body: { ok: true, result: { message_id: 1 } } };
	};

	get page(): string {
		return this.questions[0]?.reply_markup.inline_keyboard[0]?.[0]?.url ?? '';
	}
}
