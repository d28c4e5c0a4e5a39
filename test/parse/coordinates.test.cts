import {
	findCoordinateMistakes,
	parseCoordinate,
	parsePosition,
	type Position,
} from '../../nodes/TractorBooking/parse/coordinates';
import { all, testCells } from './cells.cts';

testCells('a latitude', (cell) => parseCoordinate(cell, 'latitude'), [
	...all([6.5244, '6.5244° N', '6.5244 n'], 6.5244),
	['-6,524400', -6.5244],
	...all(['S 1.2921', '1.2921° S'], -1.2921),
	['90', 90],
	['S 3e-5', -3e-5],
	...all([90.1, '65244'], /not between -90 \(S\) and 90/),
	...all(['6.5 E', '-6.5 S', 'N 6.5 N'], /wrong letter or sign/),
	...all(['6.5244, 3.3792', '6,5244 3,3792', '6.5244;-3.3792'], /^is not a coordinate/),
	...all(['6°31\'28"N', '6:31:30 N', "6° 31'"], /^is not a coordinate/),
	...all(['1.5 O', 'north', '', true, NaN, null], /^is not a coordinate/),
]);

testCells('a longitude', (cell) => parseCoordinate(cell, 'longitude'), [
	['-0', 0],
	['3,379', 3.379],
	['3.3792 E', 3.3792],
	['\u221217.5 deg', -17.5],
	[-180, -180],
	['5e-7', 5e-7],
	[180.5, /not between -180 \(W\)/],
	['6.5 N', /wrong letter or sign/],
]);

const NO_POSITION = /^is not a latitude and a longitude/;
const at = (latitude: number, longitude: number) => ({ latitude, longitude });

testCells('both halves in one cell', parsePosition, [
	...all(['6.5244, 3.3792', '6.5244,3.3792', '6.5244 / 3.3792'], at(6.5244, 3.3792)),
	...all(['6,5244 3,3792', '6,5244, 3,3792', '6,5244; 3,3792'], at(6.5244, 3.3792)),
	['(6.5244, -3.3792)', at(6.5244, -3.3792)],
	['-1.2921 36.8219', at(-1.2921, 36.8219)],
	...all(['6.5° N, 3.4° E', 'N 6.5 E 3.4', '6.5°N 3.4°E'], at(6.5, 3.4)),
	['6.5° N, 3.4° W', at(6.5, -3.4)],
	// KoBo and ODK: altitude and accuracy follow
	['7.37 3.94 0 0', at(7.37, 3.94)],
	['7.377535 3.94704 214.5 4.9', at(7.377535, 3.94704)],
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
]);

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
	['exchanged, beside three others', 7.4, 10.5, exchanged, farms.slice(0, 3)],
	['exchanged, but beside two others', 7.4, 10.5, undefined, farms.slice(0, 2)],
	['without degrees', NaN, NaN, undefined, [{}]],
	['a minus too many', -10.6, 7.3, "the latitude's sign changed"],
	['a minus in the longitude', 10.6, -7.3, "the longitude's sign changed"],
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
