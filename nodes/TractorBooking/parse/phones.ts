import type { CountryCode, PhoneNumber } from 'libphonenumber-js/max';
import { getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';

import { ok, type ParseResult } from './issue';
import { PHONE_COUNTRIES, type PhoneCountry } from './phoneCountryList';
import { invalid, SMS_DOUBTS } from './sentences';
import { memoize } from '../utils/memoize';
import { asText, cleanText } from '../utils/text';

const byCode = new Map<string, PhoneCountry>(
	PHONE_COUNTRIES.map((country) => [country.code, country]),
);

function phoneCountry(code: string): PhoneCountry | undefined {
	return byCode.get(code.trim().toUpperCase());
}

/** Fewest digits of a number without plus and country; most of one in E.164 form, with its plus. */
const [MIN_DIGITS, MAX_LENGTH] = [7, 16];

const exampleOf = memoize((country: CountryCode) => getExampleNumber(country, examples));

function impossible(country: PhoneCountry | undefined) {
	if (!country) return invalid('phoneOfNoCountry');
	return invalid('phoneOf', country.name, `${exampleOf(country.code)?.number}`);
}

/**
 * Parses a phone number: in E.164 form if it has `+` or `00`, or if there is a default country, even if a spreadsheet
 * dropped its plus or its leading zero; else as its digits. A number that is impossible in its country, or may mean
 * several numbers, is an issue.
 * @param defaultCountry ISO code
 */
export function parsePhone(value: unknown, defaultCountry?: string): ParseResult<string> {
	const text = phoneText(value);
	if (!text.ok) return text;
	const home = defaultCountry ? phoneCountry(defaultCountry) : undefined;
	const digits = text.value.replace(/\D/g, '');
	if (/^\(?(?:\+|00)/.test(text.value)) return parseInternational(digits.replace(/^00/, ''), home);
	if (home) return parseLocal(digits, home);
	return digits.length >= MIN_DIGITS && digits.length <= 15 ? ok(digits) : invalid('phoneLength');
}

function phoneText(value: unknown): ParseResult<string> {
	if (typeof value === 'number' && !Number.isSafeInteger(value)) return invalid('lostDigits');
	const text = cleanText(typeof value === 'string' || typeof value === 'number' ? `${value}` : '')
		.replace(/\p{Pd}/gu, '-')
		.replace(/^['’](?=[+\d])/, '') // marks a number as text
		.replace(/^(\d+)\.0+$/, '$1'); // a number that was exported with decimals
	if (/^\+?\d+(?:[.,]\d+)?e\+?\d+$/i.test(text)) return invalid('lostDigits');
	// No number ends with a parenthesis, and none follows `1)`.
	const isPhone = /^\+?(?:\(\+?\d[\d -]*\)|\d)[\d .-]*(?:\(\d+\)[\d .-]*)?(?<=\d)$/.test(text);
	return isPhone ? ok(text) : invalid('phone');
}

const PLACEHOLDER = /^(?:(\d)\1+|0?123456789\d?)$/;

/**
 * Parses the phone number of a farmer, more strictly than {@link parsePhone}: refuses placeholders, and number cells that
 * a spreadsheet has probably rounded.
 */
export function parseFarmerPhone(value: unknown, defaultCountry?: string): ParseResult<string> {
	const phone = parsePhone(value, defaultCountry);
	if (!phone.ok) return phone;
	const typed = asText(value).replace(/\D/g, '').replace(/^00/, '');
	if (PLACEHOLDER.test(typed)) return invalid('phonePlaceholder');
	return typeof value === 'number' && /0{6}$/.test(phone.value) ? invalid('lostDigits') : phone;
}

/**
 * Whether a number may exist: the library knows it, or it has as many digits as the mobile numbers of its country. The
 * library may be older than the numbering plan.
 */
function isPossible(phone: PhoneNumber): boolean {
	if (phone.isValid()) return true;
	const [country] = phone.getPossibleCountries();
	// A zero that the library could not drop: too few digits follow it.
	if (country === undefined || phone.nationalNumber.startsWith('0')) return false;
	return phone.nationalNumber.length === exampleOf(country)?.nationalNumber.length;
}

/** The number that a text may be, possible or not; undefined if it has no calling code, or too many digits for E.164. */
function parse(text: string, defaultCountry?: CountryCode): PhoneNumber | undefined {
	const phone = parsePhoneNumberFromString(text, defaultCountry);
	return phone && phone.number.length <= MAX_LENGTH ? phone : undefined;
}

const isMobile = (phone: PhoneNumber): boolean => /MOBILE/.test(phone.getType() ?? '');

/** Why a farmer with this parsed number may get no SMS; undefined if the library knows it as a mobile number. */
export function smsDoubt(number: string): string | undefined {
	if (!number.startsWith('+')) return SMS_DOUBTS.noCountry;
	const phone = parse(number);
	return phone && isMobile(phone) ? undefined : SMS_DOUBTS.notMobile;
}

/**
 * The possible numbers that digits may mean in a country, even if a spreadsheet dropped their plus or their zero: mobile
 * numbers, else other ones that the library knows, else those that it does not know.
 */
function readings(digits: string, { code, callingCode }: PhoneCountry): PhoneNumber[] {
	// They may begin with the calling code.
	const texts = digits.startsWith(callingCode) ? [digits, `+${digits}`] : [digits];
	const written = texts.map((text) => parse(text, code));
	const possible = written.filter((phone) => phone !== undefined).filter(isPossible);
	// Some countries keep the zero, which a spreadsheet may have dropped.
	const withZero = digits.startsWith('0') ? undefined : parse(`+${callingCode}0${digits}`);
	if (withZero?.isValid()) possible.push(withZero);
	const all = [...new Map(possible.map((phone) => [phone.number, phone])).values()];
	const kinds = [isMobile, (phone: PhoneNumber) => phone.isValid(), () => true];
	return kinds.map((isOfKind) => all.filter(isOfKind)).find(({ length }) => length > 0) ?? [];
}

/** A number of another country than home has to be one that the library knows: its plus may be meant as a zero. */
function parseInternational(digits: string, home?: PhoneCountry): ParseResult<string> {
	const phone = parse(`+${digits}`);
	const [country] = phone?.getPossibleCountries() ?? [];
	const isTrusted = phone?.isValid() || !home || phone?.countryCallingCode === home.callingCode;
	if (phone && isTrusted && isPossible(phone)) return ok(phone.number);
	return impossible(country && phoneCountry(country));
}

function parseLocal(digits: string, home: PhoneCountry): ParseResult<string> {
	const [phone, other] = readings(digits, home);
	if (phone && other) return invalid('twoPhones', phone.number, other.number);
	// Mobile numbers keep their zero in Benin, Congo, Côte d'Ivoire and Gabon; elsewhere another digit may be missing.
	const keepsZero = exampleOf(home.code)?.nationalNumber.startsWith('0');
	if (phone?.nationalNumber === `0${digits}` && !keepsZero) return impossible(home);
	if (phone?.isValid()) return ok(phone.number);
	const isForeign = parse(`+${digits}`)?.isValid();
	// Digits that begin with the calling code lack some, if they are no number with it.
	const isShort = digits.startsWith(home.callingCode) && phone?.number !== `+${digits}`;
	return phone && !isForeign && !isShort ? ok(phone.number) : impossible(home);
}

/** The code of the country of a parsed number with plus. */
export const countryOfPhone = (number: string): string | undefined =>
	parse(number)?.getPossibleCountries()[0];

/** A phone of a record; undefined if it has none that can be read. */
export function comparablePhone(value: unknown): string | undefined {
	const phone = parsePhone(value);
	return phone.ok ? phone.value : undefined;
}

/** The last digits of a parsed number: equal for numbers that are the same, see {@link isSamePhone}. */
export function phoneTail(phone: string): string {
	return phone.slice(-5);
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

function isLocalFormOf(digits: string, international: string): boolean {
	const [code] = parse(international)?.getPossibleCountries() ?? [];
	const country = code && phoneCountry(code);
	return !!country && readings(digits, country).some(({ number }) => number === international);
}

/** The code of a country; undefined for none. An empty expression does not mean none: farmers might get no SMS. */
export function parsePhoneCountry(value: unknown): ParseResult<string | undefined> {
	if (value === 'none') return ok(undefined);
	const country = phoneCountry(asText(value));
	return country ? ok(country.code) : invalid('country');
}
