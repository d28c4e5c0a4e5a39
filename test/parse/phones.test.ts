import fc from 'fast-check';
import { getExampleNumber, type PhoneNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { PHONE_COUNTRIES } from '../../nodes/TractorBooking/parse/phoneCountries';
import {
	isSamePhone,
	parseFarmerPhone,
	parsePhone,
	phoneTail,
} from '../../nodes/TractorBooking/parse/phones';
import { anything, problemOf, valueOf } from './cells';

const NIGERIAN = '+2348031234567';

describe('numbers of the default country', () => {
	test.each<[unknown]>([
		['+234 803 123 4567'],
		['+234-803-123-4567'],
		['(+234) 803.123.4567'],
		['00234 803 123 4567'],
		['+234 (0) 803 123 4567'],
		['+234 0803 123 4567'],
		['0803 123 4567'],
		['(0803) 123-4567'],
		['0803\u2011123\u20134567'],
		['\u202A08031234567\u202C'],
		['Tel 08031234567'],
		['Mob. 0803 123 4567'],
		['tel: 08031234567'],
		[8031234567],
		['8031234567'],
		['8031234567.0'],
		[2348031234567],
		['2348031234567'],
		['2.348031234567E+12'], // all digits are there
		['8,031234567e9'],
		['23408031234567'],
		[8031234567n],
		['0803 123 4567 (WhatsApp)'],
		['https://wa.me/2348031234567'],
		['wa.me/+2348031234567'],
		// what formats leave
		['"08031234567"'],
		['`08031234567'],
		['08031234567 ;'],
		// stray commas
		['08031234567,'],
		[',0803 123 4567'],
		['+234,8031234567'],
		['+234 803,123 4567'],
		['0803,123,4567'],
		['8,031,234,567'],
		['8031234567,00'],
	])('%p', (value) => {
		expect(valueOf(parsePhone(value, 'NG'))).toBe(NIGERIAN);
		expect(valueOf(parsePhone(value, 'ng'))).toBe(NIGERIAN);
	});

	test.each<[unknown, string, string]>([
		['0712 345 678', 'KE', '+254712345678'],
		[712345678, 'KE', '+254712345678'],
		['07 12 34 56 78', 'CI', '+2250712345678'],
		[712345678, 'CI', '+2250712345678'], // the zero belongs to the number, and was lost
		[197123456, 'BJ', '+2290197123456'],
		['77 123 45 67', 'SN', '+221771234567'],
		['(201) 555-0123', 'US', '+12015550123'],
		['1 201 555 0123', 'US', '+12015550123'],
		['98765 43210', 'IN', '+919876543210'],
		['+44 (0)20 7946 0958', 'NG', '+442079460958'],
		['+995 555 12 34 56', 'NG', '+995555123456'], // of no country in the table, and not local
		['628123456789', 'ID', '+628123456789'], // of its two readings, one is a mobile number
		['4915123456789', 'DE', '+4915123456789'],
		['02 2 1234 567', 'EG', '+20221234567'], // a landline
	])('%p in %s → %s', (value, country, phone) => {
		expect(valueOf(parsePhone(value, country))).toBe(phone);
	});
});

describe('without a default country', () => {
	test.each<[unknown, string]>([
		['+234 803 123 4567', NIGERIAN],
		['00234 803 123 4567', NIGERIAN],
		['+995 555 12 34 56', '+995555123456'], // a country that the table lacks
		['0803 123-4567', '08031234567'],
		[8031234567, '8031234567'],
		['2348031234567', '2348031234567'],
		['2348031234567.00', '2348031234567'], // a number that was exported with decimals
	])('%p → %s', (value, phone) => {
		expect(valueOf(parsePhone(value))).toBe(phone);
	});
});

describe('phones that are rejected', () => {
	test.each<[unknown, string | undefined, RegExp]>([
		['2.34803E+12', 'NG', /lost digits/],
		['2,34803e12', undefined, /lost digits/],
		['2.34803123456E+12', 'NG', /lost digits/],
		[2.34803e21, 'NG', /lost digits/],
		[8031234567.5, 'NG', /lost digits/],
		['0803 123 456', 'NG', /not a phone number of Nigeria/],
		['+234 803 123 456', undefined, /not a phone number of Nigeria/],
		['+234 0803 123 456', undefined, /not a phone number of Nigeria/],
		['0000000000', 'KE', /not a phone number/],
		['+995 12', undefined, /not a phone number of Georgia/],
		['+0803 123 4567', undefined, /not a phone number of any country/],
		// a plus instead of the zero
		['+8031234567', 'NG', /^may mean \+2348031234567$/],
		['+0803 123 4567', 'NG', /^may mean \+2348031234567$/],
		['+712345678', 'KE', /^may mean \+254712345678$/],
		['+772123456', 'UG', /^may mean \+256772123456$/],
		['+788123456', 'RW', /^may mean \+250788123456$/],
		['+771234567', 'SN', /^may mean \+221771234567$/],
		['+677123456', 'CM', /^may mean \+237677123456$/],
		['+991234567', 'MW', /^may mean \+265991234567$/],
		['+821234567', 'ZA', /^may mean \+27821234567$/],
		['+9951234567890123', undefined, /not a phone number of any country/],
		['+999 1234 5678', undefined, /not a phone number of any country/],
		['+234 803 123 45678', undefined, /not a phone number of Nigeria/],
		['0803 123 45678', 'NG', /not a phone number of Nigeria/],
		['123', undefined, /too few or too many/],
		['08031234567 / 08051234567', 'NG', /more than one/],
		['0803-123-4567 or 0805-123-4567', 'NG', /more than one/],
		['495100908', 'DE', /may mean \+49495100908 or \+495100908/],
		['08031234567', 'XX', /phone country "XX"/],
		['0803 123 4567 ext 5', 'NG', /not a phone/],
		['none', 'NG', /not a phone/],
		['08031234567,5', 'NG', /not a phone/],
		['', 'NG', /not a phone/],
		['+', undefined, /not a phone/],
		['0803+1234567', 'NG', /not a phone/],
		[-8031234567, 'NG', /not a phone/],
		[true, 'NG', /not a phone/],
		[null, undefined, /not a phone/],
		[Number.NaN, 'NG', /lost digits/],
		['08031234567', '__proto__', /phone country/],
	])('%p in %p', (value, country, problem) => {
		expect(problemOf(parsePhone(value, country))).toMatch(problem);
	});
});

/** A mobile number of each country, in E.164 form. */
const EXAMPLES = PHONE_COUNTRIES.map(({ code }): [string, PhoneNumber] => {
	const example = getExampleNumber(code, examples);
	if (!example) throw new Error(`The library has no example for ${code}`);
	return [code, example];
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
	expect(parsePhone(phone)).toEqual({ ok: true, value: phone, isDoubtful: false });
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
		fc.property(
			fc.oneof(anything(), phones, fc.bigInt({ min: 0n, max: 10n ** 15n })),
			countries,
			(value, country) => {
				const phone = parsePhone(value, country);
				if (!phone.ok) return;
				expect(phone.value).toMatch(country ? /^\+[1-9]\d{6,14}$/ : /^(\+[1-9]\d{6,14}|\d{5,15})$/);
				if (country) expect(valueOf(parsePhone(phone.value, country))).toBe(phone.value);
			},
		),
		{ numRuns: 3_000 },
	);
});

test('without a country, a number has 15 digits at most', () => {
	expect(valueOf(parsePhone('123456789012345'))).toBe('123456789012345');
	expect(problemOf(parsePhone('1234567890123456'))).toMatch(/too few or too many digits/);
});

describe('two numbers are the same', () => {
	test.each(EXAMPLES)('if one is the local form of the other, in %s', (_code, example) => {
		const { number, countryCallingCode, nationalNumber } = example;
		const national = example.formatNational().replace(/\D/g, '');
		for (const local of [nationalNumber, national, `${countryCallingCode}${nationalNumber}`]) {
			expect(isSamePhone(number, local)).toBe(true);
			expect(isSamePhone(local, number)).toBe(true);
		}
		const nationalDigits = Number(nationalNumber);
		expect(isSamePhone(`0${nationalDigits}`, String(nationalDigits))).toBe(true);
		expect(phoneTail(national)).toBe(phoneTail(nationalNumber));
	});

	test.each(EXAMPLES)('not if a digit differs, in %s', (_code, { number, nationalNumber }) => {
		for (let place = 1; place <= nationalNumber.length; place++) {
			const at = number.length - place;
			const digit = (Number(number[at]) + 5) % 10;
			const other = `${number.slice(0, at)}${digit}${number.slice(at + 1)}`;
			expect(isSamePhone(number, other)).toBe(false);
			expect(isSamePhone(other, nationalNumber)).toBe(false);
		}
	});

	test.each([
		['08031234567', '8031234567', true],
		['08031234567', '2348031234567', true],
		['99912345678', '12345678', false],
		['08031234567', '07031234567', false],
	])('%s and %s, whose country is not known: %p', (one, other, isSame) => {
		expect(isSamePhone(one, other)).toBe(isSame);
		expect(isSamePhone(other, one)).toBe(isSame);
	});
});

describe('the phone of a farmer', () => {
	test.each<[unknown, string | undefined, string]>([
		['0803 123 4567', 'NG', NIGERIAN],
		['+254 712 345 678', undefined, '+254712345678'],
		['020 222 2222', 'KE', '+254202222222'],
		['0803 123 4567', undefined, '08031234567'],
		['803 1234', undefined, '8031234'],
		['0803 120 0000', 'NG', '+2348031200000'],
	])('%p in %p → %p', (value, country, phone) => {
		expect(valueOf(parseFarmerPhone(value, country))).toBe(phone);
	});

	test.each<[string, string, boolean]>([
		['0803 123 4567', 'NG', false],
		['0699 123 4567', 'NG', true], // a prefix that may be newer than the library
		['0203 222 222', 'KE', true], // a landline takes no SMS
	])('%p in %p is doubtful: %p', (value, country, isDoubtful) => {
		expect(parseFarmerPhone(value, country)).toMatchObject({ ok: true, isDoubtful });
	});

	test.each<[unknown, string | undefined, RegExp, RegExp]>([
		// digits missing or exceeding
		['0712 345 67', 'KE', /not a phone number of Kenya/, /like \+254\d{9}$/],
		['+254 712 345 67', undefined, /not a phone number of Kenya/, /like \+254/],
		['+258 84 123 456', undefined, /not a phone number of Mozambique/, /like \+258/],
		['+250 72 012 345', 'RW', /not a phone number of Rwanda/, /like \+250/],
		['024 123 456', 'GH', /not a phone number of Ghana/, /like \+233/],
		['+234 803 123 456', undefined, /not a phone number of Nigeria/, /like \+234/],
		['803 123 456', 'NG', /not a phone number of Nigeria/, /like \+234/],
		['861234567', 'NG', /not a phone number of Nigeria/, /like \+234/],
		// without its plus, of another country
		[
			'254712345678',
			'NG',
			/not a phone number of Nigeria/,
			/of another country, write \+254712345678$/,
		],
		[
			254712345678,
			'NG',
			/not a phone number of Nigeria/,
			/of another country, write \+254712345678$/,
		],
		[
			'229 01 96 45 67 89',
			'KE',
			/not a phone number of Kenya/,
			/of another country, write \+2290196456789$/,
		],
		...['1234567890', '1111111111', '9999999999'].map((cell): [unknown, string, RegExp, RegExp] => [
			cell,
			'NG',
			/placeholder/,
			/international/,
		]),
		// rounded
		[2348031000000, 'NG', /lost digits/, /as text/],
		['8031000000', 'NG', /lost digits/, /as text/],
		['2348030000000', undefined, /lost digits/, /as text/],
		['+234 803 000 0000', undefined, /lost digits/, /as text/],
		// numbers that no country has
		['803123', undefined, /has too few/, /international/],
		['12345', undefined, /has too few/, /international/],
		['12', undefined, /has too few/, /international/],
	])('%p in %p is refused', (value, country, problem, fix) => {
		const phone = parseFarmerPhone(value, country);
		expect(problemOf(phone)).toMatch(problem);
		if (!phone.ok) expect(phone.fix).toMatch(fix);
	});
});
