/**
 * Column headers that people use for each field, in English and French; add new names here.
 * Case, accents, blanks, underscores and punctuation are ignored (`Farmer phone no.` equals `farmer phone no`), and
 * the field's own name need not be listed. A name may be listed under one field only.
 */
// One name a line would make the table five times as long.
// prettier-ignore
export const COLUMN_NAMES = {
	bookingID: [
		'booking no', 'booking number', 'id of booking',
		'no de reservation', 'n de reservation', 'numero de reservation', 'id reservation',
	],
	tractorId: [
		'tractor', 'tractor no', 'tractor number', 'tractor code', 'id tractor',
		'tracteur', 'id tracteur', 'tracteur id', 'no tracteur', 'numero tracteur', 'numero du tracteur',
	],
	serviceType: [
		'service', 'service id', 'service type id', 'type of service', 'service requested', 'service needed',
		'implement', 'implement id', 'implement type',
		'type de service', 'service demande', 'outil',
	],
	serviceDate: [
		'date', 'date of service', 'service day', 'work date', 'date of work', 'requested date', 'date requested',
		'preferred date', 'planned date', 'scheduled date',
		'date du service', 'date de service', 'date des travaux', 'date prevue', 'date souhaitee',
	],
	landArea: [
		'area', 'area of land', 'land size', 'size of land', 'farm area', 'farm size', 'size of farm', 'field area',
		'field size', 'plot area', 'plot size', 'area size', 'size', 'acreage', 'hectarage',
		'surface', 'superficie', 'surface du champ', 'superficie du champ', 'taille du champ',
	],
	areaType: [
		'area unit', 'unit', 'units', 'unit of area', 'land area unit', 'land area type', 'area measure', 'land unit',
		'size unit', 'ha or ac', 'hectares or acres', 'acres or hectares', 'unite', 'unite de surface', 'unite de superficie',
	],
	farmerName: [
		'farmer', 'name', 'full name', 'name of farmer', 'farmers name', 'farmer full name', 'client', 'client name',
		'customer', 'customer name', 'grower', 'grower name',
		'nom', 'nom complet', 'nom et prenom', 'nom et prenoms', 'agriculteur', 'nom de l agriculteur',
		'nom agriculteur', 'producteur', 'nom du producteur', 'exploitant', 'nom de l exploitant', 'paysan',
		'nom du paysan',
	],
	farmerPhone: [
		'phone', 'phone no', 'phone number', 'farmer phone no', 'farmer phone number', 'farmers phone',
		'farmers phone no', 'farmers phone number', 'phone of farmer', 'phone number of farmer',
		'mobile', 'mobile no', 'mobile number', 'mobile phone', 'mobile phone no', 'mobile phone number',
		'farmer mobile', 'farmer mobile no', 'farmer mobile number',
		'tel', 'tel no', 'tel number', 'farmer tel', 'telephone', 'telephone no', 'telephone number', 'farmer telephone',
		'cell', 'cell no', 'cell number', 'cell phone', 'cellphone number', 'gsm', 'gsm no', 'gsm number', 'msisdn',
		'contact', 'contact no', 'contact number', 'contact phone', 'farmer contact', 'farmer contact no',
		'no de telephone', 'no telephone', 'no tel', 'numero de telephone', 'numero telephone',
		'telephone de l agriculteur', 'telephone du producteur', 'portable', 'telephone portable', 'n de telephone', 'n telephone', 'n tel',
	],
	gender: ['sex', 'farmer gender', 'farmer sex', 'gender of farmer', 'sex of farmer', 'genre', 'sexe'],
	latitude: ['lat', 'gps lat', 'gps latitude', 'farm lat', 'farm latitude', 'location lat', 'location latitude'],
	longitude: [
		'long', 'lng', 'lon', 'gps long', 'gps lng', 'gps lon', 'gps longitude', 'farm long', 'farm lng', 'farm lon',
		'farm longitude', 'location long', 'location lng', 'location lon', 'location longitude',
	],
	farmLocation: [
		'location', 'location of farm', 'village', 'farm village', 'village name', 'name of village', 'address',
		'farm address', 'address of farm', 'place', 'community', 'town', 'village town',
		'localite', 'lieu', 'adresse', 'emplacement', 'nom du village', 'lieu du champ', 'localisation',
	],
	farmNote: [
		'note', 'notes', 'farm notes', 'comment', 'comments', 'remark', 'remarks', 'observation', 'observations',
		'instruction', 'instructions', 'commentaire', 'commentaires', 'remarque', 'remarques',
	],
	crop: ['crop name', 'crop type', 'type of crop', 'crop grown', 'crop planted', 'main crop', 'culture'],
	crops: ['crop list', 'list of crops', 'crops grown', 'crops planted', 'cultures'],
	custom_crop: ['other crop', 'autre culture'],
} as const satisfies Record<string, readonly string[]>;

/** A field that a column can hold, as named in the interface ("Booking create request", "Booking record"). */
export type ColumnField = keyof typeof COLUMN_NAMES;

/** Words that mean "land area" only together with a unit: `Number of acres`, `Hectares`, `Total (ha)`. */
// One name a line would make the table five times as long.
// prettier-ignore
export const LAND_AREA_BESIDE_A_UNIT: readonly string[] = [
	'', 'in', 'no of', 'number of', 'total', 'land', 'farm', 'field', 'plot', 'nombre d', 'nombre de',
];

/** Words in parentheses after a column's name that do not change its meaning. */
// One name a line would make the table five times as long.
// prettier-ignore
export const QUALIFIERS: readonly string[] = [
	'required', 'optional', 'mandatory', 'obligatoire', 'facultatif', 'farmer', 'farm', 'if any', 'id', 'integer',
	'dd mm yyyy', 'd m yyyy', 'mm dd yyyy', 'm d yyyy', 'yyyy mm dd', 'jj mm aaaa', 'ddmmyyyy', 'mmddyyyy', 'yyyymmdd',
	'degrees', 'decimal degrees', 'decimal', 'deg', 'dd', 'wgs 84', 'gps', 'n', 's', 'e', 'w', 'ha or ac', 'ha ac',
	'with country code', 'whatsapp', 'm f', 'f m',
];
