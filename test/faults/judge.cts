import { setTimeout as wait } from 'node:timers/promises';

import { asText } from '../../nodes/TractorBooking/utils/text';
import type { Message, Outcome, Placement, Run } from './placements.cts';
import { offencesOf, type World } from './service.cts';

/** How long any run may take, in milliseconds, on whatever machine: longer means that it never ends. */
const FOREVER_MS = 100_000;

const UNREADABLE =
	/Maximum call stack|undefined|\[object|NaN|\bnull[/a-z]|Cannot read|is not a function| {4}at |\/nodes\/|node_modules|TypeError|RangeError|\p{Surrogate}/u;

const MAX_LENGTH = 2_500;

/** What a row says if the message of another row holds for it, too. */
const SAID_BY_ANOTHER_ROW = /^See (?:row \d+|.* \(row \d+\))(?: \(.*\))?(?:\.|; .*)$/;

function offencesOfMessage({ message, description }: Message): string[] {
	const said = `${message}\n${description}`;
	// What is wrong with a row says in one sentence how to fix it.
	const hasAdvice = description.trim() !== '' || /[;:] \w/.test(message);
	return [
		message.trim() === '' ? 'a message without words' : '',
		hasAdvice ? '' : `nothing to do: ${message}`,
		said.length > MAX_LENGTH ? `too long (${said.length}): ${said.slice(0, 200)}` : '',
		UNREADABLE.test(said) ? `not for people: ${said.slice(0, 400)}` : '',
	];
}

export type Judged = Outcome & { crash?: string };

async function tooLong(): Promise<never> {
	await wait(FOREVER_MS, undefined, { ref: false });
	throw new Error('never ends');
}

/** Runs a placement to its end, or for so long that it has none; of rows that fail alike, one has the message. Never throws. */
export async function runToEnd({ run }: Pick<Placement, 'run'>, how: Run): Promise<Judged> {
	const outcome: Judged = await Promise.race([run(how), tooLong()]).catch((error: unknown) => ({
		shown: [],
		isOk: false,
		messages: [],
		crash: error instanceof Error ? (error.stack ?? error.message) : String(error),
	}));
	return {
		...outcome,
		messages: outcome.messages.filter(({ message }) => !SAID_BY_ANOTHER_ROW.test(message)),
	};
}

/** Of every run: it ends, with a result or words that help, and sends what the interface has. @returns what is broken */
export function offencesOfRun({ posts }: World, outcome: Judged): string[] {
	const { isOk, messages, crash } = outcome;
	return [
		crash === undefined ? '' : `crashed: ${crash}`,
		crash === undefined && !isOk && messages.length === 0 ? 'failed without a word' : '',
		...messages.flatMap(offencesOfMessage),
		...posts.flatMap(offencesOf).map((offence) => `body: ${offence}`),
		'polluted' in {} ? 'the prototype is changed' : '',
	].filter(Boolean);
}

/** The rule that no farmer of several rows, each with a phone number of its own, is booked twice. */
export function bookedTwice({ bookings }: World): string[] {
	const phones = bookings.map(({ farmerPhone }) => farmerPhone);
	const twice = phones.filter((phone, index) => phones.indexOf(phone) !== index);
	return twice.map((phone) => `${asText(phone)} is booked again`);
}
