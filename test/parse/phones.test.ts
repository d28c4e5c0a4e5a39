import fc from 'fast-check';
import { PHONE_COUNTRIES, phoneCountry } from '../../nodes/TractorBooking/parse/phoneCountries';
import {
	isSamePhone,
	looksLikePhone,
	parseFarmerPhone,
	parsePhone,
	phoneTail,
} from '../../nodes/TractorBooking/parse/phones';
import { anything, problemOf, valueOf } from './cells';

const NIGERIAN = '+2348031234567';

test.each<[unknown, boolean]>([
	['0712 345 678', true],
	['0712-345-678', true],
	['+254712345678', true],
	['77.12.34.56', true],
	[712345678, true],
	['29111222', true], // an ID may be one, too
	['2026-12-10', false],
	['10.12.2026', false],
	['36.8219123', false],
	[46359.3541667, false],
	['20/11/2026 10:22:31', false],
	['8b1f4c1e-0000-4000-8000-123456789012', false],
	['call 0712345678', false],
	['123456', false],
	['', false],
])('%p looks like a phone: %p', (cell, is) => {
	expect(looksLikePhone(cell)).toBe(is);
});

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
		['013 123 4567', 'EG', '+20131234567'], // not mobile, though it begins with 1
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
		['0803 123 456', 'NG', /9|10 digits/],
		['0803 123 456', 'NG', /no phone number of Nigeria/],
		['+234 803 123 456', undefined, /no phone number of Nigeria/],
		['+234 0803 123 456', undefined, /no phone number of Nigeria/],
		['0000000000', 'KE', /too few or too many/],
		['+995 12', undefined, /too few or too many/],
		['+0803 123 4567', undefined, /too few or too many/],
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
		['+9951234567890123', undefined, /too few or too many/],
		['+234 803 123 45678', undefined, /has 14 digits, which no/],
		['0803 123 45678', 'NG', /has 12 digits, which no/],
		['123', undefined, /too few or too many/],
		['08031234567 / 08051234567', 'NG', /more than one/],
		['0803-123-4567 or 0805-123-4567', 'NG', /more than one/],
		['628123456789', 'ID', /may mean \+62628123456789 or \+628123456789/],
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

/** Example mobile numbers of libphonenumber, without calling code. */
const EXAMPLES: Record<string, string> = {
	DZ: '551234567',
	AO: '923123456',
	BJ: '0195123456',
	BW: '71123456',
	BF: '70123456',
	BI: '79561234',
	CV: '9911234',
	CM: '671234567',
	CF: '70012345',
	TD: '63012345',
	KM: '3212345',
	CG: '061234567',
	CD: '991234567',
	CI: '0123456789',
	DJ: '77831001',
	EG: '1001234567',
	GQ: '222123456',
	ER: '7123456',
	SZ: '76123456',
	ET: '911234567',
	GM: '3012345',
	GH: '231234567',
	GN: '601123456',
	GW: '955012345',
	KE: '712123456',
	LS: '50123456',
	LR: '770123456',
	LY: '912345678',
	MG: '321234567',
	MW: '991234567',
	ML: '65012345',
	MR: '22123456',
	MU: '52512345',
	MA: '650123456',
	MZ: '821234567',
	NA: '811234567',
	NE: '93123456',
	NG: '8021234567',
	RW: '720123456',
	ST: '9812345',
	SN: '701234567',
	SC: '2510123',
	SL: '25123456',
	SO: '71123456',
	ZA: '711234567',
	SS: '977123456',
	SD: '911231234',
	TZ: '621234567',
	TG: '90112345',
	TN: '20123456',
	UG: '712345678',
	ZM: '955123456',
	ZW: '712345678',
	AF: '701234567',
	AU: '412345678',
	BD: '1812345678',
	BO: '71234567',
	BR: '11961234567',
	CA: '5062345678',
	CL: '221234567',
	CN: '13123456789',
	CO: '3211234567',
	DE: '15123456789',
	ES: '612345678',
	EC: '991234567',
	FR: '612345678',
	GB: '7400123456',
	GT: '51234567',
	HN: '91234567',
	ID: '812345678',
	IN: '8123456789',
	KH: '91234567',
	LA: '2023123456',
	LK: '712345678',
	MM: '92123456',
	MX: '2221234567',
	MY: '123456789',
	NI: '81234567',
	NL: '612345678',
	NP: '9841234567',
	PE: '912345678',
	PH: '9051234567',
	PK: '3012345678',
	PT: '912345678',
	PY: '961456789',
	TH: '812345678',
	TR: '5012345678',
	US: '2015550123',
	UZ: '912345678',
	VN: '912345678',
	GA: '77123456', // of the numbering plan of 2019
};

test('each country of the table has an example, and each example a country', () => {
	expect(PHONE_COUNTRIES.map(({ code }) => code).sort()).toEqual(Object.keys(EXAMPLES).sort());
});

test.each(Object.entries(EXAMPLES))(
	'an example number of %s in each way of writing it',
	(code, number) => {
		const country = phoneCountry(code);
		if (!country) throw new Error(`${code} is not in the table`);
		const { callingCode, trunk } = country;
		const phone = `+${callingCode}${number}`;
		const local = `${trunk}${number}`;
		for (const written of [
			phone,
			`00${callingCode} ${number}`,
			local,
			`${local.slice(0, 3)}-${local.slice(3)}`,
		]) {
			expect(valueOf(parsePhone(written, code))).toBe(phone);
		}
		expect(valueOf(parsePhone(Number(local), code))).toBe(phone);
		// A lost plus: the right number, or rejected if it could be a local one. Never another number.
		const lostPlus = parsePhone(Number(`${callingCode}${number}`), code);
		if (lostPlus.ok) expect(lostPlus.value).toBe(phone);
		else expect(lostPlus.problem).toContain(phone);
	},
);

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
	const numbers = fc
		.constantFrom(...PHONE_COUNTRIES)
		.chain((country) =>
			fc
				.constantFrom(...country.lengths)
				.chain((length) =>
					fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }),
				)
				.map((digits) => ({ country, national: digits.join('') })),
		)
		.filter(({ country: { trunk }, national }) => trunk === '' || !national.startsWith(trunk));

	test('if one is the local form of the other', () => {
		fc.assert(
			fc.property(numbers, ({ country: { callingCode, trunk }, national }) => {
				const international = `+${callingCode}${national}`;
				for (const local of [national, trunk + national, callingCode + national]) {
					expect(isSamePhone(international, local)).toBe(true);
					expect(isSamePhone(local, international)).toBe(true);
					expect(isSamePhone(trunk + national, local)).toBe(true);
					expect(phoneTail(local)).toBe(phoneTail(international));
				}
			}),
		);
	});

	test('not if a digit differs', () => {
		fc.assert(
			fc.property(numbers, fc.nat(), ({ country: { callingCode, trunk }, national }, at) => {
				const place = at % national.length;
				const digit = (Number(national[place]) + 5) % 10;
				const other = national.slice(0, place) + String(digit) + national.slice(place + 1);
				expect(isSamePhone(`+${callingCode}${national}`, `+${callingCode}${other}`)).toBe(false);
				expect(isSamePhone(`+${callingCode}${national}`, trunk + other)).toBe(false);
			}),
		);
	});

	test.each([
		['+99912345678', '12345678', true],
		['+99912345678', '012345678', true],
		['+99912345678', '2345678', false],
		['99912345678', '12345678', true],
		['99912345678', '12345679', false],
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
		['020 222 222', 'KE', '+25420222222'], // fixed numbers may be shorter
		['0803 123 4567', undefined, '08031234567'],
		['803 1234', undefined, '8031234'],
		['0803 120 0000', 'NG', '+2348031200000'],
	])('%p in %p → %p', (value, country, phone) => {
		expect(valueOf(parseFarmerPhone(value, country))).toBe(phone);
	});

	test.each<[unknown, string | undefined, RegExp, RegExp]>([
		// digits missing or exceeding
		['0712 345 67', 'KE', /no phone number of Kenya/, /\+254 and 9 digits \(after 0, it has 8\)/],
		['+254 712 345 67', undefined, /no phone number of Kenya/, /\+254 and 9 digits/],
		['+258 84 123 456', undefined, /no phone number of Mozambique/, /9 digits/],
		['+250 72 012 345', 'RW', /no phone number of Rwanda/, /9 digits/],
		// never "write 9 digits" about 9 digits without a word on the zero
		['024 123 456', 'GH', /has 9 digits, which no/, /\+233 and 9 digits \(after 0, it has 8\)/],
		['+234 803 123 456', undefined, /has 12 digits/, /10 digits \(after 234, it has 9\)/],
		['803 123 456', 'NG', /has 9 digits/, /\+234 and 10 digits$/],
		// without its plus, of another country
		['254712345678', 'NG', /has 12 digits, which no/, /^write it with the plus: \+254712345678$/],
		[254712345678, 'NG', /has 12 digits, which no/, /^write it with the plus: \+254712345678$/],
		['229 01 23 45 67 89', 'KE', /has 13 digits/, /^write it with the plus: \+2290123456789$/],
		['861234567', 'NG', /has 9 digits/, /^write \+234 and 10 digits$/], // a digit is missing
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

	test.each(Object.entries(EXAMPLES))('an example of %s passes', (code, number) => {
		const phone = `+${phoneCountry(code)?.callingCode}${number}`;
		expect(valueOf(parseFarmerPhone(phone))).toBe(phone);
	});
});
