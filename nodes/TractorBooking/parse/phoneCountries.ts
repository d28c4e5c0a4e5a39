import { fold } from '../utils/text';

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
	/** How mobile numbers start, and their digits after the calling code, if fixed numbers have other lengths. */
	mobile?: { starts: readonly string[]; length: number };
}

/**
 * Lengths are those of Google's libphonenumber as of 2026 (fixed and mobile numbers); Gabon's are those of its
 * numbering plan of 2019. To add a country, take its lengths from there. A row has the code, the calling code, the trunk
 * prefix, the lengths, how mobile numbers start and their length if others are fixed numbers, and the name.
 */
const ROWS = `
DZ 213 0 8,9 5,6,7:9 Algeria
AO 244 - 9 - Angola
BJ 229 - 10 - Benin
BW 267 - 7,8 7:8 Botswana
BF 226 - 8 - Burkina Faso
BI 257 - 8 - Burundi
CV 238 - 7 - Cape Verde
CM 237 - 9 - Cameroon
CF 236 - 8 - Central African Republic
TD 235 - 8 - Chad
KM 269 - 7 - Comoros
CG 242 - 9 - Congo (Brazzaville)
CD 243 0 7,8,9,10 8,9:9 Congo (Kinshasa)
CI 225 - 10 - Côte d’Ivoire
DJ 253 - 8 - Djibouti
EG 20 0 8,9,10 10,11,12:10 Egypt
GQ 240 - 9 - Equatorial Guinea
ER 291 0 7 - Eritrea
SZ 268 - 8 - Eswatini
ET 251 0 9 - Ethiopia
GA 241 0 8 - Gabon
GM 220 - 7,9 - Gambia
GH 233 0 9 - Ghana
GN 224 - 8,9 6:9 Guinea
GW 245 - 9 - Guinea-Bissau
KE 254 0 7,8,9 1,7:9 Kenya
LS 266 - 8 - Lesotho
LR 231 0 7,8,9 55,77,88:9 Liberia
LY 218 0 9 - Libya
MG 261 0 9 - Madagascar
MW 265 0 7,9 7,8,9:9 Malawi
ML 223 - 8 - Mali
MR 222 - 8 - Mauritania
MU 230 - 7,8 - Mauritius
MA 212 0 9 - Morocco
MZ 258 - 8,9 8:9 Mozambique
NA 264 0 8,9 8:9 Namibia
NE 227 - 8 - Niger
NG 234 0 10 - Nigeria
RW 250 0 8,9 7:9 Rwanda
ST 239 - 7 - São Tomé and Príncipe
SN 221 - 9 - Senegal
SC 248 - 7 - Seychelles
SL 232 0 8 - Sierra Leone
SO 252 0 6,7,8,9 - Somalia
ZA 27 0 9 - South Africa
SS 211 0 9 - South Sudan
SD 249 0 9 - Sudan
TZ 255 0 9 - Tanzania
TG 228 - 8 - Togo
TN 216 - 8 - Tunisia
UG 256 0 9 - Uganda
ZM 260 0 9 - Zambia
ZW 263 0 9 - Zimbabwe
AF 93 0 9 - Afghanistan
AU 61 0 9 - Australia
BD 880 0 6,7,8,9,10 1:10 Bangladesh
KH 855 0 8,9 - Cambodia
CN 86 0 7,8,9,10,11 - China
IN 91 0 10 - India
ID 62 0 7,8,9,10,11,12 - Indonesia
LA 856 0 8,9,10 - Laos
MY 60 0 8,9,10 - Malaysia
MM 95 0 6,7,8,9,10 - Myanmar
NP 977 0 8,10 97,98:10 Nepal
PK 92 0 9,10 3:10 Pakistan
PH 63 0 8,9,10 9:10 Philippines
LK 94 0 9 - Sri Lanka
TH 66 0 8,9 6,8,9:9 Thailand
TR 90 0 10 - Türkiye
UZ 998 - 9 - Uzbekistan
VN 84 0 9,10 - Vietnam
BO 591 0 8 - Bolivia
BR 55 0 10,11 - Brazil
CA 1 1 10 - Canada
CL 56 - 9 - Chile
CO 57 0 8,10 3:10 Colombia
EC 593 0 8,9 9:9 Ecuador
GT 502 - 8 - Guatemala
HN 504 - 8 - Honduras
MX 52 - 10 - Mexico
NI 505 - 8 - Nicaragua
PY 595 0 7,8,9 - Paraguay
PE 51 0 8,9 - Peru
US 1 1 10 - United States
FR 33 0 9 - France
DE 49 0 5,6,7,8,9,10,11,12,13 - Germany
NL 31 0 9 - Netherlands
PT 351 - 9 - Portugal
ES 34 - 9 - Spain
GB 44 0 9,10 - United Kingdom
`;

const KEEPS_ZERO: ReadonlySet<string> = new Set(['BJ', 'CG', 'CI']);

/** All countries of the table, sorted by name; the options of Phone Country. */
export const PHONE_COUNTRIES: readonly PhoneCountry[] = ROWS.trim()
	.split('\n')
	.map((row): PhoneCountry => {
		const [code = '', callingCode = '', prefix, lengths = '', mobile = '', ...name] =
			row.split(' ');
		const [starts = '', length] = mobile.split(':');
		return {
			code,
			name: name.join(' '),
			callingCode,
			trunk: prefix === '0' || prefix === '1' ? prefix : '',
			lengths: lengths.split(',').map(Number),
			keepsZero: KEEPS_ZERO.has(code),
			...(length && { mobile: { starts: starts.split(','), length: Number(length) } }),
		};
	})
	.sort((a, b) => (a.name < b.name ? -1 : 1));

/** The country of an ISO code in any case; undefined if it is not in the table. */
export function phoneCountry(code: string): PhoneCountry | undefined {
	const wanted = code.trim().toUpperCase();
	return PHONE_COUNTRIES.find((country) => country.code === wanted);
}

/** The country that a cell names by its calling code, ISO code or name; undefined if the table has none such. */
export function phoneCountryNamed(cell: unknown): PhoneCountry | undefined {
	const plain = (text: string) => fold(text).replace(/\W/g, '');
	const text = typeof cell === 'string' || typeof cell === 'number' ? plain(String(cell)) : '';
	const key = text.replace(/\D|^00/g, '') || text;
	return PHONE_COUNTRIES.find(({ callingCode, code, name }) =>
		[callingCode, code.toLowerCase(), plain(name)].includes(key),
	);
}

/** The country of a number in international form without plus; undefined if it is not in the table. */
export function phoneCountryOf(digits: string): PhoneCountry | undefined {
	return PHONE_COUNTRIES.find(({ callingCode }) => digits.startsWith(callingCode));
}
