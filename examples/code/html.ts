import { asText } from '../../nodes/TractorBooking/utils/text';

/** Text as HTML that shows it as it is: no sign of a sheet is taken for HTML, or for an expression of n8n. */
export function show(value: unknown): string {
	return asText(value).replace(/[^\p{L}\p{N} ]/gu, (sign) => `&#${sign.codePointAt(0)};`);
}

/** A text that stands by itself: Arabic words before it do not move the plus of a phone. */
export const apart = (text: string): string => text && `\u2068${text}\u2069`;

export function part(title: string, ...body: string[]): string {
	return `<h3>${title}</h3>${body.join('')}`;
}

/** On a telephone, each line is a card, in which each cell has its heading. */
export function table(heads: readonly string[], lines: ReadonlyArray<readonly unknown[]>): string {
	const head = heads.map((text) => `<th>${text}</th>`).join('');
	const cellOf = (cell: unknown, at: number) =>
		`<td>${show(cell) && `<i>${heads[at]}</i>${show(cell)}`}</td>`;
	const rowOf = (cells: readonly unknown[]) => `<tr>${cells.map(cellOf).join('')}</tr>`;
	return `<table><thead><tr>${head}</tr></thead><tbody>${lines.map(rowOf).join('')}</tbody></table>`;
}

/** A long list scrolls, so that what comes after it is near. */
export const scroll = (html: string): string => `<div>${html}</div>`;

export function count(number: number, noun: string): string {
	return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** A date as a person says it: `Wed, 1 Dec 2027`. */
export function dayOf(date: string): string {
	return new Date(`${date}T00:00:00Z`).toLocaleDateString('en-GB', {
		weekday: 'short',
		day: 'numeric',
		month: 'short',
		year: 'numeric',
		timeZone: 'UTC',
	});
}
