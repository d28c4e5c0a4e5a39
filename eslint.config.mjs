import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

console.log(Object.keys(n8nNodesBase.configs))
export default tseslint.config(
	{ ignores: ['dist/', 'coverage/', 'demo/host/'] },
	...tseslint.configs.recommended,
);
