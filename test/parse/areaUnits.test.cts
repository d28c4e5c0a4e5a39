import { parseAreaUnit, parseLandArea } from '../../nodes/TractorBooking/parse/areaUnits';
import { all, testCells } from './cells.cts';

const NO_AREA = /cannot be read as a number above zero/;

testCells('a land area', parseLandArea, [
	[2.5, { value: 2.5 }],
	[1.25, { value: 1.25 }],
	[1.234, { value: 1.234 }],
	['1.2345', { value: 1.2345 }],
	['.5', { value: 0.5 }],
	['2,5 ha', { value: 2.5, areaType: 'ha' }],
	['2.5ha.', { value: 2.5, areaType: 'ha' }],
	['3 acres', { value: 3, areaType: 'ac' }],
	['1250,125 Hectares', { value: 1250.125, areaType: 'ha' }],
	['0,250 AC', { value: 0.25, areaType: 'ac' }],
	['4 (ha)', { value: 4, areaType: 'ha' }],
	['3 plots', /"plots" after the number/],
	['2 acres (upper)', /"acres \(upper\)" after the number/],
	...all(['1,250', '1.250', '12.500 ha'], /decimals or thousands/),
	...all([-1, 0, '0', '0.0 ha', '9'.repeat(400)], NO_AREA),
	...all(['½', '2½ acres', '1/2 ha', '2 3/4', '2.'], NO_AREA),
	...all(['2-3 ha', 'ha 2', 'about 2', '2 ha 3 ac', '500 m2', true], NO_AREA),
]);

testCells('a unit', parseAreaUnit, [
	...all(['ha', 'HA.', 'Hectares', 'hectare', 'hacters', 'hekta'], 'ha' as const),
	...all(['ac', 'Acre(s)', 'acres', 'ekari'], 'ac' as const),
	...all(['Hectarage'], 'ha' as const),
	...all(['m2', 'plots', 'hectáreas', 'हेक्टेयर', 's', '', 1, null, 'haha', 'mac'], /not a unit/),
	['__proto__', /not a unit/],
]);
