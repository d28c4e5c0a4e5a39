import { parseId, parseIds } from '../../nodes/TractorBooking/parse/ids';
import { all, testCells } from './cells.cts';

testCells('identifiers', parseIds, [
	[1042, ['1042']],
	['7, 8;9 10\n11', ['7', '8', '9', '10', '11']],
	['["7", "8"]', ['7', '8']],
	[[7, ['8', '7']], ['7', '8']], // prettier-ignore
	['7, 🚜', ['7', '🚜']],
	['1042.0, #7, 007.00, 7', ['1042', '7', '007']],
	['v1.0, 7.5, 7.000, T-#7', ['v1.0', '7.5', '7.000', 'T-#7']],
	['.7, T.', ['.7', 'T.']],
	...all(['', ' , ;', [], null, {}, '7, ..'], /no ID; enter at least one/),
]);

testCells('one identifier', parseId, [
	[' 1042 ', '1042'],
	['7, 8', /more than one ID; enter one only/],
	['', /no ID/],
]);
