/**
 * What the headings of columns look like, in English and French. A heading is compared as one lower-case word without
 * accents, blanks and punctuation (`Farmer phone no.` is `farmerphoneno`): first as it is, then without the
 * {@link FILLERS}. The first pattern that fits decides.
 */
export const COLUMN_PATTERNS = {
	/** Latitude and longitude in one cell. */
	coordinates:
		/^(?:farm|field|plot|site|location)*(?:gps|(?:gps)?(?:coordinates?|coordonnees)(?:gps)?|gps(?:location|point|position)|geo(?:point|location|localisation)|lat(?:itude)?(?:and|et)?(?:lng|long?)(?:itude)?)(?:farm|field|plot|location|champ)?$/,
	/** Of the booking that a row has already. */
	bookingID: /^(?:id|no?|numero)(?:booking|reservation)$|^booking(?:id|no?|number)$/,
	latitude: /latitude$|^(?:gps|farm|location)*lat$/,
	longitude: /longitude$|^(?:gps|farm|location)*(?:long?|lng)$/,
	tractorId: /^(?:id|no?|numero)?(?:tractor|tracteur)(?:id|code|no?|nr|number|numero)?$/,
	serviceType:
		/^(?:services?|implements?|outils?|operations?|activit(?:y|ies)|prestations?)(?:types?)?(?:id|no|number)?$|^types?(?:services?|work|travail|travaux|operation)$/,
	serviceDate:
		/^(?:service|work|ploughing|plowing)?date$|^(?:service)?(?:day|jour)$|^date(?:service|work|travaux|ploughing|plowing|labour|prestation|intervention)$/,
	areaType:
		/^(?:land|area|size)*units?$|^units?(?:area|land)$|^(?:land)?area(?:type|measure)$|^(?:haorac|hectaresoracres|acresorhectares)$|^unite(?:surface|superficie)?$/,
	landArea:
		/^(?:total)?(?:land|farm|field|plot)*(?:area|size)(?:land|farm|field|plot|size)?$|^acreage$|^hectarage$|^(?:total)?(?:surface|superficie)(?:champ)?$|^taillechamp$/,
	farmerName:
		/^(?:full)?names?$|^noms?(?:complet|(?:et)?prenoms?)?$|^(?:farmer|client|customer|grower|beneficiary|beneficiaire|agriculteur|producteur|exploitant|paysan)s?$/,
	farmerPhone:
		/^(?:no?|numero)?(?:mobile|cell|contact|telephone|tel|phone|gsm|msisdn|portable){1,2}(?:no?|nr|number|numero)?$/,
	gender: /^(?:gender|sexe?|genre)$/,
	farmLocation:
		/^(?:farm|name|nom)?(?:location|village|address|place|community|town|localite|lieu|adresse|emplacement|localisation)(?:farm|name|town|champ)?$/,
	farmNote:
		/^(?:farm)?(?:notes?|comments?|remarks?|observations?|instructions?|commentaires?|remarques?)$/,
	custom_crop: /^(?:custom|other)crops?$|^autreculture$/,
	crops: /^(?:crops|cultures)(?:grown|planted|list)?$|^croplist$|^listcrops$/,
	crop: /^(?:main)?(?:crop|culture)(?:name|type|grown|planted)?$|^typecrop$/,
} as const satisfies Record<string, RegExp>;

/**
 * A field that a column can hold, as named in the interface ("Booking create request", "Booking record"), or both halves
 * of a coordinate.
 */
export type ColumnField = keyof typeof COLUMN_PATTERNS;

/** Columns that hold a part of the farmer's name, in the order in which the parts are joined. */
export const NAME_PARTS = {
	given: /^(?:first|given|fore|christian)names?$|^prenoms?$/,
	middle: /^(?:middle|other|second)names?$|^autresprenoms?$/,
	family: /^(?:sur|last|family)names?$|^nomfamille$/,
} as const;

/** Columns that number the rows. */
export const RUNNING_NUMBER =
	/^(?:row|serial|sr?|sl)?(?:no?|nr|number|num|index)$|^numero(?:ordre)?$/;

const words = (list: string): readonly string[] => list.split(', ');

/** Words that do not change what a column holds: `Services Required`, `Name of the farmer`. */
export const FILLERS: ReadonlySet<string> = new Set(
	words(
		'the, of, a, your, please, enter, select, what, which, is, do, you, need, to, be, farmer, farmers, s, client, customer, grower, ' +
			'agriculteur, producteur, exploitant, paysan, beneficiary, required, requested, needed, desired, ' +
			'preferred, planned, proposed, expected, scheduled, exact, ' +
			'de, du, des, le, la, les, l, d, demande, demandee, souhaite, souhaitee, prevu, prevue, requis, requise',
	),
);

/** Words that mean "land area" only together with a unit: `Number of acres`, `Hectares`, `Total (ha)`. */
export const LAND_AREA_BESIDE_A_UNIT = words(
	', in, no of, number of, total, land, farm, field, plot, nombre d, nombre de',
);

/** Words in parentheses after a column's name that do not change its meaning. */
export const QUALIFIERS = words(
	'required, optional, mandatory, obligatoire, facultatif, farmer, farm, if any, id, integer, ' +
		'dd mm yyyy, d m yyyy, mm dd yyyy, m d yyyy, yyyy mm dd, jj mm aaaa, ddmmyyyy, mmddyyyy, yyyymmdd, ' +
		'degrees, decimal degrees, decimal, deg, dd, wgs 84, gps, n, s, e, w, ha or ac, ha ac, ' +
		'with country code, whatsapp, m f, f m',
);

/** French words of headings; they say that `O` stands for *ouest* in a coordinate. */
export const FRENCH =
	/\b(?:noms?|prenoms?|tracteur|telephone|dates? d(?:e|u|es)|superficie|localite|lieu|adresse|cultures?|agriculteur|producteur|paysan|numero|sexe|coordonnees|champ|unite|outil)\b/;
