const words = (text: string): readonly string[] => text.split(' ');

/** A farming town: the anchor of tractors and farms. */
export interface Town {
	city: string;
	state: string;
	country: 'Nigeria' | 'Kenya';
	latitude: number;
	longitude: number;
}

export const TOWNS: readonly [Town, ...Town[]] = [
	{ city: 'Kaduna', state: 'Kaduna', country: 'Nigeria', latitude: 10.5222, longitude: 7.4384 },
	{ city: 'Zaria', state: 'Kaduna', country: 'Nigeria', latitude: 11.0855, longitude: 7.7199 },
	{ city: 'Funtua', state: 'Katsina', country: 'Nigeria', latitude: 11.5233, longitude: 7.3081 },
	{ city: 'Kano', state: 'Kano', country: 'Nigeria', latitude: 12.0022, longitude: 8.592 },
	{ city: 'Jos', state: 'Plateau', country: 'Nigeria', latitude: 9.8965, longitude: 8.8583 },
	{ city: 'Lafia', state: 'Nasarawa', country: 'Nigeria', latitude: 8.4966, longitude: 8.5157 },
	{ city: 'Makurdi', state: 'Benue', country: 'Nigeria', latitude: 7.7322, longitude: 8.5391 },
	{ city: 'Minna', state: 'Niger', country: 'Nigeria', latitude: 9.6139, longitude: 6.5569 },
	{ city: 'Bida', state: 'Niger', country: 'Nigeria', latitude: 9.0804, longitude: 6.01 },
	{ city: 'Ilorin', state: 'Kwara', country: 'Nigeria', latitude: 8.4966, longitude: 4.5426 },
	{ city: 'Eldoret', state: 'Uasin Gishu', country: 'Kenya', latitude: 0.5143, longitude: 35.2698 },
	{ city: 'Kitale', state: 'Trans Nzoia', country: 'Kenya', latitude: 1.0157, longitude: 35.0062 },
	{ city: 'Bungoma', state: 'Bungoma', country: 'Kenya', latitude: 0.5635, longitude: 34.5606 },
	{ city: 'Kisumu', state: 'Kisumu', country: 'Kenya', latitude: -0.0917, longitude: 34.768 },
	{ city: 'Nakuru', state: 'Nakuru', country: 'Kenya', latitude: -0.3031, longitude: 36.08 },
	{ city: 'Narok', state: 'Narok', country: 'Kenya', latitude: -1.0783, longitude: 35.8601 },
	{ city: 'Nyeri', state: 'Nyeri', country: 'Kenya', latitude: -0.4197, longitude: 36.9475 },
	{ city: 'Nanyuki', state: 'Laikipia', country: 'Kenya', latitude: 0.0074, longitude: 37.0722 },
	{ city: 'Meru', state: 'Meru', country: 'Kenya', latitude: 0.0463, longitude: 37.6559 },
	{ city: 'Machakos', state: 'Machakos', country: 'Kenya', latitude: -1.5177, longitude: 37.2634 },
];

/** A kind of work that tractors offer; `id` is what a booking's `serviceType` names. */
export interface Service {
	id: number;
	name: string;
	implement: string;
}

export const SERVICES: readonly [Service, ...Service[]] = [
	{ id: 1, name: 'Land clearing', implement: 'Front blade' },
	{ id: 2, name: 'Harrowing', implement: 'Disc harrow' },
	{ id: 3, name: 'Ploughing', implement: 'Disc plough' },
	{ id: 4, name: 'Ridging', implement: 'Disc ridger' },
	{ id: 5, name: 'Planting', implement: 'Row planter' },
	{ id: 6, name: 'Spraying', implement: 'Boom sprayer' },
	{ id: 7, name: 'Harvesting', implement: 'Combine header' },
	{ id: 8, name: 'Haulage', implement: 'Tipping trailer' },
];

export const MODELS = [
	'Massey Ferguson 375',
	'Massey Ferguson 385',
	'John Deere 5075E',
	'John Deere 5503',
	'New Holland TT75',
	'Mahindra 6065',
	'Sonalika DI 75',
	'Case IH JX75',
	'Kubota M7040',
	'Swaraj 855',
] as const;

export const CROPS = words('maize rice sorghum soybean wheat cassava yam potato');

/** Given names and family names, a country each, so that no farmer is called by names of both. */
export const NAMES = {
	Nigeria: {
		given: words(
			'Amina Musa Ngozi Emeka Hauwa Ibrahim Zainab Terver Folake Danjuma Rahila Yusuf Chinedu Ladi Bala Doose',
		),
		family: words(
			'Abdullahi Okafor Bello Dung Tersoo Sani Adeyemi Garba Lawal Eze Pam Suleiman Iorliam Umar Oladele Gyang',
		),
	},
	Kenya: {
		given: words(
			'Wanjiru Kipchoge Achieng Mutua Chebet Kamau Nafula Barasa Wambui Kiptoo Atieno Muthoni Wekesa Jepkosgei Mwangi Njeri',
		),
		family: words(
			'Kariuki Cheruiyot Odhiambo Musyoka Koech Njoroge Simiyu Wafula Githinji Rotich Otieno Kirui Maina Kilonzo Mutai Waweru',
		),
	},
};
