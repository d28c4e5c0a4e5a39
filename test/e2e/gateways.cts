import type { IDataObject } from 'n8n-workflow';

import { asText } from '../../nodes/TractorBooking/utils/text';
import type { HostAnswer } from './internet.cts';

interface Message {
	to: string;
	text: string;
	reference: string;
}

/**
 * A gateway of the internet, which refuses the message of one booking and closes the connection at that of another. It
 * can be asked for its messages by their reference.
 */
export class Gateway {
	readonly messages: Message[] = [];
	refusing?: number;
	closing?: number;
	/** The booking whose message is not answered, once. */
	holding?: { booking: number; isTaken: boolean; onHold: () => void };

	constructor(
		private readonly read: (
			body: IDataObject,
		) => Record<'to' | 'text', unknown> & Partial<Record<'reference', unknown>>,
		private readonly taken: { status: number; body: unknown },
		private readonly refused: { status: number; body: unknown },
		/** What n8n shows of a refusal. */
		readonly quoted = '',
	) {}

	readonly answer: HostAnswer = ({ method, path, body }) => {
		if (method === 'GET') {
			const asked = new URL(path, 'https://gateway').searchParams.get('reference');
			return { body: { messages: this.messages.filter(({ reference }) => reference === asked) } };
		}
		const { to, text, reference } = this.read((body ?? {}) as IDataObject);
		const isOf = (booking?: number) => String(text).includes(`booking ${booking}.`);
		if (isOf(this.refusing)) return this.refused;
		if (isOf(this.closing)) return undefined;
		const take = () =>
			this.messages.push({ to: String(to), text: String(text), reference: asText(reference) });
		const { holding } = this;
		if (holding && isOf(holding.booking)) {
			this.holding = undefined;
			if (holding.isTaken) take();
			holding.onHold();
			return new Promise(() => undefined);
		}
		take();
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
export const anyGateway = () =>
	new Gateway(
		({ to, body, reference }) => ({ to, text: body, reference }),
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
	'booking-to-sms': anyGateway(),
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

interface Question {
	text: string;
	reply_markup: { inline_keyboard: Array<Array<{ text: string; url: string }>> };
}

/** What a browser calls itself. */
const BROWSER = 'Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0';

interface TelegramMessage extends Partial<Question> {
	chat_id: string;
	text: string;
}

/** Chats of Telegram with one person, whom n8n asks and tells, and who writes to n8n's bot. */
export class Officer {
	readonly questions: Question[] = [];
	/** What was sent without buttons. */
	readonly messages: TelegramMessage[] = [];
	/** Where the bot gets what is written to it. */
	private bot?: { url: string; secret_token: string };

	readonly answer: HostAnswer = ({ path, body }) => {
		if (path.endsWith('/setWebhook')) this.bot = body as Officer['bot'];
		if (!path.endsWith('/sendMessage')) return { body: { ok: true, result: true } };
		const { reply_markup, ...message } = body as TelegramMessage;
		if (reply_markup) this.questions.push({ ...message, reply_markup });
		else this.messages.push(message);
		return { body: { ok: true, result: { message_id: 1 } } };
	};

	/** Where the buttons of a question lead to, by their words. */
	buttons(index: number): Record<string, string> {
		const rows = this.questions[index]?.reply_markup.inline_keyboard ?? [];
		return Object.fromEntries(rows.flat().map(({ text, url }) => [text, url]));
	}

	/** Presses a button as a person does: n8n takes no answer from what looks like a bot. @returns whether n8n took it */
	async press(index: number, words: RegExp): Promise<boolean> {
		const buttons = this.buttons(index);
		const [, url] = Object.entries(buttons).find(([text]) => words.test(text)) ?? [];
		if (!url) throw new Error(`There is no such button, but ${Object.keys(buttons).join(', ')}.`);
		return (await fetch(url, { headers: { 'User-Agent': BROWSER } })).ok;
	}

	/** Writes to the bot. */
	async write(chat: number, text: string): Promise<void> {
		const { url, secret_token } = this.bot ?? {};
		if (!url || !secret_token) throw new Error('No workflow listens to the bot.');
		const from = { id: chat, is_bot: false };
		const message = { message_id: 1, date: 0, from, chat: { id: chat, type: 'private' }, text };
		await fetch(url, {
			method: 'POST',
			headers: {
				'Content-Type': 'application/json',
				'X-Telegram-Bot-Api-Secret-Token': secret_token,
			},
			body: JSON.stringify({ update_id: 1, message }),
		});
	}
}
