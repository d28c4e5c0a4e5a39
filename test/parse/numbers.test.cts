import { parseInteger } from '../../nodes/TractorBooking/parse/numbers';
import { all, testCells } from './cells.cts';

testCells('a whole number', (cell) => parseInteger(cell), [
	...all([12, ' 12 ', '12.0', '#12'], 12),
	['007', 7],
	['-3', -3],
	['-0', 0],
	...all([12.5, '12.5', '12.000', '1,250', '1e3', 'T12', 'No. 12'], /not a whole number/),
	...all(['12 ha', '', true, null, [1], 2 ** 53, '9007199254740993'], /not a whole number/),
]);

testCells('a number from 1 up', (cell) => parseInteger(cell, 1, 'write it'), [
	['1', 1],
	[0, /not a whole number from 1 up; write it/],
	['T1', /not a whole number from 1 up; write it/],
]);
