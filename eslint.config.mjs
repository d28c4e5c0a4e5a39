import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import eslint from '@eslint/js';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const { community, credentials, nodes } = n8nNodesBase.configs;
const published = ['nodes/**/*.ts', 'credentials/**/*.ts'];

export default tseslint.config(
	{ ignores: ['dist/', 'coverage/', 'bench/results/'] },
	{
		files: ['**/*.ts'],
		extends: [eslint.configs.recommended, tseslint.configs.recommendedTypeChecked],
		languageOptions: {
			parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
		},
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			// An async function may have nothing to await where an interface wants a promise.
			'@typescript-eslint/require-await': 'off',
		},
	},
	{
		files: ['test/**/*.ts'],
		rules: {
			// What a server answers comes without a type; the assertions say what it has to be.
			'@typescript-eslint/no-unsafe-argument': 'off',
			'@typescript-eslint/no-unsafe-assignment': 'off',
			'@typescript-eslint/no-unsafe-call': 'off',
			'@typescript-eslint/no-unsafe-member-access': 'off',
			'@typescript-eslint/no-unsafe-return': 'off',
		},
	},
	// Both n8n plugins judge what is published; the sandbox, the demo and the tests may use timers and libraries.
	{
		files: published,
		extends: [n8nCommunityNodesPlugin.configs.recommended],
		plugins: { regexp },
		rules: {
			'no-console': 'error',
			// One long cell must not block n8n: no regular expression takes quadratic time.
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
		},
	},
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
	{
		files: ['package.json'],
		extends: [n8nCommunityNodesPlugin.configs.recommended],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: community.rules,
		languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
	},
);
