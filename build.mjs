// Builds what is published into dist/. Both nodes share one file: n8n reads it at every start, and one short file
// loads several times as fast as the hundred that it is made of.
import { build } from 'esbuild';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';

const { n8n } = JSON.parse(await readFile('package.json', 'utf8'));
const nodesFolder = dirname(n8n.nodes[0]);

/** n8n's name for the class in a node or credential file: what stands before the first dot. */
const classIn = (path) => basename(path).split('.')[0];
const sourceOf = (path) => path.replace(/^dist\//, '').replace(/\.js$/, '.ts');

/** Compiles TypeScript and all that it imports from this package into one file. */
async function bundle(input, outfile) {
	await build({
		...input,
		outfile,
		bundle: true,
		minify: true,
		format: 'cjs',
		platform: 'node',
		target: 'node20',
		charset: 'utf8',
		external: ['n8n-workflow'],
	});
}

await rm('dist', { recursive: true, force: true });

const exportAll = n8n.nodes.map(
	(path) => `export { ${classIn(path)} } from './${basename(sourceOf(path), '.ts')}';`,
);
await bundle(
	{ stdin: { contents: exportAll.join('\n'), resolveDir: dirname(sourceOf(n8n.nodes[0])) } },
	join(nodesFolder, 'nodes.js'),
);
for (const path of n8n.nodes) {
	await writeFile(path, `exports.${classIn(path)} = require('./nodes.js').${classIn(path)};\n`);
}
for (const path of n8n.credentials) await bundle({ entryPoints: [sourceOf(path)] }, path);

// n8n finds codex files beside the nodes, and the icons where the nodes and credentials say.
for (const path of n8n.nodes) {
	const codex = path.replace(extname(path), '.json');
	await cp(codex.replace(/^dist\//, ''), codex);
}
await cp('icons', 'dist/icons', { recursive: true });
