import type { CountryCode, PhoneNumber } from 'libphonenumber-js/max';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import metadata from 'libphonenumber-js/max/metadata';

import { ok, invalid, type Invalid, type ParseResult } from './issue';
import { phoneCountry, type PhoneCountry } from './phoneCountries';
import { memoize } from '../utils/memoizer';
import { asText, cleanText } from '../utils/text';

/** Fewest digits of a number without plus and without a default country. */
const MIN_LOCAL_DIGITS = 5;

/** Fewest digits of a whole number in any country, typed without its country code. */
const MIN_DIGITS = 7;

const WRITE_A_PHONE = 'write it as text in international form, such as +2348031234567';

/** What the row of a doubtful number says of it. */
export const DOUBTFUL_PHONE = 'phone is not a known mobile number';

/** A phone number as text, or why the cell holds none. */
export type PhoneResult =
	| {
			ok: true;
			value: string;
			/** Whether the library does not know it as a mobile number: it may be wrong, or take no SMS. */
			isDoubtful?: boolean;
	  }
	| ({ ok: false } & Invalid);

/**
 * Parses a phone number and returns it as text.
 *
 * - A number with `+` or `00` is returned in E.164 form.
 * - With a default country, a local number is, too, even if a spreadsheet dropped its plus or its leading zero.
 * - Without a default country, a local number is returned as its digits.
 *
 * What a number may be is up to the phone library. A number that is impossible in its country is an issue, and so is
 * one that may mean several numbers. Whether a number is in use is not checked.
 * @param defaultCountry ISO code of a country that the library knows
 */
export function parsePhone(value: unknown, defaultCountry?: string): PhoneResult {
	const text = phoneText(value);
	if (!text.ok) return text;
	const home = defaultCountry ? phoneCountry(defaultCountry) : undefined;
	if (defaultCountry && !home) {
		return invalid(
			`cannot be read with the phone country "${defaultCountry}"`,
			'choose a country from the list',
		);
	}
	const digits = text.value.replace(/\D/g, '');
	if (/^\(?(?:\+|00)/.test(text.value)) return parseInternational(digits.replace(/^00/, ''), home);
	if (home) return parseLocal(digits, home);
	return digits.length >= MIN_LOCAL_DIGITS && digits.length <= 15 ? ok(digits) : wrongLength();
}

/** The cell as text of digits, blanks, dashes, dots and parentheses, with or without a leading plus. */
function phoneText(value: unknown): ParseResult<string> {
	if (typeof value === 'number' && !Number.isSafeInteger(value)) return digitsLost();
	if (typeof value === 'number' || typeof value === 'bigint') {
		return value < 0 ? notAPhone() : ok(String(value));
	}
	if (typeof value !== 'string') return notAPhone();

	const text = cleanText(value)
		.replace(/["`“”]| ?;$/g, '')
		.replace(/^(?:https?:\/\/)?wa\.me\/\+?/i, '+')
		.replace(/^(?:tel|phone|mob(?:ile)?|cell|gsm)\b[.:]* ?/i, '')
		.replace(/ ?\([\p{L} ]{2,20}\)$/u, '') // 0803 123 4567 (WhatsApp)
		.replace(/\p{Pd}/gu, '-')
		.replace(/^(\d+)(?:\.0+|,00?)$/, '$1') // a number that was exported with decimals
		.replace(/^(\d)[.,](\d+)e\+?(\d+)$/i, (all, first: string, others: string, power) =>
			others.length === Number(power) ? first + others : all,
		); // 2.348031113514E+12 has all its digits
	if (/^\+?\d+(?:[.,]\d+)?e\+?\d+$/i.test(text)) return digitsLost();
	const parts = text.split(/[/,;&|]|\b(?:or|and|et|ou)\b/i);
	if (parts.filter((part) => part.replace(/\D/g, '').length >= MIN_DIGITS).length > 1) {
		return invalid('holds more than one number', 'leave one phone number in the cell');
	}
	// A comma between or after the digits is a slip, but before two last digits it may be a decimal separator.
	const digits = /\d{5},\d{1,2}$/.test(text) ? text : text.replace(/,/g, ' ').trim();
	return /^\(?\+?[\d .()-]+$/.test(digits) && /\d/.test(digits)
		? ok(digits.replace(/^\(\+/, '+('))
		: notAPhone();
}

/** Of a number in E.164 form, with its plus. */
const MAX_LENGTH = 16;

/** What people type for a phone that they do not know. */
const PLACEHOLDER = /^(?:(\d)\1+|0?123456789\d?)$/;

/**
 * Parses the phone number of a farmer, more strictly than {@link parsePhone}: refuses placeholders, numbers of fewer than
 * seven digits, and numbers that a spreadsheet has rounded.
 */
export function parseFarmerPhone(value: unknown, defaultCountry?: string): PhoneResult {
	const phone = parsePhone(value, defaultCountry);
	if (!phone.ok) return phone;
	const typed = asText(value).replace(/\D/g, '').replace(/^00/, '');
	if (PLACEHOLDER.test(typed)) return invalid('is only a placeholder', WRITE_A_PHONE);
	const digits = phone.value.replace('+', '');
	if (/0{6}$/.test(digits)) return digitsLost();
	return digits.length < MIN_DIGITS ? wrongLength() : phone;
}

const notAPhone = () => invalid('is not a phone number', WRITE_A_PHONE);

const digitsLost = () =>
	invalid(
		'has lost digits in the spreadsheet',
		'format the column as text and type the number again',
	);

const wrongLength = () =>
	invalid('has too few or too many digits for a phone number', WRITE_A_PHONE);

const impossible = (country: PhoneCountry | undefined) =>
	country
		? invalid(
				`is not a phone number of ${country.name}`,
				`check its digits: write it ${likeOf(country)}`,
			)
		: invalid('is not a phone number of any country', WRITE_A_PHONE);

const exampleNumbers: Readonly<Record<string, string>> = examples;

const likeOf = ({ code, callingCode }: PhoneCountry) =>
	`like +${callingCode}${exampleNumbers[code]}`;

/** What the library knows of the numbers of a country, but has no function for. */
interface Plan {
	/** What is dialled in front of a number inside the country only; often a zero. */
	trunk: unknown;
	/** How many digits mobile numbers have. */
	mobileLengths: readonly unknown[];
}

const partsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const plans: Readonly<Record<string, unknown>> = metadata.countries;

/** Reads version 4 of the library's metadata. */
const planOf = memoize((country: CountryCode): Plan => {
	const [, , , lengths, , trunk, , , , , , types] = partsOf(plans[country]);
	const [, mobile] = partsOf(types);
	const [, mobileLengths = lengths] = partsOf(mobile);
	return { trunk, mobileLengths: partsOf(mobileLengths) };
});

/**
 * Whether a number may exist: the library knows it, or it has as many digits as the mobile numbers of its country. The
 * library may be older than the numbering plan.
 */
function isPossible(phone: PhoneNumber): boolean {
	if (phone.isValid()) return true;
	const [country] = phone.getPossibleCountries();
	if (!country) return false;
	const { trunk, mobileLengths } = planOf(country);
	// A zero that the library could not drop: too few digits follow it.
	const hasTrunk = trunk === '0' && phone.nationalNumber.startsWith('0');
	return !hasTrunk && mobileLengths.includes(phone.nationalNumber.length);
}

/** The number that a text may be, possible or not; undefined if it has no calling code, or too many digits for E.164. */
function parse(text: string, defaultCountry?: CountryCode): PhoneNumber | undefined {
	const phone = parsePhoneNumberFromString(text, defaultCountry);
	return phone && phone.number.length <= MAX_LENGTH ? phone : undefined;
}

/**
 * The possible numbers that digits may mean in a country, even if a spreadsheet dropped their plus or their zero: mobile
 * numbers, else other ones that the library knows, else those that it does not know.
 */
function readings(digits: string, { code, callingCode }: PhoneCountry): PhoneNumber[] {
	const texts = [digits];
	// The calling code, or the beginning of the local number.
	if (digits.startsWith(callingCode)) texts.push(`+${digits}`, `+${callingCode}${digits}`);
	const found = new Map<string, PhoneNumber>();
	for (const text of texts) {
		const phone = parse(text, code);
		if (phone && isPossible(phone)) found.set(phone.number, phone);
	}
	// Some countries keep the zero, which a spreadsheet may have dropped.
	const withZero = digits.startsWith('0') ? undefined : parse(`+${callingCode}0${digits}`);
	if (withZero?.isValid()) found.set(withZero.number, withZero);
	const all = [...found.values()];
	const kinds = [isMobile, (phone: PhoneNumber) => phone.isValid(), () => true];
	return kinds.map((isOfKind) => all.filter(isOfKind)).find(({ length }) => length > 0) ?? [];
}

const isMobile = (phone: PhoneNumber) => /MOBILE/.test(phone.getType() ?? '');

const phoneOf = (phone: PhoneNumber): PhoneResult => ({
	ok: true,
	value: phone.number,
	isDoubtful: !isMobile(phone),
});

function parseInternational(digits: string, home?: PhoneCountry): PhoneResult {
	const phone = parse(`+${digits}`);
	if (phone?.isValid()) return phoneOf(phone);
	// The plus may be meant as a zero.
	const local = home && readings(digits, home).find((reading) => reading.isValid());
	if (local) return invalid(`may mean ${local.number}`, 'write it with the country code');
	if (phone && isPossible(phone)) return phoneOf(phone);
	const [country] = phone ? phone.getPossibleCountries() : [];
	return impossible(country && phoneCountry(country));
}

function parseLocal(digits: string, home: PhoneCountry): PhoneResult {
	const [phone, other] = readings(digits, home);
	if (phone && other)
		return invalid(`may mean ${phone.number} or ${other.number}`, 'write it with the plus');
	if (phone?.isValid()) return phoneOf(phone);
	const abroad = parse(`+${digits}`);
	if (abroad?.isValid())
		return invalid(
			`is not a phone number of ${home.name}`,
			`check its digits; if it is of another country, write ${abroad.number}`,
		);
	return phone ? phoneOf(phone) : impossible(home);
}

/** The last digits of a parsed number: equal for numbers that are the same, see {@link isSamePhone}. */
export function phoneTail(phone: string): string {
	return phone.slice(-MIN_LOCAL_DIGITS);
}

/**
 * Whether two parsed numbers are the same. If both have a country (a plus), all digits count. If one lacks it, they are
 * the same if it may be the local form of the other; if both do, also if they differ in leading zeros only.
 */
export function isSamePhone(one: string, other: string): boolean {
	if (one === other) return true;
	if (one.startsWith('+')) return !other.startsWith('+') && isLocalFormOf(other, one);
	if (other.startsWith('+')) return isLocalFormOf(one, other);
	const [short, long] = [one, other]
		.map((digits) => digits.replace(/^0+/, ''))
		.sort((a, b) => a.length - b.length) as [string, string];
	return short === long || isLocalFormOf(short, `+${long}`);
}

/** Whether digits without a country may be a number in E.164 form. */
function isLocalFormOf(digits: string, international: string): boolean {
	const [code] = parse(international)?.getPossibleCountries() ?? [];
	const country = code && phoneCountry(code);
	return !!country && readings(digits, country).some(({ number }) => number === international);
}
