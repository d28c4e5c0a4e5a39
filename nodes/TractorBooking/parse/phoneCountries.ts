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
 * prefix, the lengths, and how mobile numbers start and their length if others are fixed numbers.
 */
const ROWS = `
DZ 213 0 8,9 5,6,7:9
AO 244 - 9 -
BJ 229 - 10 -
BW 267 - 7,8 7:8
BF 226 - 8 -
BI 257 - 8 -
CV 238 - 7 -
CM 237 - 9 -
CF 236 - 8 -
TD 235 - 8 -
KM 269 - 7 -
CG 242 - 9 -
CD 243 0 7,8,9,10 8,9:9
CI 225 - 10 -
DJ 253 - 8 -
EG 20 0 8,9,10 10,11,12:10
GQ 240 - 9 -
ER 291 0 7 -
SZ 268 - 8 -
ET 251 0 9 -
GA 241 0 8 -
GM 220 - 7,9 -
GH 233 0 9 -
GN 224 - 8,9 6:9
GW 245 - 9 -
KE 254 0 7,8,9 1,7:9
LS 266 - 8 -
LR 231 0 7,8,9 55,77,88:9
LY 218 0 9 -
MG 261 0 9 -
MW 265 0 7,9 7,8,9:9
ML 223 - 8 -
MR 222 - 8 -
MU 230 - 7,8 -
MA 212 0 9 -
MZ 258 - 8,9 8:9
NA 264 0 8,9 8:9
NE 227 - 8 -
NG 234 0 10 -
RW 250 0 8,9 7:9
ST 239 - 7 -
SN 221 - 9 -
SC 248 - 7 -
SL 232 0 8 -
SO 252 0 6,7,8,9 -
ZA 27 0 9 -
SS 211 0 9 -
SD 249 0 9 -
TZ 255 0 9 -
TG 228 - 8 -
TN 216 - 8 -
UG 256 0 9 -
ZM 260 0 9 -
ZW 263 0 9 -
AF 93 0 9 -
AU 61 0 9 -
BD 880 0 6,7,8,9,10 1:10
KH 855 0 8,9 -
CN 86 0 7,8,9,10,11 -
IN 91 0 10 -
ID 62 0 7,8,9,10,11,12 -
LA 856 0 8,9,10 -
MY 60 0 8,9,10 -
MM 95 0 6,7,8,9,10 -
NP 977 0 8,10 97,98:10
PK 92 0 9,10 3:10
PH 63 0 8,9,10 9:10
LK 94 0 9 -
TH 66 0 8,9 6,8,9:9
TR 90 0 10 -
UZ 998 - 9 -
VN 84 0 9,10 -
BO 591 0 8 -
BR 55 0 10,11 -
CA 1 1 10 -
CL 56 - 9 -
CO 57 0 8,10 3:10
EC 593 0 8,9 9:9
GT 502 - 8 -
HN 504 - 8 -
MX 52 - 10 -
NI 505 - 8 -
PY 595 0 7,8,9 -
PE 51 0 8,9 -
US 1 1 10 -
FR 33 0 9 -
DE 49 0 5,6,7,8,9,10,11,12,13 -
NL 31 0 9 -
PT 351 - 9 -
ES 34 - 9 -
GB 44 0 9,10 -
`;

const KEEPS_ZERO: ReadonlySet<string> = new Set(['BJ', 'CG', 'CI']);

const names = new Intl.DisplayNames(['en'], { type: 'region' });

/** All countries of the table, sorted by name; the options of Phone Country. */
export const PHONE_COUNTRIES: readonly PhoneCountry[] = ROWS.trim()
	.split('\n')
	.map((row): PhoneCountry => {
		const [code = '', callingCode = '', prefix, lengths = '', mobile = ''] = row.split(' ');
		const [starts = '', length] = mobile.split(':');
		return {
			code,
			name: names.of(code) ?? code,
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

/** The country of a number in international form without plus; undefined if it is not in the table. */
export function phoneCountryOf(digits: string): PhoneCountry | undefined {
	return PHONE_COUNTRIES.find(({ callingCode }) => digits.startsWith(callingCode));
}
