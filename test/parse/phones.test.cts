import fc from 'fast-check';
import { getExampleNumber, type CountryCode, type PhoneNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { PHONE_COUNTRIES } from '../../nodes/TractorBooking/parse/phoneCountryList';
import {
	isSamePhone,
	parseFarmerPhone,
	parsePhone,
	phoneTail,
	smsDoubt,
} from '../../nodes/TractorBooking/parse/phones';
import { anything, expectCell, valueOf } from './cells.cts';

const EXAMPLES = PHONE_COUNTRIES.map(({ code }): [CountryCode, PhoneNumber] => {
	const example = getExampleNumber(code, examples);
	if (!example) throw new Error(`The library has no example for ${code}`);
	return [code, example];
});

const NIGERIAN = '+2348031234567';

/** Rows of a table: cells of a sheet of Nigeria that become the same, or have the same problem. */
const inNigeria = <Wanted,>(cells: unknown[], wanted: Wanted) =>
	cells.map((cell): [unknown, string, Wanted] => [cell, 'NG', wanted]);

test.each<[unknown, string | undefined, string | RegExp]>([
	...inNigeria(
		[
			...['+234-803-123-4567', '(+234) 803.123.4567', '00234 803 123 4567'],
			...['+234 (0) 803 123 4567', '+234 0803 123 4567', '(0803) 123-4567'],
			...['0803\u2011123\u20134567', '\u202A08031234567\u202C', '8031234567.0', 8031234567],
			...[2348031234567, '2348031234567', 23408031234567],
		],
		NIGERIAN,
	),
	['08031234567', 'ng', NIGERIAN],
	[712345678, 'KE', '+254712345678'],
	['07 12 34 56 78', 'CI', '+2250712345678'],
	[712345678, 'CI', '+2250712345678'], // the zero belongs to the number, and was lost
	[197123456, 'BJ', '+2290197123456'],
	[61234567, 'CG', '+242061234567'],
	['(201) 555-0123', 'US', '+12015550123'],
	['1 201 555 0123', 'US', '+12015550123'],
	['+995 555 12 34 56', 'NG', '+995555123456'], // of another country, and not local
	['628123456789', 'ID', '+628123456789'], // of its two readings, one is a mobile number
	// without a default country
	['00234 803 123 4567', undefined, NIGERIAN],
	['0803 123-4567', undefined, '08031234567'],
	[8031234567, undefined, '8031234567'],
	['2348031234567.00', undefined, '2348031234567'], // a number that was exported with decimals
	['0000000000', 'KE', /not a phone number/],
	['+712345678', 'KE', /not a phone number/],
	[1822204782, 'IT', /not a phone number of Italy/], // a landline that has lost its zero
	['00681415349', 'IT', /not a phone number of Wallis/],
	[6031234, 'GA', /may mean \+2416031234 or \+24106031234/],
	['495100908', 'DE', /may mean \+49495100908 or \+495100908/],
	['07 12 34 56', 'CI', /not a phone number of Côte .* like \+225\d{10};/],
	['+995 12', undefined, /not a phone number of Georgia/],
	['+999 1234 5678', undefined, /not a phone number of any country/],
	['123', undefined, /too few or too many/],
	['08031234510 (2)', undefined, /not a phone number/],
	['1) 08031234510', undefined, /not a phone number/],
	...inNigeria(['2.34803E+12', '2,34803e12', 2.34803e21, 8031234567.5, Number.NaN], /lost digits/),
	...inNigeria(['0803 123 456', '+234 803 123 456'], /not a phone number of Nigeria/),
	...inNigeria(['+234 0803 123 456', '0803 123 45678'], /not a phone number of Nigeria/),
	// fewer digits than a number has after the calling code, with which they begin
	...inNigeria(['2348031234', 2348031234], /not a phone number of Nigeria/),
	['254712345', 'KE', /not a phone number of Kenya/],
	// a plus instead of the zero
	...inNigeria(['+8031234567', '+0803 123 4567'], /not a phone number/),
	...inNigeria(['08031234567 / 08051234567', '0803-123-4567 or 0805-123-4567'], /not a phone/),
	...inNigeria(['0803 123 4567 ext 5', 'Tel: 08031234567', 'none', '08031234567,5'], /not a phone/),
	...inNigeria(['', '+', '0803+1234567', -8031234567, true, null], /not a phone/),
])('the phone %p in %p: %p', (value, country, wanted) => {
	expectCell(parsePhone(value, country), wanted);
});

test('a lost zero is put back only where all mobile numbers have one', () => {
	const countries = EXAMPLES.filter(([code, { number, countryCallingCode, nationalNumber }]) => {
		const parsed = parsePhone(Number(nationalNumber), code);
		return parsed.ok && number === `+${countryCallingCode}0${Number(nationalNumber)}`;
	});
	expect(countries.map(([code]) => code).sort()).toEqual(['BJ', 'CG', 'CI']);
});

test.each(EXAMPLES)('an example number of %s in each way of writing it', (code, example) => {
	const { number: phone, countryCallingCode: callingCode, nationalNumber } = example;
	const local = example.formatNational().replace(/\D/g, '');
	for (const written of [
		phone,
		example.formatInternational(),
		`00${callingCode} ${nationalNumber}`,
		example.formatNational(),
		`${local.slice(0, 3)}-${local.slice(3)}`,
	]) {
		expect(valueOf(parsePhone(written, code))).toBe(phone);
	}
	expect(valueOf(parsePhone(phone))).toBe(phone);
	expect(smsDoubt(phone)).toBeUndefined();
	// A lost zero, or a lost plus: the right number, or rejected if it could be another one. Never another number.
	for (const lost of [Number(local), Number(`${callingCode}${nationalNumber}`)]) {
		const parsed = parsePhone(lost, code);
		if (parsed.ok) expect(parsed.value).toBe(phone);
		else expect(parsed.problem + parsed.fix).toContain(phone);
	}
});

test('a read phone is read again as itself, and nothing throws', () => {
	const countries = fc.constantFrom(undefined, ...PHONE_COUNTRIES.map(({ code }) => code));
	const phones = fc.string({
		unit: fc.constantFrom(...'0123456789+() -.'),
		minLength: 6,
		maxLength: 20,
	});
	fc.assert(
		fc.property(fc.oneof(anything(), phones), countries, (value, country) => {
			const phone = parsePhone(value, country);
			if (!phone.ok) return;
			expect(phone.value).toMatch(country ? /^\+[1-9]\d{6,14}$/ : /^(\+[1-9]\d{6,14}|\d{5,15})$/);
			if (country) expect(valueOf(parsePhone(phone.value, country))).toBe(phone.value);
		}),
		{ numRuns: 1_000 },
	);
});

test.each(EXAMPLES)(
	'the same number in its local forms, and others that differ by a digit, in %s',
	(_code, example) => {
		const { number, countryCallingCode, nationalNumber } = example;
		const national = example.formatNational().replace(/\D/g, '');
		for (const local of [nationalNumber, national, `${countryCallingCode}${nationalNumber}`]) {
			expect(isSamePhone(number, local)).toBe(true);
			expect(isSamePhone(local, number)).toBe(true);
		}
		const nationalDigits = Number(nationalNumber);
		expect(isSamePhone(`0${nationalDigits}`, String(nationalDigits))).toBe(true);
		expect(phoneTail(national)).toMatch(/^\d{4,5}$/);
		expect(phoneTail(national)).toBe(phoneTail(nationalNumber));
		for (let at = number.length - nationalNumber.length; at < number.length; at++) {
			const digit = (Number(number[at]) + 5) % 10;
			const other = `${number.slice(0, at)}${digit}${number.slice(at + 1)}`;
			expect(isSamePhone(number, other)).toBe(false);
			expect(isSamePhone(other, nationalNumber)).toBe(false);
		}
	},
);

test.each([
	['08031234567', '8031234567', true],
	['08031234567', '2348031234567', true],
	['99912345678', '12345678', false],
	['08031234567', '07031234567', false],
])('%s and %s, whose country is not known, are the same: %p', (one, other, isSame) => {
	expect(isSamePhone(one, other)).toBe(isSame);
	expect(isSamePhone(other, one)).toBe(isSame);
});

test.each<[unknown, string | undefined, string | RegExp]>([
	['020 222 2222', 'KE', '+254202222222'],
	['803 1234', undefined, '8031234'],
	['+2348031000000', undefined, '+2348031000000'],
	['8031000000', 'NG', '+2348031000000'],
	['0700 000 012', 'KE', '+254700000012'],
	[8000000312, 'NG', '+2348000000312'],
	[8031234560, 'NG', '+2348031234560'],
	['1001111111', undefined, '1001111111'],
	['803123456789012', undefined, '803123456789012'],
	// digits are missing
	['0712 345 67', 'KE', /not a phone number of Kenya; .*like \+254\d{9};/],
	['861234567', 'NG', /not a phone number of Nigeria; .*like \+234/],
	// without its plus, of another country
	[254712345678, 'NG', /of Nigeria; .*foreign number needs its plus$/],
	['229 01 96 45 67 89', 'KE', /of Kenya; .*foreign number needs its plus$/],
	['4520123456', 'NG', /not a phone number of Nigeria/],
	['1111111111', 'NG', /placeholder; .*international/],
	['123-456-7890', 'NG', /placeholder; .*international/],
	['00444444444444', undefined, /placeholder/],
	// rounded
	[2348031000000, 'NG', /lost digits; .*as text/],
	[8031000000, 'NG', /lost digits; .*as text/],
	// numbers that no country has
	['803123', undefined, /has too few.*; .*international/],
	['8031234567890123', undefined, /has too few/],
	['11111', undefined, /has too few/],
])('the phone of a farmer %p in %p: %p', (value, country, wanted) => {
	expectCell(parseFarmerPhone(value, country), wanted);
});

test('a number with a prefix that may be newer than the library may get no SMS', () => {
	expect(smsDoubt(valueOf(parseFarmerPhone('0699 123 4567', 'NG')))).toMatch(/not a known mobile/);
});

test('a number without a country may get no SMS', () =>
	expect(smsDoubt('08031234567')).toMatch(/no country/));

test('a number of 16 digits is too long for E.164, although Germany has some', () => {
	expectCell(parseFarmerPhone('+493011111111111'), '+493011111111111');
	expectCell(parseFarmerPhone('+4930111111111111'), /is not a phone number/);
});
