// Stricter rules than n8n's own, which are in eslint.config.mjs and have to stay as n8n ships them.
import eslint from '@eslint/js';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const { credentials, nodes } = n8nNodesBase.configs;

/** The folders of nodes/ in order: each imports none that follows, and none in its own line. */
const FOLDERS = [
	['utils'],
	['api', 'parse'],
	['methods'],
	// Those of create/
	...[['row'], ['memory', 'sheet'], ['preview'], ['say'], ['match'], ['send']],
	['resources', 'trigger'],
];

const inOrder = FOLDERS.flatMap((line, at) =>
	line.map((folder) => {
		const later = FOLDERS.slice(at)
			.flat()
			.filter((other) => other !== folder);
		const patterns = [{ regex: `/(?:${later.join('|')})/`, message: 'It runs the other way.' }];
		return {
			files: [`nodes/**/${folder}/**`],
			rules: { 'no-restricted-imports': ['error', { patterns }] },
		};
	}),
);

export default tseslint.config(
	{ ignores: ['dist/', 'coverage/', 'bench/results/'] },
	{
		files: ['**/*.ts', '**/*.cts'],
		extends: [eslint.configs.recommended, tseslint.configs.recommendedTypeChecked],
		languageOptions: {
			parserOptions: { project: 'test/tsconfig.json', tsconfigRootDir: import.meta.dirname },
		},
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			// An async function may have nothing to await where an interface wants a promise.
			'@typescript-eslint/require-await': 'off',
		},
	},
	{
		files: ['test/**/*.cts'],
		rules: {
			// What a server answers comes without a type; the assertions say what it has to be.
			'@typescript-eslint/no-unsafe-argument': 'off',
			'@typescript-eslint/no-unsafe-assignment': 'off',
			'@typescript-eslint/no-unsafe-call': 'off',
			'@typescript-eslint/no-unsafe-member-access': 'off',
			'@typescript-eslint/no-unsafe-return': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		plugins: { regexp },
		rules: {
			// One long cell must not block n8n: no regular expression takes quadratic time.
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
		},
	},
	// The last that names a file counts: that of the inner folder.
	...inOrder.reverse(),
	// Version 2 of the plugin; n8n's own configuration has version 1.
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...credentials.rules,
			// Made for n8n's own credentials; the newer plugin wants a web address here.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...nodes.rules,
			// These want ['main']; the newer plugin wants NodeConnectionTypes.Main, which is the same.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
		},
	},
);
