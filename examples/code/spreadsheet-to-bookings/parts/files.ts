import type { IBinaryKeyData } from 'n8n-workflow';

/** The files of a workbook by the end of their path: the key of each, and its text. */
export function filesOf(unzipped: IBinaryKeyData) {
	const keyOf = (path: string) =>
		Object.keys(unzipped).find((key) => {
			const { directory = '', fileName } = unzipped[key] ?? {};
			return `/${directory}/${fileName}`.endsWith(`/${path}`);
		});
	const textIn = async (path: string) => {
		const key = keyOf(path);
		return key === undefined ? '' : (await helpers.getBinaryDataBuffer(0, key)).toString('utf8');
	};
	return { keyOf, textIn };
}
