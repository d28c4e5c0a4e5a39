import { groupBy } from '../../../../nodes/TractorBooking/utils/groupBy';
import { asText } from '../../../../nodes/TractorBooking/utils/text';

const SIGNS: Readonly<Record<string, string>> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
};

const textOf = (xml: string) =>
	xml.replace(/&(#x?)?(\w+);/g, (_, sign: string | undefined, name: string) =>
		sign ? String.fromCodePoint(parseInt(name, sign === '#' ? 10 : 16)) : (SIGNS[name] ?? ''),
	);

const xmlOf = (text: string) =>
	text
		// eslint-disable-next-line no-control-regex -- XML has no place for these
		.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
		.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '');

const ROW = /<row\b([^>]*?)(?:\/>|>(.*?)<\/row>)/gs;
const CELL = /<c\b([^>]*?)(?:\/>|>(.*?)<\/c>)/gs;

const tagsIn = (xml: string, name: string) =>
	[...xml.matchAll(new RegExp(`<(?:\\w+:)?${name}\\s[^>]*>`, 'g'))].map(([tag]) => tag);

const attribute = (tag: string, name: string) =>
	textOf(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '');

/** The tabs of a workbook that are not hidden. @param xml its `workbook.xml` */
export function tabNames(xml: string): string[] {
	return tagsIn(xml, 'sheet')
		.filter((tag) => !/\sstate="(?:veryH|h)idden"/.test(tag))
		.map((tag) => attribute(tag, 'name'));
}

/** The end of the path of the file that has the cells of a tab. @param xml `workbook.xml` @param relations `workbook.xml.rels` */
export function fileOfTab(xml: string, relations: string, tab: string): string {
	const sheet = tagsIn(xml, 'sheet').find((tag) => attribute(tag, 'name') === tab) ?? '';
	const id = attribute(sheet, 'r:id');
	const relation = tagsIn(relations, 'Relationship').find((tag) => attribute(tag, 'Id') === id);
	return attribute(relation ?? '', 'Target')
		.split('/')
		.slice(-2)
		.join('/');
}

/** The numbers of the rows of a tab that a person does not see, since they are filtered out. */
export const hiddenRows = (xml: string): number[] =>
	tagsIn(xml, 'row')
		.filter((tag) => /\shidden="(?:1|true)"/.test(tag))
		.map((tag) => Number(attribute(tag, 'r')));

/** The numbers of the rows of a tab in which half of the filled cells, at least, are struck through. @param styles `styles.xml` */
export function struckRows(xml: string, styles: string): number[] {
	const [fonts = ''] = /<fonts\b.*?<\/fonts>/s.exec(styles) ?? [];
	const [looks = ''] = /<cellXfs\b.*?<\/cellXfs>/s.exec(styles) ?? [];
	const areStruck = [...fonts.matchAll(/<font(?:\s[^>]*)?(?:\/>|>(.*?)<\/font>)/gs)].map(
		([, font = '']) => /<strike(?:\s+val="(?:1|true)")?\s*\/>/.test(font),
	);
	const struckLooks = tagsIn(looks, 'xf').map((tag) => areStruck[Number(attribute(tag, 'fontId'))]);
	if (!struckLooks.includes(true)) return [];
	return [...xml.matchAll(ROW)].flatMap(([, tag = '', inner = '']) => {
		const filled = [...inner.matchAll(CELL)].filter(([, , value]) => value);
		const struck = filled.filter(([, cell = '']) => struckLooks[Number(attribute(cell, 's'))]);
		const isStruck = struck.length > 0 && 2 * struck.length >= filled.length;
		return isStruck ? Number(attribute(tag, 'r')) : [];
	});
}

/** The cells of a tab that are merged over several rows: `D2:D4`. Only the first of these has the value. */
export const mergedDown = (xml: string): string[] =>
	tagsIn(xml, 'mergeCell')
		.map((tag) => attribute(tag, 'ref'))
		.filter((range) => new Set(range.match(/\d+/g)).size > 1);

/** Something to write: in which row, and below which heading. */
export interface NewCell {
	row: number;
	column: string;
	value: unknown;
}

const textsIn = (xml: string) =>
	textOf([...xml.matchAll(/<t(?:\s[^>]*)?>(.*?)<\/t>/gs)].map(([, text]) => text).join(''));

/** The texts of a workbook that cells name by their numbers. @param xml `sharedStrings.xml` */
const sharedTexts = (xml: string) =>
	[...xml.matchAll(/<si(?:\s[^>]*)?>(.*?)<\/si>/gs)].map(([, text = '']) => textsIn(text));

/** Column 0 is `A`, 26 is `AA`. */
const lettersOf = (column: number): string =>
	(column < 26 ? '' : lettersOf(Math.floor(column / 26) - 1)) +
	String.fromCharCode(65 + (column % 26));

const columnOf = (letters: string) =>
	[...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1;

function cellsIn(xml: string) {
	return [...xml.matchAll(CELL)].map(([whole, tag = '', inner = '']) => {
		const [, letters] = /^([A-Z]+)\d+$/.exec(attribute(tag, 'r')) ?? [];
		// What leaves its places out is not written into.
		if (letters === undefined) throw new Error('A cell has no place.');
		return { column: columnOf(letters), whole, tag, inner };
	});
}

function cellAs(place: string, value: unknown, style = ''): string {
	const text = asText(value);
	if (text === '') return '';
	if (typeof value === 'number') return `<c r="${place}"${style}><v>${value}</v></c>`;
	const said = `<is><t xml:space="preserve">${xmlOf(text)}</t></is>`;
	return `<c r="${place}"${style} t="inlineStr">${said}</c>`;
}

/**
 * The cells of a tab with new ones in them: below the headings that they are for, which are added where there are none.
 * All else stays as it is.
 *
 * @param xml the file of the tab
 * @param strings `sharedStrings.xml`, if there is one
 * @throws Error if the file is not as programs write it
 */
export function withCells(xml: string, strings: string, news: readonly NewCell[]): string {
	const texts = sharedTexts(strings);
	const shown = ({ tag, inner }: { tag: string; inner: string }) => {
		const [, value = ''] = /<v>(.*?)<\/v>/s.exec(inner) ?? [];
		if (attribute(tag, 't') === 's') return texts[Number(value)] ?? '';
		return attribute(tag, 't') === 'inlineStr' ? textsIn(inner) : textOf(value);
	};
	const rows = [...xml.matchAll(ROW)].map(([, tag = '', inner = '']) => ({
		number: Number(attribute(tag, 'r')),
		filled: cellsIn(inner).filter((cell) => shown(cell) !== ''),
	}));
	const head = rows.find(({ filled }) => filled.length > 0);
	const last = head?.filled.at(-1);
	if (!head || !last) throw new Error('The tab has no headings.');
	const places = new Map(head.filled.map((cell) => [shown(cell), cell.column] as const));
	let end = rows
		.flatMap(({ filled }) => filled)
		.reduce((furthest, { column }) => Math.max(furthest, column), 0);
	const headings = [...new Set(news.map(({ column }) => column))].filter(
		(name) => !places.has(name),
	);
	for (const name of headings) places.set(name, ++end);
	const [style = ''] = /\ss="\d+"/.exec(last.tag) ?? [];
	const added = headings.map((name) => ({ row: head.number, column: name, value: name, style }));
	const cellsToWrite: Array<NewCell & { style?: string }> = [...added, ...news];
	const ofRow = groupBy(cellsToWrite, ({ row }) => row);
	const written = xml.replace(ROW, (whole, tag: string, inner: string | undefined) => {
		const number = Number(attribute(tag, 'r'));
		const own = ofRow.get(number);
		if (!own) return whole;
		const cells = new Map(cellsIn(inner ?? '').map((cell) => [cell.column, cell.whole]));
		for (const { column, value, style: look } of own) {
			const place = places.get(column) ?? 0;
			cells.set(place, cellAs(`${lettersOf(place)}${number}`, value, look));
		}
		const sorted = [...cells].sort(([one], [other]) => one - other);
		const attributes = tag.replace(/\sspans="[^"]*"/, '');
		return `<row${attributes}>${sorted.map(([, cell]) => cell).join('')}</row>`;
	});
	// It would end before the new columns.
	return written.replace(/<dimension\b[^>]*\/>/, '');
}
