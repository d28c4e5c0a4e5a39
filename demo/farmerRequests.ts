/** One row of the demo's spreadsheet: what a field officer wrote down for a farmer. */
export interface FarmerRequest {
	farmer: string;
	/** With the country's code. These are toll-free numbers, which no mobile phone has. */
	phone: string;
	/** A tractor of the sandbox. */
	tractor: number;
	/** A kind of work that this tractor offers; see `SERVICES` of the sandbox. */
	service: number;
	/** Days from today to the day of the work. */
	inDays: number;
	area: number;
	unit: string;
	crop: string;
	latitude: number;
	longitude: number;
	location: string;
	note?: string;
}

/**
 * Twenty-five rows as a cooperative would collect them in a week. Two cannot be booked (a date long past, a unit
 * that the service does not take), and one was written down twice.
 */
export const farmerRequests: FarmerRequest[] = [
	{ farmer: 'Amina Abdullahi', phone: '+2348004122071', tractor: 201, service: 3, inDays: 3, area: 2.5, unit: 'ha', crop: 'maize', latitude: 10.4912, longitude: 7.4711, location: 'Rigasa, Kaduna', note: 'Call before you come' },
	{ farmer: 'Musa Bello', phone: '+2348004122083', tractor: 241, service: 2, inDays: 3, area: 4, unit: 'ha', crop: 'sorghum', latitude: 10.4533, longitude: 7.4205, location: 'Gonin Gora, Kaduna' },
	{ farmer: 'Ngozi Okafor', phone: '+2348004122094', tractor: 206, service: 4, inDays: 4, area: 1.2, unit: 'ha', crop: 'yam', latitude: 8.5219, longitude: 8.4977, location: 'Shabu, Lafia', note: 'Ridges one metre apart' },
	{ farmer: 'Terver Iorliam', phone: '+2348004122105', tractor: 227, service: 1, inDays: 5, area: 7.5, unit: 'ac', crop: 'soybean', latitude: 7.6301, longitude: 8.6442, location: 'Agan, Makurdi' },
	{ farmer: 'Hauwa Garba', phone: '+2348004122116', tractor: 223, service: 3, inDays: 5, area: 3, unit: 'ha', crop: 'maize', latitude: 11.6214, longitude: 7.3402, location: 'Maska, Funtua' },
	{ farmer: 'Ibrahim Sani', phone: '+2348004122127', tractor: 224, service: 6, inDays: 6, area: 12, unit: 'ac', crop: 'rice', latitude: 12.1195, longitude: 8.6633, location: 'Gezawa, Kano', note: 'Water for the sprayer is on the farm' },
	{ farmer: 'Danjuma Pam', phone: '+2348004122138', tractor: 225, service: 4, inDays: 6, area: 0.8, unit: 'ha', crop: 'potato', latitude: 9.7744, longitude: 8.9219, location: 'Vom, Jos' },
	{ farmer: 'Zainab Suleiman', phone: '+2348004122149', tractor: 202, service: 5, inDays: -358, area: 2, unit: 'ha', crop: 'maize', latitude: 11.2488, longitude: 7.6712, location: 'Kudan, Zaria' },
	{ farmer: 'Yusuf Lawal', phone: '+2348004122150', tractor: 208, service: 2, inDays: 7, area: 5, unit: 'ha', crop: 'sorghum', latitude: 9.5102, longitude: 6.5713, location: 'Chanchaga, Minna' },
	{ farmer: 'Folake Adeyemi', phone: '+2348004122161', tractor: 210, service: 3, inDays: 7, area: 1.5, unit: 'ha', crop: 'cassava', latitude: 8.6315, longitude: 4.6702, location: 'Oke-Oyi, Ilorin' },
	{ farmer: 'Chinedu Eze', phone: '+2348004122172', tractor: 226, service: 3, inDays: 8, area: 6, unit: 'ac', crop: 'rice', latitude: 8.6242, longitude: 8.3755, location: 'Doma, Lafia', note: 'The lower field is wet, start at the road' },
	{ farmer: 'Rahila Gyang', phone: '+2348004122183', tractor: 245, service: 2, inDays: 8, area: 1, unit: 'ha', crop: 'potato', latitude: 9.8981, longitude: 8.8611, location: 'Bukuru, Jos' },
	{ farmer: 'Wanjiru Kariuki', phone: '+254800412219', tractor: 215, service: 3, inDays: 4, area: 3, unit: 'ac', crop: 'wheat', latitude: -0.2305, longitude: 36.0417, location: 'Njoro, Nakuru' },
	{ farmer: 'Kipchoge Cheruiyot', phone: '+254800412220', tractor: 211, service: 2, inDays: 4, area: 10, unit: 'ac', crop: 'maize', latitude: 0.4611, longitude: 35.4189, location: 'Moiben, Eldoret' },
	{ farmer: 'Achieng Odhiambo', phone: '+254800412231', tractor: 214, service: 4, inDays: 5, area: 2, unit: 'ac', crop: 'rice', latitude: -0.2268, longitude: 34.8371, location: 'Ahero, Kisumu' },
	{ farmer: 'Mutua Musyoka', phone: '+254800412242', tractor: 260, service: 5, inDays: 6, area: 1.5, unit: 'plots', crop: 'maize', latitude: -1.6602, longitude: 37.1943, location: 'Kola, Machakos' },
	{ farmer: 'Chebet Koech', phone: '+254800412253', tractor: 251, service: 3, inDays: 6, area: 8, unit: 'ac', crop: 'wheat', latitude: 0.5498, longitude: 35.1204, location: 'Soy, Eldoret' },
	{ farmer: 'Nafula Simiyu', phone: '+254800412264', tractor: 213, service: 3, inDays: 7, area: 2.5, unit: 'ac', crop: 'maize', latitude: 0.6487, longitude: 34.5823, location: 'Kanduyi, Bungoma' },
	{ farmer: 'Achieng Odhiambo', phone: '+254800412231', tractor: 214, service: 4, inDays: 5, area: 2, unit: 'ac', crop: 'rice', latitude: -0.2268, longitude: 34.8371, location: 'Ahero, Kisumu' },
	{ farmer: 'Kamau Njoroge', phone: '+254800412275', tractor: 237, service: 3, inDays: 8, area: 1, unit: 'ha', crop: 'potato', latitude: -0.5609, longitude: 37.0102, location: 'Othaya, Nyeri' },
	{ farmer: 'Barasa Wafula', phone: '+254800412286', tractor: 232, service: 2, inDays: 9, area: 15, unit: 'ac', crop: 'maize', latitude: 1.1702, longitude: 35.1133, location: 'Kwanza, Kitale', note: 'Two fields, the second behind the school' },
	{ farmer: 'Muthoni Githinji', phone: '+254800412297', tractor: 258, service: 4, inDays: 9, area: 2, unit: 'ha', crop: 'potato', latitude: -0.1591, longitude: 37.2318, location: 'Timau, Nanyuki' },
	{ farmer: 'Kiptoo Rotich', phone: '+254800412308', tractor: 216, service: 2, inDays: 10, area: 25, unit: 'ac', crop: 'wheat', latitude: -0.9744, longitude: 35.7702, location: 'Ololulunga, Narok' },
	{ farmer: 'Atieno Otieno', phone: '+254800412319', tractor: 234, service: 1, inDays: 11, area: 3, unit: 'ac', crop: 'sorghum', latitude: -0.2511, longitude: 34.6208, location: 'Kombewa, Kisumu' },
	{ farmer: 'Jepkosgei Kirui', phone: '+254800412320', tractor: 255, service: 5, inDays: 12, area: 4, unit: 'ac', crop: 'wheat', latitude: -0.2619, longitude: 36.1655, location: 'Bahati, Nakuru' },
];

/** Rows that cannot be booked, by their number in the sheet: what is wrong, and the column that is to blame. */
export const faultyRows: Record<number, { fault: string; column: string }> = {
	9: { fault: 'a date in the past', column: 'Service date' },
	17: { fault: 'a unit that the service does not take', column: 'Unit' },
};

/** Rows that say the same as an earlier one, and which. */
export const repeatedRows: Record<number, number> = { 20: 16 };

/** The number of the first request's row in the sheet, below the headings. */
export const firstRow = 2;
