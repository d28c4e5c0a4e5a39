import type { IAuthenticate, Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

import { withAuthorization } from './authorization';
import { baseUrlField } from './fields';

/**
 * Key for discovery, booking and status operations (interface, "Authentication" 1–4). The action node
 * tests it, because a key may lack the scope of any one endpoint: see `methods/credentialTest.ts`.
 */
export class TractorBookingApiKeyApi implements ICredentialType {
	name = 'tractorBookingApiKeyApi';

	displayName = 'Tractor Booking API Key API';

	icon: Icon = {
		light: 'file:../icons/tractorBooking.svg',
		dark: 'file:../icons/tractorBooking.dark.svg',
	};

	documentationUrl =
		'https://github.com/tractor-booking/n8n-nodes-tractor-booking/blob/main/README.md#credentials';

	properties: INodeProperties[] = [
		baseUrlField,
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'Create it in the partner dashboard, which shows it only once',
		},
	];

	authenticate: IAuthenticate = async ({ apiKey }, request) =>
		withAuthorization(request, 'Api-Key', apiKey);
}
