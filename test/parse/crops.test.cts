import { parseCrops } from '../../nodes/TractorBooking/parse/crops';
import { problemOf, valueOf } from './cells.cts';

test.each<[unknown, string[]]>([
	['maize', ['maize']],
	['Maize, beans;  cassava/yam', ['Maize', 'beans', 'cassava', 'yam']],
	['Maize (early,\nwhite), beans', ['Maize (early, white)', 'beans']],
	['maize\nbeans\r\nyam', ['maize', 'beans', 'yam']],
	['maize, beans, and rice', ['maize', 'beans', 'rice']],
	['maize and beans AND rice & yam', ['maize', 'beans', 'rice', 'yam']],
	['maïs et haricot', ['maïs', 'haricot']],
	['Maize, maize , MAIZE', ['Maize']],
	['Maize / - ', ['Maize']],
	['Maize, N/A', ['Maize']],
	['Maize [early], No. #2', ['Maize [early]', 'No. #2']],
	[[' maize ', '', null, 'beans, dried', 'MAIZE'], ['maize', 'beans, dried']], // prettier-ignore
	[[1, 2], ['1', '2']], // prettier-ignore
	[5, ['5']],
])('%p → %p', (value, crops) => {
	expect(valueOf(parseCrops(value))).toEqual(crops);
});

test.each([
	...[',', ' ; / ', '[]', '["maize", "beans"]', 'n/a', 'n/a, n/a', '-', 'Maize, #N/A'],
	...[[], [{}], [true], [['maize']], true, null, {}],
])('%p is refused', (value) => {
	expect(problemOf(parseCrops(value))).toMatch(/not a list of crops|not text|spreadsheet error/);
});
