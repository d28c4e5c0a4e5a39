import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { testApiKey } from './methods/credentialTest';
import { triggerFields } from './trigger/description';
import { poll } from './trigger/poll';

/** The trigger node; its poll is in `trigger/`. */
export class TractorBookingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Tractor Booking Trigger',
		name: 'tractorBookingTrigger',
		icon: {
			light: 'file:../../icons/tractorBooking.svg',
			dark: 'file:../../icons/tractorBooking.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		// In words: `booking completed, new booking`.
		subtitle: '={{ $parameter["events"].join(", ").replace(/[A-Z]/g, " $&").toLowerCase() }}',
		description:
			'Starts the workflow when a booking is new, changes its status, is completed, declined or overdue',
		defaults: { name: 'Tractor Booking Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'tractorBookingApi', required: true, testedBy: 'testApiKey' }],
		properties: triggerFields,
	};

	methods = { credentialTest: { testApiKey } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
