import { parseInteger, parseNumericId } from '../../nodes/TractorBooking/parse/numbers';
import { all, testCells } from './cells.cts';

testCells('a whole number', parseInteger, [
	...all([12, ' 12 ', '12.0', '#12'], 12),
	['007', 7],
	['-3', -3],
	['-0', 0],
	...all([12.5, '12.5', '12.000', '1,250', '1e3', 'T12', 'No. 12'], /not a whole number/),
	...all(['12 ha', '', true, null, [1], 2 ** 53, '9007199254740993'], /not a whole number/),
]);

testCells('an ID has a least number', (cell) => parseNumericId(cell, 1, 'write it'), [
	['1', 1],
	[0, /not an ID; write it/],
	['T1', /not a whole number; write it/],
]);
