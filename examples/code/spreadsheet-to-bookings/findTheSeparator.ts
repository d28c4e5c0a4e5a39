// What stands between the cells of a CSV file. What is not UTF-8 is refused: its letters could only be guessed.
const SEPARATORS = [',', ';', '\t'];

async function find() {
	const { binary } = $('Upload the list').first();
	const text = (await helpers.getBinaryDataBuffer(0, 'Spreadsheet')).toString('utf8');
	if (text.includes('\ufffd')) throw new Error('This is not UTF-8.');
	// Not those in quotes.
	const [headings = ''] = text
		.replace(/"[^"]*"/g, '')
		.trimStart()
		.split('\n');
	const counted = SEPARATORS.map((sign) => ({ sign, count: headings.split(sign).length }));
	const [most] = counted.sort((one, other) => other.count - one.count);
	if (!most || most.count === 1) throw new Error('Its first line has no columns.');
	return [{ json: { separator: most.sign }, binary }];
}

export default find();
