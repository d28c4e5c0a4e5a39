import { ok, invalid, type Invalid, type ParseResult } from './issue';
import { listOf } from './labels';
import { PHONE_COUNTRIES, phoneCountry, phoneCountryOf, type PhoneCountry } from './phoneCountries';
import { asText, cleanText } from '../utils/text';

/** Fewest digits of a number without plus and without a default country. */
const MIN_LOCAL_DIGITS = 5;

/** Fewest digits of a whole number in any country, typed without its country code. */
const MIN_DIGITS = 7;

const WRITE_A_PHONE = 'write it as text in international form, such as +2348031234567';

/**
 * Parses a phone number and returns it as text.
 *
 * - A number with `+` or `00` is returned in E.164 form.
 * - With a default country, a local number is, too, even if a spreadsheet dropped the plus or the leading zero; if
 *   it could also be an international number without its plus, it is rejected; so is a local number with a plus
 *   instead of its zero, unless the plus makes it one of another country.
 * - Without a default country, a local number is returned as its digits.
 *
 * Checks the calling code, and the number of digits: those of the country if `phoneCountries.ts` has it, else 8 to
 * 15. Does not check area and operator prefixes, nor whether the number is in use.
 * @param defaultCountry ISO code of a country of `phoneCountries.ts`
 */
export function parsePhone(value: unknown, defaultCountry?: string): ParseResult<string> {
	const text = phoneText(value);
	if (!text.ok) return text;
	const country = defaultCountry ? phoneCountry(defaultCountry) : undefined;
	if (defaultCountry && !country) {
		return invalid(
			`cannot be read with the phone country "${defaultCountry}"`,
			'choose a country from the list',
		);
	}
	// +44 (0)20 …: the zero is dialled inside the country only.
	const international = /^(?:\+|00)(.*)$/.exec(
		text.value.replace(/^((?:\+|00)[\d .-]+)\(0\)/, '$1'),
	);
	if (international)
		return parseInternational((international[1] ?? '').replace(/\D/g, ''), country);
	const digits = text.value.replace(/\D/g, '');
	if (country) return parseLocal(digits, country);
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
	// A comma between or behind the digits is a slip, but before two last digits it may be a decimal separator.
	const digits = /\d{5},\d{1,2}$/.test(text) ? text : text.replace(/,/g, ' ').trim();
	return /^\(?\+?[\d .()-]+$/.test(digits) && /\d/.test(digits)
		? ok(digits.replace(/^\(\+/, '+('))
		: notAPhone();
}

/** What people type for a phone that they do not know. */
const PLACEHOLDER = /^(?:(\d)\1+|0?123456789\d?)$/;

/**
 * Parses the phone number of a farmer, more strictly than {@link parsePhone}: refuses placeholders, numbers of fewer than
 * seven digits, numbers that a spreadsheet has rounded, and mobile numbers with other digits than those of their country.
 * A number that does not begin with a plus is local: nobody knows its country.
 */
export function parseFarmerPhone(value: unknown, defaultCountry?: string): ParseResult<string> {
	const phone = parsePhone(value, defaultCountry);
	if (!phone.ok) return phone;
	const typed = asText(value).replace(/\D/g, '').replace(/^00/, '');
	if (PLACEHOLDER.test(typed)) return invalid('is only a placeholder', WRITE_A_PHONE);
	const digits = phone.value.replace('+', '');
	if (/0{6}$/.test(digits)) return digitsLost();
	if (!phone.value.startsWith('+')) {
		return digits.length < MIN_DIGITS ? wrongLength() : phone;
	}
	const country = phoneCountryOf(digits);
	const number = digits.slice(country?.callingCode.length);
	const mobile = country?.mobile;
	const isMobile = mobile?.starts.some((start) => number.startsWith(start));
	if (!country || !mobile || !isMobile || number.length === mobile.length) return phone;
	return wrongLengthIn(typed, { ...country, lengths: [mobile.length] });
}

/** A coordinate, or the digits of a date. */
const NO_PHONE = /^\d{1,3}\.\d+$|^\d{1,4}([-.])\d{1,2}\1\d{1,4}$/;

/** Whether a cell may be a phone number, whatever its country and its heading. */
export function looksLikePhone(value: unknown): boolean {
	return parseFarmerPhone(value).ok && !NO_PHONE.test(cleanText(asText(value)));
}

const notAPhone = () => invalid('is not a phone number', WRITE_A_PHONE);

const digitsLost = () =>
	invalid(
		'has lost digits in the spreadsheet',
		'format the column as text and type the number again',
	);

const wrongLength = () =>
	invalid('has too few or too many digits for a phone number', WRITE_A_PHONE);

function parseInternational(digits: string, home?: PhoneCountry): ParseResult<string> {
	const country = phoneCountryOf(digits);
	if (!country) {
		const [local] = home ? readings(digits, home) : []; // the plus may stand for a zero
		if (local !== undefined) return invalid(`may mean ${local}`, 'write it with the country code');
		const fits = digits.length >= 8 && digits.length <= 15 && !digits.startsWith('0');
		return fits ? ok(`+${digits}`) : wrongLength();
	}
	const number = toE164(digits, country);
	return number === undefined ? wrongLengthIn(digits, country) : ok(number);
}

/** The numbers that digits without plus may mean in a country: a local one, or an international one without its plus. */
function readings(digits: string, country: PhoneCountry): Set<string> {
	const { callingCode, trunk, keepsZero } = country;
	const candidates = new Set<string>();
	const national = trunk !== '' && digits.startsWith(trunk) ? digits.slice(1) : digits;
	if (fits(national, country)) candidates.add(`+${callingCode}${national}`);
	if (keepsZero && fits(`0${digits}`, country)) candidates.add(`+${callingCode}0${digits}`);
	if (digits.startsWith(callingCode)) {
		const number = toE164(digits, country);
		if (number !== undefined) candidates.add(number);
	}
	return candidates;
}

function parseLocal(digits: string, country: PhoneCountry): ParseResult<string> {
	const [number, other] = readings(digits, country);
	if (number === undefined) {
		const issue = wrongLengthIn(digits, country);
		const foreign = phoneCountryOf(digits);
		// Shorter digits are rather a local number of which one is missing.
		const isLong = digits.length > Math.max(...country.lengths);
		const whole = isLong && foreign ? toE164(digits, foreign) : undefined;
		return whole === undefined ? issue : { ...issue, fix: `write it with the plus: ${whole}` };
	}
	if (other !== undefined)
		return invalid(`may mean ${number} or ${other}`, 'write it with the plus');
	return ok(number);
}

/** E.164 form, without a trunk zero, of digits that begin with the calling code; undefined if the length is wrong. */
function toE164(digits: string, country: PhoneCountry): string | undefined {
	const { callingCode, trunk } = country;
	const number = digits.slice(callingCode.length);
	if (fits(number, country)) return `+${callingCode}${number}`;
	if (trunk === '0' && number.startsWith('0') && fits(number.slice(1), country)) {
		return `+${callingCode}${number.slice(1)}`;
	}
	return undefined;
}

/** Whether digits may follow the calling code: they have a valid length and no trunk prefix. */
function fits(number: string, { lengths, trunk }: PhoneCountry): boolean {
	return lengths.includes(number.length) && (trunk === '' || !number.startsWith(trunk));
}

function wrongLengthIn(
	digits: string,
	{ name, callingCode, trunk, lengths }: PhoneCountry,
): { ok: false } & Invalid {
	const prefix = [callingCode, trunk].find((start) => start !== '' && digits.startsWith(start));
	const rest = prefix ? ` (after ${prefix}, it has ${digits.length - prefix.length})` : '';
	return invalid(
		`has ${digits.length} digits, which no phone number of ${name} has`,
		`write +${callingCode} and ${listOf(lengths.map(String), 'or')} digits${rest}`,
	);
}

/** The last digits of a parsed number: equal for numbers that are the same, see {@link isSamePhone}. */
export function phoneTail(phone: string): string {
	return phone.slice(-MIN_LOCAL_DIGITS);
}

/**
 * Whether two parsed numbers are the same. If both have a country (a plus), all digits count. If one lacks it, or both
 * do, they are the same if there is a country in which both are the same number, by the lengths of that country.
 */
export function isSamePhone(one: string, other: string): boolean {
	if (one === other) return true;
	if (one.startsWith('+')) return !other.startsWith('+') && isLocalFormOf(other, one.slice(1));
	if (other.startsWith('+')) return isLocalFormOf(one, other.slice(1));
	const [short, long] = [one, other]
		.map((digits) => digits.replace(/^0/, ''))
		.sort((a, b) => a.length - b.length) as [string, string];
	if (short === long || isLocalFormOf(short, long)) return true;
	return PHONE_COUNTRIES.some((country) => {
		const meant = readings(one, country);
		return [...readings(other, country)].some((number) => meant.has(number));
	});
}

/** Whether digits without a country may stand for a number in international form without its plus. */
function isLocalFormOf(digits: string, international: string): boolean {
	const country = phoneCountryOf(international);
	if (country) return readings(digits, country).has(`+${international}`);
	// Of other countries, only this is known: a calling code has one to three digits.
	const national = digits.replace(/^0/, '');
	return international.endsWith(national) && international.length - national.length <= 3;
}
