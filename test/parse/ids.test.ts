import { parseId, parseIds } from '../../nodes/TractorBooking/parse/ids';

it.each(['7\uD83D', '\uDE9C', 'a\uDE9C\uD83D'])(
	'half of a character in %j is refused by name',
	(id) => {
		const refusal = /^Tractor IDs: .* holds half of a character.*; enter the identifier again\.$/;
		expect(() => parseIds(['5', id], 'Tractor IDs')).toThrow(refusal);
		expect(() => parseId(id, 'Tractor IDs')).toThrow(refusal);
	},
);

it('whole characters of any kind are taken', () => {
	expect(parseIds('7, 🚜', 'Tractor IDs')).toEqual(['7', '🚜']);
});
