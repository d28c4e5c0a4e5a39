// Writes the results into the tab, and leaves all else in the workbook as it is.
import { filesOf } from './parts/files';
import type { Ending } from './parts/step';
import { fileOfTab, withCells } from './parts/workbook';

const [{ binary: files = {} } = {}] = $input.all();
const { cells: newCells, state: lastState } = $('Draw the page').first<Ending>().json;
const inside = filesOf(files);

async function write() {
	const relations = await inside.textIn('workbook.xml.rels');
	const sheetFile = fileOfTab(await inside.textIn('workbook.xml'), relations, lastState.tab ?? '');
	const sheetKey = inside.keyOf(sheetFile);
	if (sheetKey === undefined) throw new Error('The tab has no file.');
	const xml = withCells(
		await inside.textIn(sheetFile),
		await inside.textIn('sharedStrings.xml'),
		newCells,
	);
	const { fileName, mimeType } = files[sheetKey] ?? {};
	const data = Buffer.from(xml).toString('base64');
	return [{ json: {}, binary: { ...files, [sheetKey]: { data, fileName, mimeType } } }];
}

export default write();
