// Builds what is published into dist/: `gulp` once, `gulp watch` after every change of a source.
const esbuild = require('esbuild');
const gulp = require('gulp');
const prettier = require('prettier');
const tsx = require('tsx/cjs/api');
const { readFile, rm, writeFile } = require('node:fs/promises');
const { basename, dirname } = require('node:path');
const { n8n } = require('./package.json');

/** The source of a built file: `nodes/X.node.ts` of `dist/nodes/X.node.js`. */
const sourceOf = (path) => path.replace(/^dist\//, '').replace(/\.js$/, '.ts');

/** n8n's name for the class in a node file: the file's name up to its first dot. */
const classIn = (path) => basename(path).split('.')[0];

/** Compiles TypeScript and what it imports from this package. Not minified: reviewers read it, and stack traces. */
const bundle = (options) =>
	esbuild.build({
		...options,
		bundle: true,
		format: 'cjs',
		platform: 'node',
		target: 'node20',
		// Node.js has them since version 10; esbuild would write each such expression as text in `new RegExp()`.
		supported: { 'regexp-unicode-property-escapes': true },
		charset: 'utf8',
		external: ['n8n-workflow'],
		plugins: [countries, metadata, withComments],
		legalComments: 'inline',
	});

/** esbuild drops comments, but for those that look like licences: here they all do, until it is done. */
const withComments = {
	name: 'with comments',
	setup: ({ onLoad }) =>
		onLoad({ filter: /(?:nodes|credentials)[\\/].*\.ts$/ }, async ({ path }) => {
			const source = await readFile(path, 'utf8');
			const contents = source.replace(/^(\s*\/[*/])/gm, '$1!');
			return { contents, loader: 'ts', resolveDir: dirname(path) };
		}),
};

/** Writes out the list of countries, so that n8n does not make it at each start. */
const countries = {
	name: 'countries',
	setup: ({ onLoad }) =>
		onLoad({ filter: /phoneCountryList\.ts$/ }, ({ path }) => {
			const { PHONE_COUNTRIES } = tsx.require(path, __filename);
			return { contents: `export const PHONE_COUNTRIES = ${JSON.stringify(PHONE_COUNTRIES)};` };
		}),
};

/** Makes the numbering plans when the first phone is parsed, not when n8n starts. */
const metadata = {
	name: 'metadata',
	setup: ({ onLoad }) =>
		onLoad({ filter: /libphonenumber-js[\\/]metadata\.max\.json\.js$/ }, () => {
			const plans = require('libphonenumber-js/max/metadata');
			const getters = Object.keys(plans).map((key) => `get ${key}() { return load().${key}; }`);
			const contents = `
				let plans;
				const load = () => (plans ??= ${JSON.stringify(plans)});
				export default { ${getters.join(', ')} };
			`;
			return { contents };
		}),
};

/** Code in the layout of the sources, with their comments. */
const layOut = async (code) =>
	await prettier.format(code.replace(/^(\s*\/[*/])!/gm, '$1'), {
		...(await prettier.resolveConfig(__filename)),
		parser: 'babel',
	});

async function clean() {
	await rm('dist', { recursive: true, force: true });
}

/** All of a kind share one file: n8n loads it at every start, several times as fast as a hundred files. */
async function bundleAll(paths, file) {
	const folder = dirname(paths[0]);
	const exportOf = (path) => `export { ${classIn(path)} } from './${basename(path, '.js')}';`;
	const stdin = { contents: paths.map(exportOf).join('\n'), resolveDir: sourceOf(folder) };
	const outfile = `${folder}/${file}`;
	await bundle({ stdin, outfile });
	const code = await readFile(outfile, 'utf8');
	await writeFile(outfile, await layOut(code));
	for (const path of paths) {
		const name = classIn(path);
		await writeFile(path, `exports.${name} = require('./${file}').${name};\n`);
	}
}

const nodes = () => bundleAll(n8n.nodes, 'nodes.js');

const credentials = () => bundleAll(n8n.credentials, 'credentials.js');

/**
 * Files that tell n8n under which categories it lists the nodes, and where their documentation is; what each operation
 * gives back, for the editor to show before the first run; and icons.
 */
const others = () =>
	gulp
		.src(['nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json', 'icons/*.svg'], {
			base: '.',
			encoding: false,
		})
		.pipe(gulp.dest('dist'));

/** Of what the nodes contain: the phone library with its numbering plans, and the distance of words. */
const licences = () =>
	gulp
		.src(
			['libphonenumber-js', 'fastest-levenshtein'].map((name) => `node_modules/${name}/LICENSE*`),
			{
				base: 'node_modules',
			},
		)
		.pipe(gulp.dest('dist/licences'));

const build = gulp.series(clean, gulp.parallel(nodes, credentials, others, licences));

/** Builds after every change. Returns nothing that gulp could wait for: a failed build would end the watch. */
function watch() {
	gulp.watch(['nodes/**', 'credentials/**', 'icons/**'], { ignoreInitial: false }, build);
}

module.exports = { watch, default: build };
