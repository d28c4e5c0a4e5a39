import type { INodeProperties } from 'n8n-workflow';

/** The Base URL field of both credentials; staging and production have different URLs. */
export const baseUrlField: INodeProperties = {
	displayName: 'Base URL',
	name: 'baseUrl',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://api.example.com',
	description:
		'URL of the service. Staging and production have different URLs; your partner dashboard shows both after sign-in.',
};
