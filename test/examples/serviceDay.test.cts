// What people read of the day of a booking, in each example that tells it.
import { DateTime, Settings } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { serviceDay } from '../../examples/code/serviceDay';
import { asText } from '../../nodes/TractorBooking/utils/text';
import { readExample } from '../../tools/examples.cts';
import { assignmentsOf, valueOf } from './nodes.cts';

beforeAll(() => {
	// As n8n does for the workflow's timezone.
	Settings.defaultZone = 'Africa/Lagos';
	Object.assign(globalThis, { DateTime });
});

/** A field that a Set node writes, with its expressions evaluated. */
async function fieldOf(example: string, node: string, field: string, json: IDataObject) {
	const { [field]: value } = assignmentsOf(await readExample(example), node);
	const items = { all: () => [{ json }], first: () => ({ json }) };
	const globals = { $json: json, $input: items, $: () => items, $now: DateTime.now(), DateTime };
	return asText(valueOf(value, globals));
}

const DAYS: Array<[serviceDate: string, day: string, en: string, fr: string]> = [
	['2026-03-20', '2026-03-20', 'Fri 20 Mar', 'ven. 20 mars'],
	['2026-03-19T23:00:00Z', '2026-03-20', 'Fri 20 Mar', 'ven. 20 mars'],
	['2026-03-19 23:00:00.000+00:00', '2026-03-20', 'Fri 20 Mar', 'ven. 20 mars'],
	['2026-03-20T00:00:00Z', '2026-03-20', 'Fri 20 Mar', 'ven. 20 mars'],
	['2026-03-20T23:30:00', '2026-03-20', 'Fri 20 Mar', 'ven. 20 mars'],
	['2026-03-20T00:00:00+05:00', '2026-03-20', 'Fri 20 Mar', 'ven. 20 mars'],
	['20 March', '20 March', '20 March', '20 March'],
];

describe.each(DAYS)('of %j', (serviceDate, day, en, fr) => {
	const booking = {
		...{ bookingID: 5001, bookingStatusLabel: 'paired', tractorPairedTo: 201 },
		...{ farmerName: 'Amina', farmerPhone: '+2348031234567', serviceDate },
	};

	it('code tells its day', () => {
		expect(serviceDay(serviceDate)).toBe(day);
	});

	it('an SMS tells its day, in the language of the farmer', async () => {
		const read = await fieldOf('booking-to-sms', 'Choose the language', 'serviceDate', booking);
		const textIn = async (language: string) =>
			await fieldOf('booking-to-sms', 'Write the texts', `texts.${language}.newBooking`, {
				...{ ...booking, serviceDate: read },
			});
		expect(await textIn('en')).toContain(`is booked for you on ${en}: booking 5001.`);
		expect(await textIn('fr')).toContain(`est réservé pour vous le ${fr} : réservation 5001.`);
	});

	it('an answer, and the digest, tell its day', async () => {
		const answer = await fieldOf('where-is-my-tractor', 'Write the answer', 'body', booking);
		expect(answer).toBe(`Booking 5001 for ${day}: paired.`);
		const digest = await fieldOf('daily-digest', 'Write the digest', 'text', booking);
		const line = `5001: Amina, +2348031234567, ${day}, paired`;
		expect(digest).toContain(
			`\n\nOverdue:\n${line}\n\nDeclined or unpaired, still to come:\n${line}`,
		);
	});
});

it('of midnight in UTC is the day that begins, where it is the day before', () => {
	Settings.defaultZone = 'America/New_York';
	expect(['2026-03-20T00:00:00Z', '2026-03-20T04:00:00Z'].map(serviceDay)).toEqual([
		...['2026-03-20', '2026-03-20'],
	]);
});
