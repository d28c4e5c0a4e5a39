import type { Position } from '../../../../parse/coordinates';
import { countryOfPhone, parseFarmerPhone, smsDoubt } from '../../../../parse/phones';

/** The ISO codes of the countries in which places are. */
async function countriesAround(places: readonly Position[]): Promise<Set<string>> {
	// Only a preview needs the borders of the world, which take a while to load.
	const { iso1A2Code } = await import('@rapideditor/country-coder');
	const codes = places.map(({ latitude, longitude }) => iso1A2Code([longitude, latitude]));
	return new Set(codes.map((code) => code ?? ''));
}

/**
 * The country that phones without a country code are likely from: that of all places, else that of all other phones, if
 * all of these are mobile numbers there.
 *
 * @param withCode the other phones
 * @returns its ISO code; undefined if nothing tells
 */
export async function likelyCountry(
	local: readonly unknown[],
	withCode: readonly string[],
	places: readonly Position[],
): Promise<string | undefined> {
	const around = await countriesAround(places);
	const ofOthers = new Set(withCode.flatMap((phone) => countryOfPhone(phone) ?? []));
	// One may be that of a foreigner.
	if (withCode.length > 1 && ofOthers.size === 1) for (const code of ofOthers) around.add(code);
	const [country, ...others] = around;
	const isMobile = (cell: unknown): boolean => {
		const phone = parseFarmerPhone(cell, country);
		return phone.ok && smsDoubt(phone.value) === undefined;
	};
	return country && others.length === 0 && local.every(isMobile) ? country : undefined;
}
