import { getCountries, getCountryCallingCode, type CountryCode } from 'libphonenumber-js/max';

import { compareNames, fold } from '../utils/text';

export interface PhoneCountry {
	/** ISO 3166-1 alpha-2. */
	code: CountryCode;
	name: string;
	/** Several countries may share one, such as 1. */
	callingCode: string;
}

const names = new Intl.DisplayNames(['en'], { type: 'region' });

/**
 * All countries of the library, sorted by name; the options of Phone Country. The build runs this file and writes the
 * list out: to make it takes n8n some 20 ms at every start.
 */
export const PHONE_COUNTRIES: readonly PhoneCountry[] = getCountries()
	.map((code) => ({
		code,
		name: names.of(code) ?? code,
		callingCode: getCountryCallingCode(code),
	}))
	.sort((a, b) => compareNames(fold(a.name), fold(b.name)));
