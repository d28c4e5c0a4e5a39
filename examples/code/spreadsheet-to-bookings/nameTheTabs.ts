// One item for each tab that is not hidden. What is no workbook has no list of tabs: then this node fails.
import { filesOf } from './parts/files';
import { fileOfTab, hiddenRows, mergedDown, struckRows, tabNames } from './parts/workbook';

const [{ binary: files = {} } = {}] = $input.all();
const inside = filesOf(files);
if (!inside.keyOf('workbook.xml')) throw new Error('This is not an Excel workbook.');
const { binary } = $('As a zip file').first();

async function nameTabs() {
	const workbook = await inside.textIn('workbook.xml');
	const styles = await inside.textIn('styles.xml');
	const relations = await inside.textIn('workbook.xml.rels');
	const tabs = tabNames(workbook).map(async (tab) => {
		const cells = await inside.textIn(fileOfTab(workbook, relations, tab));
		const struck = struckRows(cells, styles);
		return { json: { tab, hidden: hiddenRows(cells), struck, merged: mergedDown(cells) }, binary };
	});
	return await Promise.all(tabs);
}

export default nameTabs();
