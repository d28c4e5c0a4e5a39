import type { INodeParameters } from 'n8n-workflow';

import type { ColumnField } from '../../../../nodes/TractorBooking/resources/booking/create/row/fields';

/** How n8n reads the file: what an empty cell, a number and a column without a heading become, and whether rows have numbers. */
type Reader = 'csv' | 'excel' | 'google';

/** What its owner knows of a sheet and says once a message asks for it. */
interface Owner {
	/** The rows to book: those with one of these values in a column. */
	filter?: Record<string, string[]>;
	/** What columns hold that the node cannot know. */
	map?: Record<string, ColumnField | 'ignore'>;
	/** Settings by their label. */
	settings?: Record<string, INodeParameters>;
	/** What is typed over a value, wherever a column has it. */
	replace?: Record<string, Record<string, string>>;
	/** Lines above the headings, which are deleted. */
	deleteAbove?: number;
	/** The first tab of the file, if it is not the one. */
	cover?: string;
}

/** A sheet as an organisation keeps it. */
export interface OrganisationSheet {
	what: string;
	reader: Reader;
	country: string;
	/** Lines with `|` between the cells. */
	sheet: string;
	owner: Owner;
	/** The bookings that are made, as `farmer day area service`, in order. */
	booked: string[];
}

const dayFirst = { 'Date Order': { dateOrder: 'dayFirst' } };

/** Sheets of 2035 as real organisations keep them. None was made for this node. */
export const ORGANISATION_SHEETS: OrganisationSheet[] = [
	{
		what: 'Kaduna: a cooperative whose chairman approves',
		reader: 'csv',
		country: 'NG',
		sheet: `
S/N|Name of Farmer|Phone Number|LGA|Farm Size (ha)|Service Required|Tractor No.|Date of Service|Approval Status|Remarks
1|Amina Bello|08031234501|Igabi|2.5|3|201|2035-03-12|Approved|
2|Musa Sani|0803 123 4502|Chikun|4|3|201|2035-03-12|Pending|Loan rejected
3|Invalid Taiwo|2348031234503|Igabi|1.5|2|201|2035-03-13|Approved|Loan rejected, paid cash
4|Ladi Umar|08031234505|Zaria|3|3|203|2035-03-14|Rejected|`,
		owner: { filter: { 'Approval Status': ['Approved'] }, map: { LGA: 'farmLocation' } },
		booked: ['Amina Bello 2035-03-12 2.5 ha 3', 'Invalid Taiwo 2035-03-13 1.5 ha 2'],
	},
	{
		what: 'Kumasi: a title and a date above the headings',
		reader: 'excel',
		country: 'GH',
		sheet: `
ASHANTI FARMERS UNION: TRACTOR REQUESTS|||||||
|||||||
FARMER|PHONE|VILLAGE|ACRES|SERVICE|TRACTOR|DATE NEEDED|APPROVED BY
Kwame Mensah|0241234501|Ejura|5|3|201|12/04/2035|Mr Osei
Akosua Boateng|0241234502|Ejura|3|3|201|13/04/2035|Mr Osei`,
		owner: { deleteAbove: 2, settings: dayFirst },
		booked: ['Kwame Mensah 2035-04-12 5 ac 3', 'Akosua Boateng 2035-04-13 3 ac 3'],
	},
	{
		what: 'Accra: a cover as the first tab',
		reader: 'excel',
		country: 'GH',
		sheet: `
Farmer Name|Farmer Phone|Land Area|Service Type|Tractor ID|Service Date
Yaw Darko|0241234511|2 ha|3|201|2035-03-15`,
		owner: { cover: 'Tractor programme 2035|\nPrepared by|Ama Owusu\nVersion|3' },
		booked: ['Yaw Darko 2035-03-15 2 ha 3'],
	},
	{
		what: "Bouaké: une coopérative, superficies sans unité, un service que personne n'offre",
		reader: 'google',
		country: 'CI',
		sheet: `
Nom|Prénoms|Téléphone|Village|Superficie|Prestation|Tracteur|Date souhaitée|Observations
Kouassi|Adjoua|0707123401|Djébonoua|2|Labour|201|12/03/2035|
Konan|Yao|0707123402|Djébonoua|1,5|Labour|201|13/03/2035|déjà payé
Traoré|Issa|0707123403|Brobo|3|Hersage|201|14/03/2035|`,
		owner: {
			settings: { 'Area Unit': { areaUnit: 'ha' }, ...dayFirst },
			replace: { Prestation: { Labour: 'Ploughing', Hersage: 'Harrowing' } },
		},
		booked: [
			'Adjoua Kouassi 2035-03-12 2 ha 3',
			'Yao Konan 2035-03-13 1.5 ha 3',
			'Issa Traoré 2035-03-14 3 ha 2',
		],
	},
	{
		what: 'Jos: answers to a Google form',
		reader: 'google',
		country: 'NG',
		sheet: `
Timestamp|Email Address|What is your full name?|Phone number|Which service do you need?|Preferred date|Farm size in hectares|Assigned tractor|Any comments?
01/02/2035 10:11:12|a@example.com|Rahila Dung|08031234521|Ploughing|2035-03-20|2|225|none
01/02/2035 11:11:12|b@example.com|Danjuma Pam|08031234522|Ridging|2035-03-21|1|225|call me first`,
		owner: {
			map: {
				'What is your full name?': 'farmerName',
				'Which service do you need?': 'serviceType',
				'Farm size in hectares': 'landArea',
				'Assigned tractor': 'tractorId',
			},
		},
		booked: ['Rahila Dung 2035-03-20 2 ha 3', 'Danjuma Pam 2035-03-21 1 ha 4'],
	},
	{
		what: 'Lafia: two cells that are wrong, and a total',
		reader: 'excel',
		country: 'NG',
		sheet: `
Name|Phone|Area (ha)|Service|Tractor|Service Date
Chinedu Eze|08031234551|2|3|206|2035-03-10
Bala Umar|0803123455|1|3|206|2035-03-11
Ladi Garba|08031234553|3|3|206|2034-03-12
TOTAL||6|||`,
		owner: {
			replace: {
				Phone: { '0803123455': '08031234552' },
				'Service Date': { '2034-03-12': '2035-03-12' },
			},
		},
		booked: [
			'Chinedu Eze 2035-03-10 2 ha 3',
			'Bala Umar 2035-03-11 1 ha 3',
			'Ladi Garba 2035-03-12 3 ha 3',
		],
	},
];
