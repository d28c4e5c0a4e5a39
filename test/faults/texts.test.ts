import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Node } from 'typescript';
import {
	createSourceFile,
	forEachChild,
	isNoSubstitutionTemplateLiteral,
	isStringLiteral,
	isTemplateExpression,
	ScriptTarget,
} from 'typescript';

/** Every label, description and message of the nodes, to be read in one place. `ERRORS_PAGE=write` writes it again. */
const PAGE = 'docs/developers/texts.md';

const FOLDERS = ['credentials', 'nodes/TractorBooking'];

/** The words of a text; `…` is what it is filled with. Undefined if the node is not a text. */
function textOf(node: Node): string | undefined {
	if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return node.text;
	if (!isTemplateExpression(node)) return undefined;
	return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
}

/** Whether a text is for people: some words in a row, and neither an expression of n8n nor a pattern. */
const isForPeople = (text: string) =>
	/\p{L}{2,}[,:;]? \p{L}+/u.test(text) && !text.startsWith('=') && !/\(\?|\w\|\w/.test(text);

function textsOf(path: string): string[] {
	const texts: string[] = [];
	const visit = (node: Node) => {
		const text = textOf(node);
		if (text !== undefined && isForPeople(text)) texts.push(text.replaceAll(/\s+/g, ' ').trim());
		forEachChild(node, visit);
	};
	visit(createSourceFile(path, readFileSync(path, 'utf8'), ScriptTarget.ES2022));
	return texts;
}

function pageOfTexts(): string {
	const files = FOLDERS.flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
	);
	const sections = files
		.filter((path) => path.endsWith('.ts'))
		.sort()
		.flatMap((path) => {
			const texts = textsOf(path);
			return texts.length === 0 ? [] : [`## ${path}`, texts.map((text) => `- ${text}`).join('\n')];
		});
	const head = [
		'# Every text of the nodes',
		'Labels, descriptions and messages, in the order of the code; `…` is what a text is filled with. `ERRORS_PAGE=write npm run test:faults` writes this page.',
	];
	return `${[...head, ...sections].join('\n\n')}\n`;
}

it(`${PAGE} lists every text`, () => {
	const page = pageOfTexts();
	if (process.env.ERRORS_PAGE === 'write') writeFileSync(PAGE, page);
	expect(readFileSync(PAGE, 'utf8')).toBe(page);
});
