import fc from 'fast-check';
import type { ColumnField } from '../../nodes/TractorBooking/parse/columnNames';
import {
	foreignUnitOf,
	isLongitudeFirst,
	isOtherSide,
	isRowNumber,
} from '../../nodes/TractorBooking/parse/columnNames';
import { cellsOf, matchColumns, matchFor } from '../../nodes/TractorBooking/parse/columns';
import { issueText } from '../../nodes/TractorBooking/parse/issue';

/** Names of columns that people use. */
// One name a line would make the table five times as long.
// prettier-ignore
const COLUMN_NAMES: Readonly<Partial<Record<ColumnField, readonly string[]>>> = {
	bookingID: [
		'booking no', 'booking number', 'id of booking', 'no de reservation', 'n de reservation',
		'numero de reservation', 'id reservation',
	],
	tractorId: [
		'tractor', 'tractor no', 'tractor number', 'tractor code', 'id tractor', 'tracteur',
		'id tracteur', 'tracteur id', 'no tracteur', 'numero tracteur', 'numero du tracteur',
	],
	serviceType: [
		'service', 'service id', 'service type id', 'type of service', 'service requested',
		'service needed', 'implement', 'implement id', 'implement type', 'type de service',
		'service demande', 'outil',
	],
	serviceDate: [
		'date', 'date of service', 'service day', 'work date', 'date of work', 'requested date',
		'date demandee', 'preferred date', 'planned date', 'scheduled date', 'date du service',
		'date de service', 'date des travaux', 'date prevue', 'date souhaitee',
	],
	landArea: [
		'area', 'area of land', 'land size', 'size of land', 'farm area', 'farm size',
		'size of farm', 'field area', 'field size', 'plot area', 'plot size', 'area size', 'size',
		'acreage', 'hectarage', 'surface', 'superficie', 'surface du champ', 'superficie du champ',
		'taille du champ',
	],
	areaType: [
		'area unit', 'unit', 'units', 'unit of area', 'land area unit', 'land area type',
		'area measure', 'land unit', 'size unit', 'ha or ac', 'hectares or acres',
		'acres or hectares', 'unite', 'unite de surface', 'unite de superficie',
	],
	farmerName: [
		'farmer', 'name', 'full name', 'name of farmer', 'farmers name', 'farmer full name',
		'client', 'client name', 'customer', 'customer name', 'grower', 'grower name', 'nom',
		'nom complet', 'nom et prenom', 'nom et prenoms', 'agriculteur', 'nom de l agriculteur',
		'nom agriculteur', 'producteur', 'nom du producteur', 'exploitant', 'nom de l exploitant',
		'paysan', 'nom du paysan',
	],
	farmerPhone: [
		'phone', 'phone no', 'phone number', 'farmer phone no', 'farmer phone number',
		'farmers phone', 'farmers phone no', 'farmers phone number', 'phone of farmer',
		'phone number of farmer', 'mobile', 'mobile no', 'mobile number', 'mobile phone',
		'mobile phone no', 'mobile phone number', 'farmer mobile', 'farmer mobile no',
		'farmer mobile number', 'tel', 'tel no', 'tel number', 'farmer tel', 'telephone',
		'telephone no', 'telephone number', 'farmer telephone', 'cell phone', 'cell phone no', 'cellphone number', 'gsm', 'gsm no', 'gsm number', 'msisdn', 'contact',
		'contact no', 'contact number', 'contact phone', 'farmer contact', 'farmer contact no',
		'no de telephone', 'no telephone', 'no tel', 'numero de telephone', 'numero telephone',
		'telephone de l agriculteur', 'telephone du producteur', 'portable', 'telephone portable',
		'n de telephone', 'n telephone', 'n tel',
	],
	gender: [
		'sex', 'farmer gender', 'farmer sex', 'gender of farmer', 'sex of farmer', 'genre', 'sexe',
	],
	latitude: [
		'lat', 'gps lat', 'gps latitude', 'farm lat', 'farm latitude', 'location lat',
		'location latitude',
	],
	longitude: [
		'long', 'lng', 'lon', 'gps long', 'gps lng', 'gps lon', 'gps longitude', 'farm long',
		'farm lng', 'farm lon', 'farm longitude', 'location long', 'location lng', 'location lon',
		'location longitude',
	],
	farmLocation: [
		'location', 'location of farm', 'village', 'farm village', 'village name', 'name of village',
		'address', 'farm address', 'address of farm', 'place', 'community', 'town', 'village town',
		'localite', 'lieu', 'adresse', 'emplacement', 'nom du village', 'lieu du champ',
		'localisation',
	],
	farmNote: [
		'note', 'notes', 'farm notes', 'comment', 'comments', 'remark', 'remarks', 'observation',
		'observations', 'instruction', 'instructions', 'commentaire', 'commentaires', 'remarque',
		'remarques',
	],
	crop: [
		'crop name', 'crop type', 'type of crop', 'crop grown', 'crop planted', 'main crop',
		'culture', 'crop list',
	],
	crops: [
		'list of crops', 'crops grown', 'crops planted', 'cultures',
	],
	custom_crop: [
		'other crop', 'autre culture',
	],
};

const FIELDS = Object.keys(COLUMN_NAMES) as ColumnField[];

describe('names', () => {
	test.each<[string, ColumnField]>([
		['Tractor ID', 'tractorId'],
		['tractor_id', 'tractorId'],
		['Service type', 'serviceType'],
		['Service', 'serviceType'],
		['Service Date', 'serviceDate'],
		['SERVICE-DATE', 'serviceDate'],
		['Date (dd/mm/yyyy)', 'serviceDate'],
		['Date*', 'serviceDate'],
		['Land area', 'landArea'],
		['Acreage', 'landArea'], // means "area" in general, so it has no unit
		['Area unit', 'areaType'],
		['Unit (ha/ac)', 'areaType'],
		['ha/ac', 'areaType'],
		['Farmer’s name', 'farmerName'],
		['Nom de l’agriculteur', 'farmerName'],
		['Phone', 'farmerPhone'],
		['Farmer phone no.', 'farmerPhone'],
		['FARMER_PHONE', 'farmerPhone'],
		['  Mobile\u00A0Number ', 'farmerPhone'],
		['Tel.', 'farmerPhone'],
		['Téléphone', 'farmerPhone'],
		['N° de téléphone', 'farmerPhone'],
		['Numéro de téléphone', 'farmerPhone'],
		['Gender', 'gender'],
		['Sexe', 'gender'],
		['Sex (M/F)', 'gender'],
		['Lat', 'latitude'],
		['Latitude (decimal degrees)', 'latitude'],
		['Long', 'longitude'],
		['Lng', 'longitude'],
		['gps_longitude', 'longitude'],
		['Village', 'farmLocation'],
		['Localité', 'farmLocation'],
		['Notes', 'farmNote'],
		['Crop', 'crop'],
		['Crop(s)', 'crops'],
		['Cultures', 'crops'],
		['custom crop', 'custom_crop'],
		// by pattern
		['Services Required', 'serviceType'],
		['Service(s) needed', 'serviceType'],
		['N° tracteur', 'tractorId'],
		['Numéro du tracteur', 'tractorId'],
		['Tractor Nr.', 'tractorId'],
		['Names', 'farmerName'],
		['Farmer’s Names', 'farmerName'],
		['Name of the farmer', 'farmerName'],
		['farmername', 'farmerName'],
		['Surname', 'farmerName'],
		['What is your phone number?', 'farmerPhone'],
		['Phone number of the farmer', 'farmerPhone'],
		['phonenumber', 'farmerPhone'],
		['Total Farm Size', 'landArea'],
		['Desired date', 'serviceDate'],
		['Date souhaitée', 'serviceDate'],
		['Farmer Village', 'farmLocation'],
		['Village/Community', 'farmLocation'],
		['Comments / Remarks', 'farmNote'],
		['Which service do you need?', 'serviceType'],
		['Crop to be planted', 'crop'],
		['GPS Coordinates', 'coordinates'],
		['Coordonnées GPS', 'coordinates'],
		['Lat/Long', 'coordinates'],
		['Latitude, Longitude', 'coordinates'],
		['GPS', 'coordinates'],
		// KoBo and ODK
		['_GPS_latitude', 'latitude'],
		['_GPS_longitude', 'longitude'],
		['_Record the location of the farm_latitude', 'latitude'],
		['_geolocation', 'coordinates'],
		['group_ab1cd23/farmer_phone', 'farmerPhone'],
		['farm/group_2/GPS', 'coordinates'],
	])('%p is %s', (column, field) => {
		const match = matchColumns([column]);
		expect([...match.columns]).toEqual([[field, column]]);
		expect(match.areaTypeFromHeader).toBeUndefined();
		expect(match.unmatched).toEqual([]);
		expect(match.issues).toEqual([]);
	});

	// as people and forms write them
	test.each<[string, ColumnField]>([
		['Phone 1', 'farmerPhone'],
		['Phone (11 digits)', 'farmerPhone'],
		['Phone #', 'farmerPhone'],
		['Primary phone', 'farmerPhone'],
		["What is the farmer's phone number?", 'farmerPhone'],
		["Farmer's WhatsApp phone number (e.g. 08031234567)", 'farmerPhone'],
		['Mobile No. (with country code)', 'farmerPhone'],
		['Namba ya simu', 'farmerPhone'],
		['Lambar waya', 'farmerPhone'],
		['Contacts', 'farmerPhone'],
		['Nambari ya simu', 'farmerPhone'],
		['Simu ya mkononi', 'farmerPhone'],
		['Mawasiliano', 'farmerPhone'],
		['Wayar hannu', 'farmerPhone'],
		['Contact téléphonique', 'farmerPhone'],
		['Contact details', 'farmerPhone'],
		['Contact info', 'farmerPhone'],
		['Mob', 'farmerPhone'],
		['Mob No', 'farmerPhone'],
		['Nambari ya trekta', 'tractorId'],
		['Farmer details/Phone number', 'farmerPhone'],
		['When', 'serviceDate'],
		['Quand', 'serviceDate'],
		['When do you need the tractor?', 'serviceDate'],
		['Date tractor is needed', 'serviceDate'],
		['Date of ploughing (DD-MMM-YYYY)', 'serviceDate'],
		['Date(s)', 'serviceDate'],
		['Tarehe ya huduma', 'serviceDate'],
		['Ranar aiki', 'serviceDate'],
		['Assigned tractor', 'tractorId'],
		['Tractor assigned', 'tractorId'],
		['Tractor #', 'tractorId'],
		['Allocated Tractor No.', 'tractorId'],
		['Tracteur affecté', 'tractorId'],
		['Trekta', 'tractorId'],
		['Tractor number (if known)', 'tractorId'],
		['Tractor service needed', 'serviceType'],
		['Land preparation service', 'serviceType'],
		['Service name', 'serviceType'],
		['What service do you want?', 'serviceType'],
		['Work to be done (type)', 'serviceType'],
		['Job to be done', 'serviceType'],
		['Huduma', 'serviceType'],
		['Huduma inayohitajika', 'serviceType'],
		['Kazi', 'serviceType'],
		['Aina ya kazi', 'serviceType'],
		['Kazi inayotakiwa', 'serviceType'],
		['Task', 'serviceType'],
		['Type de labour', 'serviceType'],
		['Nau’in aiki', 'serviceType'],
		['Tarehe ya kazi', 'serviceDate'],
		['Tarehe ya kulima', 'serviceDate'],
		['Siku', 'serviceDate'],
		['Siku ya huduma', 'serviceDate'],
		['Kwanan wata', 'serviceDate'],
		['Start date', 'serviceDate'],
		['Appointment date', 'serviceDate'],
		['Jina la mteja', 'farmerName'],
		['Demandeur', 'farmerName'],
		['Nom du cultivateur', 'farmerName'],
		['HH head name', 'farmerName'],
		['Name of head of HH', 'farmerName'],
		['Contact name', 'farmerName'],
		['Coordonnées géographiques', 'coordinates'],
		['Localisation GPS', 'coordinates'],
		['Jina la mkulima', 'farmerName'],
		['Sunan manomi', 'farmerName'],
		['Name & Surname', 'farmerName'],
		['Surname and First Name', 'farmerName'],
		['Beneficiary', 'farmerName'],
		['Client(s)', 'farmerName'],
		['Membre nom', 'farmerName'],
		['Jinsia', 'gender'],
		['Gender (Male/Female)', 'gender'],
		['Where is your farm?', 'farmLocation'],
		['Where is your farm located?', 'farmLocation'],
		['LGA', 'farmLocation'],
		['Sub-county', 'farmLocation'],
		['Kijiji', 'farmLocation'],
		['Commune', 'farmLocation'],
		['District', 'farmLocation'],
		['Location (GPS)', 'coordinates'],
		['GPS location of the farm', 'coordinates'],
		['Coord. GPS', 'coordinates'],
		['_1.5 Take the GPS_latitude', 'latitude'],
		['Latitude (N)', 'latitude'],
		['Longitude (WGS84)', 'longitude'],
		['Size of land to be ploughed', 'landArea'],
		['Area under crop', 'landArea'],
		['Zao', 'crop'],
		['Crop to plant (main)', 'crop'],
		['Mazao', 'crops'],
		['Spéculation', 'crop'],
		['Other crop (please specify)', 'custom_crop'],
		['Any special instructions?', 'farmNote'],
		['Maelezo', 'farmNote'],
		['Sector', 'farmLocation'],
		['Surface à labourer', 'landArea'],
		['Farm Details/Unit of measurement', 'areaType'],
		['Farm Details/Record farm GPS location', 'coordinates'],
		['Commodity', 'crop'],
		// what the codes of the cells mean
		['Service needed (1=plough, 2=harrow)', 'serviceType'],
		['Service needed (1 = ploughing)', 'serviceType'],
		['Service (1 = plough)', 'serviceType'],
		['Service (plough/harrow)', 'serviceType'],
		['Service: ploughing/harrowing', 'serviceType'],
		['service/type', 'serviceType'],
		['Ploughing/service', 'serviceType'],
		['Service (Ploughing)', 'serviceType'],
		['Type of service (1. Ploughing 2. Harrowing)', 'serviceType'],
		['Service [P=plough; O=other]', 'serviceType'],
		// numbered questions, and forms of CommCare
		['Q2. Phone number', 'farmerPhone'],
		['q3_telephone', 'farmerPhone'],
		['form.farmer.phone_number', 'farmerPhone'],
		['form.job.preferred_date', 'serviceDate'],
		['HH phone', 'farmerPhone'],
		['Household head phone', 'farmerPhone'],
		['Active phone number', 'farmerPhone'],
		['Date of activity', 'serviceDate'],
		['Date programmée', 'serviceDate'],
		['Date RDV', 'serviceDate'],
		['Land preparation', 'serviceType'],
		['Nature des travaux', 'serviceType'],
		['Type d’intervention', 'serviceType'],
		['Machine No.', 'tractorId'],
		['Participant', 'farmerName'],
		['fname', 'farmerName'],
		['Sexe (1=homme, 2=autre)', 'gender'],
		['Crop (1: maize, 2: rice)', 'crop'],
		[`Service (${'1 = a long story, '.repeat(20)})`, 'serviceType'],
		// groups of any name
		['group_req/service_type', 'serviceType'],
		['group_req/service_date', 'serviceDate'],
		['req/service_date', 'serviceDate'],
		['group_req/phone', 'farmerPhone'],
		['group_req/tractor_id', 'tractorId'],
		['booking/q/tractor_id', 'tractorId'],
		['identification/farmer_name', 'farmerName'],
		['group_req/_gps_latitude', 'latitude'],
		['a/group_req/_gps_longitude', 'longitude'],
		['job/tractor_id', 'tractorId'],
		['service/tractor_id', 'tractorId'],
		['job/service', 'serviceType'],
		['details/farm-size', 'landArea'],
		// ODK Central
		['request-service_date', 'serviceDate'],
		['job-tractor_id', 'tractorId'],
		['job-service', 'serviceType'],
		['job-area_unit', 'areaType'],
		['survey-group_a1-farmer_phone', 'farmerPhone'],
		['Date service is requested', 'serviceDate'],
		['Date requested for ploughing', 'serviceDate'],
		['Date de service demandé', 'serviceDate'],
		['Jour demandé', 'serviceDate'],
		['Services to be done', 'serviceType'],
		['Aina ya huduma', 'serviceType'],
		['Irin aiki', 'serviceType'],
		['Service code', 'serviceType'],
		['Service type no', 'serviceType'],
		['Job type ID', 'serviceType'],
		['Tractor no. needed', 'tractorId'],
		['Tractor ID (required)', 'tractorId'],
		['Tractor (required)', 'tractorId'],
		// of the farmer
		['Respondent', 'farmerName'],
		['Producer', 'farmerName'],
		['Producer phone', 'farmerPhone'],
		['Applicant', 'farmerName'],
		["Applicant's name", 'farmerName'],
		['Farm owner', 'farmerName'],
		['Farm owner name', 'farmerName'],
		['Name of farm owner', 'farmerName'],
		['Owner', 'farmerName'],
		['Head of household', 'farmerName'],
		['Household head (name)', 'farmerName'],
		['Name of household head', 'farmerName'],
		['Nome completo', 'farmerName'],
		['Jina kamili', 'farmerName'],
		['Jina lako', 'farmerName'],
		['Nom du planteur', 'farmerName'],
		['Cikakken suna', 'farmerName'],
		// the country of the phone
		['Country code', 'phoneCountry'],
		['Country', 'phoneCountry'],
		['country_code', 'phoneCountry'],
		['Country name', 'phoneCountry'],
		['Dialling code', 'phoneCountry'],
		['Dialing Code', 'phoneCountry'],
		['Country dialling code', 'phoneCountry'],
		['Phone country', 'phoneCountry'],
		['Phone country code', 'phoneCountry'],
		['phoneCountry', 'phoneCountry'],
		['Country Code (+)', 'phoneCountry'],
		['Code pays', 'phoneCountry'],
		['Indicatif', 'phoneCountry'],
		['farmer/country_code', 'phoneCountry'],
		['Phone (with country code)', 'farmerPhone'],
		['Phone no. with country code', 'farmerPhone'],
		// halves of a place
		['Coordinates (Lng,Lat)', 'coordinates'],
		['Long/Lat', 'coordinates'],
		['LngLat', 'coordinates'],
		['Latitude (S)', 'latitude'],
		['Latitude (South)', 'latitude'],
		['Longitude West', 'longitude'],
		['Latitude (deg min sec)', 'latitude'],
		['Latitude (DMS)', 'latitude'],
	])('%p is %s, too', (column, field) => {
		expect([...matchColumns([column]).columns]).toEqual([[field, column]]);
	});

	test.each<[string, boolean, ColumnField | undefined]>([
		['Numéro', true, 'farmerPhone'],
		['Number', true, 'farmerPhone'],
		['WhatsApp number', true, 'farmerPhone'],
		['Cell', true, 'farmerPhone'],
		['Cell no.', true, 'farmerPhone'],
		['M-Pesa Number', true, 'farmerPhone'],
		['MPESA phone', true, 'farmerPhone'],
		['MoMo no.', true, 'farmerPhone'],
		['Namba', true, 'farmerPhone'],
		['Hotline', true, 'farmerPhone'],
		['Safaricom line', true, 'farmerPhone'],
		['M-Pesa Number', false, undefined],
		['Cell', false, undefined], // in Rwanda, a part of a sector
		['Numéro', false, undefined],
		['Phone', true, 'farmerPhone'],
		['Price', true, undefined],
		...[
			'ID No',
			'National ID',
			'ID',
			'_id',
			'Farmer ID',
			'Farmer No',
			'Member number',
			'Contact ID',
			'Code',
			'M-Pesa code',
		].map((column): [string, boolean, undefined] => [column, true, undefined]),
	])('%p, whose cells are like phones: %p, is %p', (column, holdsPhones, field) => {
		const { columns, unmatched } = matchColumns([column], [], new Map(), () => holdsPhones);
		expect([...columns.keys()]).toEqual(field ? [field] : []);
		expect(unmatched).toEqual(field ? [] : [column]);
	});

	test('a bare number is no phone beside an unknown column that may be it', () => {
		const columns = ['Numéro', 'Joignable au', 'Crop'];
		const among = (...phones: string[]) =>
			matchColumns(columns, [], new Map([['Crop', 'ignore']]), (column) => phones.includes(column));
		expect(among('Numéro', 'Crop').columns.get('farmerPhone')).toBe('Numéro');
		expect(among('Numéro', 'Joignable au').columns.has('farmerPhone')).toBe(false);
	});

	test('the number of a line is the phone, also beside those of others', () => {
		const among = (...columns: string[]) =>
			matchColumns(columns, [], new Map(), () => true).columns.get('farmerPhone');
		expect(among('WhatsApp number', 'Agent phone')).toBe('WhatsApp number');
		expect(among('WhatsApp number', 'Number', 'Agent phone')).toBeUndefined();
	});

	test.each<[string, 'ha' | 'ac']>([
		['How many acres?', 'ac'],
		['How big is your farm (acres)?', 'ac'],
		['Land to be ploughed (ha)', 'ha'],
		['Ukubwa wa shamba (ekari)', 'ac'],
		['Eneo (ekari)', 'ac'],
		['Eneo la kulima (ekari)', 'ac'],
		['Eneo la ardhi (hekta)', 'ha'],
		['Ukubwa wa eneo la kulimwa (ekari)', 'ac'],
		['Nombre d’hectares', 'ha'],
		['Land area (ha)', 'ha'],
		['Area [Acres]', 'ac'],
		['Size (acres)', 'ac'],
		['Hectares to be done', 'ha'],
		['area_ha', 'ha'],
		['landAreaHa', 'ha'],
		['Land area in hectares', 'ha'],
		['Hectares', 'ha'],
		['No. of acres', 'ac'],
		['Idadi ya ekari', 'ac'],
		['Ekari ngapi?', 'ac'],
		['Parcel size (ha)', 'ha'],
		['Garden size (acres)', 'ac'],
		['Area to be cultivated (ha)', 'ha'],
		['Cultivated area (ha)', 'ha'],
		['Superficie cultivée (ha)', 'ha'],
		['Superficie emblavée (ha)', 'ha'],
		['Sup. (ha)', 'ha'],
		['Étendue (ha)', 'ha'],
		['Fadin gona (eka)', 'ac'],
		['Yawan eka', 'ac'],
		['How big is the farm? (acres)', 'ac'],
		['Quantity (acres)', 'ac'],
		['Q4. How many hectares?', 'ha'],
		['form.farm.acres', 'ac'],
		['GPS acres', 'ac'],
		['Hectres', 'ha'],
		['Hact. to plough', 'ha'],
		['No. of acers', 'ac'],
		['GPS measured area (ha)', 'ha'],
		['Confirmed acres', 'ac'],
		['Superficie (ha)', 'ha'],
		['Superficie en ha', 'ha'],
		['Total Farm Size (ha)', 'ha'],
		['Size of your farm in acres', 'ac'],
		['group_1/Land_area_in_hectares', 'ha'],
	])('%p is a land area in %s', (column, unit) => {
		const match = matchColumns([column], ['landArea']);
		expect([...match.columns]).toEqual([['landArea', column]]);
		expect(match.areaTypeFromHeader).toBe(unit);
		expect(match.issues).toEqual([]);
	});

	test.each<[string, string | undefined]>([
		['Area (sqm)', 'sqm'],
		['Area (sq m)', 'sq m'],
		['Area (m²)', 'm2'],
		['Land size in m2', 'm2'],
		['land_area_sqm', 'sqm'],
		['Area (square metres)', 'square metres'],
		['Area (sq. ft)', 'sq ft'],
		['Area (feddan)', 'feddan'],
		['Feddans', 'feddans'],
		['Ares', 'ares'],
		['Lima', 'lima'],
		['Superficie (ares)', 'ares'],
		['Superficie en ares', 'ares'],
		['Farm size (plots)', 'plots'],
		['Size in plots', 'plots'],
		['Land (plots)', 'plots'],
		['Land size (in plots; 6 plots = 1 acre)', 'plots'],
		['Land size (ha) or plots', 'plots'],
		['No. of plots / hectares', 'plots'],
		['Land size (lima)', 'lima'],
		['Plot size', undefined],
		['Size of plots', undefined],
		['Area (ha)', undefined],
	])('%p is a land area with the foreign unit %p', (column, unit) => {
		const match = matchColumns([column]);
		expect([...match.columns]).toEqual([['landArea', column]]);
		expect(foreignUnitOf(column)).toBe(unit);
	});

	test.each<[string, boolean]>([
		['Coordinates (Lng,Lat)', true],
		['GPS (Long, Lat)', true],
		['GPS (longitude and latitude)', true],
		['Longitude et latitude', true],
		['Lon/Lat', true],
		['LonLat', true],
		['Coordonnées (X,Y)', true],
		['Coordinates X Y', true],
		['Coordinates X and Y', true],
		['GPS XY', true],
		['Coordinates (E,N)', true],
		['Coordinates (N,E)', false],
		['Coordonnées en decimal', false],
		['Lat/Long', false],
		['GPS (e.g. 6.5, 3.4)', false],
		['GPS Coordinates', false],
	])('%p names the longitude first: %p', (column, is) => {
		const match = matchColumns([column]);
		expect([...match.columns]).toEqual([['coordinates', column]]);
		expect(isLongitudeFirst(column)).toBe(is);
	});

	test.each([
		['Date (dd/mm/yyyy)', 'dayFirst'],
		['Date de service (jj/mm/aaaa)', 'dayFirst'],
		['Service date DD-MM-YY', 'dayFirst'],
		['Date [MM/DD/YYYY]', 'monthFirst'],
		['Date (yyyy-mm-dd)', undefined],
		['Date', undefined],
	])('%p gives the order of its dates: %p', (column, dateOrder) => {
		expect(matchColumns([column])).toMatchObject({ dateOrder });
	});

	test.each<[string, boolean]>([
		['Latitude (S)', true],
		['Lat S', true],
		['lat_s', true],
		['Latitude (South)', true],
		['Latitude Sud', true],
		['Latitude (deg S)', true],
		['Longitude (W)', true],
		['Longitude Ouest', true],
		['Longitude (O)', true],
		['Latitude (N)', false],
		['Latitude (N/S)', false],
		['Latitude (S/N)', false],
		['Latitude (S or N)', false],
		["Latitude of the farmer's farm", false],
		["Farmer's latitude", false],
		['Longitude (E)', false],
	])('the numbers of %p need a sign: %p', (column, is) => {
		const match = matchColumns([column]);
		expect(match.columns.size).toBe(1);
		expect(isOtherSide(column)).toBe(is);
	});

	test.each([
		'',
		' ',
		'__EMPTY',
		'__proto__',
		'constructor',
		'row_number',
		'Email',
		'Date (of birth)',
		'Phone (next of kin)',
		'Date created',
		'Created',
		'Name of tractor',
		'Total',
		'Eneo', // a place, or a size
		'Farm',
		'Job No',
		'Task No',
		'Job #',
		'Job ID',
		'Job no.',
		'Work No',
		'Operation No.',
		'Activity number',
		'Service No',
		'Service #',
		'Service number',
		'Tractor needed',
		'tractor_needed',
		'TractorNeeded',
		'Tractor needed (yes/no)',
		'Tractor required',
		'Tractor wanted',
		'Need tractor',
		'Do you need a tractor?',
		'Tractor owner',
		'Name of tractor owner',
		'Household size',
		'Service price per sqm',
		// one choice of several, as KoBo exports them
		'service/harrowing',
		'group_req/service_needed/ploughing',
		'Which service do you need?/Planting',
		'service_type/tractor_ploughing',
		'Code',
		'Prefix',
		'Country of birth',
		'Has tractor',
		'Price per ha',
		'Number of tractors',
		'No. of services',
		'Farmer ID',
		'Contact person',
		'Place of birth',
		'Email address',
		'Flat',
		'_GPS_altitude',
		'_GPS_precision',
		'Service Price',
		'Last service date',
		'Name/Phone',
		'Phone / Email',
		'Date/Time',
		'Timestamp',
		'Horodateur',
		'Registration date',
		'Date of request',
		'Date requested',
		'Date requested by farmer',
		'Date updated',
		'Date approved',
		'Current date',
		'Form date',
		'Date de la demande',
		'Date de demande',
		'date_demande',
		'group_req/date_demande',
		'Ha done',
		'Hectares done',
		'Area done (ha)',
		'Date done',
		'Phone (1 = own, 2 = next of kin)',
		'Date (1 = birth, 2 = marriage)',
		'Name (1=farmer, 2=agent)',
		'Phone (agent)',
		'Service (price)',
		'Service price (1 = plough)',
		'Crop (1=maize) price',
		'next_of_kin/farmer_name',
		'next-of-kin-farmer_name',
		'request-date', // that of the request
		'co-farmer_phone',
		'second/service_date',
		'Tasks',
		'Survey-date',
		'last_visit/service_date',
		'spouse/gender',
		'registration/date',
		'group_req/_gps_altitude',
		'Next of kin phone',
		'New farmer',
		'HH size',
		'next_of_kin/phone',
		'Alternative phone',
		'Farm name',
		'Group name',
		'How many tractors',
		'_submission_time',
		'start',
		'Mobile money number',
		'Father’s name',
		'S/N',
		'No.',
		'N°',
		'#',
		'Serial Number',
	])('%p is left alone', (column) => {
		const match = matchColumns([column]);
		expect(match.columns.size).toBe(0);
		expect(match.unmatched).toEqual([column]);
		expect(match.issues).toEqual([]);
	});

	test('each word of the table belongs to one field and is found', () => {
		const all = FIELDS.flatMap((field) => [field, ...(COLUMN_NAMES[field] ?? [])]);
		expect(new Set(all.map((name) => name.toLowerCase().replaceAll(' ', ''))).size).toBe(
			all.length,
		);
		for (const field of FIELDS) {
			for (const name of [field, ...(COLUMN_NAMES[field] ?? [])]) {
				expect([...matchColumns([name]).columns]).toEqual([[field, name]]);
			}
		}
		for (const name of [
			'',
			'in',
			'no of',
			'number of',
			'total',
			'land',
			'farm',
			'field',
			'plot',
			'nombre d',
			'nombre de',
		]) {
			expect(matchColumns([`${name} hectares`]).areaTypeFromHeader).toBe('ha');
		}
	});

	test('case, accents, blanks and punctuation do not count', () => {
		const names = FIELDS.flatMap((field) =>
			(COLUMN_NAMES[field] ?? []).map((name): [ColumnField, string] => [field, name]),
		);
		const blank = fc.constantFrom(' ', '_', '-', '.', '  ', '\u00A0', ' / ');
		fc.assert(
			fc.property(
				fc.constantFrom(...names),
				blank,
				fc.boolean(),
				([field, name], between, upper) => {
					const accented = name.replaceAll('e', 'é').replaceAll(' ', between);
					const column = upper ? accented.toUpperCase() : accented;
					expect([...matchColumns([column]).columns]).toEqual([[field, column]]);
				},
			),
		);
	});
});

describe('of columns that are less sure', () => {
	test.each<[string[], Partial<Record<ColumnField, string>>]>([
		[['Farmer name', 'Owner'], { farmerName: 'Farmer name' }],
		[['Name', 'Contact name'], { farmerName: 'Name' }],
		[['Kazi', 'Huduma'], { serviceType: 'Huduma' }],
		[['Type of labour', 'Service'], { serviceType: 'Service' }],
		[['Contact details', 'Phone'], { farmerPhone: 'Phone' }],
		[['Head of household', 'First name', 'Surname'], { farmerName: 'First name + Surname' }],
		[['Area (sqm)', 'Area (ha)'], { landArea: 'Area (ha)' }],
		[['Country', 'Phone country code'], { phoneCountry: 'Phone country code' }],
	])('%p', (columns, found) => {
		const match = matchColumns(columns);
		expect(Object.fromEntries(match.columns)).toEqual(found);
		expect(match.issues).toEqual([]);
	});
});

test.each([
	[['Lat deg', 'Lat min', 'Lat sec']],
	[['Latitude degrees', 'Latitude minutes', 'Latitude seconds']],
	[['Latitude', 'Lat_min']],
])('degrees, minutes and seconds in the columns %p are an issue', (columns) => {
	const match = matchColumns(columns);
	expect(match.issues.map(issueText)).toEqual([
		expect.stringMatching(
			/^Latitude has several columns \(".*min.*"\); write degrees, minutes and seconds in one column, such as 6°31'28"\.$/,
		),
	]);
});

describe('a sheet', () => {
	const sheet = [
		'row_number',
		'Farmer',
		'Phone',
		'Village',
		'Lat',
		'Long',
		'Area (ha)',
		'Date',
		'Email',
	];

	test('finds its fields and leaves other columns alone', () => {
		const match = matchColumns(sheet, ['farmerPhone', 'serviceDate', 'landArea']);
		expect(Object.fromEntries(match.columns)).toEqual({
			farmerName: 'Farmer',
			farmerPhone: 'Phone',
			farmLocation: 'Village',
			latitude: 'Lat',
			longitude: 'Long',
			landArea: 'Area (ha)',
			serviceDate: 'Date',
		});
		expect(match).toMatchObject({
			areaTypeFromHeader: 'ha',
			unmatched: ['row_number', 'Email'],
			issues: [],
		});
	});

	test('reports a needed field without a column, and lists the columns found', () => {
		const columns = ['row_number', 'Farmer', 'Email'];
		const { issues } = matchColumns(columns, ['farmerName', 'farmerPhone', 'areaType']);
		expect(issues.map(issueText)).toEqual([
			'Farmer Phone and Area Unit have no column (the columns found are "Farmer" and "Email"); add columns of these names, rename those that hold them, or map them under Options > Column Mapping.',
		]);
	});

	test('says that a node which reads the spreadsheet is missing, if there are no columns', () => {
		expect(matchColumns([], ['crops']).issues.map(issueText)).toEqual([
			'Crops has no column (no columns were found); put the node that reads the spreadsheet before this one.',
		]);
	});

	test.each<[string[], ColumnField, string, string[]]>([
		[['Date', 'Service Date'], 'serviceDate', 'Service Date', ['Date']],
		[['Service Date', 'Date'], 'serviceDate', 'Service Date', ['Date']],
		[['Phone', 'Farmer phone'], 'farmerPhone', 'Farmer phone', ['Phone']],
		[['Service Date', 'serviceDate'], 'serviceDate', 'serviceDate', ['Service Date']],
		[['farmLocation', 'Village'], 'farmLocation', 'farmLocation', ['Village']],
	])('takes of %p the column that has the name of the field', (names, field, column, unmatched) => {
		const match = matchColumns(names, [field]);
		expect(match.columns.get(field)).toBe(column);
		expect(match).toMatchObject({ unmatched, issues: [] });
	});

	test.each<[Record<string, unknown>, ColumnField, unknown]>([
		[{ 'First Name': 'Amina', Surname: 'Bello' }, 'farmerName', 'Amina Bello'],
		[
			{ Surname: 'Bello', 'Other Names': 'Zainab', 'First Name': 'Amina' },
			'farmerName',
			'Amina Zainab Bello',
		],
		[{ Name: 'Amina', Surname: 'Bello' }, 'farmerName', 'Amina Bello'],
		[{ 'Given name': 'Amina', Surname: 'Bello' }, 'farmerName', 'Amina Bello'],
		[{ Fname: 'Amina', Lname: 'Bello' }, 'farmerName', 'Amina Bello'],
		[{ Nom: 'Koné', Prénoms: 'Adjoua' }, 'farmerName', 'Adjoua Koné'],
		[{ 'First Name': 'Amina', Surname: ' ' }, 'farmerName', 'Amina'],
		[{ 'First Name': 'Amina', Surname: '#N/A' }, 'farmerName', '#N/A'],
		[{ 'First Name': 'Amina', Surname: '-' }, 'farmerName', 'Amina'],
		[{ 'Crop 1': 'Maize', 'Crop 2': 'Beans' }, 'crop', 'Maize, Beans'],
		[{ Village: 'Moniya', Address: 'Akinyele, km 4' }, 'farmLocation', 'Moniya, Akinyele, km 4'],
		[{ Village: 'Moniya', 'Farm Location': 'moniya' }, 'farmLocation', 'Moniya'],
		[{ 'First Name': 'Musa', Surname: 'Musa' }, 'farmerName', 'Musa Musa'],
		[{ Remarks: 'call', Comments: 'gate' }, 'farmNote', 'call; gate'],
		[{ 'First Name': '', Surname: null }, 'farmerName', undefined],
		[{ Phone: 803 }, 'farmerPhone', 803],
	])('of %p, %s is %p', (row, field, cell) => {
		const match = matchColumns(Object.keys(row), [field]);
		expect(match.issues).toEqual([]);
		expect(match.unmatched).toEqual([]);
		expect(cellsOf(matchFor(match, row), row)).toEqual({ [field]: cell });
	});

	test.each<[ColumnField, Record<string, unknown>, string | undefined, unknown]>([
		['serviceType', { 'Service Type': '', Service: 'Ridging' }, 'Service', 'Ridging'],
		['serviceType', { 'Service Type': 'N/A', Service: 'Ridging' }, 'Service', 'Ridging'],
		['serviceType', { 'Service Type': 'Ploughing', Service: 'Ridging' }, undefined, 'Ploughing'],
		['serviceType', { 'v2/service_type': '', 'grp/service': '2' }, 'grp/service', '2'],
		['farmerName', { 'Farmer Name': '', Name: 'Musa Bello' }, 'Name', 'Musa Bello'],
		[
			'farmerName',
			{ 'Farmer Name': '', Surname: 'Bello', 'First Name': 'Musa' },
			'First Name + Surname',
			'Musa Bello',
		],
		['farmLocation', { farmLocation: '', Village: 'Moniya' }, 'Village', 'Moniya'],
		['farmerPhone', { Phone: '', Mobile: '803' }, 'Mobile', '803'],
		['serviceDate', { 'Service Date': '-', 'New date': '5 May' }, 'New date', '5 May'],
		['farmerName', { Farmer: '', Client: 'Musa Bello' }, 'Client', 'Musa Bello'],
		['landArea', { 'Area (ha)': '', 'Area (acres)': 2 }, 'Area (acres)', 2],
		['coordinates', { GPS: '', _geolocation: [6.5, 3.4] }, undefined, undefined],
		// Neither guesses, nor another date or phone.
		['serviceDate', { 'Service Date': '', Date: 'x' }, undefined, undefined],
		['farmerPhone', { 'Farmer Phone': '', Phone: 'x' }, undefined, undefined],
		['farmerName', { 'Farmer Name': '', Owner: 'Musa Bello' }, undefined, undefined],
		['bookingID', { bookingID: '', 'Booking no': '', 'No reservation': 7 }, 'No reservation', 7],
	])(
		'%s of %p, whose first column counts if it is filled in, is in %p',
		(field, row, spare, cell) => {
			const match = matchColumns(Object.keys(row));
			expect(match.issues).toEqual([]);
			const own = matchFor(match, row);
			expect(own.columns.get(field)).toBe(spare ?? Object.keys(row)[0]);
			expect(cellsOf(own, row)).toEqual({ [field]: cell });
		},
	);

	test('takes the unit and the order from the heading of the column that is read', () => {
		const row = {
			'Land area (ha)': '',
			'Farm size (acres)': 2,
			Latitude: '',
			'Lat (S)': 6.5,
			landArea: '',
		};
		const match = matchColumns(Object.keys(row));
		expect(match.areaTypeFromHeader).toBeUndefined();
		const own = matchFor(match, row);
		expect(own.areaTypeFromHeader).toBe('ac');
		expect(own.otherSide).toEqual(new Set(['latitude']));
		const other = { ...row, 'Land area (ha)': 1, 'Farm size (acres)': '' };
		expect(matchFor(match, other).areaTypeFromHeader).toBe('ha');
		const foreign = matchColumns(['Land area', 'Total farm size (feddan)']);
		expect(matchFor(foreign, { 'Land area': 1 }).foreignUnit).toBeUndefined();
	});

	test('reads the crops that KoBo and ODK write as one word each, with a column for each choice', () => {
		const row = { 'a/crops': 'maize sweet_potato', 'a/crops/maize': 1, 'a/crops/sweet_potato': 1 };
		const match = matchColumns(Object.keys(row));
		expect(match.unmatched).toEqual([]);
		expect(cellsOf(matchFor(match, row), row)).toEqual({ crops: 'maize, sweet_potato' });
		const other = { 'a/crops': 'sweet potato', 'a/crops/maize': 0 };
		expect(cellsOf(matchColumns(Object.keys(other)), other)).toEqual({ crops: 'sweet potato' });
	});

	test('reads the service that KoBo writes beside a column for each choice', () => {
		const row = { 'a/service': 'ploughing', 'a/service/ploughing': 1, 'a/service/harrowing': 0 };
		const match = matchColumns(Object.keys(row));
		expect(match).toMatchObject({ unmatched: [], issues: [] });
		expect(cellsOf(match, row)).toEqual({ serviceType: 'ploughing' });
	});

	test('takes the phone rather than the number of a wallet', () => {
		const { columns, unmatched } = matchColumns(
			['Phone', 'MPESA phone'],
			[],
			new Map(),
			() => true,
		);
		expect([...columns]).toEqual([['farmerPhone', 'Phone']]);
		expect(unmatched).toEqual(['MPESA phone']);
	});

	test.each([
		[['Farmer Name', 'First Name', 'Surname'], 'Farmer Name', ['First Name', 'Surname']],
		[['Name', 'First Name', 'Surname'], 'Name', ['First Name', 'Surname']],
	])('takes of %p the whole name', (names, column, unmatched) => {
		const match = matchColumns(names);
		expect(match.columns.get('farmerName')).toBe(column);
		expect(match).toMatchObject({ unmatched, issues: [] });
	});

	test('does not join two whole names', () => {
		const row = { Farmer: 'Musa Bello', Client: 'Amina Bello' };
		const own = matchFor(matchColumns(Object.keys(row)), row);
		expect(cellsOf(own, row)).toEqual({ farmerName: 'Musa Bello' });
		expect(own.sources.get('farmerName')).toEqual({ names: ['Farmer', 'Client'] });
	});

	test('joined columns are named together', () => {
		const { columns } = matchColumns(['Surname', 'First Name']);
		expect(columns.get('farmerName')).toBe('First Name + Surname');
	});

	test('a column of coordinates serves for both halves', () => {
		expect(matchColumns(['GPS'], ['latitude', 'longitude']).issues).toEqual([]);
		expect(matchColumns(['Lat'], ['latitude', 'longitude']).issues).toHaveLength(1);
	});

	test.each([
		[['Nom', 'Téléphone'], true],
		[['Date du service', 'GPS'], true],
		[['Name', 'Phone', 'Date', 'Long'], false],
		[['Culture', 'Longitude'], true],
		[[], false],
	])('the headings %p are French: %p', (names, isFrench) => {
		expect(matchColumns(names).isFrench).toBe(isFrench);
	});

	test('takes the column that is named exactly as the field', () => {
		const match = matchColumns([
			'Phone',
			'farmerPhone',
			'Mobile',
			'Area (ha)',
			'landArea',
			'Email',
		]);
		expect(match.columns.get('farmerPhone')).toBe('farmerPhone');
		expect(match.columns.get('landArea')).toBe('landArea');
		expect(match.unmatched).toEqual(['Phone', 'Mobile', 'Email']);
		expect(match.issues).toEqual([]);
	});
});

describe('what the user says of columns', () => {
	const names = ['Date', 'Spare', 'Phone', 'Zone', 'Acres in hand', 'Village'];

	test('wins over their names', () => {
		const match = matchColumns(
			names,
			['farmerPhone', 'serviceDate'],
			new Map([
				['Spare', 'farmerPhone'],
				['Date', 'serviceDate'],
				['Village', 'ignore'],
				['Acres in hand', 'landArea'],
			]),
		);
		expect(Object.fromEntries(match.columns)).toEqual({
			farmerPhone: 'Spare',
			serviceDate: 'Date',
			landArea: 'Acres in hand',
		});
		expect(match).toMatchObject({
			areaTypeFromHeader: 'ac',
			unmatched: ['Phone', 'Zone'],
			issues: [],
		});
	});

	test('joins the parts of a place', () => {
		const match = matchColumns(
			names,
			[],
			new Map([
				['Village', 'farmLocation'],
				['Zone', 'farmLocation'],
			]),
		);
		expect(cellsOf(match, { Village: 'Moniya', Zone: 'III' }).farmLocation).toBe('III, Moniya');
	});

	test('is an issue if there is no such column', () => {
		const missing = matchColumns(
			names,
			[],
			new Map([
				['Fone', 'farmerPhone'],
				['Gone', 'ignore'],
			]),
		);
		expect(missing.issues.map(issueText)).toEqual([
			expect.stringMatching(
				/^Column Mapping: "Fone" is no column of the input \(the columns found are "Date", .*; enter the name of a column as it is in the sheet\.$/,
			),
		]);
	});
});

test.each<[string, unknown, boolean]>([
	['row_number', 2, true],
	['S/N', '3.', true],
	['s.no', ' 4 ', true],
	['No.', 5, true],
	['#', 6, true],
	['Nr', 7, true],
	['N° d’ordre', 8, true],
	['Numéro', 9, true],
	['Na.', 9, true],
	['Serial Number', '10', true],
	['_index', 11, true],
	['Numéro', 7_012_345, false],
	['No.', 'Total', false],
	['Phone no', 1, false],
	['Note', 1, false],
	['', 1, false],
])('%p: %p only numbers its row: %p', (column, cell, isNumber) => {
	expect(isRowNumber(column, cell)).toBe(isNumber);
});

test('no names make it throw, and each column is used or left alone', () => {
	const name = fc.oneof(
		fc.string({ unit: 'binary' }),
		fc.constantFrom(
			'__proto__',
			'constructor',
			'Phone',
			'Tel',
			'Area (ha)',
			'Acres',
			'crop',
			'Crop',
		),
	);
	fc.assert(
		fc.property(fc.uniqueArray(name), (columns) => {
			const { sources, unmatched } = matchColumns(columns);
			const matched = [...sources.values()].flatMap(({ names }) => names);
			expect([...matched, ...unmatched].sort()).toEqual([...columns].sort());
		}),
		{ numRuns: 1_000 },
	);
});

it('the tractor column of the sheet counts, not the one that the node wrote back into it', () => {
	const written = ['Tractor ID', 'result', 'reason', 'tractorId'];
	const match = matchColumns(written);
	expect(match.columns.get('tractorId')).toBe('Tractor ID');
	expect(cellsOf(match, { 'Tractor ID': 15, tractorId: 13 })).toMatchObject({ tractorId: 15 });
	const row = { 'Tractor ID': 12, tractorId: '' };
	const own = matchFor(matchColumns(Object.keys(row)), row);
	expect(cellsOf(own, row)).toMatchObject({ tractorId: 12 });
	const ownResult = matchColumns(['Tractor ID', 'tractorId', 'result']);
	expect(ownResult.columns.get('tractorId')).toBe('tractorId');
});
