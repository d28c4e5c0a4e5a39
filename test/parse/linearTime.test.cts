import { parseBaseUrl, redactor } from '../../nodes/TractorBooking/api/credential';
import type { ServiceClient } from '../../nodes/TractorBooking/api/client';
import { listTractorDetails } from '../../nodes/TractorBooking/api/endpoints';
import { errorMessageFrom } from '../../nodes/TractorBooking/api/responses';
import { servicesOf } from '../../nodes/TractorBooking/api/services';
import { statusCode } from '../../nodes/TractorBooking/api/status';
import { parseAreaUnit, parseLandArea } from '../../nodes/TractorBooking/parse/areaUnits';
import { phoneCountryNamed } from '../../nodes/TractorBooking/parse/phoneCountries';
import { matchColumns } from '../../nodes/TractorBooking/resources/booking/create/sheetColumns';
import {
	isDegrees,
	parseCoordinate,
	parsePosition,
} from '../../nodes/TractorBooking/parse/coordinates';
import { parseCrops } from '../../nodes/TractorBooking/parse/crops';
import { orderInFormat, parseDate } from '../../nodes/TractorBooking/parse/dates';
import { parseIds } from '../../nodes/TractorBooking/parse/ids';
import { parseInstant } from '../../nodes/TractorBooking/parse/instants';
import { formatValue } from '../../nodes/TractorBooking/parse/issue';
import { parseInteger, parseQuantity } from '../../nodes/TractorBooking/parse/numbers';
import { parseFarmerPhone, parsePhone } from '../../nodes/TractorBooking/parse/phones';
import { parseRecordDate } from '../../nodes/TractorBooking/parse/recordDate';
import { SheetDates } from '../../nodes/TractorBooking/parse/serviceDates';
import { parseText } from '../../nodes/TractorBooking/parse/text';
import { parseBooking } from '../../nodes/TractorBooking/resources/booking/create/bookingRequest';
import { fold } from '../../nodes/TractorBooking/utils/text';

const rules = { timezone: 'Africa/Lagos', dateOrder: 'dayFirst', today: '2026-11-20' } as const;

/** A client whose service knows one tractor, under whatever identifier. */
function clientThatKnows(TractorID: string): ServiceClient {
	return {
		baseUrl: 'https://api.example.com',
		account: {},
		send: async (_request, parse) => parse([{ TractorID }]),
		runExclusive: async (task) => await task(),
	};
}

/** All that reads a text which it did not choose. */
const readers: Record<string, (text: string) => unknown> = {
	fold,
	formatValue,
	parseText,
	parseQuantity,
	parseInteger,
	parseLandArea,
	parseAreaUnit,
	parseCrops,
	parsePhone: (text) => [parsePhone(text), parsePhone(text, 'NG')],
	parseFarmerPhone: (text) => parseFarmerPhone(text, 'KE'),
	parseCoordinate: (text) => [
		parseCoordinate(text, 'latitude'),
		parseCoordinate(text, 'longitude'),
	],
	parsePosition,
	SheetDates: (text) => new SheetDates(rules).add(text, () => ''),
	orderInFormat,
	isDegrees,
	parseDate: (text) => parseDate(text, rules),
	parseRecordDate: (text) => parseRecordDate(text, rules),
	parseInstant: (text) => parseInstant(text, 'UTC'),
	phoneCountryNamed,
	matchColumns: (text) => matchColumns([text]),
	parseIds,
	statusCode,
	errorMessageFrom,
	redactor: redactor('0000-1111-some-key'),
	parseBaseUrl: (text) => {
		try {
			return parseBaseUrl(text);
		} catch {
			return undefined;
		}
	},
	listTractorDetails: async (text) => await listTractorDetails(clientThatKnows(text), ['7']),
	servicesOf: (text) => servicesOf({ services: text, list: { services: [text, { name: text }] } }),
	parseBooking: (text) =>
		parseBooking({ farmNote: text, landArea: text, crops: [text] }, { rules }),
};

// A reader whose time grows with the square of the length would take minutes for one of these.
const LENGTH = 100_000;

/** What is repeated, in braces, and what comes before and after it, so that it does not match in the end. */
// prettier-ignore
const PATTERNS = [
	...['{0}x', '{7}x', '+{1}x', '{1,}x', '{1.}x', "{1'}x", '1{ }x', 'x{\t\n }x', '1{ (}', '{(}', '{[(}x'],
	...['{-}1x', '{/}', 'https://a.example{/}x', '{a/}x', '{a-}!', '{a.}!', '{aB}!', '{ and }1'],
	...['{°}1', '{1°}', '{6° }x', '{N, }x', '{½}x', '{T1:}x', '{\\}u', '{%25}x', '{"}', '{…}'],
	...['{\u200D}x', '\u0915{\u200D}x', '\u0915{\u200D\u200C}', '{e\u0301\u200D}x', '{\u00AD}x'],
];

it.each(Object.entries(readers))(
	'%s reads long texts in linear time',
	async (_name, read) => {
		for (const pattern of PATTERNS) {
			const [before = '', repeated = '', after = ''] = pattern.split(/[{}]/);
			const times = Math.ceil(LENGTH / repeated.length);
			await read(`${before}${repeated.repeat(times)}${after}`);
		}
	},
	60_000,
);
