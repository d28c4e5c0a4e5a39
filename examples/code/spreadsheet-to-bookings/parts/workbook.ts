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

/** The tabs of a workbook that are not hidden. @param xml its `workbook.xml` */
export function tabNames(xml: string): string[] {
	return [...xml.matchAll(/<(?:\w+:)?sheet\s[^>]*>/g)]
		.filter(([tag]) => !/\sstate="(?:veryH|h)idden"/.test(tag))
		.map(([tag]) => textOf(/\sname="([^"]*)"/.exec(tag)?.[1] ?? ''));
}
