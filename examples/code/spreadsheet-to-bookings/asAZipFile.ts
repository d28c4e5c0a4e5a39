const [{ json, binary } = { json: {} }] = $input.all();
const file = binary?.Spreadsheet;

export default [{ json, binary: { Spreadsheet: { ...file, fileExtension: 'zip' } } }];
