/** The numbering plan of a country. */
export interface PhoneCountry {
	/** ISO 3166-1 alpha-2. */
	code: string;
	name: string;
	callingCode: string;
	/** The prefix that is dialled inside the country and dropped in international form; '' if there is none. */
	trunk: '' | '0' | '1';
	/** The possible numbers of digits after the calling code, for fixed and mobile numbers. */
	lengths: readonly number[];
	/** Whether numbers keep a leading zero after the calling code; a spreadsheet may have dropped it. */
	keepsZero: boolean;
}

type CountryRow = readonly [
	code: string,
	name: string,
	callingCode: string,
	trunk: '' | '0' | '1',
	...lengths: number[],
];

/**
 * Lengths are those of Google's libphonenumber as of 2026 (fixed and mobile numbers); Gabon's are those of its
 * numbering plan of 2019. To add a country, take its lengths from there.
 */
const ROWS: readonly CountryRow[] = [
	// Africa
	['DZ', 'Algeria', '213', '0', 8, 9],
	['AO', 'Angola', '244', '', 9],
	['BJ', 'Benin', '229', '', 10],
	['BW', 'Botswana', '267', '', 7, 8],
	['BF', 'Burkina Faso', '226', '', 8],
	['BI', 'Burundi', '257', '', 8],
	['CV', 'Cape Verde', '238', '', 7],
	['CM', 'Cameroon', '237', '', 9],
	['CF', 'Central African Republic', '236', '', 8],
	['TD', 'Chad', '235', '', 8],
	['KM', 'Comoros', '269', '', 7],
	['CG', 'Congo (Brazzaville)', '242', '', 9],
	['CD', 'Congo (Kinshasa)', '243', '0', 7, 8, 9, 10],
	['CI', 'Côte d’Ivoire', '225', '', 10],
	['DJ', 'Djibouti', '253', '', 8],
	['EG', 'Egypt', '20', '0', 8, 9, 10],
	['GQ', 'Equatorial Guinea', '240', '', 9],
	['ER', 'Eritrea', '291', '0', 7],
	['SZ', 'Eswatini', '268', '', 8],
	['ET', 'Ethiopia', '251', '0', 9],
	['GA', 'Gabon', '241', '0', 8],
	['GM', 'Gambia', '220', '', 7, 9],
	['GH', 'Ghana', '233', '0', 9],
	['GN', 'Guinea', '224', '', 8, 9],
	['GW', 'Guinea-Bissau', '245', '', 9],
	['KE', 'Kenya', '254', '0', 7, 8, 9],
	['LS', 'Lesotho', '266', '', 8],
	['LR', 'Liberia', '231', '0', 7, 8, 9],
	['LY', 'Libya', '218', '0', 9],
	['MG', 'Madagascar', '261', '0', 9],
	['MW', 'Malawi', '265', '0', 7, 9],
	['ML', 'Mali', '223', '', 8],
	['MR', 'Mauritania', '222', '', 8],
	['MU', 'Mauritius', '230', '', 7, 8],
	['MA', 'Morocco', '212', '0', 9],
	['MZ', 'Mozambique', '258', '', 8, 9],
	['NA', 'Namibia', '264', '0', 8, 9],
	['NE', 'Niger', '227', '', 8],
	['NG', 'Nigeria', '234', '0', 10],
	['RW', 'Rwanda', '250', '0', 8, 9],
	['ST', 'São Tomé and Príncipe', '239', '', 7],
	['SN', 'Senegal', '221', '', 9],
	['SC', 'Seychelles', '248', '', 7],
	['SL', 'Sierra Leone', '232', '0', 8],
	['SO', 'Somalia', '252', '0', 6, 7, 8, 9],
	['ZA', 'South Africa', '27', '0', 9],
	['SS', 'South Sudan', '211', '0', 9],
	['SD', 'Sudan', '249', '0', 9],
	['TZ', 'Tanzania', '255', '0', 9],
	['TG', 'Togo', '228', '', 8],
	['TN', 'Tunisia', '216', '', 8],
	['UG', 'Uganda', '256', '0', 9],
	['ZM', 'Zambia', '260', '0', 9],
	['ZW', 'Zimbabwe', '263', '0', 9],
	// Asia and the Pacific
	['AF', 'Afghanistan', '93', '0', 9],
	['AU', 'Australia', '61', '0', 9],
	['BD', 'Bangladesh', '880', '0', 6, 7, 8, 9, 10],
	['KH', 'Cambodia', '855', '0', 8, 9],
	['CN', 'China', '86', '0', 7, 8, 9, 10, 11],
	['IN', 'India', '91', '0', 10],
	['ID', 'Indonesia', '62', '0', 7, 8, 9, 10, 11, 12],
	['LA', 'Laos', '856', '0', 8, 9, 10],
	['MY', 'Malaysia', '60', '0', 8, 9, 10],
	['MM', 'Myanmar', '95', '0', 6, 7, 8, 9, 10],
	['NP', 'Nepal', '977', '0', 8, 10],
	['PK', 'Pakistan', '92', '0', 9, 10],
	['PH', 'Philippines', '63', '0', 8, 9, 10],
	['LK', 'Sri Lanka', '94', '0', 9],
	['TH', 'Thailand', '66', '0', 8, 9],
	['TR', 'Türkiye', '90', '0', 10],
	['UZ', 'Uzbekistan', '998', '', 9],
	['VN', 'Vietnam', '84', '0', 9, 10],
	// The Americas
	['BO', 'Bolivia', '591', '0', 8],
	['BR', 'Brazil', '55', '0', 10, 11],
	['CA', 'Canada', '1', '1', 10],
	['CL', 'Chile', '56', '', 9],
	['CO', 'Colombia', '57', '0', 8, 10],
	['EC', 'Ecuador', '593', '0', 8, 9],
	['GT', 'Guatemala', '502', '', 8],
	['HN', 'Honduras', '504', '', 8],
	['MX', 'Mexico', '52', '', 10],
	['NI', 'Nicaragua', '505', '', 8],
	['PY', 'Paraguay', '595', '0', 7, 8, 9],
	['PE', 'Peru', '51', '0', 8, 9],
	['US', 'United States', '1', '1', 10],
	// Europe
	['FR', 'France', '33', '0', 9],
	['DE', 'Germany', '49', '0', 5, 6, 7, 8, 9, 10, 11, 12, 13],
	['NL', 'Netherlands', '31', '0', 9],
	['PT', 'Portugal', '351', '', 9],
	['ES', 'Spain', '34', '', 9],
	['GB', 'United Kingdom', '44', '0', 9, 10],
];

const KEEPS_ZERO: ReadonlySet<string> = new Set(['BJ', 'CG', 'CI']);

/** All countries of the table, sorted by name; the options of Phone Country. */
export const PHONE_COUNTRIES: readonly PhoneCountry[] = ROWS.map(
	([code, name, callingCode, trunk, ...lengths]) => ({
		code,
		name,
		callingCode,
		trunk,
		lengths,
		keepsZero: KEEPS_ZERO.has(code),
	}),
).sort((a, b) => (a.name < b.name ? -1 : 1));

/** The country of an ISO code in any case; undefined if it is not in the table. */
export function phoneCountry(code: string): PhoneCountry | undefined {
	const wanted = code.trim().toUpperCase();
	return PHONE_COUNTRIES.find((country) => country.code === wanted);
}

/** The country of a number in international form without plus; undefined if it is not in the table. */
export function phoneCountryOf(digits: string): PhoneCountry | undefined {
	return PHONE_COUNTRIES.find(({ callingCode }) => digits.startsWith(callingCode));
}
