import { NAMES } from '../seedData.cts';
import { dateStyles, dayAfter, type DateStyle } from './dateStyles.cts';

/** What a person types into a cell. */
export type Cell = string | number | Date | null;

/** Something in a row that cannot be right, and how the workflow has to report it. */
interface Fault {
	what: string;
	/** The heading to blame; missing if no tractor is found, which is no cell's fault. */
	column: string;
	/** The value to quote; default what is in the cell. */
	value?: string;
	/** A part of the advice. */
	fix: string;
}

/** One row of the demo's spreadsheet: what a field officer meant, and how it was typed. */
export interface FarmerRequest {
	farmer: string;
	/** With the country's code. Mobile numbers that nobody has: no operator serves 0709 in Nigeria and 0749 in Kenya. */
	phone: string;
	/** A tractor of the sandbox; absent where the nearest one that fits is to come. */
	tractor?: number;
	/** A kind of work that the tractor offers; see `SERVICES` of the sandbox. */
	service: number;
	/** Days from today to the day of the work; some are moved on to a day that fits their style. */
	inDays: number;
	date?: DateStyle;
	area: number;
	unit: 'ha' | 'ac';
	crops: string[];
	/** The service does not document what its numbers mean. */
	gender: number;
	latitude: number;
	longitude: number;
	location: string;
	note?: string;
	/** Cells that were typed otherwise than plainly. */
	typed?: Partial<
		Record<
			| 'farmer'
			| 'phone'
			| 'tractor'
			| 'service'
			| 'area'
			| 'unit'
			| 'crops'
			| 'latitude'
			| 'longitude'
			| 'location'
			| 'note',
			Cell
		>
	>;
	/** What is wrong with the row; it must not be booked. */
	faults?: Fault[];
	/** Whether it is left out by what a page was answered. */
	isLeftOut?: boolean;
	/** What was meant instead, where that is not what the row would be if it were typed plainly. */
	meant?: Partial<FarmerRequest>;
}

const {
	excelLate,
	excelWithTime,
	serial,
	serialAsText,
	iso,
	monthName,
	weekday,
	slashes,
	dots,
	ambiguous,
	shortYear,
} = dateStyles;

/**
 * Rows as a cooperative collects them in a week, typed by many hands. Fourteen cannot be booked, two were written down
 * twice, and a household shares a phone.
 */
// prettier-ignore
export const farmerRequests: FarmerRequest[] = [
	{ farmer: 'Amina Abdullahi', phone: '+2347094122071', tractor: 201, service: 3, inDays: 3, area: 2.5, unit: 'ha', crops: ['maize', 'beans'], gender: 2, latitude: 10.4912, longitude: 7.4711, location: 'Rigasa, Kaduna', note: 'Call before you come', typed: { phone: '0709 412 2071', area: '2,5 ha', unit: null } },
	{ farmer: 'Musa Bello', phone: '+2347094122083', tractor: 241, service: 2, inDays: 3, date: serial, area: 4, unit: 'ha', crops: ['sorghum'], gender: 1, latitude: 10.4533, longitude: 7.4205, location: 'Gonin Gora, Kaduna', typed: { phone: 7_094_122_083 } },
	{ farmer: 'Ngozi Okafor', phone: '+2347094122094', tractor: 206, service: 4, inDays: 4, date: iso, area: 1.2, unit: 'ha', crops: ['yam'], gender: 2, latitude: 8.5219, longitude: 8.4977, location: 'Shabu, Lafia', note: 'Ridges one metre apart', typed: { phone: '0709-412-2094', service: 'Ridging' } },
	{ farmer: 'Terver Iorliam', phone: '+2347094122105', tractor: 227, service: 1, inDays: 5, date: monthName, area: 7.5, unit: 'ac', crops: ['soybean'], gender: 1, latitude: 7.6301, longitude: 8.6442, location: 'Agan, Makurdi', typed: { phone: '00234 709 412 2105', area: '7.5 acres', unit: null } },
	{ farmer: 'Hauwa Garba', phone: '+2347094122116', service: 3, inDays: 5, date: slashes, area: 3, unit: 'ha', crops: ['maize', 'groundnut'], gender: 2, latitude: 11.6214, longitude: 7.3402, location: 'Maska, Funtua', typed: { crops: 'maize + groundnut', latitude: '11,6214', longitude: '7,3402' } },
	{ farmer: 'Ibrahim Sani', phone: '+2347094122127', tractor: 224, service: 6, inDays: 6, date: excelWithTime, area: 12, unit: 'ac', crops: ['rice'], gender: 1, latitude: 12.1195, longitude: 8.6633, location: 'Gezawa, Kano', note: 'Water for the sprayer is on the farm', typed: { phone: 2_347_094_122_127, unit: 'acres' } },
	{ farmer: 'Danjuma Pam', phone: '+2347094122138', tractor: 225, service: 4, inDays: 6, date: excelLate, area: 0.8, unit: 'ha', crops: ['potato'], gender: 1, latitude: 9.7744, longitude: 8.9219, location: 'Vom, Jos', typed: { phone: '+234 (0)709 412 2138', area: '0,8', unit: 'Ha.', latitude: '9.7744° N', longitude: '8.9219° E' } },
	{ farmer: 'Zainab Suleiman', phone: '+2347094122149', tractor: 202, service: 5, inDays: -358, area: 2, unit: 'ha', crops: ['maize'], gender: 2, latitude: 11.2488, longitude: 7.6712, location: 'Kudan, Zaria', faults: [{ what: 'a date of last year', column: 'Service Date', fix: 'or a later day' }], meant: { inDays: 9 } },
	{ farmer: 'Yusuf Lawal', phone: '+2347094122150', tractor: 208, service: 2, inDays: 7, date: serialAsText, area: 5, unit: 'ha', crops: ['sorghum'], gender: 1, latitude: 9.5102, longitude: 6.5713, location: 'Chanchaga, Minna', typed: { phone: '0709.412.2150', unit: 'hectares', note: 'n/a' } },
	{ farmer: 'Folake Adeyemi', phone: '+2347094122161', service: 3, inDays: 7, area: 1.5, unit: 'ha', crops: ['cassava', 'maize'], gender: 2, latitude: 8.6315, longitude: 4.6702, location: 'Oke-Oyi, Ilorin', typed: { tractor: '-', service: 'ploughing', area: '1.5', crops: 'cassava and maize' } },
	{ farmer: 'Chinedu Eze', phone: '+2347094122172', tractor: 226, service: 3, inDays: 8, date: weekday, area: 6, unit: 'ac', crops: ['rice'], gender: 1, latitude: 8.6242, longitude: 8.3755, location: 'Doma, Lafia', note: 'The lower field is wet, start at the road', typed: { area: '6 Acres', unit: null } },
	{ farmer: 'Rahila Gyang', phone: '+2347094122183', tractor: 245, service: 2, inDays: 8, area: 1, unit: 'ha', crops: ['potato'], gender: 2, latitude: 9.8981, longitude: 8.8611, location: 'Bukuru, Jos', typed: { phone: '2.347E+12' }, faults: [{ what: 'a phone that lost its digits', column: 'Phone number', fix: 'format the column as text' }] },
	{ farmer: 'Wanjiru Kariuki', phone: '+254749412219', tractor: 215, service: 3, inDays: 4, area: 3, unit: 'ac', crops: ['wheat'], gender: 2, latitude: -0.2305, longitude: 36.0417, location: 'Njoro, Nakuru', typed: { phone: '+254 749 412 219', latitude: '-0.2305°' } },
	{ farmer: 'Kipchoge Cheruiyot', phone: '+254749412220', tractor: 211, service: 2, inDays: 4, date: dots, area: 10, unit: 'ac', crops: ['maize'], gender: 1, latitude: 0.4611, longitude: 35.4189, location: 'Moiben, Eldoret', typed: { tractor: '#211', phone: '00254-749-412220', area: '10' } },
	{ farmer: 'Achieng Odhiambo', phone: '+254749412231', tractor: 214, service: 4, inDays: 5, area: 2, unit: 'ac', crops: ['rice'], gender: 2, latitude: -0.2268, longitude: 34.8371, location: 'Ahero, Kisumu', typed: { phone: "'+254749412231" } },
	{ farmer: 'Mutua Musyoka', phone: '+254749412242', tractor: 260, service: 5, inDays: 6, area: 1.5, unit: 'ha', crops: ['maize'], gender: 1, latitude: -1.6602, longitude: 37.1943, location: 'Kola, Machakos', typed: { unit: 'plots' }, faults: [{ what: 'a unit that the service does not take', column: 'Unit', fix: 'convert the area to ha (hectares) or ac (acres)' }] },
	{ farmer: 'Chebet Koech', phone: '+254749412253', tractor: 251, service: 3, inDays: 6, date: monthName, area: 8, unit: 'ac', crops: ['wheat'], gender: 2, latitude: 0.5498, longitude: 35.1204, location: 'Soy, Eldoret', typed: { service: 'Ploughing', unit: 'ACRES' } },
	{ farmer: 'Nafula Simiyu', phone: '+254749412264', service: 5, inDays: 7, area: 2.5, unit: 'ac', crops: ['maize', 'beans', 'kale'], gender: 2, latitude: 0.6487, longitude: 34.5823, location: 'Kanduyi, Bungoma', typed: { area: '2,5', unit: 'ac.', crops: 'maize; beans; kale' } },
	{ farmer: 'Achieng Odhiambo', phone: '+254749412231', tractor: 214, service: 4, inDays: 5, date: iso, area: 2, unit: 'ac', crops: ['rice'], gender: 2, latitude: -0.2268, longitude: 34.8371, location: 'Ahero, Kisumu', typed: { phone: '00254 749 412 231', area: '2 acres', unit: null } },
	{ farmer: 'Kamau Njoroge', phone: '+254749412275', tractor: 237, service: 3, inDays: 8, area: 1, unit: 'ha', crops: ['potato', 'kale'], gender: 1, latitude: -0.5609, longitude: 37.0102, location: 'Othaya, Nyeri', typed: { unit: 'Hectare', latitude: '-0,5609', longitude: '37,0102' } },
	{ farmer: 'Barasa Wafula', phone: '+254749412286', tractor: 232, service: 2, inDays: 9, date: ambiguous, area: 15, unit: 'ac', crops: ['maize'], gender: 1, latitude: 1.1702, longitude: 35.1133, location: 'Kwanza, Kitale', note: 'Two fields, the second behind the school', faults: [{ what: 'a date that could be either of two', column: 'Service Date', fix: 'write it as YYYY-MM-DD' }] },
	{ farmer: 'Muthoni Githinji', phone: '+254749412297', tractor: 258, service: 4, inDays: 9, area: 2, unit: 'ha', crops: ['potato'], gender: 2, latitude: -0.1591, longitude: 37.2318, location: 'Timau, Nanyuki', typed: { latitude: '0.1591 S', longitude: '37.2318 E' } },
	{ farmer: 'Kiptoo Rotich', phone: '+254749412308', tractor: 216, service: 2, inDays: 10, area: 25, unit: 'ac', crops: ['wheat'], gender: 1, latitude: -0.75, longitude: 35.75, location: 'Ololulunga, Narok', typed: { area: '25 acres', unit: 'N/A', latitude: '0.75° S', longitude: '35.75° E' } },
	{ farmer: 'Atieno Otieno', phone: '+254749412319', tractor: 234, service: 1, inDays: 11, area: 3, unit: 'ac', crops: ['sorghum'], gender: 2, latitude: -0.2511, longitude: 34.6208, location: 'Kombewa, Kisumu', typed: { phone: '+254 749 412' }, faults: [{ what: 'a phone that is too short', column: 'Phone number', fix: 'check its digits' }] },
	{ farmer: 'Jepkosgei Kirui', phone: '+254749412320', tractor: 255, service: 5, inDays: 12, date: weekday, area: 0.5, unit: 'ac', crops: ['wheat'], gender: 2, latitude: -0.2619, longitude: 36.1655, location: 'Bahati, Nakuru', typed: { location: 'Bahati, Nakuru' } },
	{ farmer: 'Musa Bello', phone: '+2347094122083', tractor: 241, service: 2, inDays: 3, area: 4, unit: 'ha', crops: ['sorghum'], gender: 1, latitude: 10.4533, longitude: 7.4205, location: 'Gonin Gora, Kaduna', typed: { phone: '+234 709 412 2083' } },
	{ farmer: 'Falmata Umar', phone: '+2347094122194', service: 3, inDays: 9, area: 6, unit: 'ha', crops: ['millet'], gender: 2, latitude: 11.8333, longitude: 13.151, location: 'Jere, Maiduguri', faults: [{ what: 'a farm that no tractor is near', column: 'Latitude and Longitude', value: '"11.8333, 13.151"', fix: 'write the ID of a tractor' }], meant: { tractor: 241, service: 2 } },
	{ farmer: 'Ladi Dung', phone: '+2347094122206', tractor: 245, service: 6, inDays: 10, area: 1, unit: 'ha', crops: ['potato'], gender: 2, latitude: 9.8827, longitude: 8.8744, location: 'Rayfield, Jos', typed: { service: 'Weeding' }, isLeftOut: true, faults: [{ what: 'a service that the tractor does not offer', column: 'Type of service', value: 'Weeding', fix: '' }], meant: { service: 2 } },
	{ farmer: 'Emeka Tersoo', phone: '+2347094122217', service: 7, inDays: 11, date: iso, area: 5, unit: 'ac', crops: ['rice', 'soybean'], gender: 1, latitude: 7.7014, longitude: 8.5602, location: 'Tyomu, Makurdi', typed: { phone: 7_094_122_217, service: 'harvesting', unit: 'Acres', crops: 'rice, soybean' } },
	{ farmer: 'Bala Oladele', phone: '+2347094122228', tractor: 210, service: 2, inDays: 12, date: shortYear, area: 3, unit: 'ac', crops: ['cassava'], gender: 1, latitude: 8.5507, longitude: 4.6391, location: 'Amoyo, Ilorin', typed: { area: '3 acres', unit: 'ha' }, faults: [{ what: 'a year of two digits', column: 'Service Date', fix: 'write it as YYYY-MM-DD' }, { what: 'two units for one area', column: 'Land area', value: '"3 acres"', fix: 'convert the number to one of them' }] },
	{ farmer: 'Wambui Njoroge', phone: '+254749412275', tractor: 237, service: 3, inDays: 8, area: 1.5, unit: 'ha', crops: ['beans'], gender: 2, latitude: -0.5609, longitude: 37.0102, location: 'Othaya, Nyeri', note: 'Phone of her husband' },
	{ farmer: 'Garba Danladi', phone: '+2347094122239', tractor: 241, service: 2, inDays: 9, area: 2, unit: 'ha', crops: ['maize'], gender: 1, latitude: 10.4533, longitude: 7.4205, location: 'Gonin Gora, Kaduna', typed: { phone: 2_347_094_000_000 }, faults: [{ what: 'a phone that was rounded', column: 'Phone number', fix: 'format the column as text' }] },
	{ farmer: 'Saratu Haruna', phone: '+2347094122240', tractor: 241, service: 2, inDays: 9, area: 2, unit: 'ha', crops: ['maize'], gender: 2, latitude: 10.4533, longitude: 7.4205, location: 'Gonin Gora, Kaduna', typed: { latitude: 0, longitude: 0 }, faults: [{ what: 'a place in the sea', column: 'Latitude and Longitude', value: '0, 0', fix: 'write the coordinate of the farm' }] },
	{ farmer: 'Bulus Yakubu', phone: '+2347094122251', tractor: 225, service: 4, inDays: 10, area: 2, unit: 'ha', crops: ['potato'], gender: 1, latitude: 9.7744, longitude: 8.9219, location: 'Vom, Jos', typed: { farmer: '???', area: 0, crops: '#N/A' }, faults: [{ what: 'a placeholder', column: 'Farmer name', fix: 'write the name of the farmer' }, { what: 'an area of zero', column: 'Land area', fix: 'write a number and its unit' }, { what: 'a formula that failed', column: 'Crops', fix: 'fix the formula' }] },
	{ farmer: 'Njeri Kamau', phone: '+254749412331', tractor: 215, service: 3, inDays: 8, area: 2, unit: 'ac', crops: ['maize', 'beans'], gender: 2, latitude: -0.2611, longitude: 36.1044, location: 'Lanet, Nakuru', typed: { phone: '+254 749-412 331', crops: 'maize & beans' } },
	{ farmer: 'Otieno Ouma', phone: '+254749412342', tractor: 215, service: 3, inDays: 9, area: 2, unit: 'ac', crops: ['maize'], gender: 1, latitude: -0.2418, longitude: 36.0981, location: 'Njoro, Nakuru', typed: { area: -2 }, faults: [{ what: 'an area below zero', column: 'Land area', value: '-2', fix: 'write a number and its unit' }] },
	{ farmer: 'Wekesa Simiyu', phone: '+254749412353', tractor: 253, service: 3, inDays: 9, area: 2, unit: 'ac', crops: ['maize'], gender: 1, latitude: 0.6489, longitude: 34.647, location: 'Bumula, Bungoma', typed: { latitude: 34.647, longitude: 0.6489 }, faults: [{ what: 'latitude and longitude swapped', column: 'Latitude and Longitude', value: '"34.647, 0.6489"', fix: 'correct it' }] },
	{ farmer: 'Cherono Bett', phone: '+254749412364', tractor: 231, service: 1, inDays: 10, area: 3, unit: 'ac', crops: ['wheat'], gender: 2, latitude: 0.5199, longitude: 35.2694, location: 'Kapseret, Eldoret', typed: { longitude: '35.2694 O' }, faults: [{ what: 'an O, which is west in French', column: 'Long', fix: 'write decimal degrees' }] },
];

/** The request of somebody else, with another name and phone, typed in the same way. */
function byAnother(request: FarmerRequest): FarmerRequest {
	const { farmer, phone, typed } = request;
	const [given, family = ''] = farmer.split(' ');
	const families: readonly string[] = NAMES[phone.startsWith('+234') ? 'Nigeria' : 'Kenya'].family;
	const other = families[(families.indexOf(family) + 1) % families.length];
	const change = (text: unknown) => String(text).replace('412', '413');
	const cell =
		typeof typed?.phone === 'number' ? Number(change(typed.phone)) : change(typed?.phone);
	return {
		...request,
		farmer: `${given} ${other}`,
		phone: change(phone),
		typed: typed && { ...typed, ...('phone' in typed && { phone: cell }) },
	};
}

/** The requests of the sheets that the page offers: the demo has booked those of the others. */
export const requestsToTry: FarmerRequest[] = farmerRequests.map(byAnother);

/** The same sheet after somebody has corrected the rows that could not be booked. */
export const correctedRequests: FarmerRequest[] = farmerRequests.map(
	({ faults, meant, ...request }) =>
		faults ? { ...request, typed: {}, date: undefined, ...meant } : request,
);

/** The number of the first request's row in the sheet, below the headings. */
export const firstRow = 2;

/**
 * The day of the work, which the service is to be told.
 * @returns midnight in UTC
 */
export function dayOf({ inDays, date }: FarmerRequest, now: Date): Date {
	return dayAfter(now, inDays, date);
}

/** The earlier row that asks for the same: by the same farmer, on the same day. */
export function repeatedRow(request: FarmerRequest, now: Date): number | undefined {
	const key = (row: FarmerRequest) => `${row.farmer} ${row.phone} ${dayOf(row, now).getTime()}`;
	const first = farmerRequests.findIndex((other) => key(other) === key(request));
	return farmerRequests[first] === request ? undefined : first + firstRow;
}
