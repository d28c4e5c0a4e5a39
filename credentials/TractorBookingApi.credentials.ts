import type { IAuthenticate, Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

import { baseUrlField, withAuthorization } from './authorization';

/**
 * API key for tractors and bookings (interface, "Authentication" 1–4). The node tests it (`methods/credentialTest.ts`),
 * since n8n's own test would take any site for the service.
 */
export class TractorBookingApi implements ICredentialType {
	name = 'tractorBookingApi';

	displayName = 'Tractor Booking API';

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

	authenticate: IAuthenticate = async (credential, request) =>
		withAuthorization(request, credential, 'Api-Key', credential.apiKey);
}
