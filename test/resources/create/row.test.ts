import { rowName } from '../../../nodes/TractorBooking/resources/booking/create/row';

it.each<[farmer: string | undefined, name: string]>([
	['Amina Bello', 'Row 7 (Amina Bello)'],
	[undefined, 'Row 7'],
	['x'.repeat(50), `Row 7 (${'x'.repeat(39)}…)`],
])('a row of %p is %p', (farmer, name) => {
	expect(rowName({ sheetRow: 7, farmer })).toBe(name);
});
