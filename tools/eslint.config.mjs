import { config } from '@n8n/node-cli/eslint';

/** n8n's own rules, for what runs outside of n8n: it may use timers, the console and libraries. */
export default [
	...config,
	{
		files: ['**/*.ts'],
		rules: {
			'no-console': 'off',
			'@n8n/community-nodes/no-dangerous-functions': 'off',
			'@n8n/community-nodes/no-restricted-globals': 'off',
			'@n8n/community-nodes/no-restricted-imports': 'off',
			'@n8n/community-nodes/require-node-api-error': 'off',
		},
	},
];
