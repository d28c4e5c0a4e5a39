import fc from 'fast-check';
import { parseAreaUnit, parseLandArea } from '../../nodes/TractorBooking/parse/areaUnits';
import { parseCoordinate } from '../../nodes/TractorBooking/parse/coordinates';
import { parseInteger, parseQuantity } from '../../nodes/TractorBooking/parse/numbers';
import { anything, problemOf, valueOf } from './cells';

describe('numbers', () => {
	test.each<[unknown, number]>([
		[0, 0],
		['0', 0],
		[2.5, 2.5],
		['2.5', 2.5],
		['2,5', 2.5],
		['.5', 0.5],
		['1 250,5', 1250.5],
		['1\u202F250,5', 1250.5],
		['1,250.5', 1250.5],
		['1.250,5', 1250.5],
		["1'250.5", 1250.5],
		['1,250,000', 1250000],
		['0,250', 0.25],
		['0.250', 0.25],
		['1250,125', 1250.125],
		['1,2500', 1.25],
		['-3,5', -3.5],
		['\u22123.5', -3.5],
		['1.5E+2', 150],
		['1e-7', 1e-7],
		['12.', 12],
	])('%p → %p', (value, number) => {
		expect(valueOf(parseQuantity(value))).toEqual({ value: number });
	});

	test.each<[unknown, RegExp]>([
		['1,250', /decimals or thousands/],
		['1.250', /decimals or thousands/],
		['-12,500', /decimals or thousands/],
		...['1,25,00', '1.2.3', '1,250.5.5', '1 25', '12 3456', '2-3', '1/2', '2 1/2', 'two', ''].map(
			(text): [string, RegExp] => [text, /not a number/],
		),
		...[true, null, Number.NaN, Infinity, [1], {}, '9'.repeat(400), '5%', '2026-12-01'].map(
			(value): [unknown, RegExp] => [value, /not a number/],
		),
	])('%p is refused', (value, problem) => {
		expect(problemOf(parseQuantity(value))).toMatch(problem);
	});

	test('the decimal separator settles what could be either, and only that', () => {
		expect(valueOf(parseQuantity('1,250', 'comma'))).toEqual({ value: 1.25 });
		expect(valueOf(parseQuantity('1,250', 'point'))).toEqual({ value: 1250 });
		expect(valueOf(parseQuantity('1.250', 'point'))).toEqual({ value: 1.25 });
		expect(valueOf(parseQuantity('1.250', 'comma'))).toEqual({ value: 1250 });
		expect(valueOf(parseQuantity('2,5', 'point'))).toEqual({ value: 2.5 });
		expect(valueOf(parseQuantity('1.250,5', 'point'))).toEqual({ value: 1250.5 });
	});

	test('a number comes back from each way of writing it', () => {
		const ways: Array<[locale: string, decimalSeparator: 'point' | 'comma']> = [
			['en-US', 'point'],
			['de-CH', 'point'],
			['de-DE', 'comma'],
			['fr-FR', 'comma'],
			['pt-MZ', 'comma'],
		];
		fc.assert(
			fc.property(
				fc.integer({ min: -10_000_000_000, max: 10_000_000_000 }).map((number) => number / 1000),
				fc.constantFrom(...ways),
				fc.boolean(),
				(number, [locale, decimalSeparator], useGrouping) => {
					const text = number.toLocaleString(locale, { maximumFractionDigits: 3, useGrouping });
					expect(valueOf(parseQuantity(text, decimalSeparator))).toEqual({ value: number + 0 });
					const guessed = parseQuantity(text);
					if (guessed.ok) expect(guessed.value.value).toBe(number + 0);
				},
			),
			{ numRuns: 1_000 },
		);
		fc.assert(
			fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
				expect(valueOf(parseQuantity(number))).toEqual({ value: number + 0 });
				expect(valueOf(parseQuantity(String(number), 'point'))).toEqual({ value: number + 0 });
			}),
		);
	});
});

describe('whole numbers', () => {
	test.each<[unknown, number]>([
		[12, 12],
		[12.0, 12],
		[0, 0],
		['12', 12],
		[' 12 ', 12],
		['12.0', 12],
		['#12', 12],
		['No. 12', 12],
		['N° 12', 12],
		['Nº 12', 12],
		['ID 12', 12],
		['id: 12', 12],
		['12,00', 12],
		['007', 7],
		['-3', -3],
		['-0', 0],
	])('%p → %p', (value, number) => {
		expect(valueOf(parseInteger(value))).toBe(number);
	});

	test.each([
		12.5,
		'12.5',
		'12.000',
		'1,250',
		'1e3',
		'T12',
		'12 ha',
		'',
		true,
		null,
		2 ** 53,
		'9007199254740993',
		[1],
	])('%p is refused', (value) => {
		expect(problemOf(parseInteger(value))).toMatch(/not a whole number/);
	});
});

test('no number, area or coordinate is made of anything else, and nothing throws', () => {
	fc.assert(
		fc.property(anything(), fc.constantFrom(undefined, 'point', 'comma'), (value, mark) => {
			const numbers = [
				parseInteger(value),
				parseCoordinate(value, 'latitude'),
				parseCoordinate(value, 'longitude'),
			];
			const quantities = [parseQuantity(value, mark), parseLandArea(value, mark)];
			for (const cell of numbers) if (cell.ok) expect(Number.isFinite(cell.value)).toBe(true);
			for (const cell of quantities) {
				if (cell.ok) expect(Number.isFinite(cell.value.value)).toBe(true);
			}
			const read = [...numbers, ...quantities].some(({ ok }) => ok);
			if (read) expect(typeof value === 'number' || /\d/.test(value as string)).toBe(true);
			if (typeof value !== 'string') expect(parseAreaUnit(value).ok).toBe(false);
		}),
		{ numRuns: 3_000 },
	);
});
