import { parseAreaUnit, parseLandArea } from '../../nodes/TractorBooking/parse/areaUnits';
import { all, problemOf, valueOf } from './cells.cts';

test.each<[unknown, number, string | undefined]>([
	[2.5, 2.5, undefined],
	['2,5 ha', 2.5, 'ha'],
	[1.25, 1.25, undefined],
	[1.234, 1.234, undefined],
	['1.2345', 1.2345, undefined],
	['.5', 0.5, undefined],
	['2.5ha.', 2.5, 'ha'],
	['3 acres', 3, 'ac'],
	['1250,125 Hectares', 1250.125, 'ha'],
	['0,250 AC', 0.25, 'ac'],
	['4 (ha)', 4, 'ha'],
])('the area %p is %p %p', (cell, value, areaType) => {
	expect(valueOf(parseLandArea(cell))).toEqual({ value, ...(areaType ? { areaType } : {}) });
});

test.each<[unknown, RegExp]>([
	['3 plots', /"plots" after the number/],
	['2 acres (upper)', /"acres \(upper\)" after the number/],
	...all(['1,250', '1.250', '12.500 ha'], /decimals or thousands/),
	...all([-1, 0, '0', '0.0 ha', '9'.repeat(400)], /not a number above zero/),
	...all(['½', '2½ acres', '1/2 ha', '2 3/4', '2.'], /not a number/),
	...all(['2-3 ha', 'ha 2', 'about 2', '2 ha 3 ac', '500 m2', true], /not a number/),
])('the area %p is refused', (cell, problem) => {
	expect(problemOf(parseLandArea(cell))).toMatch(problem);
});

test.each([
	...all(['ha', 'HA.', 'Hectares', 'hectare', 'hacters', 'hekta'], 'ha'),
	...all(['ac', 'Acre(s)', 'acres', 'ekari'], 'ac'),
])('the unit %p is %s', (word, unit) => {
	expect(valueOf(parseAreaUnit(word))).toBe(unit);
});

const OTHERS = ['m2', 'plots', 'hectáreas', 's', '', 1, null, 'haha', 'mac', '__proto__'];

test.each(OTHERS)('%p is no unit', (word) => {
	expect(problemOf(parseAreaUnit(word))).toMatch(/not a unit/);
});
