import {
	fileOfTab,
	hiddenRows,
	mergedDown,
	struckRows,
	tabNames,
	withCells,
} from '../../examples/code/spreadsheet-to-bookings/parts/workbook';

const strings =
	'<sst><si><t>Farmer</t></si><si><r><t>Da</t></r><r><t xml:space="preserve">te </t></r></si><si/></sst>';
const xml = [
	'<worksheet><dimension ref="A1:C5"/><cols><col min="1" max="1" width="31"/></cols><sheetData>',
	'<row r="1" spans="1:3"><c r="A1" t="s"><v>0</v></c><c r="B1" s="2" t="s"><v>1</v></c>',
	'<c r="C1" s="3" t="inlineStr"><is><t>bookingID</t></is></c><c r="XFD1" s="3"/></row>',
	'<row r="2" spans="1:3" ht="20"><c r="A2" t="str"><v>Amina</v></c><c r="B2" s="9"><v>46508</v></c>',
	'<c r="C2" t="str"><v>not 4999</v></c></row>',
	'<row r="4"/><row r="5"><c r="B5" s="9"><v>46509</v></c></row>',
	'</sheetData></worksheet>',
].join('');

it('writes cells below their headings, and leaves all else as it was', () => {
	const written = withCells(xml, strings, [
		{ row: 2, column: 'result', value: 'created' },
		{ row: 2, column: 'bookingID', value: 5001 },
		{ row: 4, column: 'reason', value: 'It has "2 < 3" & more' },
		{ row: 5, column: 'bookingID', value: '' },
	]);
	const inline = (text: string) => `t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
	expect(written).toBe(
		[
			// The new columns come after the last one with a cell, and look like it.
			'<worksheet><cols><col min="1" max="1" width="31"/></cols><sheetData>',
			'<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="2" t="s"><v>1</v></c>',
			'<c r="C1" s="3" t="inlineStr"><is><t>bookingID</t></is></c>',
			`<c r="D1" s="3" ${inline('result')}<c r="E1" s="3" ${inline('reason')}<c r="XFD1" s="3"/></row>`,
			'<row r="2" ht="20"><c r="A2" t="str"><v>Amina</v></c><c r="B2" s="9"><v>46508</v></c>',
			`<c r="C2"><v>5001</v></c><c r="D2" ${inline('created')}</row>`,
			`<row r="4"><c r="E4" ${inline('It has "2 &lt; 3" &amp; more')}</row>`,
			'<row r="5"><c r="B5" s="9"><v>46509</v></c></row></sheetData></worksheet>',
		].join(''),
	);
});

it('writes into a tab of 5,000 rows and 40 columns', () => {
	const cells = (row: number) =>
		Array.from({ length: 40 }, (_, at) => {
			const letters = `${at < 26 ? '' : 'A'}${String.fromCharCode(65 + (at % 26))}`;
			return `<c r="${letters}${row}"><v>${row}</v></c>`;
		}).join('');
	const rows = Array.from(
		{ length: 5_000 },
		(_, at) => `<row r="${at + 1}">${cells(at + 1)}</row>`,
	);
	const news = [{ row: 5_000, column: 'bookingID', value: 5001 }];
	const written = withCells(`<sheetData>${rows.join('')}</sheetData>`, '', news);
	expect(written.slice(-60)).toContain('<c r="AO5000"><v>5001</v></c></row></sheetData>');
});

it('has the rows that are struck through, by half of their cells', () => {
	const fonts = '<fonts count="3"><font/><font><strike/><sz val="11"/></font>';
	const looks = ['<xf fontId="1"/>', '<xf fontId="0"/>', '<xf fontId="1"/>', '<xf fontId="2"/>'];
	const styles = `<styleSheet>${fonts}<font><strike val="0"/></font></fonts><cellStyleXfs>${looks[0]}</cellStyleXfs><cellXfs>${looks.slice(1).join('')}</cellXfs><dxfs><font><strike/></font></dxfs></styleSheet>`;
	const rowOf = (row: number, ...styled: number[]) =>
		`<row r="${row}">${styled.map((style) => `<c s="${style}"><v>1</v></c>`).join('')}<c s="1"/></row>`;
	const rows = [rowOf(2, 0, 1), rowOf(3, 0, 0, 1), rowOf(4, 2, 2), rowOf(5, 1, 1), rowOf(6)];
	expect(struckRows(rows.join(''), styles)).toEqual([2, 5]);
	expect(struckRows(rows.join(''), '')).toEqual([]);
});

it('has the cells that are merged over several rows', () => {
	const ranges = ['A1:F1', 'D2:D4', 'AB10:AC11'].map((ref) => `<mergeCell ref="${ref}"/>`);
	expect(mergedDown(`<mergeCells count="3">${ranges.join('')}</mergeCells>`)).toEqual([
		'D2:D4',
		'AB10:AC11',
	]);
});

it('has the tabs that are not hidden, by their names', () => {
	const xml =
		'<workbook><sheets><sheet name="A &amp; &quot;B&quot; &#233;&#x41;" sheetId="1"/><x:sheet name="C" state="visible"/><sheet name="D" state="hidden"/><sheet name="E" state="veryHidden"/></sheets></workbook>';
	expect(tabNames(xml)).toEqual(['A & "B" éA', 'C']);
});

it('has the numbers of the rows that are not shown', () => {
	const tab = '<row r="1"/><row hidden="1" r="2"><c/></row><x:row r="4" hidden="true" ht="2"/>';
	expect(hiddenRows(`${tab}<row r="5" hidden="0"/><col hidden="1"/>`)).toEqual([2, 4]);
});

it('finds the file of a tab', () => {
	const tabs = '<sheet name="A &amp; B" sheetId="1" r:id="rId7"/><sheet name="C" r:id="rId2"/>';
	const relations =
		'<Relationship Id="rId2" Target="/xl/worksheets/sheet1.xml"/><Relationship Id="rId7" Target="worksheets/sheet2.xml"/>';
	const files = ['A & B', 'C', 'D'].map((tab) => fileOfTab(tabs, relations, tab));
	expect(files).toEqual(['worksheets/sheet2.xml', 'worksheets/sheet1.xml', '']);
});

it.each([
	['without cells', '<sheetData></sheetData>'],
	['whose cells have no places', '<sheetData><row r="1"><c><v>1</v></c></row></sheetData>'],
])('does not write into a tab %s', (_, tab) => {
	expect(() => withCells(tab, '', [])).toThrow('no');
});
