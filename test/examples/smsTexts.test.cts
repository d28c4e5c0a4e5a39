import { smsOf } from '../../examples/code/booking-to-sms/parts/sms';
import { textsPage } from '../../examples/code/booking-to-sms/parts/textsPage';

describe('what a text takes', () => {
	it.each<[string, string, number, number, string[]]>([
		['one of 160 characters', 'a'.repeat(160), 160, 1, []],
		['one more', 'a'.repeat(161), 161, 2, []],
		['as many as two parts hold', 'a'.repeat(306), 306, 2, []],
		['one more than these', 'a'.repeat(307), 307, 3, []],
		['signs that count twice', '{€}', 6, 1, []],
		['another alphabet', `${'a'.repeat(69)}ọ`, 70, 1, ['ọ']],
		['one more in it', `${'a'.repeat(70)}ọ`, 71, 2, ['ọ']],
	])('%s', (_, text, length, parts, others) => {
		expect(smsOf(text)).toEqual({ length, parts, others });
	});
});

describe('the page of texts', () => {
	const texts = {
		en: { newBooking: 'Booked <b>', bookingCompleted: 'Done', bookingDeclined: 'Declined' },
		fr: { newBooking: 'Réservé' },
	};
	const booking = (bookingID: number, language: string, more = {}) => ({
		...{ bookingID, language, texts, farmerPhone: `+23480${bookingID}`, createdAt: '2026-11-20' },
		...more,
	});
	const all = [
		booking(1, 'en'),
		booking(2, 'en', { createdAt: '2026-11-21', bookingStatusLabel: 'declined' }),
		booking(3, 'en', { createdAt: '2026-09-01' }),
	];
	const { title, html } = textsPage(all, ({ createdAt = '' }) => createdAt > '2026-10-29');

	it('shows each text for the newest booking of its language, or for the newest', () => {
		expect(html).toContain('<h3>en&#58; booking 2&#44; to &#43;234802</h3>');
		expect(html).toContain(
			'<h3>fr&#58; booking 2&#44; though its farmer gets another language</h3>',
		);
		expect(html).toContain('<p>Booked &#60;b&#62;</p>');
		expect(html.match(/<b>New Booking<\/b>/g)).toHaveLength(2);
		expect(html.match(/<b>Booking Declined<\/b>/g)).toHaveLength(1);
	});

	it('counts the messages of a month: each booking is new once, and completed or declined', () => {
		expect(title).toBe('4 messages a month');
		expect(html).toMatch(/^<p>2 bookings in the last 30 days, 4 SMS to pay for/);
	});

	it('says that there is no booking', () => {
		expect(textsPage([{}], () => true).title).toBe('No booking in the last 30 days');
	});
});
