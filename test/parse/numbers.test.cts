import fc from 'fast-check';
import {
	parseInteger,
	parseNumericId,
	parseQuantity,
} from '../../nodes/TractorBooking/parse/numbers';
import { all, problemOf, valueOf } from './cells.cts';

describe('numbers', () => {
	test.each<[unknown, number]>([
		[0, 0],
		...all([2.5, '2,5'], 2.5),
		['.5', 0.5],
		['0,250', 0.25],
		['1250,125', 1250.125],
		['\u22123.5', -3.5],
	])('%p → %p', (value, number) => {
		expect(valueOf(parseQuantity(value))).toEqual({ value: number });
	});

	test.each<[unknown, RegExp]>([
		...all(['1,250', '1.250', '-12,500'], /decimals or thousands/),
		...all(['1,25,00', '1.2.3', '1,250.5', '1 250', '1,250,000'], /not a number/),
		...all(['2-3', '1/2', '1E5', 'two', '', '9'.repeat(400), '5%', '2026-12-01'], /not a number/),
		...all([true, null, Number.NaN, Infinity, [1], {}], /not a number/),
	])('%p is refused', (value, problem) => {
		expect(problemOf(parseQuantity(value))).toMatch(problem);
	});

	test.each([
		['1,250', 'comma', 1.25],
		['1,250', 'point', 1250],
		['1.250', 'point', 1.25],
		['1.250', 'comma', 1250],
		['2,5', 'point', 2.5],
	] as const)(
		'%s with a %s as separator is %p: only what could be either depends on it',
		(text, mark, value) => {
			expect(valueOf(parseQuantity(text, mark))).toEqual({ value });
		},
	);

	test('a number comes back from each way of writing it', () => {
		const ways: Array<[locale: string, decimalSeparator: 'point' | 'comma']> = [
			['en-US', 'point'],
			['de-CH', 'point'],
			['fr-FR', 'comma'],
			['pt-MZ', 'comma'],
		];
		fc.assert(
			fc.property(
				fc.integer({ min: -10_000_000_000, max: 10_000_000_000 }).map((number) => number / 1000),
				fc.constantFrom(...ways),
				(number, [locale, decimalSeparator]) => {
					const digits = { maximumFractionDigits: 3, useGrouping: false };
					const text = number.toLocaleString(locale, digits);
					expect(valueOf(parseQuantity(text, decimalSeparator))).toEqual({ value: number + 0 });
					const unset = parseQuantity(text);
					if (unset.ok) expect(unset.value.value).toBe(number + 0);
				},
			),
			{ numRuns: 300 },
		);
		fc.assert(
			fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
				expect(valueOf(parseQuantity(number))).toEqual({ value: number + 0 });
			}),
		);
	});
});

describe('whole numbers', () => {
	test.each<[unknown, number]>([
		...all([12, ' 12 ', '12.0', '12,00', '#12', 'No. 12', 'N° 12', 'Nº 12'], 12),
		...all(['ID 12', 'id: 12'], 12),
		['007', 7],
		['-3', -3],
		['-0', 0],
	])('%p → %p', (value, number) => {
		expect(valueOf(parseInteger(value))).toBe(number);
	});

	test.each([
		...[12.5, '12.5', '12.000', '1,250', '1e3', 'T12', '12 ha', '', true, null, [1]],
		...[2 ** 53, '9007199254740993'],
	])('%p is refused', (value) => {
		expect(problemOf(parseInteger(value))).toMatch(/not a whole number/);
	});

	test('an ID has a least number', () => {
		expect(valueOf(parseNumericId('1', 1, 'tractor'))).toBe(1);
		expect(problemOf(parseNumericId(0, 1, 'tractor'))).toMatch(/not the ID of a tractor/);
	});
});
