import type { IDataObject } from 'n8n-workflow';

import type { StatusPage } from '../../examples/code/sheet-with-status/parts/statusPage';
import type { Drawn, Ending } from '../../examples/code/spreadsheet-to-bookings/parts/step';
import { asText } from '../../nodes/TractorBooking/utils/text';

const readIn = (html: string) =>
	html
		.replaceAll(/<thead>.*?<\/thead>|<i>.*?<\/i>/g, '')
		.replaceAll(/<\/t[dh]>(?!<\/tr>)/g, ' | ')
		.replaceAll(/<\/(?:tr|h3|p|li)>/g, '\n')
		.replaceAll(/<[^>]*>|&#829[67];/g, '')
		.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
		.trim();

/** A field of a page: its question, its options, and the one that is chosen beforehand. */
function fieldIn({ fieldType, html, fieldLabel, fieldOptions, defaultValue }: IDataObject): string {
	if (fieldType === 'html') return readIn(asText(html));
	const { values = [] } = (fieldOptions ?? {}) as { values?: IDataObject[] };
	const options = values.map(({ option }) => asText(option)).join(' / ');
	const chosen = defaultValue ? ` [${asText(defaultValue)}]` : '';
	return fieldLabel ? `? ${asText(fieldLabel)} ${options}${chosen}` : '';
}

/** A page as somebody sees it, and what becomes of each line. @param lineOf in place of the tables of a page without questions */
export function shownOn(drawn: Drawn | StatusPage, lineOf?: (line: IDataObject) => string): string {
	if ('route' in drawn && drawn.route === 'page') {
		const { title, text, fields } = drawn.page as Record<string, string> & {
			fields: IDataObject[];
		};
		return [`== ${title}`, text, ...fields.map(fieldIn)].filter(Boolean).join('\n');
	}
	const { title, text = '', html = '', lines = [] } = drawn as Partial<Ending> & { text?: string };
	const said = html || text;
	const cellsOf = (line: object) => Object.values(line).filter((cell) => typeof cell !== 'object');
	const all = lines.map((line) => cellsOf(line).map(asText).join(' | '));
	const told = lineOf ? (lines as IDataObject[]).map(lineOf) : all;
	const shown = lineOf ? said.replaceAll(/<table>.*?<\/table>/g, '') : said;
	return [`== ${title}`, readIn(shown), ...told.map((line) => `- ${line}`)].join('\n');
}
