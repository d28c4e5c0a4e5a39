import type { CountryCode } from 'libphonenumber-js/max';
import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';

import { compareNames, fold } from '../utils/text';

/** A country of the phone library. */
export interface PhoneCountry {
	/** ISO 3166-1 alpha-2. */
	code: CountryCode;
	/** In English. */
	name: string;
	/** Several countries may share one, such as 1. */
	callingCode: string;
}

const byCallingCode: Readonly<Record<string, readonly string[]>> = metadata.country_calling_codes;

const names = new Intl.DisplayNames(['en'], { type: 'region' });

/** All countries of the library, sorted by name; the options of Phone Country. */
export const PHONE_COUNTRIES: readonly PhoneCountry[] = getCountries()
	.map((code) => ({
		code,
		name: names.of(code) ?? code,
		callingCode: getCountryCallingCode(code),
	}))
	.sort((a, b) => compareNames(fold(a.name), fold(b.name)));

const byCode = new Map<string, PhoneCountry>(
	PHONE_COUNTRIES.map((country) => [country.code, country]),
);

/** The country of an ISO code in any case; undefined if the library does not know it. */
export function phoneCountry(code: string): PhoneCountry | undefined {
	return byCode.get(code.trim().toUpperCase());
}

/** The country that a cell names by its calling code, ISO code or name; undefined if it names none. */
export function phoneCountryNamed(cell: unknown): PhoneCountry | undefined {
	const plain = (text: string) => fold(text).replace(/\W/g, '');
	const text = typeof cell === 'string' || typeof cell === 'number' ? plain(`${cell}`) : '';
	if (text === '') return undefined;
	// The first of the countries that share a calling code is the main one.
	const [main = ''] = byCallingCode[text.replace(/\D|^00/g, '')] ?? [];
	const isNamed = ({ code, name }: PhoneCountry) =>
		text === code.toLowerCase() || text === plain(name);
	return phoneCountry(main) ?? PHONE_COUNTRIES.find(isNamed);
}
