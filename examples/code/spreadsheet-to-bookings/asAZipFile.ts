const [{ json, binary } = { json: {} }] = $input.all();
const file = binary?.Spreadsheet;

export default [{ json, binary: { ...binary, zip: { ...file, fileExtension: 'zip' } } }];
