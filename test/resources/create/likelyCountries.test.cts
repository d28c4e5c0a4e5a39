import { likelyCountries } from '../../../nodes/TractorBooking/resources/booking/create/preview/likelyCountries';

const at = (latitude: number, longitude: number) => [{ latitude, longitude }];
const kampala = at(0.32, 32.58);
const kisumu = at(-0.09, 34.77);
const berlin = at(52.5, 13.4);
const german = ['+4915123456780', '+4915123456781'];
const kenyan = ['+254712345601', '+254712345602'];

it.each<[what: string, local: string, codes: string[], places: typeof kampala, likely: string[]]>([
	['the country of all others', '0712345603', kenyan, [], ['KE']],
	['not that of a single one', '0712345603', kenyan.slice(0, 1), [], []],
	['nor one of two', '0712345603', [...kenyan, '+256712345604'], [], []],
	['the country around the places', '0712345603', [], kampala, ['UG']],
	['all around a border', '0712345603', [], kisumu, ['KE', 'TZ', 'UG']],
	['that of others, near the border', '0712345603', kenyan, kisumu, ['KE']],
	['none if places and others differ', '0712345603', kenyan, kampala, []],
	['only where most numbers are mobile ones', '08031234567', kenyan, kampala, []],
	['the same beside a wrong number', '0712345603, 0712345604, 07123', [], kampala, ['UG']],
	['none elsewhere', '0712345603', [], berlin, []],
	['that of others, elsewhere', '0151 23456789', german, berlin, ['DE']],
])('likely is %s', (_, local, codes, places, likely) => {
	expect(likelyCountries(local.split(', '), codes, places).likely.sort()).toEqual(likely);
});

const nakuru = at(0.3, 36.07);
const tororo = at(0.7, 34.2);

it.each<[what: string, codes: string[], places: typeof kampala, sure: boolean]>([
	['if all places are in it alone', [], [...kampala, ...kampala], true],
	['not if one may be in another', [], [...nakuru, ...tororo], false],
	['nor if others have its code', kenyan, kisumu, false],
	['nor without a place', kenyan, [], false],
	['nor if others have the code of another', kenyan, kampala, false],
])('is sure: %s', (_, codes, places, sure) => {
	expect(likelyCountries(['0712345603'], codes, places).isSure).toBe(sure);
});
