import { readdirSync, readFileSync } from 'node:fs';
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

/** Prints every label, description and message of the nodes, in the order of the code, to be read in one place. */
function printTexts(): void {
	const files = FOLDERS.flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
	);
	for (const path of files.filter((name) => name.endsWith('.ts')).sort()) {
		const texts = textsOf(path);
		if (texts.length > 0)
			console.log([`## ${path}`, ...texts.map((text) => `- ${text}`), ''].join('\n'));
	}
}

printTexts();
