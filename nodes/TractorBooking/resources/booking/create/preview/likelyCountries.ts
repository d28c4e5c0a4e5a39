import type { Position } from '../../../../parse/coordinates';
import { countryOfPhone, parseFarmerPhone, smsDoubt } from '../../../../parse/phones';

/** Latitudes and longitudes between which the countries of Africa lie, in whole degrees: south, west, north, east. */
const AFRICA =
	'AO -19 11 -4 25,BF 9 -6 16 3,BI -5 28 -2 31,BJ 6 0 13 4,BW -27 19 -17 30,CD -14 12 6 32,CF 2 14 12 28,' +
	'CG -6 11 4 19,CI 4 -9 11 -2,CM 1 8 14 17,CV 14 -26 18 -22,DJ 10 41 13 44,DZ 18 -9 38 12,EG 21 24 32 37,' +
	'ER 12 36 19 44,ET 3 32 15 48,GA -4 8 3 15,GH 4 -4 12 2,GM 13 -17 14 -13,GN 7 -16 13 -7,GQ -2 5 4 12,' +
	'GW 10 -17 13 -13,KE -5 33 6 42,KM -13 43 -11 45,LR 4 -12 9 -7,LS -31 27 -28 30,LY 19 9 34 26,MA 27 -14 36 0,' +
	'MG -26 43 -11 51,ML 10 -13 25 5,MR 14 -18 28 -4,MU -21 57 -19 64,MW -18 32 -9 36,MZ -27 30 -10 41,' +
	'NA -29 11 -16 26,NE 11 0 24 16,NG 4 2 14 15,RW -3 28 -1 31,SC -11 46 -3 57,SD 8 21 23 39,SL 6 -14 10 -10,' +
	'SN 12 -18 17 -11,SO -2 40 12 52,SS 3 23 13 36,ST 0 6 2 8,SZ -28 30 -25 33,TD 7 13 24 25,TG 6 -1 12 2,' +
	'TN 30 7 38 12,TZ -12 29 0 41,UG -2 29 5 36,ZA -35 16 -22 33,ZM -19 21 -8 34,ZW -23 25 -15 34';

function countriesAround(places: readonly Position[], which: 'every' | 'some'): string[] {
	if (places.length === 0) return [];
	return AFRICA.split(',').flatMap((entry) => {
		const [code = '', ...degrees] = entry.split(' ');
		const [south = 0, west = 0, north = 0, east = 0] = degrees.map(Number);
		const isIn = ({ latitude, longitude }: Position) =>
			latitude >= south && latitude <= north && longitude >= west && longitude <= east;
		return places[which](isIn) ? code : [];
	});
}

/**
 * The countries that phones without a country code are likely from: that of the others, if it is one, and those around all
 * places; of these, those in which most phones are mobile numbers. Neighbours may have the same numbers.
 *
 * @returns also whether no place may be in another such country
 */
export function likelyCountries(
	local: readonly unknown[],
	withCode: readonly string[],
	places: readonly Position[],
) {
	const codes = [...new Set(withCode.flatMap((phone) => countryOfPhone(phone) ?? []))];
	// One may be that of a foreigner.
	const ofOthers = withCode.length > 1 && codes.length === 1 ? codes : [];
	const around = countriesAround(places, 'every');
	const both = ofOthers.filter((code) => around.includes(code));
	const countries = ofOthers.length > 0 && around.length > 0 ? both : [...ofOthers, ...around];
	const areMobileIn = (country: string) => {
		const mobile = local.filter((cell) => {
			const phone = parseFarmerPhone(cell, country);
			return phone.ok && smsDoubt(phone.value) === undefined;
		});
		return 2 * mobile.length >= local.length;
	};
	const likely = countries.filter(areMobileIn);
	const possible = countriesAround(places, 'some').filter(areMobileIn);
	return { likely, isSure: likely.length === 1 && possible.length === 1 };
}
