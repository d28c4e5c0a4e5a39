import fc from 'fast-check';
import { parseCrops } from '../../nodes/TractorBooking/parse/crops';
import { fold } from '../../nodes/TractorBooking/utils/text';
import { problemOf, valueOf } from './cells';

describe('crops', () => {
	test.each<[unknown, string[]]>([
		['maize', ['maize']],
		['Maize, beans;  cassava/yam', ['Maize', 'beans', 'cassava', 'yam']],
		['Maize (early, white), beans', ['Maize (early, white)', 'beans']],
		['Maize,', ['Maize']],
		['maize\nbeans\r\nyam', ['maize', 'beans', 'yam']],
		['maize, beans, and rice', ['maize', 'beans', 'rice']],
		['maize and beans AND rice & yam', ['maize', 'beans', 'rice', 'yam']],
		['Maize + Rice', ['Maize', 'Rice']],
		['Maize+Rice', ['Maize', 'Rice']],
		['Maize & Beans', ['Maize', 'Beans']],
		['Maize& Beans', ['Maize', 'Beans']],
		['maïs et haricot', ['maïs', 'haricot']],
		['Maize, maize , MAIZE', ['Maize']],
		['Maize / - ', ['Maize']],
		['sandalwood, groundnut', ['sandalwood', 'groundnut']],
		['["maize", "beans, dried"]', ['maize', 'beans, dried']],
		[
			[' maize ', '', null, 'beans', 'Beans'],
			['maize', 'beans'],
		],
		[
			[1, 2],
			['1', '2'],
		],
		['__proto__', ['__proto__']],
	])('%p → %p', (value, crops) => {
		expect(valueOf(parseCrops(value))).toEqual(crops);
	});

	test.each([
		',',
		' ; / ',
		'[]',
		'[maize]',
		'n/a',
		'-',
		'#N/A',
		[],
		[{}],
		[true],
		[['maize']],
		5,
		true,
		null,
		{},
	])('%p is refused', (value) => {
		expect(problemOf(parseCrops(value))).toMatch(/not a list of crops|not text/);
	});

	test('crops come back from each way of listing them', () => {
		const crop = fc
			.stringMatching(/^[A-Za-zéï]{3,9}( [a-z]{4,6})?$/)
			.filter((name) => !/\b(and|et)\b/i.test(name));
		const separators = fc.constantFrom(',', ', ', ';', ' / ', '\n', ' and ', ' & ');
		fc.assert(
			fc.property(
				fc.uniqueArray(crop, { minLength: 1, selector: fold }),
				separators,
				(crops, separator) => {
					for (const written of [crops, JSON.stringify(crops), crops.join(separator)]) {
						expect(valueOf(parseCrops(written))).toEqual(crops);
					}
				},
			),
		);
	});
});
