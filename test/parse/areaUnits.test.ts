import {
	implausibleArea,
	parseAreaUnit,
	parseLandArea,
} from '../../nodes/TractorBooking/parse/areaUnits';
import { problemOf, valueOf } from './cells';

describe('areas', () => {
	test.each<[unknown, { value: number; areaType?: string }]>([
		['2,5 ha', { value: 2.5, areaType: 'ha' }],
		['2.5ha.', { value: 2.5, areaType: 'ha' }],
		['3 acres', { value: 3, areaType: 'ac' }],
		['1.250,5 Hectáreas', { value: 1250.5, areaType: 'ha' }],
		['0,250 AC', { value: 0.25, areaType: 'ac' }],
		['4 (ha)', { value: 4, areaType: 'ha' }],
		['2 acres (upper)', { value: 2, areaType: 'ac' }],
		['2ha(upper field)', { value: 2, areaType: 'ha' }],
		['½', { value: 0.5 }],
		['½ ha', { value: 0.5, areaType: 'ha' }],
		['2½ acres', { value: 2.5, areaType: 'ac' }],
		['2 ½', { value: 2.5 }],
		['1/2', { value: 0.5 }],
		['1/3 ha', { value: 0.3333, areaType: 'ha' }],
		['2 1/2', { value: 2.5 }],
		['2 3/4acres', { value: 2.75, areaType: 'ac' }],
		['ekari 5', { value: 5, areaType: 'ac' }],
		['Acres: 2 1/2', { value: 2.5, areaType: 'ac' }],
		['ha 1,250.5', { value: 1250.5, areaType: 'ha' }],
		['2.', { value: 2 }],
		['2 and 1/2 ha', { value: 2.5, areaType: 'ha' }],
		['10 1/8', { value: 10.125 }],
		['one acre', { value: 1, areaType: 'ac' }],
		['One and a half', { value: 1.5 }],
		['half acre', { value: 0.5, areaType: 'ac' }],
		['one half acre', { value: 0.5, areaType: 'ac' }],
		['1 half acre', { value: 0.5, areaType: 'ac' }],
		['Half an acre', { value: 0.5, areaType: 'ac' }],
		['2 and half', { value: 2.5 }],
		['2 and a half acres', { value: 2.5, areaType: 'ac' }],
		['about 3 ha', { value: 3, areaType: 'ha' }],
		['approx. 2.5', { value: 2.5 }],
		['~2.5', { value: 2.5 }],
		['env. 2', { value: 2 }],
		['2.5.', { value: 2.5 }],
		['2.5 acs', { value: 2.5, areaType: 'ac' }],
		['2 ha env.', { value: 2, areaType: 'ha' }],
		['2 ha approx', { value: 2, areaType: 'ha' }],
	])('%p → %p', (value, area) => {
		expect(valueOf(parseLandArea(value))).toEqual(area);
	});

	test.each<[unknown, RegExp]>([
		['plots 3', /not a number/],
		['ha 1,250', /decimals or thousands/],
		['3 plots', /"plots" after the number/],
		['3 plots (acres)', /"plots \(acres\)" after the number/],
		['500 m2', /not a number/],
		['500 sqm', /"sqm" after/],
		[-1, /not above zero/],
		[0, /not above zero/],
		['0', /not above zero/],
		['0.0 ha', /not above zero/],
		['7/2', /not a number/],
		['1/0', /not a number/],
		['21/2', /not a number/],
		['1/2/2026', /not a number/],
		['½½', /not a number/],
		['-½', /not a number/],
		['2-3 ha', /not a number/],
		['a few ha', /not a number/],
		['one or two ha', /after the number/],
	])('%p is refused', (value, problem) => {
		expect(problemOf(parseLandArea(value))).toMatch(problem);
	});

	test.each<[string, string]>([
		['ha', 'ha'],
		['HA.', 'ha'],
		['Hectares', 'ha'],
		['hectare', 'ha'],
		['hectáreas', 'ha'],
		['hekta', 'ha'],
		['ac', 'ac'],
		['Acre(s)', 'ac'],
		['acres', 'ac'],
		['ekari', 'ac'],
	])('the unit %s is %s', (word, unit) => {
		expect(valueOf(parseAreaUnit(word))).toBe(unit);
	});

	test.each(['m2', 'plots', 's', '', 1, null, 'haha', 'mac', '__proto__'])(
		'%p is no unit',
		(word) => {
			expect(problemOf(parseAreaUnit(word))).toMatch(/not a unit/);
		},
	);
});

describe('areas that no farm has', () => {
	test.each<[number, 'ha' | 'ac' | undefined, boolean]>([
		[10_000, 'ha', false],
		[10_000.1, 'ha', true],
		[24_700, 'ac', false],
		[24_800, 'ac', true],
		[24_800, undefined, false], // without a unit, that is the issue
	])('%p %p', (area, unit, isLarge) => {
		const large = implausibleArea(area, unit);
		expect(large !== undefined).toBe(isLarge);
		if (large) expect(large.problem).toContain('more than 10000 hectares');
	});
});
