// Writes the results into the tab, and leaves all else in the workbook as it is.
import type { Ending } from './parts/step';
import { fileOfTab, withCells } from './parts/workbook';

const [{ binary: files = {} } = {}] = $input.all();
const { cells: newCells, state: lastState } = $('Draw the page').first<Ending>().json;

async function textIn(name: string): Promise<string> {
	const key = keyOf(name);
	return key === undefined ? '' : (await helpers.getBinaryDataBuffer(0, key)).toString('utf8');
}

const keyOf = (name: string) =>
	Object.keys(files).find((key) => `/${files[key]?.fileName}`.endsWith(`/${name}`));

async function write() {
	const relations = await textIn('workbook.xml.rels');
	const sheetFile = fileOfTab(await textIn('workbook.xml'), relations, lastState.tab ?? '');
	const sheetKey = keyOf(sheetFile);
	if (sheetKey === undefined) throw new Error('The tab has no file.');
	const xml = withCells(await textIn(sheetFile), await textIn('sharedStrings.xml'), newCells);
	const { fileName, mimeType } = files[sheetKey] ?? {};
	const data = Buffer.from(xml).toString('base64');
	return [{ json: {}, binary: { ...files, [sheetKey]: { data, fileName, mimeType } } }];
}

export default write();
