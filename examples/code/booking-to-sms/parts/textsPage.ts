import { count, show } from '../../html';
import { smsOf } from './sms';

const EVENTS = [
	['newBooking', 'New Booking'],
	['bookingCompleted', 'Booking Completed'],
	['bookingDeclined', 'Booking Declined'],
] as const;

type Event = (typeof EVENTS)[number][0];

/** A booking with its texts, by language and event. */
export interface TextedBooking {
	bookingID?: number;
	bookingStatusLabel?: string;
	farmerPhone?: string;
	createdAt?: string;
	language?: string;
	texts?: Record<string, Partial<Record<Event, string>>>;
}

/** Each booking is new once, and is completed at last if it is not declined. */
const isDue = ({ bookingStatusLabel }: TextedBooking, event: Event) =>
	event === 'newBooking' || (event === 'bookingDeclined') === (bookingStatusLabel === 'declined');

const newestOf = (some: readonly TextedBooking[]) =>
	some.reduce((last, one) => (String(one.createdAt) > String(last.createdAt) ? one : last));

const textOf = ({ texts = {} }: TextedBooking, language: string, event: Event) =>
	texts[language]?.[event] ?? '';

/** The page with each text, for the newest booking of its language. @param given bookings, or an empty item */
export function textsPage(
	given: readonly TextedBooking[],
	isRecent: (booking: TextedBooking) => boolean,
) {
	const bookings = given.filter(({ bookingID }) => bookingID !== undefined);
	const recent = bookings.filter(isRecent);
	const [first] = bookings;
	if (!first)
		return {
			title: 'No booking in the last 30 days',
			html: '<p>A text is shown for a real booking. Come back when there is one.</p>',
		};
	const html: string[] = [];
	const month = { messages: 0, parts: 0 };
	for (const language of Object.keys(first.texts ?? {})) {
		const own = bookings.filter((one) => one.language === language);
		const booking = newestOf(own.length > 0 ? own : bookings);
		const whose =
			own.length > 0 ? `to ${booking.farmerPhone}` : 'though its farmer gets another language';
		html.push(`<h3>${show(`${language}: booking ${booking.bookingID}, ${whose}`)}</h3>`);
		for (const [event, name] of EVENTS) {
			if (booking.texts?.[language]?.[event] === undefined) continue;
			const due = recent.filter((one) => one.language === language && isDue(one, event));
			const sent = due.map((one) => smsOf(textOf(one, language, event)).parts);
			const inMonth = sent.reduce((one, other) => one + other, 0);
			month.messages += due.length;
			month.parts += inMonth;
			const text = textOf(booking, language, event);
			const { length, others, parts } = smsOf(text);
			const why = others.length > 0 ? `, with ${others.join(' ')}` : '';
			const facts = `${count(length, 'character')}${why}: ${parts} SMS. In a month: ${count(due.length, 'message')}, ${inMonth} SMS.`;
			html.push(`<p><b>${name}</b></p><p>${show(text)}</p><p>${show(facts)}</p>`);
		}
	}
	const sum = `<p>${count(recent.length, 'booking')} in the last 30 days, ${month.parts} SMS to pay for. A text of more than 160 characters takes several, and one of more than 70 if a character is not in the alphabet of SMS.</p>`;
	return { title: `${count(month.messages, 'message')} a month`, html: sum + html.join('') };
}
