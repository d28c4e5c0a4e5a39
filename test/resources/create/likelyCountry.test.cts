import { likelyCountry } from '../../../nodes/TractorBooking/resources/booking/create/preview/likelyCountry';

const at = (latitude: number, longitude: number) => [{ latitude, longitude }];
const kampala = at(0.32, 32.58);
const busia = at(0.4608, 34.1117);
const berlin = at(52.5, 13.4);
const german = ['+4915123456780', '+4915123456781'];
const kenyan = ['+254712345601', '+254712345602'];

it.each<
	[what: string, local: string, codes: string[], places: typeof kampala, likely: string | undefined]
>([
	['the country of all others', '0712345603', kenyan, [], 'KE'],
	['not that of a single one', '0712345603', kenyan.slice(0, 1), [], undefined],
	['nor one of two', '0712345603', [...kenyan, '+256712345604'], [], undefined],
	['the country of the places', '0712345603', [], kampala, 'UG'],
	['that of places near a border', '0712345603', [], busia, 'KE'],
	['none if places are in two', '0712345603', [], [...kampala, ...busia], undefined],
	['none if places are in the sea', '0712345603', kenyan, [...busia, ...at(-10, 60)], undefined],
	['none if places and others differ', '0712345603', kenyan, kampala, undefined],
	['only where the number is one of a mobile', '08031234567', [], kampala, undefined],
	['the same in any part of the world', '0151 23456789', german, berlin, 'DE'],
	['none if nothing tells', '0712345603', [], [], undefined],
])('likely is %s', async (_, local, codes, places, likely) => {
	expect(await likelyCountry([local], codes, places)).toBe(likely);
});
