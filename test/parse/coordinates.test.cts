import {
	findCoordinateMistakes,
	parseCoordinate,
	parsePosition,
	type Position,
} from '../../nodes/TractorBooking/parse/coordinates';
import { all, problemOf, valueOf } from './cells.cts';

describe('coordinates', () => {
	test.each<[unknown, 'latitude' | 'longitude', number]>([
		[6.5244, 'latitude', 6.5244],
		['-0', 'longitude', 0],
		['3,379', 'longitude', 3.379],
		['6.5244° N', 'latitude', 6.5244],
		['6.5244 n', 'latitude', 6.5244],
		['-6,524400', 'latitude', -6.5244],
		['1.2921° S', 'latitude', -1.2921],
		['3.3792 E', 'longitude', 3.3792],
		['\u221217.5 deg', 'longitude', -17.5],
		[-180, 'longitude', -180],
		['90', 'latitude', 90],
		['5e-7', 'longitude', 5e-7],
		['S 3e-5', 'latitude', -3e-5],
	])('%p as %s → %p', (value, axis, degrees) => {
		expect(valueOf(parseCoordinate(value, axis))).toBe(degrees);
	});

	test.each<[unknown, 'latitude' | 'longitude', RegExp]>([
		[90.1, 'latitude', /not between -90 \(S\) and 90/],
		['65244', 'latitude', /not between/],
		[180.5, 'longitude', /not between/],
		['6.5 N', 'longitude', /wrong letter or sign/],
	])('%p as %s is refused', (value, axis, problem) => {
		expect(problemOf(parseCoordinate(value, axis))).toMatch(problem);
	});

	test.each([
		...all(['6.5 E', '-6.5 S', 'N 6.5 N'], /wrong letter or sign/),
		...all(['6.5244, 3.3792', '6,5244 3,3792', '6.5244;-3.3792'], /^is not a coordinate/),
		...all(['6°31\'28"N', '6:31:30 N', "6° 31'"], /^is not a coordinate/),
		...all(['1.5 O', 'north', '', true, NaN, null], /^is not a coordinate/),
	])('%p is no latitude', (value, problem) => {
		expect(problemOf(parseCoordinate(value, 'latitude'))).toMatch(problem);
	});
});

describe('both halves in one cell', () => {
	const NO_POSITION = /^is not a latitude and a longitude/;

	test.each<[unknown, number[]]>([
		...all(['6.5244, 3.3792', '6.5244,3.3792', '6.5244 / 3.3792'], [6.5244, 3.3792]),
		...all(['6,5244 3,3792', '6,5244, 3,3792', '6,5244; 3,3792'], [6.5244, 3.3792]),
		['(6.5244, -3.3792)', [6.5244, -3.3792]],
		['-1.2921 36.8219', [-1.2921, 36.8219]],
		...all(['6.5° N, 3.4° E', 'N 6.5 E 3.4', '6.5°N 3.4°E'], [6.5, 3.4]),
		['6.5° N, 3.4° W', [6.5, -3.4]],
		// KoBo and ODK: altitude and accuracy follow
		['7.37 3.94 0 0', [7.37, 3.94]],
		['7.377535 3.94704 214.5 4.9', [7.377535, 3.94704]],
	])('%p is at %j', (value, [latitude, longitude]) => {
		expect(valueOf(parsePosition(value))).toEqual({ latitude, longitude });
	});

	test.each<[unknown, RegExp]>([
		['91.0, 36.8', /^has a latitude that is not between/],
		['91.0, 136.8', /^has a latitude that is not between/],
		['6.5 181.2', /^has a longitude that is not between/],
		['6.5 N, 3.4 N', /^has a longitude that has a wrong letter/],
		['3.4 E; 6.5 N', /^has a latitude that has a wrong letter/],
		...all(['6.5244', '6,52', '6 31', '6, 52', '0, 0', '1.2 3.4 5.6 7.8 9.1'], NO_POSITION),
		...all(['14.7 N 17.4 O', '6°30\'00"N 3°24\'00"E', "6° 30' N, 3° 24' E"], NO_POSITION),
		...all(['near the mosque', 'Long: 3.4 Lat: 6.5', '', null, 6.5, true], NO_POSITION),
		...all(['https://maps.app.goo.gl/x1', 'https://maps.google.com/?q=10.4,7.4'], NO_POSITION),
		// Some write the longitude first.
		...all([[], [6.5], [6.5, 3.4], '[3.4, 6.5]'], NO_POSITION),
	])('%p is refused', (value, problem) => {
		expect(problemOf(parsePosition(value))).toMatch(problem);
	});
});

const farms = [1, 2, 3, 4].map((n) => ({ latitude: 10.5 + n / 10, longitude: 7.4 - n / 10 }));
const acrossEquator = farms.map(({ longitude }, at) => ({ latitude: at / 5, longitude }));
const twoRegions = [
	...farms,
	...farms.map(({ latitude }) => ({ latitude: latitude - 11, longitude: 36.1 })),
];
const exchanged = 'latitude and longitude swapped';

test.each<[string, number, number, string?, Array<Partial<Position>>?]>([
	['among the others', 10.6, 7.3],
	['exchanged', 7.4, 10.5, exchanged],
	['exchanged, north-east of the others', 8.2, 11.3, exchanged],
	['exchanged, in the second of two regions', 36.2, -0.4, exchanged, twoRegions],
	['exchanged, but beside few others', 7.4, 10.5, undefined, farms.slice(0, 3)],
	['without degrees', NaN, NaN, undefined, [{}]],
	['a minus too many', -10.6, 7.3, 'another sign of the latitude'],
	['a minus in the longitude', 10.6, -7.3, 'another sign of the longitude'],
	['a minus, where others are on both sides of the equator', -0.4, 7.2, undefined, acrossEquator],
	['far away in any way', 30, 31],
	['a little away', 9, 8.5],
])(
	'a place that seems to be a slip: %s',
	(_what, latitude, longitude, slip = undefined, others = farms) => {
		const found = findCoordinateMistakes([...others, { latitude, longitude }]);
		expect(found).toEqual([...others.map(() => undefined), slip]);
	},
);
