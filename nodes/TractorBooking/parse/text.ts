import { ok, invalid, type Invalid, type ParseResult } from './issue';
import { asText, cleanText, isEmpty } from '../utils/text';

/** Values that spreadsheets show for a failed formula, in any language. */
const SPREADSHEET_ERROR =
	/^#(?:N\/[ADV]|NV|[¡¿]?(?:DIV\/0|\p{Lu}+)[!?]|GETTING_DATA)$|^Err:\d{3}$/u;

/**
 * Longest cell that is parsed, in characters: two printed pages, more than anyone notes about a farm. A cell of a sheet
 * may hold 32,767 and one of a file any number, which each request and message would have to carry.
 */
const MAX_CELL_LENGTH = 5_000;

/** What people type into a cell for which they have nothing: a dash, `N/A`, `nil`. */
const NOTHING =
	/^(?:[-\p{Pd}_.*/\\ ]+|n\/?a|n\.a\.?|nil|none|null|nan|undefined|unknown|not (?:available|applicable|known|given|provided)|no (?:phone|number|name)|néant|aucune?|inconnue?|hakuna)$/iu;

/** What people write of a row that is called off, or put off: it is, wherever this stands. A tractor may be sent, and the SMS not. */
const CALLED_OFF = [
	'cancell?(?:ed|ation(?! fee| policy)|ad[ao]s?|amento)|(?:please|to) cancel|annuler|annulation',
	'called off|(?:dropped|opted|pulled|backed) out|withdr(?:awn|ew)|rejected|(?:postpon|reschedul|deferr)ed',
	'no(?:t| longer) interested|not (?:approved|coming)|no longer needed|duplicate of',
	String.raw`do(?: not|n.?t) (?:book|(?:send|plough)(?: (?:a |the )?tractor)?\P{L}*$)`,
	'(?:annul|report|rejet|d[eé]sist)[eé]e?s?|désistement|ne pas (?:réserver|envoyer|labourer)|ne veut plus',
	'imefutwa|[ai]meghairi(?:wa)?|[ai]mesitishwa|imeahirishwa|imekataliwa|amejitoa',
	'an (?:soke|dag[ae])|[ty]a (?:janye|soke)',
].join('|');
/** Of this, the row is called off only if it begins so: farmers are refused loans, too. */
const CALLED_OFF_FIRST = [
	'cancell?|call off|postpone|put off|reschedule|(?:put )?on hold|dropped|declined|disapproved|void(?:ed)?|cxl',
	'not (?:eligible|to be booked)|invalid|duplicated?|(?:double|wrong|test) entry|entered twice|already (?:booked|served)|died|deceased',
	String.raw`(?:skip|delete|remove|ignore)(?= (?:this|it|row)\b|\P{L}*$)`,
	'(?:abandonn|ajourn|refus|d[eé]c[eé]d)[eé]e?s?|(?:refus|suspend)(?:ed|ue?s?)|renoncé|non (?:approuv|reten)[ué]e?|n.est plus intéressée?',
	'[aà] supprimer|doublon|d[eé]j[aà] (?:réserv|labour)[eé]e?|amefuta|ameahirisha|hataki tena|imerudiwa|[yt]a fasa|baya so',
].join('|');
/** Words that may stand before it, also in a heading. */
const BEFORE =
	'please|the|this|it|he|she|is|was|has|wants|to|be|farmer|client|customer|booking|request|service|row|date|reason|for|of|le|la|il|elle|a|est|s.est';
/** Not of a day that was put off already. */
const END = String.raw`(?!\p{L}| (?:from|du) \d)`;
const BEGINS_CALLED_OFF = String.raw`^\P{L}*(?:(?:${BEFORE})\P{L}+)*(?:${CALLED_OFF}|${CALLED_OFF_FIRST})${END}`;
const CANCELLED_HEADING = new RegExp(BEGINS_CALLED_OFF, 'iu');
const CANCELLED = new RegExp(
	String.raw`${BEGINS_CALLED_OFF}|(?<!\b(?:not|non|pas|never) |\p{L})(?:${CALLED_OFF})${END}`,
	'iu',
);
const NO = /^(?:n|non?|not\b.*|false|faux|hapana|0)$/i;
const YES =
	/^(?:y|yes|oui|true|vrai|ndiyo|eh|1|x|ok|[✓✔]|approved|approuv[ée]e?|confirmed|selected|eligible|valid(?:ated|[ée]e?)?)$/i;

/** How far into a cell it is looked for. */
const MAX_REMARK_LENGTH = 100;

/** What people type until they know it, to try something, or to repeat the cell above. */
const PLACEHOLDER =
	/^(?:[-\p{Pd} ]*["'“”″’〃]+[-\p{Pd} ]*|ditto\.?|[-\p{Pd}]+ ?do\.? ?[-\p{Pd}]+|idem|(?:same )?as above|\(?(?:ex[ae]mples?|mfano|sample)(?: ?[):-].*)?|\?+|x{2,}|t\.?b\.?[acd]\.?|to be (?:confirmed|determined|announced|advised)|à (?:confirmer|déterminer|définir)|tests?|testing|test ?\d+|test (?:farmer|user|name|row|booking)|dummy|asdf+|.+\((?:sample|example)\))$/iu;

/** French for nothing to report; `Ras` is a name. */
const RAS = /^R\.?A\.?S\.?$/;

/** Whether a cell is empty, or says that there is nothing: such cells are not sent. */
export function isBlank(value: unknown): boolean {
	return (
		isEmpty(value) ||
		(typeof value === 'string' && (isShort(value, NOTHING) || isShort(value, RAS)))
	);
}

/** Whether a cell says no, and nothing else. */
export const isNo = (value: unknown): boolean => NO.test(cleanText(asText(value)));

/** Whether a cell says yes, and nothing else. */
export const isYes = (value: unknown): boolean => YES.test(cleanText(asText(value)));

/** Headings of what may be declined or cancelled while the booking is not. */
const OTHER_SUBJECT =
	/insur|assur|loan|credit|cr[ée]dit|pr[êe]t|mkopo|seed|semence|fertili|engrais|training|survey|consent|photo/i;

/** Whether a cell says that its row is called off, or says yes, or when, below a heading such as `Cancelled?`. */
export function isCancelled(value: unknown, heading = ''): boolean {
	if (OTHER_SUBJECT.test(heading)) return false;
	if (CANCELLED_HEADING.test(heading)) return !isBlank(value) && !isNo(value);
	return typeof value === 'string' && CANCELLED.test(value.slice(0, MAX_REMARK_LENGTH));
}

/** What stands beside the sums below a sheet, and below these. */
const TOTAL =
	/^(?:(?:(?:grand|sub|overall)[- ]?)?totals?(?: (?:g[ée]n[ée]ral|farmers?|area|acres|ha|hectares|bookings|requests))?|sum|somme|jumla(?: kuu)?|jimla)(?: ?[:=].*| \d.*)?$|^(?:signatures?|(?:prepared|checked|approved|signed) by)\b/i;

/** Whether a cell says that its row has totals. */
export function isTotal(value: unknown): boolean {
	return typeof value === 'string' && isShort(value, TOTAL);
}

const isShort = (text: string, pattern: RegExp) =>
	text.length < 50 && pattern.test(cleanText(text));

const formulaFailed = () => invalid('is a spreadsheet error', 'fix the formula or clear the cell');

/**
 * The issue of a cell, or of a list with an entry, that no field can hold: it is too long, its formula failed, or it
 * is a placeholder; undefined for any other.
 *
 * @param field its field, if one is given: a note may well say `Pending`
 */
export function unusable(value: unknown, field?: string): ({ ok: false } & Invalid) | undefined {
	const entries: unknown[] = Array.isArray(value) ? value : [value];
	const texts = entries.filter((entry) => typeof entry === 'string');
	if (texts.some(({ length }) => length > MAX_CELL_LENGTH))
		return invalid(`is longer than ${MAX_CELL_LENGTH} characters`, 'shorten it');
	if (texts.some((text) => isShort(text, SPREADSHEET_ERROR))) return formulaFailed();
	// Initials may be E.G.
	return typeof value === 'string' &&
		(isShort(value, PLACEHOLDER) ||
			(field !== 'farmNote' && isShort(value, /^pending$/i)) ||
			/^\W*e\.g\./.test(value))
		? invalid('is only a placeholder', 'write what belongs there, or clear the cell or the row')
		: undefined;
}

/** Parses a text cell; numbers become text. */
export function parseText(value: unknown): ParseResult<string> {
	if (typeof value === 'string') {
		const text = cleanText(value);
		if (text === '') return invalid('is empty', 'write some text');
		if (SPREADSHEET_ERROR.test(text)) return formulaFailed();
		return ok(text);
	}
	if (typeof value === 'bigint' || Number.isFinite(value)) return ok(String(value));
	return invalid('is not text', 'write text or a number');
}
