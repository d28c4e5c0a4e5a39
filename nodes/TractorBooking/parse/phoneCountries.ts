import metadata from 'libphonenumber-js/max/metadata';

import { PHONE_COUNTRIES, type PhoneCountry } from './phoneCountryList';
import { fold } from '../utils/text';

const byCode = new Map<string, PhoneCountry>(
	PHONE_COUNTRIES.map((country) => [country.code, country]),
);

/** The country of an ISO code in any case. */
export function phoneCountry(code: string): PhoneCountry | undefined {
	return byCode.get(code.trim().toUpperCase());
}

/** The country that a cell names by its calling code, ISO code or name; undefined if it names none. */
export function phoneCountryNamed(cell: unknown): PhoneCountry | undefined {
	const plain = (text: string) => fold(text).replace(/\W/g, '');
	const text = typeof cell === 'string' || typeof cell === 'number' ? plain(`${cell}`) : '';
	if (text === '') return undefined;
	const byCallingCode: Readonly<Record<string, readonly string[]>> = metadata.country_calling_codes;
	// The first of the countries that share a calling code is the main one.
	const [main = ''] = byCallingCode[text.replace(/\D|^00/g, '')] ?? [];
	const isNamed = ({ code, name }: PhoneCountry) =>
		text === code.toLowerCase() || text === plain(name);
	return phoneCountry(main) ?? PHONE_COUNTRIES.find(isNamed);
}
