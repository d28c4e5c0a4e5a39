import { parseBooking } from '../../nodes/TractorBooking/resources/booking/create/bookingRequest';

const rules = { timezone: 'Africa/Lagos', dateOrder: 'dayFirst', today: '2026-11-20' } as const;

it('a cell that is too long is told as such, whatever the field', () => {
	const long = 'x'.repeat(5_001);
	const raw = { farmNote: long, serviceType: long, landArea: long, crops: ['maize', long] };
	const { issues } = parseBooking({ ...raw, farmerPhone: '1'.repeat(5_001) }, { rules });
	expect(issues.map(({ field, problem, fix }) => [field, problem, fix])).toEqual(
		['serviceType', 'crops', 'farmNote', 'farmerPhone', 'landArea'].map((field) => [
			field,
			'is longer than 5000 characters',
			'shorten it',
		]),
	);
});

it('a note of 5,000 characters is read whole', () => {
	const farmNote = 'x'.repeat(5_000);
	expect(parseBooking({ farmNote }, { rules })).toMatchObject({ request: { farmNote } });
});
