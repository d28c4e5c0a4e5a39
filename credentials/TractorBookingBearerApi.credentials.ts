import type { IAuthenticate, Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

import { baseUrlField, withAuthorization } from './authorization';

/** Bearer token for catalogue and contracts (interface, "Authentication" 5), tested by the node as the API key is. */
export class TractorBookingBearerApi implements ICredentialType {
	name = 'tractorBookingBearerApi';

	displayName = 'Tractor Booking Bearer API';

	icon: Icon = {
		light: 'file:../icons/tractorBooking.svg',
		dark: 'file:../icons/tractorBooking.dark.svg',
	};

	documentationUrl =
		'https://github.com/tractor-booking/n8n-nodes-tractor-booking/blob/main/README.md#credentials';

	properties: INodeProperties[] = [
		baseUrlField,
		{
			displayName: 'Bearer Token',
			name: 'token',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'You get it from the operator of the service',
		},
	];

	authenticate: IAuthenticate = async (credential, request) =>
		withAuthorization(request, credential, 'Bearer', credential.token);
}
