import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { format, resolveConfig } from 'prettier';
import { ScriptTarget, transpileModule } from 'typescript';

import { isRecord } from '../nodes/TractorBooking/utils/text';
import type { WorkflowFile } from './n8nClient.cts';

const CHECKOUT = join(__dirname, '..');
const EXAMPLES = join(CHECKOUT, 'examples');

/** The source of a node: `drawThePage.ts` of *Draw the page*. */
function sourceOf(workflow: string, node: string): string {
	const [first = '', ...words] = node.replace(/[^\w ]/g, '').split(' ');
	const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
	return join(EXAMPLES, 'code', workflow, `${first.toLowerCase()}${name}.ts`);
}

/** What a source says first, for whoever opens the node: esbuild puts what it imports above it. */
const HEAD = /^(?:\/\/.*\n)*/;

/**
 * Removes types, with the comments on them. esbuild would drop all other comments, but for those that look like licences,
 * and blank lines: so all look like that until it is done.
 */
const withComments: Plugin = {
	name: 'with comments',
	setup: (building) =>
		building.onLoad({ filter: /\.ts$/ }, ({ path }) => {
			const source = readFileSync(path, 'utf8').replace(HEAD, '').replace(/^$/gm, '// blank');
			const { outputText } = transpileModule(source, {
				compilerOptions: { target: ScriptTarget.ES2022 },
			});
			const contents = outputText.replace(/^(\s*\/[*/])/gm, '$1!');
			return { contents, loader: 'js', resolveDir: dirname(path) };
		}),
};

/** @throws Error if esbuild has renamed a variable, `rows` to `rows2`, since another one around it has its name */
function mustHaveOwnNames(code: string, sources: readonly string[]): void {
	const all = sources.map((path) => readFileSync(join(CHECKOUT, path), 'utf8')).join();
	const names = code.match(/\b[A-Za-z]\w*\d\b/g) ?? [];
	const renamed = names.filter((name) => !all.includes(name));
	if (renamed.length > 0)
		throw new Error(`Give a name of its own to: ${[...new Set(renamed)].join(', ')}.`);
}

/** Comments on nothing: what they were written on is not used. */
const UNUSED = /^(?:\/\/.*\n|\/\*\*(?:(?!\*\/)[^])*\*\/\n)+(?=\n)/gm;

/** The code without the traces of esbuild. */
const cleaned = (code: string) =>
	code
		.replace(/^\/\/ (?:examples|nodes)\/.*\n/gm, '')
		.replace(/^(\s*\/[*/])!/gm, '$1')
		.replace(/^\s*\/\/ blank$/gm, '')
		.replace(UNUSED, '')
		.replace(/\/\* @__PURE__ \*\/ /g, '')
		.replace(/\bvoid 0\b/g, 'undefined')
		.replace(/^var /gm, 'const ')
		.replace(/^const \w+_default = ([^]*)export \{[^}]*\};\n$/m, 'return $1');

/** The code of a node, with what it imports, as a person reads it in n8n's editor. */
async function codeOf(source: string): Promise<string> {
	const { outputFiles, metafile } = await build({
		absWorkingDir: CHECKOUT,
		entryPoints: [source],
		bundle: true,
		write: false,
		metafile: true,
		format: 'esm',
		target: 'es2022',
		charset: 'utf8',
		legalComments: 'inline',
		plugins: [withComments],
	});
	const code = outputFiles[0]?.text ?? '';
	mustHaveOwnNames(code, Object.keys(metafile.inputs));
	const [head = ''] = HEAD.exec(readFileSync(source, 'utf8')) ?? [];
	const style = { ...(await resolveConfig(source)), parser: 'babel', useTabs: false };
	return (await format(`${head}\n${cleaned(code)}`, style)).trimEnd();
}

const hasLook = (options: unknown): options is { customCss: string } =>
	isRecord(options) && typeof options.customCss === 'string';

/** The look of a form, in front of what its page has of its own. */
function withLook(css: string): string {
	const look = readFileSync(join(EXAMPLES, 'code', 'form.css'), 'utf8');
	return css.replace(/^(=?)(?:[^]*\/\* Of this page: \*\/\n)?/, (_, sign: string) => sign + look);
}

/** An example with the code of its nodes and the look of its forms as the sources have them. @param name of the file, without `.json` */
export async function withCode(name: string, text: string): Promise<string> {
	const workflow = JSON.parse(text) as WorkflowFile;
	for (const { name: node, parameters } of workflow.nodes) {
		const { jsCode, options } = parameters;
		if (jsCode !== undefined) parameters.jsCode = await codeOf(sourceOf(name, node));
		if (hasLook(options)) options.customCss = withLook(options.customCss);
	}
	return `${JSON.stringify(workflow, null, 2)}\n`;
}

/** `node -r tsx/cjs tools/exampleCode.cts` writes the sources in `examples/code/` into the examples. */
async function main(): Promise<void> {
	for (const file of readdirSync(EXAMPLES).filter((name) => name.endsWith('.json'))) {
		const path = join(EXAMPLES, file);
		const text = readFileSync(path, 'utf8');
		writeFileSync(path, await withCode(file.replace('.json', ''), text));
	}
}

if (require.main === module) void main();
