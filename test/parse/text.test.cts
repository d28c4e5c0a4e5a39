import {
	isBlank,
	parseCrops,
	parseName,
	parseText,
	unusableCellIssue,
} from '../../nodes/TractorBooking/parse/text';
import { all, testCells } from './cells.cts';

testCells('a text', parseText, [
	['  Ada \u00A0 Obi\t\n', 'Ada Obi'],
	['\uFEFFAda\u200B Obi\u200E', 'Ada Obi'],
	['Ade\u0301', 'Adé'],
	['\u0000Ada\u0007', 'Ada'],
	[12, '12'],
	[1e-7, '1e-7'],
	[12345678901234567890n, '12345678901234567890'],
	...all(['', '"', ',,', '\u200B \u00A0'], /is not text/),
	...all(['#N/A', '#DIV/0!', '#NAME?', '#VALEUR!', '#NOM?', '#¡REF!'], /spreadsheet error/),
	...all(['#NV', 'Err:502', ' #N/A '], /spreadsheet error/),
	...all([true, Number.NaN, ['Ada'], {}, null], /not text/),
]);

test.each<[unknown, boolean]>([
	...all(['', ' ', '-', '--', '—', 'N/A', 'n/a', 'NA', null, undefined, []], true),
	...all(['NULL', 'null', ' nan ', 'NaN', 'None', 'NIL', 'nil', 'undefined', '(blank)'], true),
	...all(['<NA>', 'NaT', '\\N', '(null)'], true),
	...all(['Nan', 'Nil', 'Null', 'none', 'NULL, 2', 'blank', 'None Mbeki'], false),
	...all([0, false, '0', 'Na', '.', '?', '-1', '- call first', '#N/A'], false),
])('%p is a cell without a value: %p', (cell, is) => {
	expect(isBlank(cell)).toBe(is);
});

test.each<[unknown, RegExp]>([
	['#N/A', /spreadsheet error/],
	['Traor\uFFFD', /lost letters/],
	...all(['KofÃ©', 'MÃ¼ller', 'AdÃ©Ã¯ â€“ BÃ©nin', 'á»ŒlÃ¡', ['maÃ¯s']], /wrong encoding/),
	['KofÃ©', /^is "Kofé" in/],
	...all(['[object Object]', ['maize', '[object Object]']], /not text/),
	[['maize', '#REF!'], /spreadsheet error/],
	[['maize', 'x'.repeat(5_001)], /longer than/],
])('no field can hold %p', (value, problem) => {
	expect(unusableCellIssue(value)?.problem).toMatch(problem);
});

test.each(['Kofé', 'Müller', 'maïs', '«CAFÉ»', 'Ọlá', 'Ƙafin Ɗan', 'São Tomé', '25°', 'Aƒé – Ho'])(
	'%p can be in a field',
	(value) => {
		expect(unusableCellIssue(value)).toBeUndefined();
	},
);

testCells('the name of a farmer', parseName, [
	...['Testimony', 'Do', 'Cancel Otieno', 'None Mbeki', 'Test', 'Nil'].map(
		(name): [string, string] => [name, name],
	),
	...all(['?', '"', '- " -', '08031234567', 7, 'Ada Obi (0803 123 4567)'], /not a name/),
]);

testCells('crops', parseCrops, [
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
	...all([',', ' ; / ', '[]', '["maize", "beans"]', 'n/a', 'n/a, n/a', '-'], /not a list of crops/),
	...all([[], null], /not a list of crops; separate crops by commas/),
	...all([[{}], [true], [['maize']], true, {}], /not text/),
	['Maize, #N/A', /spreadsheet error/],
]);
