// One item for each tab that is not hidden. What is no workbook has no list of tabs: then this node fails.
import { tabNames } from './parts/workbook';

const [{ binary: files = {} } = {}] = $input.all();
const [key] = Object.entries(files).find(([, { fileName }]) => fileName === 'workbook.xml') ?? [];
if (!key) throw new Error('This is not an Excel workbook.');
const { binary } = $('Upload the list').first();

export default helpers
	.getBinaryDataBuffer(0, key)
	.then((xml) => tabNames(xml.toString('utf8')).map((tab) => ({ json: { tab }, binary })));
