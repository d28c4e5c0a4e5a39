import { areaUnitOf, type AreaType } from './areaUnits';
import type { DateOrder } from './dateText';
import { asText, fold } from '../utils/text';

/** Words that number something, such as `Tractor no.`; alone, they number the rows, or mean the phone. */
const COUNTED = 'nos?|nr|num|numbers?|numeros?|namba(?:ri)?|lambar?';
const NUMBER = `ids?|codes?|${COUNTED}`;
const FARM =
	'farms?|fields?|plots?|lands?|sites?|gardens?|parcels?|champs?|parcelles?|shamba|gonar?';
const TRACTOR = 'tractor|tracteur|trekta|tarakta';
const TILLAGE = 'plough(?:ing|ed)?|plow(?:ing|ed)?|harrow(?:ing|ed)?|labour(?:s|er)?|kulima';
const WORK = `services?|works?|jobs?|task|operations?|${TILLAGE}|travailler|travaux|travail|prestations?|interventions?|huduma|kazi|aiki|${TRACTOR}`;
const SERVICE_NAMES = `${TILLAGE}|ridg(?:es?|ing)|till(?:age|ing)|plant(?:ing)?|seed(?:ing)?|spray(?:ing)?|harvest(?:ing)?|thresh(?:ing)?|haul(?:age|ing)`;
const LAND_SWAHILI = 'eneo|ardhi|kulimw?a';
const MINUTES = 'min(?:ute)?s?|sec(?:ond)?s?|dms';
/** Words of a column that may replace another one of its field, if that is there, too: `New date`, `Approved area`. */
const CORRECTED =
	'new|revised|correct(?:ed)?|replacement|updated?|changed?|current|active|working|confirmed|agreed|approved|actual|measured|verified|final|fixed|rescheduled|scheduled|assigned|allocated|allotted|nouveau|nouvelle|revisee?|corrigee?|actuelle?|confirmee?|retenue?|definiti(?:f|ve)|affectee?|attribuee?|assignee?|mpya|sahihi|iliyothibitishwa|sabuwar|sabon';
const CROP_WORDS =
	'main|principale?s?|names?|types?|kinds?|list|grow[ns]?|plant(?:ed|ing)?|cultivated?|gona';

/**
 * What headings look like in English, French, Swahili and Hausa. A heading is of a field if it has a word of the first
 * pattern, and no others than those of both patterns, {@link FILLERS} and units; the first field that fits is taken.
 */
const FIELD_WORDS = {
	/** Latitude and longitude in one cell. */
	coordinates: [
		'gps|geo(?:point|location|localisation|tag)|coord(?:inate|onnee)?s?|lat(?:itude)?(?:lng|long?)(?:itude)?|(?:lng|long?)(?:itude)?lat(?:itude)?',
		`${FARM}|locations?|localisation|points?|positions?|readings?|geographiques?|xy`,
	],
	/** Of the booking that a row has already. */
	bookingID: [`(?:booking|reservation)(?:${NUMBER})|(?:${NUMBER})(?:booking|reservation)`, ''],
	latitude: ['lat(?:itude)?(?:north|south|nord|sud)?', `${FARM}|gps|locations?|${MINUTES}`],
	longitude: ['(?:long?(?:itude)?|lng)(?:east|west|ouest)?', `${FARM}|gps|locations?|${MINUTES}`],
	tractorId: [`${TRACTOR}|machines?`, NUMBER],
	serviceDate: [
		'dates?|day|jour|when|quand|schedule|appointment|rdv|tarehe|siku|ranar?|kwananwata',
		`start|target|tillage|mechani[sz]ation|prep(?:aration)?|activity|passage|${WORK}|${FARM}`,
	],
	serviceType: [
		'services?|implements?|equipe?ments?|outils?|operations?|activit(?:y|ies|es?)|prestations?|works?|jobs?|task|travaux|travail|interventions?|treatments?|landprep(?:aration)?|srv|svc|typelabours?|huduma|kazi|aiki',
		`types?|kinds?|natures?|aina|nau|irin|names?|labels?|mechani[sz]ation|preparation|${WORK}|${SERVICE_NAMES}|${FARM}|${NUMBER}`,
	],
	landArea: [
		'areas?|sizes?|acreage|hectarage|sur?f|surfaces?|sup(?:erf)?|superficies?|etendue|tailles?|big|large|ukubwa|girman?|fadin?',
		`total|under|estimated|worked|booked|gps|crops?|cultures?|cultiv(?:ated?|ee?)|emblavee?|serviced|planted|prepared|tilled|${LAND_SWAHILI}|${WORK}|${FARM}`,
	],
	areaType: [
		'units?|unites?|measure(?:ment)?s?|areatype',
		`(?:${WORK})?areas?|sizes?|surfaces?|superficies?|mesures?|${FARM}`,
	],
	farmerName: [
		'names?|nom(?:es?|s)?|jina|majina|sunan?',
		'hh|official|full|complet[eo]?|kamili|cikakken|first|given|last|family|middle|other|surnames?|prenoms?',
	],
	farmerPhone: [
		'f?(?:tele)?phones?|mobiles?|mob|cellulaires?|tel|gsm|msisdn|contacts?|mawasiliano|portable|simu|wayar?',
		`cell|lines?|handset|hh|household|head|valid|registered|reachable|whatsapp|sms|calls?|primary|main|principale?|details?|info|telephonique|mkononi|hannu|codes?|${COUNTED}`,
	],
	/** The country whose calling code the phone lacks; see {@link PHONE_COUNTRY}. */
	phoneCountry: ['indicatif|codepays|(?:dial+ing|calling)codes?', 'phones?|telephonique'],
	gender: ['genders?|sexe?|genre|jinsia|jinsin?', 'male|female|homme|femme'],
	farmLocation: [
		'locations?|villages?|address|places?|community|towns?|city|wards?|lga|localgovernment(?:area)?|(?:sub)?county|districts?|state|region|province|commune|quartier|sector|cercle|woreda|kebele|tehsil|taluka?|block|parish|division|localite|lieux?|adresse|emplacement|localisation|where|located|kijiji|mahali|kata|wilaya|kauye|garin?',
		`names?|noms?|${FARM}`,
	],
	farmNote: [
		'notes?|comments?|remarks?|observations?|instructions?|commentaires?|remarques?|maoni|maelezo|bayani',
		`special|additional|other|autres?|${FARM}`,
	],
	custom_crop: ['(?:custom|other|autres?)(?:crops?|cultures?)', CROP_WORDS],
	crops: ['crops|cultures|speculations|mazao', CROP_WORDS],
	crop: ['crop|commodity|culture|speculation|zao|amfanin?', CROP_WORDS],
} as const;

/**
 * A field that a column can hold, as named in the interface ("Booking create request", "Booking record"), both halves
 * of a coordinate, or the country of the phone.
 */
export type ColumnField = keyof typeof FIELD_WORDS;

/** All fields that a column can hold. */
export const COLUMN_FIELDS = Object.keys(FIELD_WORDS) as ColumnField[];

const PATTERNS = COLUMN_FIELDS.map((field) => {
	const [nouns, others] = FIELD_WORDS[field];
	return { field, pattern: new RegExp(`^(?:${others})*(?:${nouns})(?:${nouns}|${others})*$`) };
});

/** Columns that hold a part of the farmer's name, in the order in which the parts are joined. */
const NAME_PARTS = {
	given: /^(?:first|given|fore|christian|f)names?$|^prenoms?$/,
	middle: /^(?:middle|other|second)names?$|^autresprenoms?$/,
	family: /^(?:sur|last|family|[ls])names?$|^nomfamille$/,
} as const;

/** A part of a name. */
export type NamePart = keyof typeof NAME_PARTS;

const PERSON =
	/^(?:farmers?|clients?|customers?|members?|membres?|beneficiar(?:y|ies)|beneficiaires?|agriculteurs?|agricultrices?|cultiva(?:teur|trice)s?|producers?|producteurs?|productrices?|respondents?|applicants?|participants?|(?:out)?growers?|resp|individuals?|demandeurs?|planteurs?|adherents?|societaires?|exploitants?|paysans?|mkulima|wakulima|mteja|wateja|mwanachama|manomi)$/;

/** Words that do not change what a column holds: `Services Required`, `Phone (11 digits)`, `Date (dd/mm/yyyy)`. */
const FILLERS = new RegExp(
	`^(?:${[
		// prettier-ignore
		'the|of|an|and|or|in|on|at|by|for|to|be|is|are|was|will|do|does|did|should|would|can|we|us|i|my|our|you|your|their|his|her|if|any|known|it|this|what|which|who|how|done|much|many|come|like|want|wish',
		'please|enter|select|choose|specify|give|write|record|capture|take|eg|etc|only|required|requested|needed|need|desired|preferred|planned|proposed|expected|wanted|rendered|chosen|selected|exact|optional|mandatory|with|country|format|digits?',
		'de|du|des|le|la|les|et|ou|en|est|quelle?s?|votre|avez|vous|demandee?s?|souhaitee?s?|prevue?s?|requise?s?|voulue?s?|obligatoire|facultatif|programmee?|planifiee?|sollicitee?|chiffres',
		String.raw`wa|ya|za|na|cha|kwa|lako|yako|unayotaka|\p{L}+(?:hitajika|takiwa)`,
		CORRECTED,
		'x{3,}|form|use|decimal|deg|degrees?|wgs|wgs84|dd[my]{4,6}|mmddyyyy|yyyymmdd|[dj]{1,2}|m{1,4}|y{2,4}|a{2,4}',
		String.raw`q?\d+(?:st|nd|rd|th|er)?|\p{L}`,
	].join('|')})$`,
	'u',
);

/** Words that mean "land area" together with a unit: `Number of acres`, `Hectares`, `Total (ha)`. */
const BESIDE_A_UNIT = new RegExp(
	`^(?:total|quantity|qty|units?|estimated|mapped|gps|booked|serviced|worked|paid|nombre|nbr?e?|idadi|ngapi|yawan|${LAND_SWAHILI}|${NUMBER}|${WORK}|${FARM})*$`,
);

const ROW_NUMBER =
	/^(?:rows?|serial|sr|sl|s)*(?:no|na|sno|nr|num|numbers?|numeros?|index|sn|slno|srno)(?:ordre)?$/;
/** Neither an ID nor a code; nor the number of a farmer or a member, of which the words count here. */
const LINE = 'whatsapp|cell|lines?|hotline|safaricom|airtel|mtn|m?pesa|momo|phones?';
const BARE_NUMBER = new RegExp(`^(?:${LINE}|${COUNTED})+$`);
const NAMED_LINE = new RegExp(LINE);

/** What may stand before the slash in the headings of KoBo and ODK: the group of a question. */
const GROUP = new RegExp(
	String.raw`^(?:groups?|grp|sections?|identification|demande|part|page|form|survey|details?|infos?|information|data|basic|general|personal|profile|req(?:uest)?|\D*\d.*|${WORK}|${FARM})$`,
);

/** Groups whose questions are not about this booking or this farmer. */
const OTHER_GROUP = /\b(?:last|previous|past|history|second|kin|spouse)\b/;

/**
 * Columns that are of no booking to be made, though their other words may be of a field: `Number of tractors` is not the
 * number of a tractor, `Tractor needed` may be a count, `Job No.` numbers the jobs (but `Service ID` the services),
 * `Date requested` is the day of the request, `Date approved` that of the approval, and `Ha done` is work of the past.
 */
const COUNT = /^(?:(?:no|nr|numbers?) of|how many)\b/;
const REQUEST_DATE =
	/^dates? (?:(?:de|du|la) )*(?:demandes?|requested(?! for)|updated?|changed?|approved|confirmed|fixed|rendered)\b|^(?:updated?|changed?|current|approved|form) dates?\b/;
const OTHER = new RegExp(
	`^(?:(?:works?|jobs?|tasks?|services?|operations?|activity)(?:${COUNTED})|(?:work|job|task)ids?|tractor(?:needed|required|wanted)|(?:doyou)?needa?tractor)$`,
);
/** One choice of a question for the service, of which the cells are 1 or 0, in exports of KoBo: `service/harrowing`. */
const SERVICE_CHOICE = new RegExp(
	`^(?!.*(?:${SERVICE_NAMES}).*/).*/(?:[^/]*[_ ])?(?:${SERVICE_NAMES})$`,
);
const DONE = /(?<!\b(?:be|it) )\bdone\b/;

/** The country of the phone, in headings without what is in parentheses. */
const PHONE_COUNTRY = /^(?:phone)?country(?:code|name)?$/;

/** Words that may mean something else: the occupation, hired labour, the contacts of anybody. */
const VAGUE: Readonly<Partial<Record<ColumnField, RegExp>>> = {
	serviceType: /\b(?:kazi|task|labour)\b/,
	serviceDate: /^(?:day|jour|siku)$/,
	farmerPhone: /\b(?:details?|info)\b/,
};

/** People who are the farmer if no other column names one. */
const OWNER =
	/^(?:name)?(?:(?:farm|land)?owner|head(?:household|hh)|(?:household|hh)head|contact)(?:name)?$/;

/** Units that are neither hectares nor acres: `Area (sq m)`, `Feddans`, `Farm size (plots)`. */
const FOREIGN_UNIT =
	/\b(?:sq(?:uare)? ?[mfyk]\w*|m ?2|feddans?)\b|^(?:ares|limas?)$|(?<=\b(?:size|area|land|superficie|in|en|or|(?:no|numbers?) of) )(?:plots|ares|limas?)\b/;

const CORRECTION = new RegExp(`\\b(?:${CORRECTED})\\b`);

const LONGITUDE_FIRST = /\bl(?:ng|on)\w* ?(?:and |et )?lat|\bxy\b|\b[xe] (?:and |et )?[yn]\b/;

const OTHER_SIDE =
	/\bl(?:at|on|ng)\w* (?:deg\w* )?(?:[swo]|south|sud|west|ouest|kusini|magharibi)\b(?! (?:\w+ )?[ne]\b)|\b[ns] [wo]\b|\bs e\b/;

/** How headings write the order of a date: `Date (dd/mm/yyyy)`. */
const DAY_FIRST = /\b[dj]{1,2} ?m{1,3} ?[ya]{2,4}\b/;
const MONTH_FIRST = /\bm{1,3} ?[dj]{1,2} ?[ya]{2,4}\b/;

/** Fields whose cells may be codes, which the heading explains in parentheses: `Service (1=plough, 2=harrow)`. */
export const CODED: ReadonlySet<ColumnField> = new Set([
	'serviceType',
	'areaType',
	'gender',
	'crop',
	'crops',
]);
const IN_PARENTHESES = /[([][^()[\]]*(?:[)\]]|$)/g;
/** A number that may be a code; no part of a longer one. */
const NUMBER_ALONE = /(?<!\d[.,]?)\d{1,2}(?![.,]?\d)/g;

/** French words of headings; they say that `O` stands for *ouest* in a coordinate. */
const FRENCH =
	/\b(?:noms?|prenoms?|tracteur|telephone|dates? d(?:e|u|es)|superficie|localite|lieu|adresse|cultures?|agriculteur|producteur|paysan|numero|sexe|coordonnees|champ|unite|outil)\b/;

/** No heading is longer, whatever a file holds. */
const MAX_LENGTH = 200;

/** What a heading says of its column. */
export interface Heading {
	/** Undefined if it is none that is known. */
	field?: ColumnField;
	/** If the column holds a part of the name only. */
	part?: NamePart;
	/** Whether it is the name of the field itself: `Service Date`. */
	isOwn?: boolean;
	/** Whether any other column of the field is surer. */
	isGuess?: boolean;
}

/** The words of a name, folded; a capital inside a word starts a new one, `#` and `N°` are `no`. */
function words(name: string): string[] {
	const plain = name
		.slice(0, MAX_LENGTH)
		.replace(/#|(?<!\p{L})n[°º]/giu, ' no ')
		.replace(/\((e?s)\)/g, '$1')
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
	return fold(plain)
		.split(/[^\p{L}\p{M}\p{N}]+/u)
		.filter((word) => word !== '')
		.map((word, at) => (word === 'n' && at === 0 ? 'no' : word));
}

/** The name as one word without parentheses: `Service Date (dd/mm/yyyy)` → `servicedate`. */
function plainName(name: string): string {
	return words(name.replace(/[([](?!e?s\))[^()[\]]*[)\]]/g, ' ')).join('');
}

/** The words of the codes that a heading explains: 1 is `plough` in `Service (1-plough, 2-harrow)`. */
export function codesIn(heading: string): ReadonlyMap<number, string> {
	const short = heading.slice(0, MAX_LENGTH);
	const codes = [...short.matchAll(NUMBER_ALONE)].map(([number]) => Number(number));
	const isList = codes.length > 1 && codes.every((code, at) => code > (codes[at - 1] ?? -1));
	if (!isList) return new Map();
	const [first = '', ...behind] = short.split(NUMBER_ALONE);
	// `Plough - 1, harrow - 2` has nothing behind its last code.
	const isCodeLast = !/\p{L}/u.test(behind.at(-1) ?? '');
	const texts = isCodeLast ? [first.replace(/^.*[([{]/, ''), ...behind] : behind;
	const words = codes.map((code, at) => {
		const text = texts[at]?.replace(/^\W*(?:for|is) /i, '') ?? '';
		return [code, /\p{L}+(?:[ '’]\p{L}+)*/u.exec(text)?.[0] ?? ''] as const;
	});
	return new Map(words.filter(([, word]) => word !== ''));
}

/** The field of a heading in words without units: first as it is, then without the group of a question. */
function fieldOf(parts: readonly string[]): Pick<Heading, 'field' | 'part'> {
	const text = withoutFillers(parts);
	if (text === '' && parts.some((word) => PERSON.test(word)) && !CORRECTION.test(parts.join(' ')))
		return { field: 'farmerName' };
	const part = (Object.keys(NAME_PARTS) as NamePart[]).find((key) => NAME_PARTS[key].test(text));
	if (part) return { field: 'farmerName', part };
	return { field: PATTERNS.find(({ pattern }) => pattern.test(text))?.field };
}

/** The words joined that say what a column holds: `Name of the farmer` → `name`. */
function withoutFillers(parts: readonly string[]): string {
	return parts
		.filter((word) => !FILLERS.test(word) && !PERSON.test(word))
		.join('')
		.replace(/^farmers?(?=.)/, '');
}

function unitsIn(parts: readonly string[]): Set<AreaType> {
	return new Set(parts.flatMap((word) => areaUnitOf(word) ?? []));
}

/** The unit in the heading of a land area: `Land area (ha)`; undefined if it has none, or several. */
export function unitOf(column: string): AreaType | undefined {
	const units = unitsIn(words(column));
	return units.size === 1 ? [...units][0] : undefined;
}

/** What the heading of a column says. */
export function parseHeading(column: string): Heading {
	const [, half] = /^_.+_(latitude|longitude)$/i.exec(column) ?? [];
	if (half) return { field: half.toLowerCase() as ColumnField };
	const all = words(column);
	const parts = all.filter((word) => !areaUnitOf(word));
	const units = unitsIn(all);
	const name = plainName(column);
	const own = COLUMN_FIELDS.find((key) => key.toLowerCase().replace('_', '') === name);
	// `Farm location (GPS)` says more than its name.
	if (own && (own !== 'farmLocation' || fieldOf(parts).field !== 'coordinates'))
		return { field: own, isOwn: true };
	const grouped = inGroup(column);
	if (grouped.isOwn) return grouped;
	if (PHONE_COUNTRY.test(name)) return { field: 'phoneCountry', isGuess: !name.endsWith('code') };
	const foreign = foreignUnitOf(column);
	const inHectares = foreign && parseHeading(all.join(' ').replace(foreign, 'ha')).field;
	if (inHectares === 'landArea') return { field: inHectares, isGuess: true };
	const text = parts.join(' ');
	const { field, part } = COUNT.test(text) || OTHER.test(name) ? {} : fieldOf(parts);
	const isDone = field !== 'serviceType' && DONE.test(text);
	const isChoice =
		field === 'serviceType' && SERVICE_CHOICE.test(fold(column.slice(0, MAX_LENGTH)));
	if (isDone || isChoice || REQUEST_DATE.test(text)) return {};
	// `Acres for service` is no service, and `GPS acres` no place.
	const isArea = units.size > 0 && (field === 'serviceType' || field === 'coordinates');
	if (field && !isArea) return { field, part, isGuess: VAGUE[field]?.test(text) };
	const plain = withoutFillers(parts);
	if (OWNER.test(plain)) return { field: 'farmerName', isGuess: true };
	if (isArea || (units.size > 0 && BESIDE_A_UNIT.test(plain)))
		return { field: units.size > 1 ? 'areaType' : 'landArea' };

	const short = column.slice(0, MAX_LENGTH);
	const isCodes = (part: string) => part.includes('=') || codesIn(part).size > 0;
	const uncoded = short.replace(IN_PARENTHESES, (part) => (isCodes(part) ? ' ' : part));
	const coded = uncoded === short ? {} : parseHeading(uncoded);
	return coded.field && CODED.has(coded.field) ? coded : grouped;
}

/** What the heading of a question in a group says: `group_a1/farmer_phone`, or `group_a1-farmer_phone` of ODK Central. */
function inGroup(column: string): Heading {
	const slash = /^(.*\S)\/(\S[^/]*)$/.exec(column);
	const [, group, question] = slash ?? /^(.+)-(\w+)$/.exec(column) ?? [];
	if (group === undefined || question === undefined) return {};
	const groups = words(group);
	const heading = parseHeading(question);
	const isKnown = groups.every((word) => GROUP.test(word) || withoutFillers([word]) === '');
	if (slash && isKnown) return heading;
	// `service_date` is the same in any group, but `phone` may be that of an agent. A hyphen may be in a word: `co-farmer_phone`.
	const isSure =
		(heading.isOwn && /[A-Z_]/.test(heading.field ?? '')) ||
		/^_.+_(?:lat|long)itude$/i.test(question);
	return isSure && (slash || isKnown) && !/\s/.test(column) && !OTHER_GROUP.test(groups.join(' '))
		? heading
		: {};
}

/** Whether a cell only numbers its row, by the heading of its column: 7 in `row_number`, `S/N` or `No.`. */
export function isRowNumber(column: string, cell: unknown): boolean {
	return isNumbering(column) && /^\s*\d{1,6}\.?\s*$/.test(asText(cell));
}

/** Whether the heading of a column says that it numbers the rows. */
export function isNumbering(column: string): boolean {
	const parts = words(column);
	return ROW_NUMBER.test(parts.join('')) || ROW_NUMBER.test(withoutFillers(parts));
}

/** Whether a column says too little to be of a field, but may hold phones: `Numéro`, `WhatsApp`, `Cell`. */
export function isBareNumber(column: string): boolean {
	const parts = words(column);
	return BARE_NUMBER.test(parts.filter((word) => !FILLERS.test(word)).join(''));
}

const textOf = (column: string) => words(column).join(' ');

/** Whether the heading of such a column means a phone all the same: `WhatsApp`, not `Numéro`. */
export const namesLine = (column: string) => NAMED_LINE.test(words(column).join(''));

/** The unit in the heading of a land area if it is neither hectares nor acres. */
export const foreignUnitOf = (column: string) => FOREIGN_UNIT.exec(textOf(column))?.[0];

/** Whether the heading of a place in one cell names the longitude first: `GPS (Long, Lat)`. */
export const isLongitudeFirst = (column: string) => LONGITUDE_FIRST.test(textOf(column));

/** The order of day and month that the heading of a date gives; undefined if it gives none. */
export function orderInHeading(column: string): DateOrder | undefined {
	const text = textOf(column);
	if (DAY_FIRST.test(text)) return 'dayFirst';
	return MONTH_FIRST.test(text) ? 'monthFirst' : undefined;
}

/** Whether the heading of a half of a coordinate says south or west: `Latitude (S)`. */
export const isOtherSide = (column: string) => OTHER_SIDE.test(textOf(column));

/** Whether a column holds only the minutes or the seconds of a coordinate: `Lat min`. */
export const isAnglePart = (column: string) =>
	/^(?!.*\bd(?:eg|ms)).* (?:min|sec)/.test(textOf(column));

/** Whether a heading says no more than date. */
export const isBareDate = (column: string) =>
	/^(?:dates?|day|jour|tarehe|siku|ranar?)$/.test(plainName(column));

/** Whether a column replaces another one of its field. */
export const isCorrection = (column: string) => CORRECTION.test(textOf(column));

const SERVICE_NAME = new RegExp(`\\b(?:${SERVICE_NAMES})\\b`);

/** Whether a heading names a service: `Ploughing (ha)`. */
export const namesService = (column: string) => SERVICE_NAME.test(textOf(column));

/** Whether a heading is French. */
export function isFrench(column: string): boolean {
	return FRENCH.test(textOf(column));
}
