// The files in the workbook that was uploaded, with their folders: so they can be made a workbook again.
import type { IBinaryKeyData } from 'n8n-workflow';

const files: IBinaryKeyData = {};
for (const [key, file] of Object.entries($('Unzip').first().binary ?? {})) {
	const { directory, fileName } = file;
	files[key] = { ...file, fileName: directory ? `${directory}/${fileName}` : fileName };
}

export default [{ json: {}, binary: files }];
